"""Alpha-beta search with iterative deepening, as deep as its time allows."""

import time
from collections.abc import Callable

from engine.games.smack.player import BasePlayer, Board, Move, Position, Side
from engine.games.smack.squares import BESIDE, spread

NAME = "Searcher"
AUTHOR = "Slime Mind"
VERSION = "1"

THINK_S = 0.2
"""At most so long for a move, however much would be allowed."""
SHARE = 0.6
"""Of the limit: what is over covers the last look at the clock, and a busy machine."""
PLIES_AHEAD = 80
"""So many moves of ours the rest of the bank must last for."""
DEEPEST = 12
WIDTH = 16
"""Quiet moves that are followed; a nerd alone has twenty."""
WON = 1_000.0
QUIET_DEPTH = 4
"""So many captures and recaptures are followed beyond the last ply."""


Rating = Callable[[Move], float]


class OutOfTime(Exception):
    """The search stops where it is; the best move of the last whole depth stands."""


class Player(BasePlayer):
    """Searches the board that it is asked about."""

    def __init__(self, team: int) -> None:
        super().__init__(team)
        self.left_s = float(self.limits.bank_s)

    def decide(self, board: Board) -> Move:
        """The best move of the deepest search that was finished in time."""
        began = time.process_time()
        per_move = min(THINK_S, SHARE * self.limits.cpu_ms / 1_000, self.left_s / PLIES_AHEAD)
        search = Search(began + per_move, board.seen)
        best = search.best_move(board.position)
        self.left_s -= time.process_time() - began
        return best


class Search:
    """One search: what it knows of positions, and when it must be done."""

    def __init__(self, deadline: float, seen: dict[str, int]) -> None:
        self._deadline = deadline
        self._best: dict[Position, Move] = {}
        """The best move known of a position: looked at first next time."""
        self._nodes = 0

    def best_move(self, position: Position) -> Move:
        """Depth by depth, until the time is up."""
        moves = self._ordered(position, position.moves())
        best = moves[0]
        try:
            for depth in range(1, DEEPEST):
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
        """What a move is worth: its points, and what the opponent makes of it."""
        gain = position.points_of(position.captured_by(move))
        return gain - self._value(position.after(move), depth - 1, alpha + gain, beta + gain)

    def _value(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """Points still to be won by who moves, between alpha and beta."""
        self._look_at_the_clock()
        if depth <= 0:
            return self._settle(position, QUIET_DEPTH, alpha, beta)
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

    def _settle(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """Captures only, until it is quiet; nobody has to capture."""
        best = balance(position)
        if depth == 0 or best >= beta:
            return best
        alpha = max(alpha, best)
        for move in sorted(position.captures(), key=lambda move: -taken(position, move))[:6]:
            self._look_at_the_clock()
            gain = taken(position, move)
            value = gain - self._settle(position.after(move), depth - 1, gain - beta, gain - alpha)
            best = max(best, value)
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return best

    def _candidates(self, position: Position) -> list[Move]:
        """The best move known, captures, and the quiet moves that look best."""
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

    def _look_at_the_clock(self) -> None:
        self._nodes += 1
        if self._nodes % 8 == 0 and time.process_time() > self._deadline:
            raise OutOfTime


def taken(position: Position, move: Move) -> int:
    """Points a move brings."""
    return position.points_of(position.captured_by(move))


def balance(position: Position) -> float:
    """A quiet position, for who moves: nerds want to stand together, bullies among them."""
    together = (spread(position.nerds) & position.nerds).bit_count()
    chased = (spread(spread(position.bullies) & position.empty) & position.nerds).bit_count()
    nerds = 0.05 * together - 0.25 * chased
    return nerds if position.side is Side.NERDS else -nerds


def rate_nerds(position: Position) -> Rating:
    """Captures first; then to friends, and out of the bullies' reach."""
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
    """Captures first, the largest before all; then towards the nearest nerds."""
    nerds = position.nerds
    near = spread(nerds)
    nearer = spread(near)

    def worth(move: Move) -> float:
        captured = (BESIDE[move.target] & nerds).bit_count()
        if captured:
            return 10.0 + captured
        return 2.0 * (near >> move.target & 1) + (nearer >> move.target & 1)

    return worth
