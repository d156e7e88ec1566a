"""Armies that were drawn in the designer: their contents and mistakes, and some to begin with.

An army is data all the time; army_files.py writes a bot from it.
"""

import keyword
from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from engine.games.game_of_death.behaviors import BEHAVIORS, NUMBERS
from engine.games.game_of_death.designs import (
    MAX_CODE,
    NAME_LETTERS,
    Mistake,
    Zone,
    cells_from,
    find_flaws,
    locate_mistakes,
)
from engine.games.game_of_death.geometry import FILLED, Cell, trim_drawing
from engine.games.game_of_death.orders import Design, Placement, TypeDesign
from engine.games.game_of_death.settings import Settings

MAX_TYPES = 26
"""The most types: each has a letter."""
MAX_SHAPES = 500
MAX_SIDE = 64
"""The most rows and columns of a drawing."""
WRITTEN = "written"
"""The behavior of a type whose methods its author has written."""
RESERVED_TYPE_NAMES = frozenset(
    {"ARMY", "BasePlayer", "FlagRunner", "NAME", "Player", "VERSION", "behaviors"}
)
"""The names that a file has besides those of its types."""

Row = Annotated[str, Meta(max_length=MAX_SIDE)]
Offset = Annotated[int, Meta(ge=-1_000, le=1_000)]


