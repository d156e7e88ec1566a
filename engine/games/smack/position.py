"""A position of one board, and its move generator.

Sets of squares are bitboards (squares.py): a direction is generated for all pieces of a side at
once, by shifting one integer. The loops shift in place, as calls of `shifted` cost time.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cached_property
from itertools import chain
from operator import index
from typing import NamedTuple, Self

import msgspec

from engine.games.smack.settings import BULLY_POINTS, NERD_POINTS
from engine.games.smack.squares import (
    BESIDE,
    DIRECTIONS,
    MAX_DISTANCE,
    PLAYABLE,
    SQUARE_OF,
    make_bitboard,
    spread,
    square_name,
    squares_in,
)


class Side(StrEnum):
    """The two sides of a board."""

    NERDS = "nerds"
    BULLIES = "bullies"

    @property
    def other(self) -> "Side":
        """The side that moves next."""
        return Side.BULLIES if self is Side.NERDS else Side.NERDS


class _Squares(NamedTuple):
    source: int
    """The square from which it moves, a number."""
    target: int
    """The square to which it moves, a number."""


class Move(_Squares):
    """A move, fully described by its two squares (rules 5.6). `str(move)` is `F1-G2`."""

    __slots__ = ()

    def __new__(cls, source: int, target: int) -> Self:
        """Make a move; numbers of numpy would not do, as bitboards are longer than they are."""
        return super().__new__(cls, index(source), index(target))

    def __str__(self) -> str:
        return f"{square_name(self.source)}-{square_name(self.target)}"


Displacement = tuple[int, int]
"""A direction, as a difference of square numbers, and a distance."""


def _move_table() -> dict[Displacement, dict[int, Move]]:
    """Return every possible move, by displacement and target.

    The generator looks its moves up here instead of making a tuple for each.
    """
    table = {}
    for step in DIRECTIONS:
        for distance in range(1, MAX_DISTANCE + 1):
            table[step, distance] = {
                target: Move(target - step * distance, target)
                for target in squares_in(PLAYABLE)
                if PLAYABLE >> max(0, target - step * distance) & 1
            }
    return table


MOVE_TABLE = _move_table()


class Position(msgspec.Struct, frozen=True, dict=True):
    """An immutable position. Its sets are bitboards; it is hashable, for transposition tables."""

    nerds: int
    """The squares of the nerds, a bitboard: bit n is square n."""
    bullies: int
    """The squares of the bullies, a bitboard."""
    side: Side
    """The side to move."""

    @property
    def is_nerds_turn(self) -> bool:
        """Whether it is the nerds' move."""
        return self.side is Side.NERDS

    @cached_property
    def empty(self) -> int:
        """The empty squares; the dead space is none of them, so it blocks every line (1.6)."""
        return PLAYABLE & ~(self.nerds | self.bullies)

    def moves(self) -> list[Move]:
        """Return all legal moves of the side to move, captures included."""
        return [
            MOVE_TABLE[displacement][target]
            for displacement, targets in self.targets()
            for target in squares_in(targets)
        ]

    def has_moves(self) -> bool:
        """Return whether there is a legal move."""
        return next(self.targets(), None) is not None

    def count_moves(self) -> int:
        """Return the number of legal moves, without making a list of them."""
        return sum(targets.bit_count() for _, targets in self.targets())

    def captures(self) -> list[Move]:
        """Return the legal moves that remove something."""
        if self.is_nerds_turn:
            return _moves_from_groups(self._generate_captures())
        # A bully captures wherever it ends beside a nerd (rules 5.2).
        victims = spread(self.nerds)
        return _moves_from_groups((by, targets & victims) for by, targets in self.targets())

    def captured_by(self, move: Move) -> int:
        """Return the pieces that a legal move removes, as a bitboard."""
        if self.is_nerds_turn:
            return 1 << move.target & self.bullies
        return BESIDE[move.target] & self.nerds

    def after(self, move: Move) -> "Position":
        """Return the position that a legal move leads to."""
        # Source and target differ, so one exclusive or takes the piece away and puts it down.
        moved = 1 << move.source | 1 << move.target
        if self.is_nerds_turn:
            return Position(self.nerds ^ moved, self.bullies & ~(1 << move.target), Side.BULLIES)
        return Position(self.nerds & ~BESIDE[move.target], self.bullies ^ moved, Side.NERDS)

    def points_of(self, captured: int) -> int:
        """Return the points that these removed pieces bring the side to move (rules 7.1)."""
        return captured.bit_count() * (BULLY_POINTS if self.is_nerds_turn else NERD_POINTS)

    def quiet_targets(self) -> Iterator[tuple[Displacement, int]]:
        """Return the targets of the moves that remove nothing, a bitboard for each displacement.

        For bots that look at many positions: sets are thinned out before moves are made of them,
        by `MOVE_TABLE[displacement][target]`.
        """
        if self.is_nerds_turn:
            return self._quiet_moves()
        harmless = ~spread(self.nerds)
        quiet = ((by, targets & harmless) for by, targets in self._bully_moves())
        return (group for group in quiet if group[1])

    def targets(self) -> Iterator[tuple[Displacement, int]]:
        """Return the targets of all legal moves, a bitboard for each displacement."""
        if self.is_nerds_turn:
            return chain(self._quiet_moves(), self._generate_captures())
        return self._bully_moves()

    def _quiet_moves(self) -> Iterator[tuple[Displacement, int]]:
        """Yield the moves without capture: any distance over empty squares (rules 4.1)."""
        nerds, empty = self.nerds, self.empty
        # Masking with `empty` after each shift stops at pieces and at the edge: a row has one
        # column more than the board, which is never empty.
        for step in DIRECTIONS:
            distance = 1
            if step > 0:
                reached = nerds << step & empty
                while reached:
                    yield (step, distance), reached
                    reached = reached << step & empty
                    distance += 1
            else:
                reached = nerds >> -step & empty
                while reached:
                    yield (step, distance), reached
                    reached = reached >> -step & empty
                    distance += 1

    def _generate_captures(self) -> Iterator[tuple[Displacement, int]]:
        """Yield the captures: onto a bully, as far as the line behind is long (rules 4.2)."""
        nerds, bullies, empty = self.nerds, self.bullies, self.empty
        for step in DIRECTIONS:
            # `line`: the nerds with a line of at least `distance` behind them (rules 3.2).
            # `reached`: those nerds, moved `distance - 1` squares on over empty squares.
            line, distance, reached = nerds, 1, nerds
            while reached:
                hit = (reached << step if step > 0 else reached >> -step) & bullies
                if hit:
                    yield (step, distance), hit
                line = nerds & (line << step if step > 0 else line >> -step)
                distance += 1
                ready = line
                for _ in range(distance - 1):
                    ready = (ready << step if step > 0 else ready >> -step) & empty
                    if not ready:
                        break
                reached = ready

    def _bully_moves(self) -> Iterator[tuple[Displacement, int]]:
        """Yield a bully's moves: steps, and shoves to where a nerd is beside (rules 5.1, 5.3)."""
        bullies, empty = self.bullies, self.empty
        victims = spread(self.nerds)
        for step in DIRECTIONS:
            reached = (bullies << step if step > 0 else bullies >> -step) & empty
            if reached:
                yield (step, 1), reached  # rules 5.4: one square needs no victim
            line, distance = bullies & (bullies << step if step > 0 else bullies >> -step), 2
            while line:
                reached = line
                for _ in range(distance):
                    reached = (reached << step if step > 0 else reached >> -step) & empty
                    if not reached:
                        break
                if reached & victims:
                    yield (step, distance), reached & victims
                line = bullies & (line << step if step > 0 else line >> -step)
                distance += 1


def _moves_from_groups(groups: Iterable[tuple[Displacement, int]]) -> list[Move]:
    return [
        MOVE_TABLE[displacement][target]
        for displacement, targets in groups
        for target in squares_in(targets)
    ]


def parse_squares(names: str) -> int:
    """Return a text such as `A6 A7` as a bitboard."""
    return make_bitboard(SQUARE_OF[name] for name in names.split())


START = Position(
    parse_squares(
        "A6 A7 A9 A10 B5 B11 C4 C12 D3 D13 E2 E14 F1 F15 G1 G15 "
        "J1 J15 K1 K15 L2 L14 M3 M13 N4 N12 O5 O11 P6 P7 P9 P10"
    ),
    parse_squares("G7 G8 G9 H7 H9 J7 J8 J9"),
    Side.NERDS,
)
"""Rules 2.2, 2.3."""
