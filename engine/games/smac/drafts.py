"""What a person's clicks amount to: a sheet that is filled in line by line.

Lines of a turn: `["place", x, y]`, `["evolve", name]`, `["evolve_level", name]`,
`["use", special]`, `["use", special, target]`, `["select", special]`.
Lines of a placement round: `["bid", points]`, of which the last counts, and `["center", x, y]`.
A sheet judges them, so a draft knows no rule of its own.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from engine.game import Draft, RefusedLine
from engine.games.smac.board_view import Board
from engine.games.smac.grid import Cell, Grid, make_grid
from engine.games.smac.orders import MAX_ORDERS, ORDERS, PLACEMENTS, brief_repr, parse_target
from engine.games.smac.pieces import Special
from engine.games.smac.settings import Characteristic
from engine.games.smac.sheets import OrderSheet, PlacementSheet
from engine.games.smac.specials import SPECIAL_RULES, TargetKind
from engine.games.smac.state import Dish

MAX_LINES = MAX_ORDERS
"""The most lines of a draft; those after them are not read."""
EXPECTED = (
    'expected ["place", X, Y], ["evolve", NAME], ["evolve_level", NAME], '
    '["use", SPECIAL], ["use", SPECIAL, TARGET] or ["select", SPECIAL]'
)
EXPECTED_IN_PLACEMENT = 'expected ["bid", POINTS] or ["center", X, Y]'

CellNumber = tuple[int, int, int]
"""x, y, and a number that belongs to this cell."""


class CharacteristicOption(msgspec.Struct, frozen=True):
    """A characteristic after the lines so far, and whether it can be evolved further."""

    level: int
    to_next_level: int
    """The points that its next level still takes."""
    is_at_limit: bool
    """It takes no more points this turn, whatever the bank has (rules 4.2)."""
    why_not: str | None
    """Why no point can be put into it now; None if one can."""
    why_not_level: str | None
    """Why its next level cannot be bought as a whole; None if it can."""


class SpecialOption(msgspec.Struct, frozen=True):
    """A special as the turn began, and what the lines so far leave to do with it."""

    target: TargetKind
    is_used: bool
    is_selected: bool
    is_armed: bool
    why_not_use: str | None
    """Why it cannot be used this turn, on whatever target; None if it can."""
    why_not_select: str | None


class Hint(msgspec.Struct, frozen=True):
    """What is missing before a stack can be placed again, while none can be."""

    words: str
    characteristics: tuple[Characteristic, ...]
    """Those of which one level more would let a stack be placed."""


class ForecastShown(msgspec.Struct, frozen=True):
    """What the draft leads to if nobody else does anything."""

    grown: tuple[Cell, ...]
    died: tuple[Cell, ...]
    production: float


class OrdersShown(msgspec.Struct, frozen=True, tag="orders"):
    """The orders of a turn as they stand, and what may follow. Cells are in order row by row."""

    bank: float
    """Points left, to the thousandth."""
    heights: tuple[CellNumber, ...]
    """The raw heights of the own stacks."""
    costs: tuple[CellNumber, ...]
    """The cells in which a placement is legal now, with its cost in points."""
    hint: Hint | None
    """None if a stack can be placed, or the bank has too little for a level and a stack."""
    characteristics: dict[str, CharacteristicOption]
    specials: dict[str, SpecialOption]
    forecast: ForecastShown


class PlacementShown(msgspec.Struct, frozen=True, tag="placement"):
    """The bid and the centers of a placement round as they stand, and the free centers."""

    bank: float
    """Points left after the bid."""
    bid: int
    centers: tuple[Cell, ...]
    """The placements in the order in which they are tried."""
    free_centers: tuple[Cell, ...]


def make_draft(dish: Dish, team: int, lines: object) -> Draft | None:
    """Return what a team's lines amount to; None where the match is over.

    `dish` is what the team knows; `lines` are untrusted plain data.
    """
    if dish.stage == ORDERS:
        return _draft_orders(dish, team, lines)
    return _draft_placement(dish, team, lines) if dish.stage in PLACEMENTS else None


def _draft_orders(dish: Dish, team: int, lines: object) -> Draft:
    sheet, grid = OrderSheet(dish, team), make_grid(dish.side)
    refused = _write_all(lines, lambda line: _write_order(sheet, grid, line))
    return Draft(sheet.answer(), refused, _preview_orders(sheet, Board(dish, team)))


def _draft_placement(dish: Dish, team: int, lines: object) -> Draft:
    sheet = PlacementSheet(dish, team)
    refused = _write_all(lines, lambda line: _write_placement(sheet, line))
    shows = PlacementShown(
        bank=sheet.bank,
        bid=sheet.current_bid,
        centers=sheet.centers,
        free_centers=tuple(Board(dish, team).free_centers()),
    )
    return Draft(sheet.answer(), refused, shows)


def _write_all(lines: object, write: Callable[[object], str | None]) -> tuple[RefusedLine, ...]:
    """Write each line on the sheet; return those that it refused."""
    if not isinstance(lines, list | tuple):
        return (RefusedLine(0, f"a draft is a list of lines, not {brief_repr(lines)}"),)
    reasons = [(index, write(line)) for index, line in enumerate(lines[:MAX_LINES])]
    if len(lines) > MAX_LINES:
        beyond = f"{MAX_LINES} lines are the most; this one and those after it were not read"
        reasons.append((MAX_LINES, beyond))
    return tuple(RefusedLine(index, reason) for index, reason in reasons if reason)


def _write_order(sheet: OrderSheet, grid: Grid, line: Any) -> str | None:
    """Write a line of a turn; return why it was refused, None if it was not."""
    match line:
        case ["place", x, y]:
            sheet.place(x, y)
        case ["evolve", str(name)]:
            sheet.evolve(name)
        case ["evolve_level", str(name)]:
            sheet.evolve_level(name)
        case ["use", str(name)]:
            sheet.use(name)
        case ["use", str(name), aim]:
            target = parse_target(grid, aim)
            if isinstance(target, str):
                return target
            sheet.use(name, target)
        case ["select", str(name)]:
            sheet.select(name)
        case _:
            return f"{brief_repr(line)} is not a line of a turn; {EXPECTED}"
    return sheet.reason or None


def _write_placement(sheet: PlacementSheet, line: Any) -> str | None:
    """Write a line of a placement round; return why it was refused, None if it was not."""
    match line:
        case ["bid", points]:
            sheet.bid(points)
        case ["center", x, y]:
            sheet.center(x, y)
        case _:
            return f"{brief_repr(line)} is not a line of a placement; {EXPECTED_IN_PLACEMENT}"
    return sheet.reason or None


def _preview_orders(sheet: OrderSheet, board: Board) -> OrdersShown:
    forecast, costs = sheet.forecast(), sheet.costs()
    return OrdersShown(
        bank=sheet.bank,
        heights=tuple((x, y, height) for (x, y), height in sheet.heights().items()),
        costs=tuple((x, y, cost) for (x, y), cost in costs.items()),
        hint=None if costs else _evolution_hint(sheet),
        characteristics={str(name): _characteristic_option(sheet, name) for name in Characteristic},
        specials={str(special): _special_option(sheet, board, special) for special in Special},
        forecast=ForecastShown(tuple(forecast.grown), tuple(forecast.died), forecast.production),
    )


def _evolution_hint(sheet: OrderSheet) -> Hint | None:
    """Return what to evolve where no cell can be placed in; None if the bank is too small."""
    missing = _missing_levels(sheet)
    if not missing:
        return None
    jump, stacking = sheet.levels.jump, sheet.levels.stacking
    why = f"every cell that jump level {jump} reaches is at stacking level {stacking}"
    text = f"You can place nowhere yet: {why}. Evolve {' or '.join(missing)} first."
    return Hint(text, missing)


def _missing_levels(sheet: OrderSheet) -> tuple[Characteristic, ...]:
    """Return the characteristics of which the bank pays one level more, and then a stack.

    That is a level of jump and a stack just beyond reach, or a level of stacking and a stack
    raised by one.
    """
    costs = {Characteristic.JUMP: sheet.levels.jump + 2, Characteristic.STACKING: 1}  # rules 5.3
    return tuple(
        name
        for name, cost in costs.items()
        if sheet.why_not_evolve_level(name) is None
        and sheet.points >= sheet.to_next_level(name) + cost
    )


def _characteristic_option(sheet: OrderSheet, name: Characteristic) -> CharacteristicOption:
    return CharacteristicOption(
        level=getattr(sheet.levels, name),
        to_next_level=sheet.to_next_level(name),
        is_at_limit=sheet.is_at_limit(name),
        why_not=sheet.why_not_evolve(name),
        why_not_level=sheet.why_not_evolve_level(name),
    )


def _special_option(sheet: OrderSheet, board: Board, special: Special) -> SpecialOption:
    return SpecialOption(
        target=SPECIAL_RULES[special].target,
        is_used=special in board.used(),
        is_selected=special is board.selected,
        is_armed=special is board.armed,
        why_not_use=sheet.why_not_armed(special),
        why_not_select=sheet.why_not_select(special),
    )
