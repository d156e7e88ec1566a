"""A random bot: it gives legal orders at random."""

import random

from engine.games.smac.player import (
    BasePlayer,
    Cell,
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
    """Tries random orders of every kind, and gives those that are legal."""

    def settle(self, sheet: PlacementSheet) -> None:
        """Choose any centers, sometimes with a bid."""
        sheet.bid(random.choice((0, 0, 1, 2)))
        centers = self.board.free_centers()
        for x, y in random.sample(centers, min(5, len(centers))):
            sheet.center(x, y)

    def decide(self, orders: OrderSheet) -> None:
        """Place or evolve, both equally likely."""
        cells, characteristics = list(self.board.reach()), list(Characteristic)
        for _ in range(TRIES):
            if random.random() < 0.5:
                self._place(orders, random.choice(cells))
            else:
                self._evolve(orders, random.choice(characteristics))
        if self.board.selectable and self.board.selected is None:
            orders.select(random.choice(self.board.selectable))
        if self.board.armed is not None:
            self._use(orders, self.board.armed)

    def _place(self, orders: OrderSheet, cell: Cell) -> None:
        if orders.why_not_place(*cell) is None:
            orders.place(*cell)

    def _evolve(self, orders: OrderSheet, characteristic: Characteristic) -> None:
        if orders.why_not_evolve(characteristic) is None:
            orders.evolve(characteristic)

    def _use(self, orders: OrderSheet, special: Special) -> None:
        """Use a special without a target, on a team, or on one of its cells: what is legal."""
        enemy = random.choice(self.board.enemies or self.board.teams)
        targets = (None, enemy, random.choice(self.board.cells(enemy)))
        legal = [target for target in targets if orders.why_not_use(special, target) is None]
        if legal:
            orders.use(special, legal[0])
