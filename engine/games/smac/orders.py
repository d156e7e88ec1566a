"""What a SMAC bot may answer (docs/rules/smac.md 9): sealed orders, or a bid and centres.

What in an answer is malformed is skipped with its reason; the rest stands. Only an answer that
is none as a whole is refused.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from engine.game import Refusal
from engine.games.smac.grid import Cell, Grid, grid_of
from engine.games.smac.pieces import Skip, Special
from engine.games.smac.settings import Characteristic
from engine.games.smac.state import Dish

MOST_ORDERS = 1_000
"""Of an answer; what comes after them is skipped unread (rules 9.4)."""
MOST_SKIPS = 20
"""Reasons that are given for an answer; others are counted."""
SHOWN_LETTERS = 40

PLACEMENTS = ("placement 1", "placement 2")
"""The stages that ask for a bid and centres."""
ORDERS = "orders"
"""The stage that asks for orders."""


class Evolve(msgspec.Struct, frozen=True, array_like=True, tag="evolve", gc=False):
    """Put a point into a characteristic (rules 4.2)."""

    characteristic: Characteristic

    def __str__(self) -> str:
        return f"evolve {self.characteristic}"


class Place(msgspec.Struct, frozen=True, array_like=True, tag="place", gc=False):
    """Raise the own stack of a cell by one, or begin one (rules 5.3)."""

    x: int
    y: int

    def __str__(self) -> str:
        return f"place {self.x} {self.y}"


class Use(msgspec.Struct, frozen=True):
    """Use the armed special: on a square, on a team, or as it is (rules 8.2)."""

    special: Special
    target: Cell | int | None = None

    def __str__(self) -> str:
        return f"use {self.special}"


class Orders(msgspec.Struct, frozen=True, tag="orders"):
    """A team's orders of a turn, in the order in which it wants them carried out."""

    orders: tuple[Evolve | Place, ...] = ()
    use: Use | None = None
    select: Special | None = None
    skips: tuple[Skip, ...] = ()
    more: int = 0
    """Skipped beyond those listed."""


class Placement(msgspec.Struct, frozen=True, tag="placement"):
    """A bid, in points, and centres to be tried in this order (rules 3.1)."""

    bid: int = 0
    centers: tuple[Cell, ...] = ()
    skips: tuple[Skip, ...] = ()
    more: int = 0


Order = Orders | Placement


class SkipList:
    """What is skipped, and why: a few, and how many more."""

    def __init__(self, skips: Iterable[Skip] = (), more: int = 0) -> None:
        self.skips = list(skips)
        self.more = more

    def add(self, order: object, reason: str) -> None:
        if len(self.skips) < MOST_SKIPS:
            self.skips.append(Skip(str(order), reason))
        else:
            self.more += 1


def parse(dish: Dish, answer: Any) -> Order | Refusal:
    """An answer to what this stage asks for."""
    if dish.stage == ORDERS:
        return _parse_orders(grid_of(dish.side), answer)
    return _parse_placement(grid_of(dish.side), answer)


def shown(value: Any) -> str:
    """A stranger's value in a few printable letters, however large, deep or strange it is."""
    if isinstance(value, str):
        return repr(value[:SHOWN_LETTERS])
    if isinstance(value, list | tuple) and 0 < len(value) <= 3:
        return f"[{', '.join(map(_shown_part, value))}]"
    return _shown_part(value)


