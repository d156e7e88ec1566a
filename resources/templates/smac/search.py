"""A search over orders: what brings most production per point, as the forecast says, comes first.

docs/api/smac.md has the full API reference, docs/rules/smac.md the rules.
"""

import time

from engine.games.smac.player import BasePlayer, Cell, OrderSheet, PlacementSheet

# Shown with your results. They are read without running this file.
NAME = "Template"
AUTHOR = "you"
VERSION = "1"

# Everything a search can tune stands up here, where you find it again.
SHARE = 0.3
"""The share of the time limit that is used: the rest covers a busy machine."""
MOST_CELLS = 20
"""The cells of each kind that are compared, the most promising first."""
LAND = 0.15
"""What a cell more is worth, in points per turn: it pays later."""
LITTLE = 0.25
"""The share of our points that a cheap level costs at most."""
NEEDED = ("jump", "stacking")
LEVELS = ("jump", "stacking", "productivity", "attack", "defense")


class Player(BasePlayer):
    """One object is made per match: what you store in `self` is still there in the next turn."""

    def settle(self, sheet: PlacementSheet) -> None:
        """Choose centers with room around. Called twice, before the first turn."""
        for x, y in sorted(self.board.free_centers(), key=self.room, reverse=True)[:20]:
            sheet.center(x, y)

    def room(self, center: Cell) -> int:
        """Return how many cells near a center are empty."""
        x, y = center
        near = [(x + dx, y + dy) for dx in range(-4, 5) for dy in range(-4, 5)]
        return sum(self.board.is_on_board(*cell) and self.board.is_empty(*cell) for cell in near)

    def decide(self, orders: OrderSheet) -> None:
        """Place where it brings most, again and again, until the points or the time are used."""
        deadline = time.thread_time() + SHARE * self.limits.cpu_ms / 1_000
        self.evolve(orders)
        while orders.points and time.thread_time() < deadline:
            best = self.best_cell(orders, deadline)
            if best is None or orders.why_not_place(*best) is not None:
                break
            orders.place(*best)

    def evolve(self, orders: OrderSheet) -> None:
        """Raise levels while they are cheap; two are needed for land and height."""
        for characteristic in LEVELS:
            is_needed = characteristic in NEEDED and getattr(orders.levels, characteristic) == 0
            is_little = orders.to_next_level(characteristic) <= LITTLE * orders.points
            if (is_needed or is_little) and orders.why_not_evolve_level(characteristic) is None:
                orders.evolve_level(characteristic)

    def best_cell(self, orders: OrderSheet, deadline: float) -> Cell | None:
        """Return the cell whose next stack brings most per point; None if none brings anything."""
        now = self.value(orders, ())
        best, most = None, 0.0
        for cell, cost in self.candidates(orders):
            gain = (self.value(orders, (cell,)) - now) / cost
            if gain > most:
                best, most = cell, gain
            if time.thread_time() > deadline:  # what is best so far will do
                break
        return best

    def candidates(self, orders: OrderSheet) -> list[tuple[Cell, int]]:
        """Return cells to place in, with their costs: our own to raise, and land beside them."""
        board = self.board
        costs = list(orders.costs().items())
        raised = [
            (cell, cost) for cell, cost in costs if 0 < orders.height(*cell) < orders.ceiling(*cell)
        ]
        raised.sort(key=lambda place: orders.height(*place[0]))
        land = [place for place in costs if board.is_empty(*place[0]) and place not in raised]
        land.sort(key=lambda place: board.support(*place[0]), reverse=True)
        return raised[:MOST_CELLS] + land[:MOST_CELLS]

    def value(self, orders: OrderSheet, also: tuple[Cell, ...]) -> float:
        """Rate what we have at the end of the turn, with these cells one higher."""
        forecast = orders.forecast(also=also)
        return forecast.production + LAND * len(forecast.heights)
