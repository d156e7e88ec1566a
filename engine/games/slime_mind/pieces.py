"""The three kinds of pieces: frozen values, safe to hand to a bot."""

from typing import final

import msgspec

from engine.games.slime_mind.settings import LEVELS


@final
class Rock(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An obstacle (rules 4.1)."""

    id: int
    """Its own for the whole match (rules 3.6)."""
    x: int
    """The column, from 0."""
    y: int
    """The row, from 0 on top (at the bottom with `settings.y_up`)."""


class Plant(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Food. At `max_level` it spreads seeds (rules 4.2)."""

    id: int
    """Its own for the whole match (rules 3.6)."""
    x: int
    """The column, from 0."""
    y: int
    """The row, from 0 on top (at the bottom with `settings.y_up`)."""
    level: int
    """1 to `max_level`; it rises by itself."""
    max_level: int
    """The level at which it spreads seeds."""
    current_hp: int
    """What is left to bite: at 0 it is gone."""
    max_hp: int
    """What it has unbitten; it rises with the level."""


class Slime(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A team's piece. `level`, `attack` and `max_hp` follow `xp` at its next round (rules 5.2)."""

    id: int
    """Its own for the whole match (rules 3.6)."""
    team: int
    """1 or 2; `self.team` is yours."""
    x: int
    """The column, from 0."""
    y: int
    """The row, from 0 on top (at the bottom with `settings.y_up`)."""
    xp: int
    """What it has bitten so far; its level follows from it."""
    level: int
    """1 to `max_level`; `LEVELS[level]` has the values of a level."""
    max_level: int
    """The highest level that it can reach."""
    current_hp: int
    """Hit points: at 0 it dies."""
    max_hp: int
    """The most hit points that it can have at its level."""
    attack: int
    """What a bite of it takes off."""
    ready_to_merge: bool
    """Whether its last command was MERGE: a friend beside it may take it in."""

    @property
    def maximum_hp(self) -> int:
        """The same as `max_hp`: the word of the original."""
        return self.max_hp

    @property
    def score(self) -> float:
        """Points this slime's level is worth at the end (rules 7.3)."""
        return LEVELS[self.level].score_tenths / 10


Piece = Rock | Plant | Slime


def new_slime(piece_id: int, team: int, x: int, y: int, max_level: int) -> Slime:
    """Return a new slime: xp 1, level 1, full hp, not ready to merge (rules 3.5, 6.3)."""
    first = LEVELS[1]
    return Slime(
        id=piece_id,
        team=team,
        x=x,
        y=y,
        xp=1,
        level=1,
        max_level=max_level,
        current_hp=first.max_hp,
        max_hp=first.max_hp,
        attack=first.attack,
        ready_to_merge=False,
    )