def _shown_part(value: Any) -> str:
    if isinstance(value, str):
        return repr(value[: SHOWN_LETTERS // 2])
    if value is None or isinstance(value, bool | float):
        return repr(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**12 else "a huge number"
    return "an object" if isinstance(value, dict) else "a list"


def _parse_orders(grid: Grid, answer: Any) -> Orders | Refusal:
    refusal = _why_no_answer(answer, ("orders", "use", "select"), "orders")
    if refusal is not None:
        return refusal
    skipped = SkipList()
    given = _cut(answer.get("orders", ()), "orders", skipped)
    orders = [order for item in given if (order := _order(grid, item, skipped)) is not None]
    use = _use(grid, answer.get("use"), skipped)
    select = _select(answer.get("select"), skipped)
    return Orders(tuple(orders), use, select, tuple(skipped.skips), skipped.more)


def _parse_placement(grid: Grid, answer: Any) -> Placement | Refusal:
    refusal = _why_no_answer(answer, ("bid", "centers"), "centers")
    if refusal is not None:
        return refusal
    skipped = SkipList()
    bid = answer.get("bid", 0)
    if type(bid) is not int or not 0 <= bid <= 1_000_000:
        skipped.add(f"bid {shown(bid)}", "a bid is a whole number of points, 0 or more")
        bid = 0
    centers = []
    for item in _cut(answer.get("centers", ()), "centers", skipped):
        problem = _why_no_cell(grid, item)
        if problem is None:
            centers.append((item[0], item[1]))
        else:
            skipped.add(f"centre {shown(item)}", problem)
    return Placement(bid, tuple(centers), tuple(skipped.skips), skipped.more)


def _why_no_answer(answer: Any, names: Sequence[str], listed: str) -> Refusal | None:
    """The shape of the whole: an object with some of these names, and a list in it."""
    if not isinstance(answer, dict):
        return Refusal(f"an answer is an object with {_or(names)}, not {shown(answer)}")
    strange = next((name for name in answer if name not in names), None)
    if strange is not None:
        return Refusal(f"{shown(strange)} is nothing an answer has here; it has {_or(names)}")
    if not isinstance(answer.get(listed, ()), list | tuple):
        return Refusal(f"'{listed}' must be a list, not {shown(answer[listed])}")
    return None


def _cut(items: Sequence[Any], what: str, skipped: SkipList) -> Sequence[Any]:
    beyond = len(items) - MOST_ORDERS
    if beyond > 0:
        skipped.add(f"{what} {MOST_ORDERS + 1} to {len(items)}", f"{MOST_ORDERS} is the most")
        skipped.more += beyond - 1
    return items[:MOST_ORDERS]


def _order(grid: Grid, item: Any, skipped: SkipList) -> Evolve | Place | None:
    match item:
        case ["evolve", name]:
            if isinstance(name, str) and name in CHARACTERISTICS:
                return Evolve(CHARACTERISTICS[name])
            skipped.add(f"evolve {shown(name)}", f"is none of {_or(CHARACTERISTICS)}")
        case ["place", x, y]:
            problem = _why_no_cell(grid, (x, y))
            if problem is None:
                return Place(x, y)
            skipped.add(f"place {shown(x)} {shown(y)}", problem)
        case _:
            skipped.add(shown(item), 'is neither ["evolve", NAME] nor ["place", X, Y]')
    return None


def _why_no_cell(grid: Grid, item: Any) -> str | None:
    match item:
        case [x, y] if type(x) is int and type(y) is int:
            return None if grid.is_on_board(x, y) else f"off the board of {grid.side} x {grid.side}"
        case _:
            return "a cell is two whole numbers, x and y"


def _use(grid: Grid, item: Any, skipped: SkipList) -> Use | None:
    if item is None:
        return None
    if not isinstance(item, dict) or not {"special"} <= item.keys() <= {"special", "target"}:
        skipped.add(f"use {shown(item)}", "is an object with 'special' and, where needed, 'target'")
        return None
    name, target = item["special"], item.get("target")
    if not isinstance(name, str) or name not in SPECIALS:
        skipped.add(f"use {shown(name)}", f"is none of {_or(SPECIALS)}")
        return None
    if target is None or type(target) is int:
        return Use(SPECIALS[name], target if target is None or 0 < target < 100 else 0)
    problem = _why_no_cell(grid, target)
    if problem is not None:
        skipped.add(f"use {name} {shown(target)}", f"target: {problem}, or a team's number")
        return None
    return Use(SPECIALS[name], (target[0], target[1]))


def _select(item: Any, skipped: SkipList) -> Special | None:
    if item is None:
        return None
    if isinstance(item, str) and item in SPECIALS:
        return SPECIALS[item]
    skipped.add(f"select {shown(item)}", f"is none of {_or(SPECIALS)}")
    return None


def _or(names: Iterable[str]) -> str:
    return ", ".join(names)


CHARACTERISTICS = {str(characteristic): characteristic for characteristic in Characteristic}
SPECIALS = {str(special): special for special in Special}
