"""Alpha-beta search with iterative deepening, as deep as its time allows."""

import time
from collections.abc import Callable

from engine.games.smack.player import BasePlayer, Board, Move, Position, Side
from engine.games.smack.squares import BESIDE, spread

NAME = "Searcher"
AUTHOR = "Slime Mind"
VERSION = "1"

THINK_S = 0.2
"""The most CPU seconds for a move, even if the limit allows more."""
SHARE = 0.6
"""The share of the limit that is used: the rest covers late clock checks and a busy machine."""
MOVES_AHEAD = 80
"""The number of own moves that the remaining time bank must last for."""
MAX_DEPTH = 12
WIDTH = 16
"""The quiet moves that are searched at each node; a single nerd has twenty."""
WON = 1_000.0
QUIET_DEPTH = 4
"""The depth of the quiescence search: captures beyond the last ply."""


Rating = Callable[[Move], float]


class OutOfTime(Exception):
    """Raised when the time is up; the best move of the last complete depth is played."""


class Player(BasePlayer):
    """Searches the board that it is asked about, within its time."""

    def __init__(self, team: int) -> None:
        super().__init__(team)
        self.left_s = float(self.limits.bank_s)

    def decide(self, board: Board) -> Move:
        """Return the best move of the deepest search that was completed in time."""
        began = time.process_time()
        per_move = min(THINK_S, SHARE * self.limits.cpu_ms / 1_000, self.left_s / MOVES_AHEAD)
        search = Search(began + per_move, board.seen)
        best = search.best_move(board.position)
        self.left_s -= time.process_time() - began
        return best


class Search:
    """One search: its table of best moves, and its deadline."""

    def __init__(self, deadline: float, seen: dict[str, int]) -> None:
        self._deadline = deadline
        self._best: dict[Position, Move] = {}
        """The best known move of each position, searched first (a small transposition table)."""
        self._nodes = 0

    def best_move(self, position: Position) -> Move:
        """Search one ply deeper each time, until the time is up (iterative deepening)."""
        moves = self._ordered(position, position.moves())
        best = moves[0]
        try:
            for depth in range(1, MAX_DEPTH):
                best = self._best_at(position, depth, best)
        except OutOfTime:
            pass
        return best

    def _best_at(self, position: Position, depth: int, first: Move) -> Move:
        alpha, best = -WON, first
        for move in [first, *self._candidates(position)]:
            value = self._after(position, move, depth, -WON, -alpha)
            if value > alpha:
                alpha, best = value, move
        self._best[position] = best
        return best

    def _after(
        self, position: Position, move: Move, depth: int, alpha: float, beta: float
    ) -> float:
        """Return the value of a move: its points less the value for the opponent (negamax)."""
        gain = position.points_of(position.captured_by(move))
        return gain - self._value(position.after(move), depth - 1, alpha + gain, beta + gain)

    def _value(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """Return the points that the side to move can still win (fail-soft alpha-beta)."""
        self._check_clock()
        if depth <= 0:
            return self._quiesce(position, QUIET_DEPTH, alpha, beta)
        best = -WON
        for move in self._candidates(position):
            value = self._after(position, move, depth, -beta, -alpha)
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    self._best[position] = move
                if alpha >= beta:
                    break
        return best if best > -WON else 0.0

    def _quiesce(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """Search captures only, until the position is quiet (quiescence search)."""
        # Nobody has to capture, so standing still is a lower bound ("stand pat").
        best = balance(position)
        if depth == 0 or best >= beta:
            return best
        alpha = max(alpha, best)
        for move in sorted(position.captures(), key=lambda move: -taken(position, move))[:6]:
            self._check_clock()
            gain = taken(position, move)
            value = gain - self._quiesce(position.after(move), depth - 1, gain - beta, gain - alpha)
            best = max(best, value)
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return best

    def _candidates(self, position: Position) -> list[Move]:
        """Return the best known move, captures, and the most promising quiet moves."""
        moves = self._ordered(position, position.moves())
        known = self._best.get(position)
        if known is not None:
            moves = [known, *(move for move in moves if move != known)]
        captures = sum(1 for move in moves[:40] if position.captured_by(move))
        return moves[: captures + WIDTH]

    def _ordered(self, position: Position, moves: list[Move]) -> list[Move]:
        rate = rate_nerds if position.side is Side.NERDS else rate_bullies
        worth = rate(position)
        return sorted(moves, key=worth, reverse=True)

    def _check_clock(self) -> None:
        self._nodes += 1
        # Only at every 8th node, since reading the clock takes time, too.
        if self._nodes % 8 == 0 and time.process_time() > self._deadline:
            raise OutOfTime


def taken(position: Position, move: Move) -> int:
    """Return the points that a move gains."""
    return position.points_of(position.captured_by(move))


def balance(position: Position) -> float:
    """Evaluate a quiet position for the side to move: nerds want company, bullies victims."""
    together = (spread(position.nerds) & position.nerds).bit_count()
    chased = (spread(spread(position.bullies) & position.empty) & position.nerds).bit_count()
    nerds = 0.05 * together - 0.25 * chased
    return nerds if position.side is Side.NERDS else -nerds


def rate_nerds(position: Position) -> Rating:
    """Rate nerds' moves: captures first, then towards friends and out of the bullies' reach."""
    reach = spread(spread(position.bullies) & position.empty)
    nerds, bullies = position.nerds, position.bullies

    def worth(move: Move) -> float:
        if bullies >> move.target & 1:
            return 100.0
        source = 1 << move.source
        friends = (BESIDE[move.target] & nerds & ~source).bit_count()
        left = (BESIDE[move.source] & nerds).bit_count()
        danger = (reach >> move.target & 1) - (reach >> move.source & 1)
        return 0.5 * (friends - left) - 4.0 * danger

    return worth


def rate_bullies(position: Position) -> Rating:
    """Rate bullies' moves: the largest capture first, then towards the nearest nerds."""
    nerds = position.nerds
    near = spread(nerds)
    nearer = spread(near)

    def worth(move: Move) -> float:
        captured = (BESIDE[move.target] & nerds).bit_count()
        if captured:
            return 10.0 + captured
        return 2.0 * (near >> move.target & 1) + (nearer >> move.target & 1)

    return worth
