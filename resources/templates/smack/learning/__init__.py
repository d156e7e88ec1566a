"""A small policy that can learn: it rates every legal move, and plays the best.

A rating is a sum of features, each times a weight. The weights are kept in parameters.json beside
this file, so that a program can change them: the training script that came with this bot does.

docs/api/smack.md has the full API reference, docs/rules/smack.md the rules.
"""

import json
from math import fsum
from pathlib import Path

from engine.games.smack.player import BasePlayer, Board, Move, Position, Side
from engine.games.smack.squares import BESIDE, spread

# Shown with your results. They are read without running this file.
NAME = "Template"
AUTHOR = "you"
VERSION = "1"

# A bot may read its own files, while it is loaded and later.
WEIGHTS: dict[str, float] = json.loads(Path(__file__).with_name("parameters.json").read_text())

Features = dict[str, float]


class Player(BasePlayer):
    """One object is made per match: what you store in `self` is still there at the next move."""

    def decide(self, board: Board) -> Move:
        """Return the move with the highest rating."""
        position = board.position
        return max(position.moves(), key=lambda move: rating(features(position, move)))


def features(position: Position, move: Move) -> Features:
    """Return what there is to say of a move, in numbers: add your own here.

    Sets of squares are the bits of an integer; `spread` is a set with all squares beside it.
    """
    captured = position.points_of(position.captured_by(move))
    if position.side is Side.NERDS:
        reach = spread(spread(position.bullies) & position.empty)
        others = position.nerds & ~(1 << move.source)
        return {
            "nerds_points": float(captured),
            "nerds_company": float((BESIDE[move.target] & others).bit_count()),
            "nerds_lonely": float((BESIDE[move.source] & others).bit_count()),
            "nerds_danger": float((reach >> move.target & 1) - (reach >> move.source & 1)),
        }
    near = spread(position.nerds)
    return {
        "bullies_points": float(captured),
        "bullies_near": float(near >> move.target & 1),
        "bullies_nearer": float(spread(near) >> move.target & 1),
    }


def rating(found: Features) -> float:
    """Return the sum of the features, each times its weight."""
    return fsum(WEIGHTS.get(name, 0.0) * value for name, value in found.items())
