"""Checking designs, and making shapes of them (docs/rules/game_of_death.md 3)."""

from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import NamedTuple

import msgspec

from engine.game import Refusal
from engine.games.game_of_death.frames import Rectangle
from engine.games.game_of_death.geometry import (
    EMPTY,
    FILLED,
    Cell,
    find_components,
    make_geometry,
    trim_drawing,
)
from engine.games.game_of_death.orders import Design, Placement, TypeDesign
from engine.games.game_of_death.pieces import Shape, ShapeType, make_shape_id
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.state import Battle

MAX_CODE = 20_000
"""The characters of a type's source text that are kept for disclosure."""
REASON_LETTERS = 240
NAME_LETTERS = 60
"""The longest name of a type."""
MAX_OVERSIZE = 4
"""Placements are not checked with more cells than this many times those allowed: it is slow."""


class Mistake(NamedTuple):
    """What is wrong with a design, in words, and with which of its types or placements, from 0."""

    words: str
    type: int | None = None
    placement: int | None = None


def parse_design(
    answer: object, settings: Settings, home_v: int, teams: int = 2
) -> Design | Refusal:
    """Return a legal design, its drawings trimmed, or a refusal with its first mistake."""
    try:
        design = msgspec.convert(answer, Design)
    except msgspec.ValidationError as error:
        return Refusal(f"not a design of an army: {error!s:.200}")
    wrong = list(find_mistakes(design, settings, home_v, teams))
    if not wrong:
        types = [TypeDesign(t.name, trim_drawing(t.mask), t.code[:MAX_CODE]) for t in design.types]
        return Design(tuple(types), design.placements)
    more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
    return Refusal(f"{wrong[0]:.{REASON_LETTERS}}{more}")


def find_mistakes(design: Design, settings: Settings, home_v: int, teams: int = 2) -> Iterator[str]:
    """Yield each mistake with its place; a drawing's rows and columns are counted from 1."""
    for mistake in locate_mistakes(design, settings, home_v, teams):
        yield mistake.words


def locate_mistakes(
    design: Design, settings: Settings, home_v: int, teams: int = 2
) -> Iterator[Mistake]:
    """Yield the same with the type or the placement that each of them is about."""
    flawed = False
    for number, drawn in enumerate(design.types):
        for wrong in (*_name_mistakes(design.types, number), *_drawing_mistakes(drawn, settings)):
            flawed = True
            yield Mistake(wrong, type=number)
    for number, placement in enumerate(design.placements, 1):
        if not 0 <= placement.type < len(design.types):
            flawed = True
            last = len(design.types) - 1
            yield Mistake(
                f"placement {number}: type number {placement.type} does not exist; "
                f"expected 0 to {last}",
                placement=number - 1,
            )
    if flawed:
        return  # without sizes and types, cells and places cannot be checked
    yield from map(Mistake, _count_mistakes(design, settings))
    if count_cells(design) <= MAX_OVERSIZE * settings.max_cells:
        yield from _placement_mistakes(design, Zone(settings, home_v, teams))


def parse_rows(drawing: str) -> list[str]:
    """Return the lines of a drawing, without the indentation and blank lines around it."""
    lines = dedent(drawing).splitlines()
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    return [line.rstrip() for line in lines]


def count_cells(design: Design) -> int:
    """Return the number of cells of an army whose drawings are right."""
    sizes = [make_geometry(trim_drawing(drawn.mask)).size for drawn in design.types]
    return sum(sizes[placement.type] for placement in design.placements)


def find_flaws(drawn: TypeDesign, settings: Settings) -> list[str]:
    """Return what is wrong with a drawing; without a flaw it has a geometry."""
    return list(_drawing_mistakes(drawn, settings))


def make_types(design: Design) -> tuple[ShapeType, ...]:
    """Return the types of a legal design, with the number of shapes of each."""
    counts = [0] * len(design.types)
    for placement in design.placements:
        counts[placement.type] += 1
    return tuple(
        ShapeType(drawn.name, drawn.mask, drawn.code, count)
        for drawn, count in zip(design.types, counts, strict=True)
    )


def make_shapes(design: Design, team: int, battle: Battle) -> tuple[Shape, ...]:
    """Return the shapes of a legal design as they start: facing the enemy (rules 2.3)."""
    settings, frame = battle.settings, battle.frames[team - 1]
    shapes = []
    for number, placement in enumerate(design.placements, 1):
        mask = design.types[placement.type].mask
        box = frame.inverse.box(Rectangle(placement.u, placement.v, len(mask[0]), len(mask)))
        hp = settings.hp_factor * make_geometry(mask).size
        shape_id = make_shape_id(team, number, battle.teams)
        shapes.append(Shape(shape_id, placement.type, box.x, box.y, frame.quarters, hp))
    return tuple(shapes)


