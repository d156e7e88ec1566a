"""A small policy that can learn: each shape rates what it could do, and does the best.

A rating is a sum of features, each times a weight. The weights are kept in parameters.json beside
this file, so that a program can change them: the training script that came with this bot does.

docs/api/game_of_death.md explains `FlagRunner`; docs/rules/game_of_death.md has the rules and all
methods of a shape.
"""

import json
from collections.abc import Callable
from math import fsum
from pathlib import Path

from engine.games.game_of_death.flag_runner import FlagRunner
from engine.games.game_of_death.player import BasePlayer

# Shown with your results. They are read without running this file.
NAME = "Template"
AUTHOR = "you"
VERSION = "1"

# A bot may read its own files, while it is loaded and later.
WEIGHTS: dict[str, float] = json.loads(Path(__file__).with_name("parameters.json").read_text())

Features = dict[str, float]
Plan = Callable[[], bool]


class Runner(FlagRunner):
    """A type of shapes. Each one on the grid is an object of its own: `self` is its memory."""

    # The right edge is the front. Two cells: it moves a cell every turn.
    drawing = "##"

    def update(self) -> None:
        """Do what can be done of the plans, the one with the highest rating first."""
        if self.carry():
            return
        found = self.features()
        plans: dict[str, Plan] = {
            "shoot": self.shoot,
            "cover": self.cover,
            "chase": lambda: self.chase(self.seen("h")),
            "run": lambda: self.reach(self.enemy_home),
        }
        for name in sorted(plans, key=lambda name: rating(name, found), reverse=True):
            if plans[name]():  # it returns whether it acted
                return

    def features(self) -> Features:
        """Return what there is to say of this moment, in numbers: add your own here."""
        width = self.settings.width
        return {
            "always": 1.0,
            "enemies": min(1.0, len(self.seen("h")) / 10),
            "way": abs(self.enemy_home.u - self.anchor[0]) / width,
            "hurt": 1.0 - self.hp / self.max_hp,
        }


class Player(BasePlayer):
    """The designer of the army: called once, before the battle."""

    def design(self) -> None:
        """Place runners in columns at the front, as far as cells go."""
        settings = self.settings
        rows = settings.height // 2
        for number in range(settings.max_cells // 2):
            column, row = divmod(number, rows)
            self.place(Runner, settings.zone_width - 2 - 3 * column, 2 * row)


def rating(plan: str, found: Features) -> float:
    """Return the sum of the features, each times the weight it has for a plan."""
    return fsum(WEIGHTS.get(f"{plan}_{name}", 0.0) * value for name, value in found.items())
