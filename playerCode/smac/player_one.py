"""Legal orders at random."""

import random

from engine.games.smac.player import (
    BasePlayer,
    Characteristic,
    OrderSheet,
    PlacementSheet,
    Special,
)

NAME = "Random"
AUTHOR = "Slime Mind"
VERSION = "1"
TRIES = 30


class Player(BasePlayer):
    """Every kind of order now and then, until the points are gone."""

    def settle(self, sheet: PlacementSheet) -> None:
        """Anywhere, now and then with a bid."""
        sheet.bid(random.choice((0, 0, 1, 2)))
        centres = self.board.free_centres()
        for x, y in random.sample(centres, min(5, len(centres))):
            sheet.centre(x, y)

    def decide(self, orders: OrderSheet) -> None:
        """A placement as often as a point for a characteristic."""
        cells, characteristics = list(self.board.reach()), list(Characteristic)
        for _ in range(TRIES):
            if random.random() < 0.5:
                orders.place(*random.choice(cells))
            else:
                orders.evolve(random.choice(characteristics))
        if self.board.selectable and self.board.selected is None:
            orders.select(random.choice(self.board.selectable))
        if self.board.armed is not None:
            self._use(orders, self.board.armed)

    def _use(self, orders: OrderSheet, special: Special) -> None:
        """As it is, or against somebody, or at one of its cells."""
        enemy = random.choice(self.board.enemies or self.board.teams)
        targets = (None, enemy, random.choice(self.board.cells(enemy)))
        any(orders.use(special, target) for target in targets)