def _name_mistakes(types: Sequence[TypeDesign], number: int) -> Iterator[str]:
    name = types[number].name
    if not name.isidentifier():
        yield f"type {number}: {name!r:.60} is not the name of a class"
    elif len(name) > NAME_LETTERS:
        yield f"class {name:.60}: its name has {len(name)} letters; {NAME_LETTERS} are allowed"
    elif name in [drawn.name for drawn in types[:number]]:
        yield f"class {name}: there are two types of this name"


def _drawing_mistakes(drawn: TypeDesign, settings: Settings) -> Iterator[str]:
    where = f"class {drawn.name!s:.60}"
    if not drawn.name.isprintable():
        return  # its name is what is wrong
    strange = [
        (row, column, sign)
        for row, signs in enumerate(drawn.mask, 1)
        for column, sign in enumerate(signs.rstrip(), 1)
        if sign not in (FILLED, EMPTY)
    ]
    if strange:
        row, column, sign = strange[0]
        yield f"{where}, row {row}, column {column}: {sign!r} is neither # nor ."
        return
    mask = trim_drawing(drawn.mask)
    size = sum(row.count(FILLED) for row in mask)
    least, most = settings.min_shape_size, settings.max_shape_size
    if not least <= size <= most:
        cells = "1 cell" if size == 1 else f"{size or 'no'} cells"
        yield f"{where}: the drawing has {cells}; a shape has {least} to {most}"
        return
    first, *others = find_components(drawn.mask)
    for part in others:
        yield (
            f"{where}, {_cell_text(first_cell(part))}: no edge connects this part with the one at "
            f"{_cell_text(first_cell(first))}"
        )


def first_cell(part: set[Cell]) -> Cell:
    """Return the first cell of a part, read row by row."""
    return min(part, key=lambda cell: (cell[1], cell[0]))


def _cell_text(cell: Cell) -> str:
    return f"row {cell[1] + 1}, column {cell[0] + 1}"


def _count_mistakes(design: Design, settings: Settings) -> Iterator[str]:
    if not design.placements:
        yield "no shape is placed"
    cells = count_cells(design)
    if cells > settings.max_cells:
        yield f"the army has {cells} cells; {settings.max_cells} are allowed"


class Zone:
    """The place where an army may stand, in its player's frame (rules 3.3, 8.2)."""

    def __init__(self, settings: Settings, home_v: int, teams: int) -> None:
        self.teams = teams
        self.columns = range(settings.zone_width)
        self.rows = settings.zone_rows(teams)
        self.home = frozenset(
            (u, v)
            for u in range(settings.home_u, settings.home_u + settings.home_width)
            for v in range(home_v, home_v + settings.home_height)
        )
        self._settings = settings

    def is_on_grid(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self._settings.width and 0 <= cell[1] < self._settings.height

    def __contains__(self, cell: Cell) -> bool:
        return cell[0] in self.columns and cell[1] in self.rows

    def why_not(self, cell: Cell) -> str | None:
        """Return why no shape may be on a cell, None if one may."""
        u, v = cell
        if not self.is_on_grid(cell):
            return f"the cell {u}, {v} is not on the grid"
        if u not in self.columns:
            return f"the cell {u}, {v} is outside the zone, columns 0 to {self.columns[-1]}"
        if v not in self.rows:
            return (
                f"the cell {u}, {v} is in a corner, outside the zone of a match of {self.teams} "
                f"teams, rows {self.rows[0]} to {self.rows[-1]}; `self.zone_rows` has the rows of "
                "every match"
            )
        return f"the cell {u}, {v} is taken by the home" if cell in self.home else None


def _placement_mistakes(design: Design, zone: Zone) -> Iterator[Mistake]:
    """Yield placements off the grid or zone, on the home or on each other (rules 3.3)."""
    taken: dict[Cell, str] = {}
    for number, placement in enumerate(design.placements, 1):
        drawn = design.types[placement.type]
        where = f"placement {number} ({drawn.name} at {placement.u}, {placement.v})"
        wrong = None
        for cell in cells_at(drawn, placement):
            wrong = wrong or zone.why_not(cell)
            other = taken.setdefault(cell, where)
            if wrong is None and other is not where:
                wrong = f"the cell {cell[0]}, {cell[1]} is taken by {other}"
        if wrong:
            yield Mistake(f"{where}: {wrong}", placement=number - 1)


def cells_at(drawn: TypeDesign, placement: Placement) -> Iterator[Cell]:
    """Yield the cells of a placement, in the player's frame, legal or not."""
    return cells_from(drawn.mask, placement.u, placement.v)


def cells_from(rows: Sequence[str], u: int, v: int) -> Iterator[Cell]:
    """Yield the cells of a drawing whose upper left corner is at a cell, legal or not."""
    mask = trim_drawing(rows)
    for du, dv in make_geometry(mask).cells(0) if mask else ():
        yield u + du, v + dv


__all__ = [
    "Design",
    "Mistake",
    "Placement",
    "TypeDesign",
    "Zone",
    "cells_at",
    "cells_from",
    "count_cells",
    "find_flaws",
    "find_mistakes",
    "locate_mistakes",
    "make_shapes",
    "make_types",
    "parse_design",
    "parse_rows",
]
