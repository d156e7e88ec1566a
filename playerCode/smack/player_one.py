"""A random bot."""

import random

from engine.games.smack.player import BasePlayer, Board, Move

NAME = "Random"
AUTHOR = "Slime Mind"
VERSION = "1"


class Player(BasePlayer):
    """Plays legal moves at random, all equally likely."""

    def decide(self, board: Board) -> Move:
        """Return any legal move."""
        return random.choice(board.position.moves())
