"""Many matches of Smack! at once, each a row of one array."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.game import Event, MatchEnded
from engine.games.smack.notation import position_text
from engine.games.smack.position import Position, Side
from engine.games.smack.rules import BOTH_OVER
from engine.games.smack.settings import Settings
from engine.games.smack.squares import squares_in
from engine.games.smack.state import Boards, Half
from learning.encodings.smack import PAIRS
from learning.simulation.chance import Row, keys_of
from learning.simulation.match_rows import MatchRows
from learning.smack import layout
from learning.smack.bitboards import WORDS, bitboard_of
from learning.smack.layout import settings_row
from learning.smack.log import ENDINGS, events_of, new_log
from learning.smack.players import legal_orders, play_each
from learning.smack.rules import new_match

STREAMS = ("opening",)
HALVES = (1, 2)
SIDES = (Side.NERDS, Side.BULLIES)


class Matches(MatchRows):
    """Matches of Smack!: see MatchRows."""

    turn_at = layout.TURN

    def __init__(self, settings: Settings, seeds: Sequence[int], *, has_log: bool = False) -> None:
        """Begin a match from each seed; with a log `events` says what the last orders led to."""
        self.settings = settings
        self.s = settings_row(settings)
        """The settings as numbers (layout.py)."""
        self._halves = [layout.FIRST_HALF, layout.FIRST_HALF + int(self.s[layout.HALF_SIZE])]
        log = new_log(settings) if has_log else None
        super().__init__(seeds, int(self.s[layout.WIDTH]), no_log=new_log(), log=log)

    def _begin(self, number: int, seed: int) -> None:
        new_match(self.s, self.rows[number], keys_of(seed, STREAMS), self._log)

    def play(self, orders: Sequence[Sequence[int]] | NDArray[np.integer]) -> None:
        """Play a round in each match that is not over: an order for each of its two boards.

        An order is an action of `SmackEncoding`; any that is illegal forfeits the half, such as
        `layout.NO_ORDER`. It does not count on a board that is over. With `pace = free`,
        `layout.WAIT` plays nothing on a board.
        """
        given = np.ascontiguousarray(orders, np.int64)
        if given.shape != (len(self.rows), len(HALVES)):
            raise ValueError(
                f"orders: expected two for each of {len(self.rows)} matches, an array of shape "
                f"({len(self.rows)}, 2), not of shape {given.shape}"
            )
        self._play(given)

    def legal(self, number: int, board: int) -> Row:
        """Return the legal orders on a board, 1 or 2, in the engine's order; none if it is over.

        To offer the end of the half with one of them, add `PAIRS` of `SmackEncoding` to it.
        """
        if board not in HALVES:
            raise ValueError(f"board = {board}: expected 1 or 2")
        orders = np.empty(PAIRS, np.int64)
        return orders[: legal_orders(self.s, self.rows[number], board, orders)].copy()

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Whether each match is over."""
        found: NDArray[np.bool_] = self.rows[:, layout.IS_OVER] != 0
        return found

    @property
    def scores(self) -> NDArray[np.float64]:
        """The points of both teams of each match until now, over both boards: (matches, 2)."""
        first, second = (self.rows[:, at + layout.POINTS_1 :][:, :2] for at in self._halves)
        found: NDArray[np.float64] = (first + second).astype(np.float64)
        return found

    @property
    def teams(self) -> Row:
        """The team to move on each board, (matches, 2): 1 or 2, and 0 where a half is over."""
        columns = []
        for half, at in zip(HALVES, self._halves, strict=True):
            is_nerds_turn = self.rows[:, at + layout.PLY] % 2 == layout.NERDS_SIDE
            is_open = self.rows[:, at + layout.ENDING] == layout.RUNNING
            columns.append(np.where(is_nerds_turn, half, 3 - half) * is_open)
        return np.stack(columns, axis=1)

    def board(self, number: int) -> Boards:
        """Return both boards of a match as the engine's."""
        m = self.rows[number]
        first, second = self.scores[number].tolist()
        one, other = (
            _half_of(half, m[at : at + int(self.s[layout.HALF_SIZE])])
            for half, at in zip(HALVES, self._halves, strict=True)
        )
        ending = MatchEnded((first, second), BOTH_OVER) if m[layout.IS_OVER] else None
        return Boards(self.settings, int(m[layout.TURN]), (one, other), ending)

    def _advance(self, part: slice, orders: Row) -> None:
        play_each(self.s, self.rows[part], orders, self._log)

    def _logged(self, number: int) -> list[Event]:
        return events_of(self._log, self.settings)


def _half_of(number: int, h: Row) -> Half:
    """Return the numbers of a half as the engine's."""
    ply, quiet, first, second, wants_end, last, ending = h[layout.PLY : layout.HISTORY].tolist()
    position = Position(_bits(h, layout.NERDS), _bits(h, layout.BULLIES), SIDES[ply % 2])
    plies = h[layout.HISTORY : layout.HISTORY + quiet].tolist()
    return Half(
        number,
        text=position_text(position),
        ply=ply,
        quiet=quiet,
        points=(first, second),
        seen={**Counter(map(position_text, _back_from(position, plies)))},
        wants_end=bool(wants_end),
        last=divmod(last, layout.SOURCE) if ply else None,
        captured=tuple(squares_in(_bits(h, layout.CAPTURED))),
        ending=ENDINGS[ending],
    )


def _back_from(position: Position, plies: Sequence[int]) -> list[Position]:
    """Return a position and those before it, when these plies that captured nothing are undone."""
    positions = [position]
    for ply in reversed(plies):
        source, target = divmod(ply, layout.SOURCE)
        moved = 1 << source | 1 << target
        nerds, bullies, side = position.nerds, position.bullies, position.side.other
        if side is Side.NERDS:
            nerds ^= moved
        else:
            bullies ^= moved
        position = Position(nerds, bullies, side)
        positions.append(position)
    return positions


def _bits(h: Row, at: int) -> int:
    return bitboard_of(h[at : at + WORDS])
