"""A planner: nerds gather in a corner, bullies hunt nerds that stand alone."""

from engine.games.smack.player import BasePlayer, Board, Move, Position, Side, and_end
from engine.games.smack.squares import BESIDE, SQUARE_OF, column_of, row_of, squares_in

NAME = "Planner"
AUTHOR = "Slime Mind"
VERSION = "1"

HAVEN = SQUARE_OF["B11"]
"""Where the nerds gather: bullies can come there from one side only."""
LOOKED_AT = 40
QUIET_ENOUGH = 60
"""Plies without a capture after which it offers to end the half, if it is ahead."""


class Player(BasePlayer):
    """Plays each side by its own plan, and looks at the best reply."""

    def decide(self, board: Board) -> "Move | dict[str, object]":
        """Return the best move by our side's plan, with an offer to end when nothing happens."""
        position = board.position
        rate = gather if board.side is Side.NERDS else hunt
        promising = sorted(position.moves(), key=lambda move: rate(position, move), reverse=True)
        best = max(promising[:LOOKED_AT], key=lambda m: rate(position, m) - reply(position, m))
        mine, theirs = board.points
        is_enough = board.wants_end or board.quiet > QUIET_ENOUGH
        return and_end(best) if mine > theirs and is_enough else best


def reply(position: Position, move: Move) -> float:
    """Return what the opponent can gain after a move, weighted like a gain of ours."""
    after = position.after(move)
    gains = (after.points_of(after.captured_by(answer)) for answer in after.captures())
    return 3.0 * max(gains, default=0)


def gather(position: Position, move: Move) -> float:
    """Rate a nerd's move: points, then friends around, then the distance to the corner."""
    gain = position.points_of(position.captured_by(move))
    friends = BESIDE[move.target] & position.nerds & ~(1 << move.source)
    left = BESIDE[move.source] & position.nerds
    closer = distance(move.source, HAVEN) - distance(move.target, HAVEN)
    return 3.0 * gain + 0.6 * (friends.bit_count() - left.bit_count()) + 0.3 * closer


def hunt(position: Position, move: Move) -> float:
    """Rate a bully's move: points, then the distance to the nerd with the fewest friends."""
    gain = position.points_of(position.captured_by(move))
    prey = min(
        squares_in(position.nerds),
        key=lambda square: (
            (BESIDE[square] & position.nerds).bit_count(),
            distance(square, move.source),
        ),
        default=move.target,
    )
    closer = distance(move.source, prey) - distance(move.target, prey)
    company = (BESIDE[move.target] & position.bullies & ~(1 << move.source)).bit_count()
    return 3.0 * gain + closer + 0.2 * min(company, 2)


def distance(one: int, other: int) -> int:
    """Return the distance in steps of a bully (Chebyshev distance)."""
    return max(
        abs(column_of(one) - column_of(other)),
        abs(row_of(one) - row_of(other)),
    )
