"""What a bot author subclasses, and what the bot is given."""

from abc import abstractmethod

from engine.bot_output_api import NOBODY_RECORDS, Draw, Log
from engine.game import Event, Game
from engine.games.smac.board_view import Board
from engine.games.smac.grid import Cell
from engine.games.smac.orders import ORDERS, Order
from engine.games.smac.pieces import Fight, Skip, Special
from engine.games.smac.production import Forecast
from engine.games.smac.settings import Characteristic, Characteristics, Settings
from engine.games.smac.sheets import OrderSheet, PlacementSheet
from engine.games.smac.state import Dish
from engine.limits import Limits

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
    """A player of one team in one match; it may keep whatever it likes in `self`.

    A bot file holds a class `Player(BasePlayer)` with a method `decide`, and perhaps `settle`.
    """

    limits: Limits
    """Resource limits: `self.limits.cpu_ms` is the CPU time for a turn's orders, and so on."""
    draw: Draw = NOBODY_RECORDS.draw
    """Draws on the board for those who watch: `self.draw.line(1, 2, 5, 2, key="plan")`."""
    log: Log = NOBODY_RECORDS.log
    """Logs lines for those who watch: `self.log.info("hungry")`."""

    def __init__(self, board: Board, team: int) -> None:
        """Keep both; your own `__init__` calls `super().__init__(board, team)`."""
        self.board = board
        """The dish, always up to date."""
        self.team = team
        """Your team, from 1."""

    def settle(self, sheet: PlacementSheet) -> None:
        """Choose a center, twice before the first turn: `sheet.bid(3)`, `sheet.center(5, 5)`.

        Without one, the center is drawn at random.
        """

    @abstractmethod
    def decide(self, orders: OrderSheet) -> None:
        """Write the orders of a turn: `orders.place(7, 6)`, `orders.evolve("jump")`, and so on."""
        raise NotImplementedError("a Player needs a method decide(self, orders)")


class SmacHost:
    """The worker's side of the game: hands the player a sheet, and returns what is on it."""

    def __init__(
        self,
        player: type[BasePlayer],
        dish: Dish,
        team: int,
        limits: Limits,
        game: Game[Dish, Event, Order] | None = None,
    ) -> None:
        self._dish = dish
        self._team = team
        player.limits = limits
        self._player = player(Board(dish, team, game), team)

    def decide(self, piece_id: int, view: None) -> object:
        """Return the sheet's answer; one that the player returns itself replaces it (rules 9)."""
        answer: object
        if self._dish.stage == ORDERS:
            orders = OrderSheet(self._dish, self._team)
            answer = self._player.decide(orders)
            return orders.answer() | orders.refused_lines() if answer is None else answer
        sheet = PlacementSheet(self._dish, self._team)
        answer = self._player.settle(sheet)  # type: ignore[func-returns-value]
        return sheet.answer() | sheet.refused_lines() if answer is None else answer

    def place(self, piece_id: int) -> str:
        return f"turn {self._dish.turn}" if self._dish.stage == ORDERS else self._dish.stage
