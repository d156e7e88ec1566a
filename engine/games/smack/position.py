"""A position of one board: who stands where and who moves; its moves, and what they lead to.

Sets of squares are bits of an integer (squares.py), so that all pieces of a side are moved
at once.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import msgspec

from engine.games.smack.settings import BULLY_POINTS, NERD_POINTS
from engine.games.smack.squares import (
    BESIDE,
    DIRECTIONS,
    FARTHEST,
    PLAYABLE,
    SQUARE_OF,
    name_of,
    set_of,
    shifted,
    spread,
    squares_in,
)


class Side(StrEnum):
    """Who moves."""

    NERDS = "nerds"
    BULLIES = "bullies"

    @property
    def other(self) -> "Side":
        return Side.BULLIES if self is Side.NERDS else Side.NERDS


class Move(NamedTuple):
    """From a square to another: that says it all (rules 5.6). `str(move)` is `F1-G2`."""

    source: int
    target: int

    def __str__(self) -> str:
        return f"{name_of(self.source)}-{name_of(self.target)}"


Way = tuple[int, int]
"""A direction, as a difference of squares, and how far."""


def _moves_into() -> dict[Way, dict[int, Move]]:
    """Every move there can be, by direction, distance and target."""
    table = {}
    for step in DIRECTIONS:
        for distance in range(1, FARTHEST + 1):
            table[step, distance] = {
                target: Move(target - step * distance, target)
                for target in squares_in(PLAYABLE)
                if PLAYABLE >> max(0, target - step * distance) & 1
            }
    return table


MOVES_INTO = _moves_into()


class Position(msgspec.Struct, frozen=True, dict=True):
    """Frozen; `after` gives another one. Equal positions are equal and have equal hashes."""

    nerds: int
    bullies: int
    side: Side

    @property
    def is_nerds_turn(self) -> bool:
        return self.side is Side.NERDS

    @cached_property
    def empty(self) -> int:
        """The free squares that can hold a piece."""
        return PLAYABLE & ~(self.nerds | self.bullies)

    def moves(self) -> list[Move]:
        """All legal moves of the side to move; those of a capture are among them."""
        return [
            MOVES_INTO[way][target]
            for way, targets in self._ways()
            for target in squares_in(targets)
        ]

    def count_moves(self) -> int:
        """How many there are, without making them."""
        return sum(targets.bit_count() for _, targets in self._ways())

    def captures(self) -> list[Move]:
        """The moves that remove something."""
        if self.is_nerds_turn:
            ways = self._hurls()
        else:
            victims = spread(self.nerds)
            ways = ((way, targets & victims) for way, targets in self._ways())
        return _listed(ways)

    def captured_by(self, move: Move) -> int:
        """The pieces a legal move removes, as a set."""
        if self.is_nerds_turn:
            return 1 << move.target & self.bullies
        return BESIDE[move.target] & self.nerds

    def after(self, move: Move) -> "Position":
        """The position a legal move leads to."""
        walked = 1 << move.source | 1 << move.target
        if self.is_nerds_turn:
            return Position(self.nerds ^ walked, self.bullies & ~(1 << move.target), Side.BULLIES)
        return Position(self.nerds & ~BESIDE[move.target], self.bullies ^ walked, Side.NERDS)

    def points_of(self, captured: int) -> int:
        """What a set of removed pieces is worth to who moves (rules 7.1)."""
        return captured.bit_count() * (BULLY_POINTS if self.is_nerds_turn else NERD_POINTS)

    def _ways(self) -> Iterator[tuple[Way, int]]:
        """Targets of moves, by direction and distance."""
        if self.is_nerds_turn:
            yield from self._walks()
            yield from self._hurls()
        else:
            yield from self._steps_and_shoves()

    def _walks(self) -> Iterator[tuple[Way, int]]:
        """Any distance over empty squares (rules 4.1)."""
        empty = self.empty
        for step in DIRECTIONS:
            reached, distance = shifted(self.nerds, step) & empty, 1
            while reached:
                yield (step, distance), reached
                reached, distance = shifted(reached, step) & empty, distance + 1

    def _hurls(self) -> Iterator[tuple[Way, int]]:
        """As far as the line behind is long, onto a bully, over empty squares (rules 4.2)."""
        nerds, bullies, empty = self.nerds, self.bullies, self.empty
        for step in DIRECTIONS:
            # Those at the end of a line of `distance`, moved on over empty squares.
            line, distance, reached = nerds, 1, nerds
            while reached:
                hit = shifted(reached, step) & bullies
                if hit:
                    yield (step, distance), hit
                line = nerds & shifted(line, step)
                distance += 1
                ready = line
                for _ in range(distance - 1):
                    ready = shifted(ready, step) & empty
                    if not ready:
                        break
                reached = ready

    def _steps_and_shoves(self) -> Iterator[tuple[Way, int]]:
        """A step; or with a line behind further, to where a nerd is beside (rules 5.1, 5.3)."""
        bullies, empty = self.bullies, self.empty
        victims = spread(self.nerds)
        for step in DIRECTIONS:
            reached = shifted(bullies, step) & empty
            if reached:
                yield (step, 1), reached
            line, distance = bullies & shifted(bullies, step), 2
            while line:
                reached = line
                for _ in range(distance):
                    reached = shifted(reached, step) & empty
                    if not reached:
                        break
                if reached & victims:
                    yield (step, distance), reached & victims
                line, distance = bullies & shifted(line, step), distance + 1


def _listed(ways: Iterable[tuple[Way, int]]) -> list[Move]:
    return [MOVES_INTO[way][target] for way, targets in ways for target in squares_in(targets)]


def squares_named(names: str) -> int:
    """`A6 A7` as a set."""
    return set_of(SQUARE_OF[name] for name in names.split())


START = Position(
    squares_named(
        "A6 A7 A9 A10 B5 B11 C4 C12 D3 D13 E2 E14 F1 F15 G1 G15 "
        "J1 J15 K1 K15 L2 L14 M3 M13 N4 N12 O5 O11 P6 P7 P9 P10"
    ),
    squares_named("G7 G8 G9 H7 H9 J7 J8 J9"),
    Side.NERDS,
)
"""Rules 2.2, 2.3."""
