"""What a SMAC bot may answer (docs/rules/smac.md 9): sealed orders, or a bid and centers.

A malformed part of an answer is skipped with its reason, and the rest stands. Only an answer
that does not have the form as a whole is refused (rules 9.3, 9.4). Reasons of skipped parts are
events: changing their words changes replays.
"""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from engine.game import Refusal
from engine.games.smac.grid import Cell, Grid, make_grid
from engine.games.smac.pieces import Skip, Special
from engine.games.smac.settings import Characteristic
from engine.games.smac.state import Dish
from engine.support.sanitizing import one_line

MAX_ORDERS = 1_000
"""The most orders of an answer; those after them are skipped unread (rules 9.4)."""
MAX_SKIPS = 20
"""The most reasons given for an answer; others are counted (rules 9.4)."""
SHOWN_LETTERS = 40
SHOWN_LETTERS_OF_A_REASON = 120
REFUSED_LINES = "untaken"
"""The key under which a sheet reports the lines it refused; authors do not write it."""
SHOWN_REFUSED = 3
MAX_REFUSED = 1_000_000

PLACEMENTS = ("placement 1", "placement 2")
"""The stages that ask for a bid and centers."""
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


class RefusedLines(msgspec.Struct, frozen=True):
    """Lines that the bot's sheet refused, for its author's summary; no rule reads them."""

    count: int
    first: tuple[Skip, ...]


class Orders(msgspec.Struct, frozen=True, tag="orders"):
    """A team's orders of a turn, in the order in which it wants them carried out."""

    orders: tuple[Evolve | Place, ...] = ()
    use: Use | None = None
    select: Special | None = None
    skips: tuple[Skip, ...] = ()
    more: int = 0
    """The number of skipped parts beyond those listed."""
    refused_lines: RefusedLines | UnsetType = msgspec.field(name="untaken", default=UNSET)


class Placement(msgspec.Struct, frozen=True, tag="placement"):
    """A bid, in points, and centers to be tried in this order (rules 3.1)."""

    bid: int = 0
    centers: tuple[Cell, ...] = ()
    skips: tuple[Skip, ...] = ()
    more: int = 0
    refused_lines: RefusedLines | UnsetType = msgspec.field(name="untaken", default=UNSET)


Order = Orders | Placement
Fields = dict[str, object]
"""The top level of an answer, by key."""


class SkipList:
    """Skipped orders and their reasons: the first ones, and how many more."""

    def __init__(self, skips: Iterable[Skip] = (), more: int = 0) -> None:
        self.skips = list(skips)
        self.more = more

    def add(self, order: object, reason: str) -> None:
        """Add an order, or count it if there are reasons enough."""
        if len(self.skips) < MAX_SKIPS:
            self.skips.append(Skip(str(order), reason))
        else:
            self.more += 1


def parse(dish: Dish, answer: object) -> Order | Refusal:
    """Return the order of an answer, of the kind that this stage asks for."""
    if dish.stage == ORDERS:
        return _parse_orders(make_grid(dish.side), answer)
    return _parse_placement(make_grid(dish.side), answer)


def brief_repr(value: object) -> str:
    """Return a bot's value in a few printable letters, however large or deep it is."""
    if isinstance(value, str):
        return repr(value[:SHOWN_LETTERS])
    if isinstance(value, list | tuple) and 0 < len(value) <= 3:
        return f"[{', '.join(map(_brief_repr_of_part, value))}]"
    return _brief_repr_of_part(value)


