"""Alpha-beta search with iterative deepening and a transposition table, as deep as time allows."""

import time
from typing import NamedTuple

from engine.games.smack.notation import parse_position
from engine.games.smack.player import BasePlayer, Board, Move, Position
from engine.games.smack.position import MOVE_TABLE, Displacement
from engine.games.smack.squares import BESIDE, DIRECTIONS, shifted, spread, squares_in

NAME = "Searcher"
AUTHOR = "Slime Mind"
VERSION = "2"

SHARE = 0.75
"""The share of the limit that is used: the rest covers late clock checks and a busy machine."""
MOVES_AHEAD = 80
"""The number of own moves that the remaining time bank must last for."""
MAX_DEPTH = 12
WIDTH = 16
"""The quiet moves that are searched at each node; a single nerd has twenty."""
RATED = 2 * WIDTH
"""The quiet moves of nerds that are rated one by one; sets of squares say which are worth it."""
CAPTURES = 6
"""The captures that are searched at a node of the quiescence search."""
WON = 1_000.0
QUIET_DEPTH = 4
"""The depth of the quiescence search: captures beyond the last ply."""
LAST_CHANCE = 2
"""A position that came up so often ends the half when it comes up again (rules 6.5)."""

Sets = list[tuple[Displacement, int]]
"""Targets of moves, a bitboard for each displacement."""


class OutOfTime(Exception):
    """Raised when the time is up; what was found until then is played."""


class Known(NamedTuple):
    """What an earlier search of a position found."""

    depth: int
    low: float
    high: float
    """Its value lies between these."""
    move: Move | None


class Player(BasePlayer):
    """Searches the board that it is asked about, within its time."""

    def __init__(self, team: int) -> None:
        super().__init__(team)
        self.left_s = float(self.limits.bank_s)

    def decide(self, board: Board) -> Move:
        """Return the best move that was found in time."""
        began = time.process_time()
        per_move = min(SHARE * self.limits.cpu_ms / 1_000, self.left_s / MOVES_AHEAD)
        best = Search(began + per_move, board.seen).best_move(board.position)
        self.left_s -= time.process_time() - began
        return best


