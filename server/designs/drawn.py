"""What is known of an army that was drawn: figures, mistakes, its file, and what there is to offer.

An army comes from a stranger. It is bounded by its type, what may be wrong with it is found by the
rules, and its code is parsed in a confined child (engine/bots/parsing.py).
"""

import re
from collections.abc import Sequence
from functools import cache
from inspect import getdoc
from textwrap import indent
from typing import Annotated

from msgspec import Meta, Struct

from engine.bots.finding import Packed
from engine.bots.parsing import Parser
from engine.bots.source import SYNTAX_ERROR
from engine.catalog import find_game
from engine.games.game_of_death.army_files import (
    behavior_code,
    file_name,
    lines_before_code,
    source_of_army,
)
from engine.games.game_of_death.behaviors import NUMBERS
from engine.games.game_of_death.designs import Mistake
from engine.games.game_of_death.drawn_armies import (
    WRITTEN,
    DrawnArmy,
    DrawnType,
    find_mistakes,
    ready_made_armies,
    sure_rows,
)
from engine.games.game_of_death.inspection import ShapeFigures, compute_figures, mistakes_in_code
from engine.games.game_of_death.settings import Settings
from engine.settings import apply_changes, read_toml
from runners.configuration import preset_path
from runners.contests.contests import Ladder
from server.identity.text_limits import FIELDS

Preset = Annotated[
    str, Meta(max_length=FIELDS["game"], description="`small` or `standard`: the grid.")
]
MAX_SOURCE_LENGTH = 200_000
"""Letters of a file that is opened."""


class ArmyBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An army, and the grid for which it is meant."""

    army: DrawnArmy
    preset: Preset = "small"


class KeepBody(ArmyBody, frozen=True, forbid_unknown_fields=True):
    """What is to be kept."""

    in_store: bool = False
    """Whether it is to be there by its name, too, whatever is drawn after it."""


class KeptDesign(Struct, frozen=True):
    """What a member has drawn last, null where that is nothing, and the armies in store."""

    design: ArmyBody | None
    armies: list[ArmyBody]
    """The newest first."""


class StoredDesign(Struct, frozen=True, kw_only=True):
    """The same as a row has it."""

    army: DrawnArmy
    preset: str = "small"
    armies: list[ArmyBody] = []


class FillBody(Struct, frozen=True, forbid_unknown_fields=True):
    """How many more shapes of a type are to be placed where there is room."""

    army: DrawnArmy
    type: Annotated[int, Meta(ge=0, description="The number of the type, from 0.")]
    count: Annotated[int, Meta(ge=1, le=500)]
    preset: Preset = "small"


class BattleBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An army, and the one that it is to fight on the small grid, by its name as offered."""

    army: DrawnArmy
    opponent: Annotated[str, Meta(max_length=FIELDS["name"])]


class OpenBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A file that the designer has made."""

    source: Annotated[str, Meta(max_length=MAX_SOURCE_LENGTH)]


class PlacedMistake(Struct, frozen=True, kw_only=True):
    """What is wrong, and which type or placement it is about, from 0; null: the whole army."""

    words: str
    type: int | None
    placement: int | None


class InspectedArmy(Struct, frozen=True, kw_only=True):
    """The figures of an army, and what is wrong with it; without mistakes it can be played."""

    figures: list[ShapeFigures | None]
    """Of each type; null where its drawing is no shape."""
    cells: int
    """Cells that are placed."""
    mistakes: list[PlacedMistake]


class ArmyFile(Struct, frozen=True):
    """The file of an army."""

    name: str
    source: str


class BehaviorNumber(Struct, frozen=True, kw_only=True):
    """A number of a behavior that may be set."""

    name: str
    words: str
    usual: int
    least: int
    most: int


class OfferedBehavior(Struct, frozen=True, kw_only=True):
    """A behavior that a type can have."""

    name: str
    words: str
    numbers: list[BehaviorNumber]
    code: str
    """Its methods, to go on from."""


class OfferedGrid(Struct, frozen=True, kw_only=True):
    """A grid, and where an army may stand; rows are counted from the home's first."""

    name: str
    max_cells: int
    columns: int
    """The columns of the zone."""
    first_row: int
    last_row: int
    sure_first_row: int
    """From here to the next, a cell is on the grid wherever the home lies."""
    sure_last_row: int
    home: tuple[int, int, int]
    """Its column, width and height."""


class OfferedOpponent(Struct, frozen=True):
    """An army to fight: a starter army, or one that its author lets people fight."""

    name: str
    words: str
    is_starter: bool


class ArmyLadder(Struct, frozen=True):
    """A ladder of the game."""

    id: str
    name: str


