"""A small policy that can learn: it rates every cell it could place in, and takes the best.

A rating is a sum of features, each times a weight. The weights are kept in parameters.json beside
this file, so that a program can change them: the training script that came with this bot does.

docs/api/smac.md has the full API reference, docs/rules/smac.md the rules.
"""

import json
from math import fsum
from pathlib import Path

from engine.games.smac.player import BasePlayer, Cell, OrderSheet, PlacementSheet

# Shown with your results. They are read without running this file.
NAME = "Template"
AUTHOR = "you"
VERSION = "1"

# A bot may read its own files, while it is loaded and later.
WEIGHTS: dict[str, float] = json.loads(Path(__file__).with_name("parameters.json").read_text())
NEEDED = ("jump", "stacking")
LEVELS = ("jump", "stacking", "productivity", "attack", "defense")

Features = dict[str, float]


class Player(BasePlayer):
    """One object is made per match: what you store in `self` is still there in the next turn."""

    def settle(self, sheet: PlacementSheet) -> None:
        """Choose centers near the middle. Called twice, before the first turn."""
        middle = self.board.side // 2, self.board.side // 2
        centers = self.board.free_centers()
        centers.sort(key=lambda center: self.board.distance(center, middle))
        for x, y in centers[:20]:
            sheet.center(x, y)

    def decide(self, orders: OrderSheet) -> None:
        """Evolve, then place in the cell with the highest rating, again and again."""
        self.evolve(orders)
        while orders.points:
            open_cells = [cell for cell in orders.costs() if orders.why_not_place(*cell) is None]
            ratings = {cell: rating(self.features(orders, cell)) for cell in open_cells}
            best = max(open_cells, key=ratings.__getitem__, default=None)
            if best is None or ratings[best] <= 0:
                break
            orders.place(*best)

    def evolve(self, orders: OrderSheet) -> None:
        """Raise each level while it costs less than its share of our points; two are needed."""
        for name in LEVELS:
            share = WEIGHTS.get(f"share_{name}", 0.0)
            is_needed = name in NEEDED and getattr(orders.levels, name) == 0
            is_cheap = orders.to_next_level(name) <= share * orders.points
            if (is_needed or is_cheap) and orders.why_not_evolve_level(name) is None:
                orders.evolve_level(name)

    def features(self, orders: OrderSheet, cell: Cell) -> Features:
        """Return what there is to say of a cell, in numbers: add your own here."""
        board, height = self.board, orders.height(*cell)
        is_new = height == 0
        return {
            "always": 1.0,
            "cost": float(orders.cost(*cell) or 0),
            "is_new": float(is_new),
            "support": float(board.support(*cell)) if is_new else 0.0,
            "is_too_high": float(not is_new and height >= orders.ceiling(*cell)),
            "is_theirs": float(board.owner(*cell) not in (None, self.team)),
        }


def rating(found: Features) -> float:
    """Return the sum of the features, each times its weight."""
    return fsum(WEIGHTS.get(name, 0.0) * value for name, value in found.items())
