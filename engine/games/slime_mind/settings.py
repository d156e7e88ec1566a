"""The numbers of Slime Mind's rules, typed and validated (docs/rules/slime_mind.md 1)."""

from bisect import bisect_right
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta


class Level(NamedTuple):
    """A row of the level table."""

    min_xp: int
    """The experience from which a slime has this level."""
    attack: int
    """What a bite takes off, hp."""
    max_hp: int
    """The most hit points it can have."""
    score_tenths: int
    """What it counts at the end, tenths of a point."""


# The level table (rules 1): a level begins where floor(1.847 * xp ** 0.286) reaches it (rules 1.1).
# LEVELS[0] is a placeholder, so that LEVELS[n] is level n. Scores are in tenths of a point:
# integers, so that sums are exact (rules 7.3).
LEVELS = (
    Level(0, 0, 0, 0),
    Level(1, 3, 11, 2),
    Level(2, 4, 13, 4),
    Level(6, 7, 17, 16),
    Level(15, 10, 22, 52),
    Level(33, 13, 28, 137),
    Level(62, 16, 35, 299),
    Level(106, 20, 43, 577),
    Level(169, 24, 52, 1017),
    Level(254, 29, 62, 1670),
    Level(368, 33, 73, 2597),
    Level(513, 38, 84, 3867),
    Level(695, 43, 97, 5553),
)
TOP_LEVEL = len(LEVELS) - 1

Size = Annotated[int, Meta(ge=2, le=1_000)]
Pairs = Annotated[int, Meta(ge=0, le=100_000)]
Percent = Annotated[int, Meta(ge=0, le=100)]
SlimeLevel = Annotated[int, Meta(ge=1, le=TOP_LEVEL)]
Amount = Annotated[int, Meta(ge=0, le=10_000)]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One match's numbers; the defaults are the standard map's."""

    columns: Annotated[Size, Meta(description="width of the map, squares")] = 30
    rows: Annotated[Size, Meta(description="height of the map, squares")] = 15
    y_up: Annotated[bool, Meta(description="UP adds 1 to y and row 0 is drawn below")] = False
    max_turns: Annotated[
        int, Meta(ge=1, le=1_000_000, description="the match ends after this turn")
    ] = 1_000
    slime_pairs: Annotated[
        int, Meta(ge=1, le=100_000, description="slimes of each team at the start")
    ] = 5
    plant_pairs: Annotated[Pairs, Meta(description="mirrored pairs of plants at the start")] = 22
    rock_pairs: Annotated[Pairs, Meta(description="mirrored pairs of rocks")] = 5
    plant_max_level: Annotated[
        int, Meta(ge=1, le=1_000, description="level at which a plant spreads seeds")
    ] = 12
    plant_level_chance_pct: Annotated[
        Percent, Meta(description="chance that a plant rises a level, percent per turn")
    ] = 20
    plant_seed_chance_pct: Annotated[
        Percent, Meta(description="chance that a full-grown plant seeds, percent per turn")
    ] = 5
    plant_hp_per_level: Annotated[
        int, Meta(ge=1, le=10_000, description="a plant's max hp, per level")
    ] = 6
    plant_start_hp: Annotated[int, Meta(ge=1, le=10_000, description="hp of a new plant")] = 3
    slime_max_level: Annotated[SlimeLevel, Meta(description="highest level of a slime")] = 12
    min_split_level: Annotated[SlimeLevel, Meta(description="lowest level that may SPLIT")] = 4
    split_divisor: Annotated[
        int, Meta(ge=1, le=1_000, description="what a SPLIT divides xp by")
    ] = 4
    bite_hp: Annotated[Amount, Meta(description="hp gained by a bite")] = 1
    bite_xp: Annotated[Amount, Meta(description="xp gained by a bite")] = 1
    merge_heals: Annotated[
        bool, Meta(description="a MERGE heals the slime that takes another one in")
    ] = True
    king_level: Annotated[
        SlimeLevel, Meta(description="level from which a slime is drawn as a king")
    ] = 10

    def __post_init__(self) -> None:
        """Refuse maps that cannot be laid out (msgspec passes the sentence on)."""
        half = self.columns // 2 * self.rows
        if self.slime_pairs > half:
            raise ValueError(
                f"slime_pairs = {self.slime_pairs} do not fit: the left half has {half} squares"
            )
        pairs = self.slime_pairs + self.rock_pairs + self.plant_pairs
        if pairs > self.columns * self.rows // 2:
            raise ValueError(
                f"slime_pairs + rock_pairs + plant_pairs = {pairs} do not fit: "
                f"the map has room for {self.columns * self.rows // 2} mirrored pairs"
            )
        if self.plant_start_hp > self.plant_hp_per_level:
            raise ValueError(
                f"plant_start_hp = {self.plant_start_hp} is more than a new plant's most, "
                f"plant_hp_per_level = {self.plant_hp_per_level}"
            )


def level_of(xp: int, max_level: int = TOP_LEVEL) -> int:
    """Return the highest level whose min xp is reached, never above `max_level` (rules 1.1)."""
    levels = _BELOW[max_level]
    return levels[xp] if xp < len(levels) else max_level


def _levels_below(max_level: int) -> tuple[int, ...]:
    """Return the level of each xp below that of `max_level`.

    A table, because the level is looked up before every order.
    """
    rises_at = [level.min_xp for level in LEVELS[2:]]
    return tuple(1 + bisect_right(rises_at, xp) for xp in range(LEVELS[max_level].min_xp))


_BELOW = tuple(_levels_below(max_level) for max_level in range(TOP_LEVEL + 1))
