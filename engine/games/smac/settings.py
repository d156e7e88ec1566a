"""The numbers of SMAC's rules, typed and validated (docs/rules/smac.md 1)."""

from enum import StrEnum
from math import isqrt
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

MILLI = 1_000
"""Points are kept as integers, in thousandths (rules 5.4)."""
MIN_SIDE, MAX_SIDE = 12, 100
MAX_TURNS = 200
"""The stacking level rises by 1 per turn at most (rules 4.2), so heights fit into a byte."""


class Characteristic(StrEnum):
    """The characteristics that a slime mould can evolve (rules 4.1)."""

    ATTACK = "attack"
    DEFENSE = "defense"
    JUMP = "jump"
    PRODUCTIVITY = "productivity"
    STACKING = "stacking"
    PINIT = "pinit"
    CINIT = "cinit"


class Characteristics(NamedTuple):
    """A number for each characteristic: the points put into it, or its level."""

    attack: int = 0
    """How hard its stacks attack in a combat."""
    defense: int = 0
    """How hard they are to hurt in a combat."""
    jump: int = 0
    """How far from its own stacks it can place, cells."""
    productivity: int = 0
    """Tenths added to the yield of all stacks (rules 5.15)."""
    stacking: int = 0
    """The greatest raw height of a stack (rules 4.4)."""
    pinit: int = 0
    """Placement initiative: the highest orders first (rules 5.1)."""
    cinit: int = 0
    """Combat initiative: the highest attacks first (rules 5.6)."""


class ProductionModel(StrEnum):
    """How the yield of a stack is computed (rules 5.13, 5.16)."""

    TABLE = "table"
    LINEAR = "linear"


class ChanceModel(StrEnum):
    """The distribution of chance in an attack (rules 5.10)."""

    HALVING = "halving"
    NORMAL = "normal"


class DefenseModel(StrEnum):
    """What terrain counts for the defense of stacks in a cell of somebody else (rules 5.7)."""

    RAW = "raw"
    SEED = "seed"


Percent = Annotated[int, Meta(ge=0, le=100)]
Turn = Annotated[int, Meta(ge=1, le=MAX_TURNS)]
NeighborCount = Annotated[int, Meta(ge=2, le=8)]
Points = Annotated[int, Meta(ge=0, le=2_500)]
ALL_POINTS = tuple[Points, Points, Points, Points, Points, Points, Points]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One match's numbers."""

    side: Annotated[
        int, Meta(ge=0, le=MAX_SIDE, description="cells along an edge; 0: 12 + 4 per team")
    ] = 0
    terrain_pct: Annotated[Percent, Meta(description="cells that are terrain, percent")] = 12
    symmetric_terrain: Annotated[
        bool, Meta(description="terrain looks the same turned by 180 degrees")
    ] = True
    start_points: Annotated[
        int, Meta(ge=0, le=1_000, description="points of each team before the first bid")
    ] = 20
    start_level_points: Annotated[
        ALL_POINTS,
        Meta(description="points in attack, defense, jump, productivity, stacking, pinit, cinit"),
    ] = (0, 0, 0, 0, 1, 0, 0)
    min_support: Annotated[
        int, Meta(ge=0, le=8, description="own neighbors a stack needs to live")
    ] = 3
    growth_need_dip: Annotated[
        NeighborCount, Meta(description="own neighbors to grow into a DIP")
    ] = 3
    growth_need: Annotated[NeighborCount, Meta(description="own neighbors to grow into a cell")] = 4
    growth_need_hill: Annotated[
        NeighborCount, Meta(description="own neighbors to grow into a HILL")
    ] = 5
    second_center_min_distance: Annotated[
        int, Meta(ge=3, le=MAX_SIDE, description="from the first center to the second, cells")
    ] = 8
    victory_from_turn: Annotated[Turn, Meta(description="first turn that production can win")] = 15
    victory_pct: Annotated[
        Percent, Meta(description="share of all production that wins in that turn, percent")
    ] = 60
    victory_step_pct: Annotated[Percent, Meta(description="how much less each turn later")] = 2
    last_turn: Annotated[Turn, Meta(description="the match ends after this turn")] = 45
    specials_from_turn: Annotated[Turn, Meta(description="first turn to select a special")] = 6
    one_special_per_game: Annotated[
        bool, Meta(description="a team may use one special only, not each of them once")
    ] = False
    combat_round_limit: Annotated[
        int, Meta(ge=1, le=1_000, description="a fight ends after so many rounds")
    ] = 200
    production_model: Annotated[
        ProductionModel, Meta(description="yield of a stack: table, or linear (height - 1)")
    ] = ProductionModel.TABLE
    chance_model: Annotated[
        ChanceModel, Meta(description="chance in an attack: halving, or normal (deviation 2.5)")
    ] = ChanceModel.HALVING
    defense_counts: Annotated[
        DefenseModel,
        Meta(description="an invader's defense: raw height, or as in the original (seed)"),
    ] = DefenseModel.RAW
    early_elimination: Annotated[
        bool, Meta(description="the last team with stacks wins at once")
    ] = True

    def __post_init__(self) -> None:
        """Refuse what cannot be played (msgspec passes the sentence on)."""
        if 0 < self.side < MIN_SIDE:
            raise ValueError(f"side = {self.side} has no room: 0, or {MIN_SIDE} and more")
        if not Characteristics(*self.start_level_points).stacking:
            raise ValueError("start_level_points: without stacking, the fifth, nothing can stand")

    def side_for(self, teams: int) -> int:
        """Return the cells along an edge of the board (rules 2.1)."""
        return self.side or 12 + 4 * teams

    def threshold_pct(self, turn: int) -> int | None:
        """Return the share of all production that wins this turn; None if none does (rules 6.1)."""
        later = turn - self.victory_from_turn
        return None if later < 0 else max(0, self.victory_pct - later * self.victory_step_pct)


def compute_levels(points: Characteristics) -> Characteristics:
    """Return the levels of these points: square roots, rounded down (rules 4.2)."""
    return Characteristics(*map(isqrt, points))
