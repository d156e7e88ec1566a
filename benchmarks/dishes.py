"""smac: the engine's part of a turn of SMAC, in a real match and on full dishes of three sizes.

Answers are recorded first; what is timed is checking and playing them, applying the events,
and folding and encoding what each team may know of them.
"""

import random
import time
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from benchmarks.boards import SEED, apply_all
from benchmarks.cores import one_core
from benchmarks.ping_pong import round_trip_us
from benchmarks.seats import make_match
from benchmarks.table import Effort, Figure, Target, figure, measure_interleaved
from engine.catalog import find_game
from engine.game import Ask, Event
from engine.games.smac.events import Endowed, Placed, Rose
from engine.games.smac.orders import ORDERS
from engine.games.smac.pieces import Special
from engine.games.smac.settings import MILLI, Characteristic, Characteristics, Settings
from engine.games.smac.setup import set_up
from engine.games.smac.sheets import OrderSheet, PlacementSheet
from engine.games.smac.board_view import Board
from engine.games.smac.state import Dish
from engine.match import play_match
from engine.seat import Seat
from engine.streams import Streams

GAME = find_game("smac")
SIDES = (20, 40, 80)
STRIPE = 5
"""The columns of a team's stripe on a full dish: the front per cell is the same on any size."""
CELLS_PER_ORDER = 20
encode = msgspec.json.Encoder().encode
Answers = dict[tuple[int, int], object]
"""Answers by number of the ask and team."""


def measure(effort: Effort) -> list[Figure]:
    answers, dishes = record_answers(), {side: full_dish(side) for side in SIDES}
    with one_core():
        turn = measure_interleaved(
            effort, lambda: match_turn_us(answers), lambda: round_trip_us(effort.orders)
        )
        per_cell = {
            side: measure_interleaved(effort, timing(dishes[side]), timing(dishes[SIDES[0]]))
            for side in SIDES[1:]
        }
    return [
        figure("smac turn", "us", turn, Target.at_most(400)).says(
            "a turn of SMAC for two, engine alone; a ping-pong"
        ),
        *(
            figure(f"smac {side}x{side}", "us", pair, Target.at_most(1)).says(
                f"a turn on a full dish, per cell; the same on {SIDES[0]}x{SIDES[0]}"
            )
            for side, pair in per_cell.items()
        ),
    ]


class RecordedSeat(Seat):
    """Gives the answers of a recorded match, and encodes its news as for a process."""

    def __init__(self, team: int, answers: Answers) -> None:
        self._team, self._answers, self._asked = team, answers, 0
        self._news: list[Event] = []
        self.notify = self._news.append

    def prepare(self, state: Any) -> None:
        """Ignore the state: the answers are recorded."""

    def put(self, ask: Ask, view: Any) -> None:
        self._asked += 1
        encode((0, self._news, ask.piece_id, view))
        self._news.clear()

    def take(self) -> Any:
        return self._answers[self._asked, self._team]


class RandomSeat(RecordedSeat):
    """A seat that answers at random, and records its answers."""

    def prepare(self, state: Any) -> None:
        self._dish: Dish = state
        self._dice = random.Random(f"{SEED}/{self._team}")

    def take(self) -> Any:
        answer = self._answers[self._asked, self._team] = self._decide()
        return answer

    def _decide(self) -> object:
        dish, dice, board = self._dish, self._dice, Board(self._dish, self._team)
        if dish.stage != ORDERS:
            sheet = PlacementSheet(dish, self._team)
            sheet.center(*dice.choice(board.free_centers()))
            return sheet.answer()
        orders, cells = OrderSheet(dish, self._team), list(board.reach())
        for _ in range(30):
            orders.place(*dice.choice(cells))
            orders.evolve(dice.choice([*Characteristic]))
        orders.select(dice.choice([*Special]))
        if board.armed is not None:
            for target in (None, board.enemies[0], dice.choice(cells)):
                orders.use(board.armed, target)
        return orders.answer()


def record_answers() -> Answers:
    answers: Answers = {}
    play([RandomSeat(team, answers) for team in (1, 2)])
    return answers


def play(seats: list[RecordedSeat]) -> None:
    """Play a match of the standard game for two."""
    play_match(GAME, make_match(GAME, Settings(), "bot 1", "bot 2"), seats)


def match_turn_us(answers: Answers) -> float:
    """Return the time per ask of both teams, us; all but two of the asks are turns."""
    asks = max(number for number, _ in answers)
    began = time.perf_counter()
    play([RecordedSeat(team, answers) for team in (1, 2)])
    return (time.perf_counter() - began) / asks * 1e6


def full_dish(side: int) -> Dish:
    """Return a dish with stripes of both teams, with holes, and points enough."""
    dish: Dish = GAME.new(Settings(side=side), 2)
    apply_all(dish, set_up(dish, Streams(SEED)))
    dice = random.Random(SEED)
    cells: dict[int, list[int]] = {1: [], 2: []}
    for cell in range(side * side):
        if dice.random() < 0.8:
            cells[1 + (cell % side + STRIPE // 2) // STRIPE % 2].append(cell)
    levels = Characteristics(attack=2, defense=1, jump=1, stacking=3)
    for team, own in cells.items():
        heights = tuple(dice.choice((1, 1, 2)) for _ in own)
        dish.apply(Endowed(team, side * side * MILLI, Characteristics(*(n * n for n in levels))))
        dish.apply(Rose(team, levels))
        dish.apply(Placed(team, tuple(own), heights, tuple(own)))
    dish.stage, dish.turn = ORDERS, 1
    return dish


def timing(dish: Dish) -> Callable[[], float]:
    """Return a function that measures a turn's time per cell, us.

    It plays on as many copies of this dish as have the cells of the largest.
    """
    answers = [some_placements(dish, team) for team in (1, 2)]
    content, cells = encode(dish), SIDES[-1] ** 2

    def per_cell_us() -> float:
        copies = [msgspec.json.decode(content, type=Dish) for _ in range(cells // len(dish.owners))]
        began = time.perf_counter()
        for copy in copies:
            play_turn(copy, answers)
        return (time.perf_counter() - began) / cells * 1e6

    return per_cell_us


def play_turn(dish: Dish, answers: Iterable[object]) -> None:
    """Check the answers, play the turn and apply it."""
    orders = [
        GAME.check(dish, ask, answer) for ask, answer in zip(GAME.asks(dish), answers, strict=True)
    ]
    apply_all(dish, GAME.play(dish, orders, Streams(SEED)))


def some_placements(dish: Dish, team: int) -> dict[str, object]:
    dice, reach = random.Random(team), list(Board(dish, team).reach())
    cells = dice.sample(reach, len(dish.owners) // CELLS_PER_ORDER)
    return {"orders": [["place", x, y] for x, y in cells]}