def _brief_repr_of_part(value: object) -> str:
    if isinstance(value, str):
        return repr(value[: SHOWN_LETTERS // 2])
    if value is None or isinstance(value, bool | float):
        return repr(value)
    if isinstance(value, int):
        # Python refuses to print integers of more than 4300 digits.
        return str(value) if abs(value) < 10**12 else "a huge number"
    if isinstance(value, dict):
        return "an object"
    return "a list" if isinstance(value, list | tuple) else f"a {type(value).__name__:.20}"


def _parse_orders(grid: Grid, answer: object) -> Orders | Refusal:
    fields = _parse_fields(answer, ("orders", "use", "select", REFUSED_LINES), "orders")
    if isinstance(fields, Refusal):
        return fields
    skipped = SkipList()
    items = _cut_to_max_orders(fields.get("orders", ()), "orders", skipped)
    orders = [order for item in items if (order := _order(grid, item, skipped)) is not None]
    use = _use(grid, fields.get("use"), skipped)
    select = _select(fields.get("select"), skipped)
    refused = _parse_refused_lines(fields)
    return Orders(tuple(orders), use, select, tuple(skipped.skips), skipped.more, refused)


def _parse_placement(grid: Grid, answer: object) -> Placement | Refusal:
    fields = _parse_fields(answer, ("bid", "centers", REFUSED_LINES), "centers")
    if isinstance(fields, Refusal):
        return fields
    skipped = SkipList()
    bid = fields.get("bid", 0)
    if type(bid) is not int or not 0 <= bid <= 1_000_000:
        skipped.add(f"bid {brief_repr(bid)}", "a bid is a whole number of points, 0 or more")
        bid = 0
    centers: list[Cell] = []
    for item in _cut_to_max_orders(fields.get("centers", ()), "centers", skipped):
        cell = _parse_cell(grid, item)
        if isinstance(cell, str):
            skipped.add(f"center {brief_repr(item)}", cell)
        else:
            centers.append(cell)
    refused = _parse_refused_lines(fields)
    return Placement(bid, tuple(centers), tuple(skipped.skips), skipped.more, refused)


def _parse_refused_lines(fields: Fields) -> RefusedLines | UnsetType:
    """Return the sheet's report; anything malformed is ignored, since no rule reads it."""
    if REFUSED_LINES not in fields:
        return UNSET
    try:
        refused = msgspec.convert(fields[REFUSED_LINES], RefusedLines)
    except msgspec.ValidationError:
        return UNSET
    if not 1 <= refused.count <= MAX_REFUSED or len(refused.first) > SHOWN_REFUSED:
        return UNSET
    first = tuple(Skip(_shorten(one.order), _shorten(one.reason)) for one in refused.first)
    return RefusedLines(refused.count, first)


def _shorten(text: str) -> str:
    return one_line(text)[:SHOWN_LETTERS_OF_A_REASON]


def _parse_fields(answer: object, names: Sequence[str], listed: str) -> Fields | Refusal:
    """Return the fields of an answer if its form is right: some of these names, one a list."""
    expected = _join_names(names[:-1])
    if not isinstance(answer, dict):
        return Refusal(f"an answer must be an object with {expected}, not {brief_repr(answer)}")
    unknown = next((name for name in answer if name not in names), None)
    if unknown is not None:
        return Refusal(f"{brief_repr(unknown)} is not a key of an answer; expected {expected}")
    if not isinstance(answer.get(listed, ()), list | tuple):
        return Refusal(f"'{listed}' must be a list, not {brief_repr(answer[listed])}")
    return answer


def _cut_to_max_orders(items: object, what: str, skipped: SkipList) -> Sequence[object]:
    """Return the first `MAX_ORDERS` of the list that `_parse_fields` has found (rules 9.4)."""
    assert isinstance(items, list | tuple)
    beyond = len(items) - MAX_ORDERS
    if beyond > 0:
        skipped.add(f"{what} {MAX_ORDERS + 1} to {len(items)}", f"{MAX_ORDERS} is the most")
        skipped.more += beyond - 1
    return items[:MAX_ORDERS]


def _order(grid: Grid, item: object, skipped: SkipList) -> Evolve | Place | None:
    match item:
        case ["evolve", name]:
            if isinstance(name, str) and name in CHARACTERISTICS:
                return Evolve(CHARACTERISTICS[name])
            reason = f"is none of {_join_names(CHARACTERISTICS)}"
            skipped.add(f"evolve {brief_repr(name)}", reason)
        case ["place", x, y]:
            cell = _parse_cell(grid, (x, y))
            if not isinstance(cell, str):
                return Place(*cell)
            skipped.add(f"place {brief_repr(x)} {brief_repr(y)}", cell)
        case _:
            skipped.add(brief_repr(item), 'is neither ["evolve", NAME] nor ["place", X, Y]')
    return None


def _parse_cell(grid: Grid, item: object) -> Cell | str:
    """Return a cell of the board, or the reason why it is not one."""
    match item:
        # bool is a subclass of int, and JSON's true is not a coordinate.
        case [x, y] if type(x) is int and type(y) is int:
            if grid.is_on_board(x, y):
                return x, y
            return f"off the board of {grid.side} x {grid.side}"
        case _:
            return "a cell is two whole numbers, x and y"


def _use(grid: Grid, item: object, skipped: SkipList) -> Use | None:
    if item is None:
        return None
    if not isinstance(item, dict) or not {"special"} <= item.keys() <= {"special", "target"}:
        skipped.add(
            f"use {brief_repr(item)}", "is an object with 'special' and, where needed, 'target'"
        )
        return None
    name, aim = item["special"], item.get("target")
    if not isinstance(name, str) or name not in SPECIALS:
        skipped.add(f"use {brief_repr(name)}", f"is none of {_join_names(SPECIALS)}")
        return None
    target = parse_target(grid, aim)
    if isinstance(target, str):
        skipped.add(f"use {name} {brief_repr(aim)}", target)
        return None
    return Use(SPECIALS[name], target)


def parse_target(grid: Grid, item: object) -> Cell | int | str | None:
    """Return the target of a special, or as text the reason why it cannot be one."""
    if item is None or type(item) is int:
        # 0 is no team: whether a number names one is for the rules to say when it is used.
        return item if item is None or 0 < item < 100 else 0
    cell = _parse_cell(grid, item)
    return f"target: {cell}, or a team's number" if isinstance(cell, str) else cell


def _select(item: object, skipped: SkipList) -> Special | None:
    if item is None:
        return None
    if isinstance(item, str) and item in SPECIALS:
        return SPECIALS[item]
    skipped.add(f"select {brief_repr(item)}", f"is none of {_join_names(SPECIALS)}")
    return None


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(names)


CHARACTERISTICS = {str(characteristic): characteristic for characteristic in Characteristic}
SPECIALS = {str(special): special for special in Special}