class DrawnType(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A type of shapes: its drawing, and how it behaves."""

    name: Annotated[str, Meta(max_length=NAME_LETTERS, description="The name of its class.")]
    rows: Annotated[
        tuple[Row, ...],
        Meta(max_length=MAX_SIDE, description="Rows of `#` and `.`; the right edge is its front."),
    ]
    behavior: Annotated[
        str, Meta(max_length=NAME_LETTERS, description=f"A behavior's name, or `{WRITTEN}`.")
    ]
    numbers: Annotated[
        dict[Annotated[str, Meta(max_length=NAME_LETTERS)], int],
        Meta(max_length=10, description="Numbers of the behavior that are not the usual ones."),
    ] = {}
    code: Annotated[
        str,
        Meta(max_length=MAX_CODE, description="The methods of the class, where they are written."),
    ] = ""


class Place(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A shape that is placed: its type's number, its column, and its row from the home's first."""

    type: Annotated[int, Meta(ge=0, lt=MAX_TYPES)]
    u: Offset
    v: Offset


class DrawnArmy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An army as it was drawn."""

    name: Annotated[str, Meta(max_length=NAME_LETTERS, description="What the bot is called.")]
    types: Annotated[tuple[DrawnType, ...], Meta(max_length=MAX_TYPES)]
    placements: Annotated[
        tuple[Place, ...],
        Meta(max_length=MAX_SHAPES, description="[type, column, row from the home's first row]"),
    ]


# -- what is wrong with it ----------------------------------------------------------------------


def make_design(army: DrawnArmy, settings: Settings) -> Design:
    """Return the design for a home in the row that the settings name, right or wrong."""
    return Design(
        tuple(TypeDesign(drawn.name, drawn.rows) for drawn in army.types),
        tuple(Placement(each.type, each.u, settings.home_v + each.v) for each in army.placements),
    )


def find_mistakes(army: DrawnArmy, settings: Settings) -> list[Mistake]:
    """Return what is wrong with an army before its code is looked at, each with its place."""
    wrong = []
    if not (army.name.strip() and army.name.isprintable()):
        wrong.append(Mistake("the army needs a name, in one line"))
    for number, drawn in enumerate(army.types):
        wrong += [
            Mistake(f"class {drawn.name}: {why}", type=number) for why in _type_mistakes(drawn)
        ]
    wrong += locate_mistakes(make_design(army, settings), settings, settings.home_v)
    return wrong


def _type_mistakes(drawn: DrawnType) -> Iterator[str]:
    name = drawn.name
    is_word = keyword.iskeyword(name) or keyword.issoftkeyword(name)
    if name.isidentifier() and (is_word or name in RESERVED_TYPE_NAMES or not name.isascii()):
        yield "Python, or the file of the army, has another use for this name; choose another one"
    elif name.startswith("_"):
        yield "the name must begin with a letter"
    if drawn.behavior == WRITTEN:
        yield from _code_mistakes(drawn.code)
    elif drawn.behavior not in BEHAVIORS:
        yield f"{drawn.behavior!r} is no behavior; expected {', '.join(BEHAVIORS)} or {WRITTEN}"
    else:
        yield from _number_mistakes(drawn)


def _code_mistakes(code: str) -> Iterator[str]:
    if not code.strip():
        yield "its code is empty; it needs a method update(self)"
    for number, line in enumerate(code_lines(code), 1):
        if not line.replace("\t", "").isprintable():
            yield f"line {number} of its code has a letter that cannot be printed"
            return


def _number_mistakes(drawn: DrawnType) -> Iterator[str]:
    known = {number.name: number for number in NUMBERS[BEHAVIORS[drawn.behavior]]}
    for name, value in drawn.numbers.items():
        number = known.get(name)
        if number is None:
            yield f"{drawn.behavior} has no number {name!r}; expected {', '.join(known)}"
        elif not number.least <= value <= number.most:
            yield f"{number.words}: {value}; expected {number.least} to {number.most}"


# -- placing ------------------------------------------------------------------------------------


def add_shapes(army: DrawnArmy, number: int, count: int, settings: Settings) -> DrawnArmy:
    """Return an army with up to so many more shapes of a type where there is room.

    They stand in upright lines, from the front of the zone back, the rows near the home first, and
    a row apart, so that they can pass each other.
    """
    rows = army.types[number].rows
    if find_flaws(TypeDesign("shape", rows), settings):
        return army
    mask = trim_drawing(rows)
    size = sum(row.count(FILLED) for row in mask)
    if _count_cells(army) > settings.max_cells:
        return army  # there is no room, and it may take long to find where
    taken = set[Cell]()
    for each in army.placements:
        if each.type < len(army.types):
            taken.update(cells_from(army.types[each.type].rows, each.u, each.v))
    room = max(0, settings.max_cells - len(taken)) // size
    places: list[Place] = []
    for u, v in _find_stations(mask, settings):
        if len(places) >= min(count, room, MAX_SHAPES - len(army.placements)):
            break
        cells = set(cells_from(mask, u, v))
        if taken.isdisjoint(_add_rows_around(cells)):
            taken |= cells
            places.append(Place(number, u, v))
    return msgspec.structs.replace(army, placements=(*army.placements, *places))


def _find_stations(mask: Sequence[str], settings: Settings) -> Iterator[Cell]:
    """Yield where a shape could stand wherever the home lies, the best places first."""
    width, height, middle = len(mask[0]), len(mask), settings.home_height // 2
    zone = Zone(settings, settings.home_v, 2)
    rows = sorted(sure_rows(settings, height), key=lambda v: (abs(v + height // 2 - middle), v))
    for u in range(settings.zone_width - width, -1, -1):
        for v in rows:
            cells = cells_from(mask, u, v + settings.home_v)
            if zone.home.isdisjoint(_add_rows_around(set(cells))):
                yield u, v


def sure_rows(settings: Settings, height: int = 1) -> range:
    """Return the rows, from the home's first, in which a shape fits wherever the home lies."""
    homes = settings.home_rows(2) if settings.home_row_drawn else (settings.home_v,)
    return range(-homes[0], settings.height - homes[-1] - height + 1)


def _count_cells(army: DrawnArmy) -> int:
    """Return how many cells are placed; those of types that are not there are not counted."""
    sizes = [sum(row.count(FILLED) for row in drawn.rows) for drawn in army.types]
    return sum(sizes[each.type] for each in army.placements if each.type < len(sizes))


def _add_rows_around(cells: set[Cell]) -> set[Cell]:
    return {(u, v + dv) for u, v in cells for dv in (-1, 0, 1)}


def code_lines(code: str) -> list[str]:
    """Return the lines of code that somebody typed, on whatever system."""
    return code.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def ready_made_armies(settings: Settings) -> list[DrawnArmy]:
    """Return some armies for a grid: one of small runners, one of hunters, one that waits."""
    return [_make_raid(settings), _make_hunt(settings), _make_fort(settings)]


def _make_raid(settings: Settings) -> DrawnArmy:
    """Return fast bars that run for the flag, and a few longer ones that clear the way."""
    lancer = DrawnType(name="Lancer", rows=("######",), behavior="Hunter")
    runner = DrawnType(name="Runner", rows=("###",), behavior="Runner")
    army = DrawnArmy(name="Raid", types=(lancer, runner), placements=())
    army = add_shapes(army, 0, settings.max_cells // 24, settings)
    return add_shapes(army, 1, settings.max_cells, settings)


def _make_hunt(settings: Settings) -> DrawnArmy:
    """Return blocks that chase whatever they see."""
    block = DrawnType(name="Block", rows=("##", "##"), behavior="Hunter")
    army = DrawnArmy(name="Hunt", types=(block,), placements=())
    return add_shapes(army, 0, settings.max_cells, settings)


def _make_fort(settings: Settings) -> DrawnArmy:
    """Return a keep at the home that shoots all small shapes, and bars that go for the enemy."""
    keep = DrawnType(name="Keep", rows=("#######",) * 7, behavior="Guard")
    lance = DrawnType(name="Lance", rows=("#" * 12,), behavior="Breaker")
    right = settings.home_u + settings.home_width
    army = DrawnArmy(name="Fort", types=(keep, lance), placements=(Place(0, right, -7),))
    return add_shapes(army, 1, settings.max_cells, settings)
