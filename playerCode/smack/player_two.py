"""A greedy bot: it maximizes its gain less the opponent's best reply (a two-ply search)."""

import random

from engine.games.smack.player import BasePlayer, Board, Move, Position

NAME = "Greedy"
AUTHOR = "Slime Mind"
VERSION = "1"

TRIED = 24
"""Quiet moves that are searched, drawn at random: searching all takes too long."""


class Player(BasePlayer):
    """Searches its own moves and the best reply to each."""

    def decide(self, board: Board) -> Move:
        """Return the move with the best gain after the opponent's best reply."""
        position = board.position
        moves = position.moves()
        quiet = random.sample(moves, min(TRIED, len(moves)))
        candidates = [*position.captures(), *quiet]
        return max(candidates, key=lambda move: self._balance(position, move))

    def _balance(self, position: Position, move: Move) -> int:
        after = position.after(move)
        return gain(position, move) - max(
            (gain(after, reply) for reply in after.captures()), default=0
        )


def gain(position: Position, move: Move) -> int:
    """Return the points that a move gains."""
    return position.points_of(position.captured_by(move))
