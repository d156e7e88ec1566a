"""What the designer sends and is answered."""

from typing import Annotated

from msgspec import Meta, Struct

from engine.games.game_of_death.drawn_armies import DrawnArmy
from engine.games.game_of_death.inspection import ShapeFigures
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