class Offered(Struct, frozen=True, kw_only=True):
    """What the designer offers."""

    behaviors: list[OfferedBehavior]
    grids: list[OfferedGrid]
    opponents: list[OfferedOpponent]
    """Starter armies, the weakest first, and those of the ladder, the strongest first."""
    armies: list[DrawnArmy]
    """To start from."""
    ladders: list[ArmyLadder]


GAME = "game_of_death"
GRID_PRESETS = ("small", "standard")
"""The presets for two armies."""
IN_LINE = re.compile(r" in line (\d+)")
ITS_LINE = re.compile(r"^class \w+, its line (\d+)")


@cache
def grid_settings(preset: str) -> Settings:
    """Return the settings of a grid; of one that is not known those of the small one."""
    path = preset_path(find_game(GAME), preset if preset in GRID_PRESETS else GRID_PRESETS[0])
    settings: Settings = apply_changes(Settings(), read_toml(path), source=str(path))
    return settings


def inspect_army(army: DrawnArmy, settings: Settings) -> InspectedArmy:
    """Return the figures of an army, and what is wrong with it. Raises: EngineFailure."""
    figures = [compute_figures(drawn.rows, settings) for drawn in army.types]
    sizes = [0 if one is None else one.size for one in figures]
    return InspectedArmy(
        figures=figures,
        cells=sum(sizes[each.type] for each in army.placements if each.type < len(sizes)),
        mistakes=[
            PlacedMistake(words=one.words, type=one.type, placement=one.placement)
            for one in all_mistakes(army, settings)
        ],
    )


def all_mistakes(army: DrawnArmy, settings: Settings) -> list[Mistake]:
    """Return everything that is wrong with an army, its code too. Raises: EngineFailure."""
    wrong = find_mistakes(army, settings)
    flawed = {one.type for one in wrong}
    with Parser() as parser:
        for number, drawn in enumerate(army.types):
            if drawn.behavior == WRITTEN and number not in flawed:
                wrong += [
                    Mistake(f"class {drawn.name}: {why}", type=number)
                    for why in _code_mistakes(drawn, parser)
                ]
    return wrong


def _code_mistakes(drawn: DrawnType, parser: Parser) -> list[str]:
    """Return what is wrong with the code of a type, each with its line in that code."""
    alone = DrawnArmy(name="alone", types=(drawn,), placements=())
    before = lines_before_code(alone, 0)
    flaw = parser.parse(source_of_army(alone).encode()).flaw
    if flaw.startswith(SYNTAX_ERROR):
        return [IN_LINE.sub(lambda line: f" in line {int(line[1]) - before}", flaw)]
    if flaw:
        return [flaw]
    # It was parsed in a child, and so it does no harm here.
    own_class = f"class {drawn.name}:\n{indent(drawn.code, ' ')}"
    found = mistakes_in_code(drawn.name, own_class)
    return [ITS_LINE.sub(lambda line: f"line {int(line[1]) - 1} of its code", why) for why in found]


def make_army_file(army: DrawnArmy) -> ArmyFile:
    return ArmyFile(file_name(army), source_of_army(army))


def pack_army(army: DrawnArmy) -> Packed:
    """Return the file of an army as a bot is kept."""
    file = make_army_file(army)
    return Packed(files={file.name: file.source.encode()}, is_folder=False)


def designer_options(opponents: Sequence[OfferedOpponent], ladders: Sequence[Ladder]) -> Offered:
    """Return what the designer offers; `ladders` are those that take bots now."""
    return Offered(
        behaviors=_offered_behaviors(),
        grids=[_offered_grid(name) for name in GRID_PRESETS],
        opponents=list(opponents),
        armies=ready_made_armies(grid_settings(GRID_PRESETS[0])),
        ladders=[ArmyLadder(one.id, one.name) for one in ladders if one.spec.game == GAME],
    )


@cache
def _offered_behaviors() -> list[OfferedBehavior]:
    return [
        OfferedBehavior(
            name=kind.__name__,
            words=getdoc(kind) or "",
            numbers=[
                BehaviorNumber(**one._asdict(), usual=getattr(kind, one.name)) for one in numbers
            ],
            code=behavior_code(kind.__name__),
        )
        for kind, numbers in NUMBERS.items()
    ]


def _offered_grid(name: str) -> OfferedGrid:
    settings = grid_settings(name)
    sure = sure_rows(settings)
    return OfferedGrid(
        name=name,
        max_cells=settings.max_cells,
        columns=settings.zone_width,
        first_row=-settings.home_v,
        last_row=settings.height - settings.home_v - 1,
        sure_first_row=sure[0],
        sure_last_row=sure[-1],
        home=(settings.home_u, settings.home_width, settings.home_height),
    )
