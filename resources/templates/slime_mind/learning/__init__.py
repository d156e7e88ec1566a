"""A small policy that can learn: it rates everything a slime could do, and does the best.

A rating is a sum of features, each times a weight. The weights are kept in parameters.json beside
this file, so that a program can change them: the training script that came with this bot does.

docs/api/slime_mind.md has the full API reference, docs/rules/slime_mind.md the rules.
"""

import json
from collections.abc import Iterator
from math import fsum
from pathlib import Path

from engine.games.slime_mind.player import LEVELS, BasePlayer, Plant, Rock, Slime

# Shown with your results. They are read without running this file.
NAME = "Template"
AUTHOR = "you"
VERSION = "1"

# A bot may read its own files, while it is loaded and later.
WEIGHTS: dict[str, float] = json.loads(Path(__file__).with_name("parameters.json").read_text())
FAR = 20
"""From so many steps on, a target counts for nothing."""

Features = dict[str, float]


class Player(BasePlayer):
    """One object is made per match: what you store in `self` is still there in the next round."""

    def decide(self, slime: Slime) -> str:
        """Return the command with the highest rating."""
        options = dict(self.options(slime))
        return max(options, key=lambda command: rating(options[command]), default="MERGE")

    def options(self, slime: Slime) -> Iterator[tuple[str, Features]]:
        """Yield the commands that have an effect, with their features: add your own here."""
        board = self.board
        if slime.level >= 4 and board.empty_around(slime):
            yield "SPLIT", {"split": 1.0, "spare_xp": slime.xp / LEVELS[4].min_xp - 2.0}
        for piece in board.neighbors(slime):
            command = board.bite(slime, piece)
            if command is not None and not isinstance(piece, Rock) and not self.is_friend(piece):
                yield command, self.bite_features(slime, piece)
        here = self.closeness(slime.x, slime.y)
        for x, y in board.empty_beside(slime):
            command = board.direction(slime, (x, y))
            if command is not None:
                there = self.closeness(x, y)
                closer = {name: there[name] - here[name] for name in here}
                yield command, {**closer, "danger": float(len(board.enemies_beside((x, y))))}

    def is_friend(self, piece: Plant | Slime) -> bool:
        """Return whether it is a slime of ours."""
        return isinstance(piece, Slime) and piece.team == self.team

    def bite_features(self, slime: Slime, piece: Plant | Slime) -> Features:
        """Return the features of a bite."""
        is_last = piece.current_hp <= slime.attack
        if isinstance(piece, Slime):
            return {"bite_enemy": 1.0, "kill_enemy": float(is_last)}
        return {"bite_plant": 1.0, "end_plant": float(is_last)}

    def closeness(self, x: int, y: int) -> Features:
        """Return how close the nearest plant and the nearest enemy are, 0 to 1."""
        return {
            "towards_plant": self.close_to(x, y, self.board.plants),
            "towards_enemy": self.close_to(x, y, self.board.enemies),
        }

    def close_to(self, x: int, y: int, among: tuple[Plant, ...] | tuple[Slime, ...]) -> float:
        """Return how close the nearest of some pieces is, 0 to 1."""
        steps = min((abs(piece.x - x) + abs(piece.y - y) for piece in among), default=FAR)
        return max(0.0, 1.0 - steps / FAR)


def rating(features: Features) -> float:
    """Return the sum of the features, each times its weight."""
    return fsum(WEIGHTS.get(name, 0.0) * value for name, value in features.items())
