"""Alpha-beta search with iterative deepening: it looks ahead as far as its time allows.

docs/api/smack.md has the full API reference, docs/rules/smack.md the rules.
"""

import time

from engine.games.smack.player import BasePlayer, Board, Move, Position, Side
from engine.games.smack.squares import spread

# Shown with your results. They are read without running this file.
NAME = "Template"
AUTHOR = "you"
VERSION = "1"

# Everything a search can tune stands up here, where you find it again.
THINK_S = 0.1
"""The most CPU seconds for a move, even if the limit allows more."""
SHARE = 0.5
"""The share of the time limit that is used: the rest covers a busy machine."""
DEEPEST = 8
QUIET_MOVES = 12
"""The moves without a capture that are searched in each position."""
ENDLESS = 10_000.0


class OutOfTime(Exception):
    """Raised when the time is up; the best move of the last complete depth is played."""


class Player(BasePlayer):
    """One object is made per match: what you store in `self` is still there at the next move."""

    def decide(self, board: Board) -> Move:
        """Search one ply deeper each time, until the time is up."""
        seconds = min(THINK_S, SHARE * self.limits.cpu_ms / 1_000)
        search = Search(time.thread_time() + seconds)
        best = ordered(board.position)[0]
        try:
            for depth in range(1, DEEPEST):
                best = search.best_move(board.position, depth, best)
        except OutOfTime:
            pass
        return best


class Search:
    """One search, and its deadline."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline

    def best_move(self, position: Position, depth: int, first: Move) -> Move:
        """Return the best move at a depth; the best one so far is searched first."""
        best, most = first, -ENDLESS
        for move in [first, *ordered(position)]:
            value = self.value_of(position, move, depth, -ENDLESS, -most)
            if value > most:
                best, most = move, value
        return best

    def value_of(
        self, position: Position, move: Move, depth: int, alpha: float, beta: float
    ) -> float:
        """Return what a move is worth: its points, less what the opponent then wins (negamax)."""
        gain = points(position, move)
        reply = self.value(position.after(move), depth - 1, alpha + gain, beta + gain)
        return gain - reply

    def value(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """Return what the side to move can still win (alpha-beta)."""
        if time.thread_time() > self._deadline:
            raise OutOfTime
        if depth <= 0:
            return evaluate(position)
        best = -ENDLESS
        for move in ordered(position):
            best = max(best, self.value_of(position, move, depth, -beta, -alpha))
            alpha = max(alpha, best)
            if alpha >= beta:
                break  # the opponent would not let it come to this
        return best if best > -ENDLESS else 0.0


def points(position: Position, move: Move) -> int:
    """Return the points that a move gains."""
    return position.points_of(position.captured_by(move))


def ordered(position: Position) -> list[Move]:
    """Return the moves to search, the most valuable captures first: that cuts most off."""
    moves = sorted(position.moves(), key=lambda move: -points(position, move))
    captures = sum(1 for move in moves if points(position, move))
    return moves[: captures + QUIET_MOVES]


def evaluate(position: Position) -> float:
    """Rate a position for the side to move, in points: replace this by ideas of your own.

    Sets of squares are the bits of an integer; `spread` is a set with all squares beside it.
    """
    company = (spread(position.nerds) & position.nerds).bit_count()
    chased = (spread(spread(position.bullies) & position.empty) & position.nerds).bit_count()
    for_nerds = 0.05 * company - 0.25 * chased
    return for_nerds if position.side is Side.NERDS else -for_nerds
