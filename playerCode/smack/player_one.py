"""Moves at random."""

import random

from engine.games.smack.player import BasePlayer, Board, Move

NAME = "Random"
AUTHOR = "Slime Mind"
VERSION = "1"


class Player(BasePlayer):
    """Every legal move is as likely."""

    def decide(self, board: Board) -> Move:
        """Any of them."""
        return random.choice(board.position.moves())
