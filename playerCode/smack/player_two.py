"""Takes what is worth most now, and moves where least can be taken next."""

import random

from engine.games.smack.player import BasePlayer, Board, Move, Position

NAME = "Greedy"
AUTHOR = "Slime Mind"
VERSION = "1"

TRIED = 24
"""Quiet moves that are looked at, drawn at random: looking at all takes too long."""


class Player(BasePlayer):
    """Looks one move ahead, and at the best reply."""

    def decide(self, board: Board) -> Move:
        """The best of gain minus what the reply gains."""
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
    """Points a move brings."""
    return position.points_of(position.captured_by(move))