class Search:
    """One search: its transposition table, its path, and its deadline."""

    def __init__(self, deadline: float, seen: dict[str, int]) -> None:
        self._deadline = deadline
        self._known: dict[Position, Known] = {}
        self._path = {parse_position(text) for text, times in seen.items() if times >= LAST_CHANCE}
        """The positions that bring nothing more: those that end the half, and those on the way
        to the present one, as whoever returned once can return again."""
        self.nodes = 0

    def best_move(self, position: Position) -> Move:
        """Search one ply deeper each time, until the time is up (iterative deepening)."""
        self._path.discard(position)
        moves = candidates(position) or position.moves()
        best = moves[0]
        self._path.add(position)
        try:
            for depth in range(1, MAX_DEPTH):
                alpha = -WON
                moves.sort(key=lambda move: move != best)  # the best one first: a stable sort
                for move in tuple(moves):
                    value = self._after(position, move, depth, -WON, -alpha)
                    if value > alpha:
                        # Also of a depth that is not completed: it is better than the last best.
                        alpha, best = value, move
        except OutOfTime:
            pass
        return best

    def _after(
        self, position: Position, move: Move, depth: int, alpha: float, beta: float
    ) -> float:
        """Return the value of a move: its points less the value for the opponent (negamax)."""
        gain = taken(position, move)
        return gain - self._value(position.after(move), depth - 1, alpha + gain, beta + gain)

    def _value(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """Return the points that the side to move can still win (fail-soft alpha-beta)."""
        self._check_clock()
        if position in self._path:
            return 0.0
        if depth <= 0:
            return self._quiesce(position, QUIET_DEPTH, alpha, beta)
        known = self._known.get(position)
        if known is not None and known.depth >= depth:
            if known.low >= beta or known.low == known.high:
                return known.low
            if known.high <= alpha:
                return known.high
        self._path.add(position)
        best, best_move, floor = -WON, None, alpha
        for move in candidates(position, known.move if known else None):
            value = self._after(position, move, depth, -beta, -alpha)
            if value > best:
                best, best_move = value, move
                alpha = max(alpha, value)
                if alpha >= beta:
                    break
        self._path.discard(position)
        if best == -WON:
            return 0.0
        low = best if best > floor else -WON
        self._known[position] = Known(depth, low, best if best < beta else WON, best_move)
        return best

    def _quiesce(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """Search captures only, until the position is quiet (quiescence search)."""
        # Nobody has to capture, so standing still is a lower bound ("stand pat").
        best = balance(position)
        if depth == 0 or best >= beta:
            return best
        alpha = max(alpha, best)
        for move in captures(position)[:CAPTURES]:
            self._check_clock()
            gain = taken(position, move)
            value = gain - self._quiesce(position.after(move), depth - 1, gain - beta, gain - alpha)
            best = max(best, value)
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return best

    def _check_clock(self) -> None:
        self.nodes += 1
        # Only at every 8th node, since reading the clock takes time, too.
        if self.nodes % 8 == 0 and time.process_time() > self._deadline:
            raise OutOfTime


def taken(position: Position, move: Move) -> int:
    """Return the points that a move gains."""
    return position.points_of(position.captured_by(move))


def balance(position: Position) -> float:
    """Evaluate a quiet position for the side to move: nerds want company, bullies victims."""
    together = (spread(position.nerds) & position.nerds).bit_count()
    chased = (spread(spread(position.bullies) & position.empty) & position.nerds).bit_count()
    nerds = 0.05 * together - 0.25 * chased
    return nerds if position.is_nerds_turn else -nerds


def candidates(position: Position, first: Move | None = None) -> list[Move]:
    """Return the best known move, captures, and the most promising quiet moves."""
    quiet = quiet_nerds(position) if position.is_nerds_turn else quiet_bullies(position)
    moves = captures(position) + quiet
    return moves if first is None else [first, *(move for move in moves if move != first)]


def captures(position: Position) -> list[Move]:
    """Return the captures, the largest first."""
    found = position.captures()
    if not position.is_nerds_turn and len(found) > 1:
        nerds = position.nerds
        found.sort(key=lambda move: (BESIDE[move.target] & nerds).bit_count(), reverse=True)
    return found


def quiet_bullies(position: Position) -> list[Move]:
    """Return bullies' moves without capture: those that come near to nerds first."""
    near = spread(spread(position.nerds))
    sets = list(position.quiet_targets())
    moves: list[Move] = []
    for wanted in (near, ~near):
        add_moves(moves, sets, wanted)
        if len(moves) >= WIDTH:
            break
    return moves[:WIDTH]


def quiet_nerds(position: Position) -> list[Move]:
    """Return nerds' best moves without capture: out of the bullies' reach, and to friends."""
    nerds = position.nerds
    reach = spread(spread(position.bullies) & position.empty)
    one, two, three = crowds(nerds)
    away, level, into = [], [], []
    for by, targets in position.quiet_targets():
        # The squares whose source, so far behind, is in reach.
        fled = shifted(reach, by[0] * by[1])
        if chosen := targets & ~reach & fled:
            away.append((by, chosen))
        if chosen := targets & ~(reach ^ fled):
            level.append((by, chosen))
        if chosen := targets & reach & ~fled:
            into.append((by, chosen))
    moves: list[Move] = []
    # Sets from the best to the worst: hundreds of moves are never made.
    for sets in (away, level, into):
        for wanted in (three, two & ~three, one & ~two, ~one):
            add_moves(moves, sets, wanted)
            if len(moves) >= RATED:
                return best_company(moves, nerds, reach)
    return best_company(moves, nerds, reach)


def add_moves(moves: list[Move], sets: Sets, wanted: int) -> None:
    """Make the moves of the sets whose targets are wanted."""
    for by, targets in sets:
        if chosen := targets & wanted:
            table = MOVE_TABLE[by]
            moves += [table[target] for target in squares_in(chosen)]


def crowds(nerds: int) -> tuple[int, int, int]:
    """Return the squares that have at least one, two and three nerds beside them."""
    one = two = three = 0
    for step in DIRECTIONS:
        beside = shifted(nerds, step)
        three |= two & beside
        two |= one & beside
        one |= beside
    return one, two, three


def best_company(moves: list[Move], nerds: int, reach: int) -> list[Move]:
    """Return the moves that win most friends, and get out of reach."""

    def worth(move: Move) -> float:
        source = 1 << move.source
        friends = (BESIDE[move.target] & nerds & ~source).bit_count()
        left = (BESIDE[move.source] & nerds).bit_count()
        danger = (reach >> move.target & 1) - (reach >> move.source & 1)
        return 0.5 * (friends - left) - 4.0 * danger

    return sorted(moves, key=worth, reverse=True)[:WIDTH]
