"""What a bot author subclasses, and what the bot is given."""

from typing import Any

from engine.bots.limits import Limits
from engine.games.smac.grid import Cell
from engine.games.smac.orders import ORDERS
from engine.games.smac.pieces import Fight, Skip, Special
from engine.games.smac.settings import Characteristic, Characteristics, Settings
from engine.games.smac.sheets import Forecast, OrderSheet, PlacementSheet
from engine.games.smac.sight import Board
from engine.games.smac.state import Dish

__all__ = [
    "BasePlayer",
    "Board",
    "Cell",
    "Characteristic",
    "Characteristics",
    "Fight",
    "Forecast",
    "OrderSheet",
    "PlacementSheet",
    "Settings",
    "Skip",
    "Special",
]


class BasePlayer:
    """Decides for one team in one match; may keep whatever it likes in `self`.

    A bot file holds a class `Player(BasePlayer)` with a method `decide`, and perhaps `settle`.
    """

    limits: Limits
    """What it may use: `self.limits.cpu_ms` for the orders of a turn, and so on."""

    def __init__(self, board: Board, team: int) -> None:
        """An `__init__` of your own passes both on: `super().__init__(board, team)`."""
        self.board = board
        self.team = team

    def settle(self, sheet: PlacementSheet) -> None:
        """Choose a centre, twice before the first turn: `sheet.bid(3)`, `sheet.centre(5, 5)`.

        Without any the centre is drawn.
        """

    def decide(self, orders: OrderSheet) -> None:
        """Write the orders of a turn: `orders.place(7, 6)`, `orders.evolve("jump")`, and so on."""
        raise NotImplementedError("a Player needs a method decide(self, orders)")


class SmacHost:
    """The worker's end: hands the player a sheet, and takes it back."""

    def __init__(self, player: type[BasePlayer], dish: Dish, team: int, limits: Limits) -> None:
        self._dish = dish
        self._team = team
        player.limits = limits
        self._player = player(Board(dish, team), team)

    def decide(self, about: int, view: None) -> Any:
        """The sheet; what a player returns instead is taken for its answer (rules 9)."""
        answer: Any
        if self._dish.stage == ORDERS:
            orders = OrderSheet(self._dish, self._team)
            answer = self._player.decide(orders)  # type: ignore[func-returns-value]
            return orders.answer() if answer is None else answer
        sheet = PlacementSheet(self._dish, self._team)
        answer = self._player.settle(sheet)  # type: ignore[func-returns-value]
        return sheet.answer() if answer is None else answer

    def place(self, about: int) -> str:
        return f"turn {self._dish.turn}" if self._dish.stage == ORDERS else self._dish.stage
