"""A fortress: one compact piece of land, raised high, with a strong defense."""

from math import fsum

from engine.games.smac.player import (
    BasePlayer,
    Cell,
    Forecast,
    OrderSheet,
    PlacementSheet,
    Special,
)

NAME = "Fortress"
AUTHOR = "Slime Mind"
VERSION = "1"

SIGHT = 4
"""The distance at which an enemy is a reason to raise the defense."""
LAND = 0.2
"""The value of a cell besides its yield, points per turn: inner cells can be raised higher."""
FAIR = 0.25
"""The points per turn that a spent point must bring at least."""
MAX_CANDIDATES = 24
"""The most places for new land that are compared at once."""
SPECIALS = (Special.ENRICH, Special.SHELL, Special.NUKE, Special.BLIGHT)


class Player(BasePlayer):
    """Spends each point where it brings most per turn, and defends against enemies near."""

    def settle(self, sheet: PlacementSheet) -> None:
        """Choose centers with good terrain around, the second one near the first."""
        centers = sorted(self.board.free_centers(), key=self._rate_center, reverse=True)
        for x, y in centers[:30]:
            sheet.center(x, y)

    def decide(self, orders: OrderSheet) -> None:
        """Defend, evolve what pays, then raise stacks, then take land."""
        self._arm(orders)
        self._evolve(orders)
        while self._raise(orders) or self._spread(orders):
            self._evolve(orders)
        self._spend(orders)
        if self.board.enemies:
            self._use_special(orders)

    # -- settling ---------------------------------------------------------------------------

    def _rate_center(self, center: Cell) -> float:
        """Rate a center by the terrain around, less the distance to our other one."""
        board = self.board
        soil = fsum(0.4 + board.yield_of(*cell, 2) for cell in self._around(center))
        return soil - 2.0 * sum(board.distance(center, own) for own in board.centers())

    def _around(self, center: Cell) -> list[Cell]:
        """Return the cells of 9 by 9 that are nobody else's."""
        x, y = center
        block = [(x + dx, y + dy) for dx in range(-4, 5) for dy in range(-4, 5)]
        return [cell for cell in block if self.board.is_on_board(*cell) and self._is_ours(cell)]

    def _is_ours(self, cell: Cell) -> bool:
        return self.board.owner(*cell) in (None, self.team)

    # -- levels -----------------------------------------------------------------------------

    def _arm(self, orders: OrderSheet) -> None:
        """Evolve defense above the attack of enemies near."""
        board = self.board
        near = board.reach(jump=SIGHT)
        attacks = [
            board.levels(team).attack
            for team in board.enemies
            if any(cell in near for cell in board.cells(team))
        ]
        if attacks and orders.levels.defense <= max(attacks):
            self._evolve_level(orders, "defense")

    def _evolve(self, orders: OrderSheet) -> None:
        """Evolve what building needs, and productivity where it brings more than stacks."""
        if orders.levels.jump == 0:
            self._evolve_level(orders, "jump")
        if self._waiting(orders) * FAIR > 0.5 * orders.to_next_level("stacking"):
            self._evolve_level(orders, "stacking")
        gain = self.board.production() / (10 + orders.levels.productivity)
        if gain > FAIR * orders.to_next_level("productivity"):
            self._evolve_level(orders, "productivity")

    def _evolve_level(self, orders: OrderSheet, characteristic: str) -> None:
        """Raise a level if we can pay all of it, and it has not risen this turn."""
        if orders.why_not_evolve_level(characteristic) is None:
            orders.evolve_level(characteristic)

    def _waiting(self, orders: OrderSheet) -> int:
        """Return the number of stacks that only the stacking level keeps from rising."""
        most = orders.levels.stacking
        return sum(
            orders.height(*cell) == most
            and all(orders.height(*other) >= most for other in self.board.neighbors(*cell))
            for cell in self.board.cells()
        )

    def _spend(self, orders: OrderSheet) -> None:
        """Spend what is left on levels for fights."""
        for characteristic in ("defense", "productivity", "cinit", "attack"):
            while orders.why_not_evolve(characteristic) is None:
                orders.evolve(characteristic)

    # -- stacks -----------------------------------------------------------------------------

    def _raise(self, orders: OrderSheet) -> bool:
        """Raise stacks, the best gain first; return whether there was any."""
        gains = {
            cell: self._gain(orders, cell)
            for cell in self.board.cells()
            if orders.height(*cell) < orders.ceiling(*cell)
        }
        best = sorted(gains, key=gains.__getitem__, reverse=True)
        return sum(self._place(orders, cell) for cell in best if gains[cell] >= FAIR) > 0

    def _gain(self, orders: OrderSheet, cell: Cell) -> float:
        height = orders.height(*cell)
        return self.board.yield_of(*cell, height + 1) - self.board.yield_of(*cell, height)

    def _spread(self, orders: OrderSheet) -> bool:
        """Take new land, far enough apart to be valued separately; return whether there was any."""
        now, placed = self._worth(orders.forecast()), list[Cell]()
        gains = {
            cell: (self._worth(orders.forecast(also=[cell])) - now) / cost
            for cell, cost in self._new_land(orders)
        }
        for cell in sorted(gains, key=gains.__getitem__, reverse=True):
            is_alone = all(self.board.distance(cell, other) > 2 for other in placed)
            if gains[cell] > 0 and is_alone and self._place(orders, cell):
                placed.append(cell)
        return bool(placed)

    def _place(self, orders: OrderSheet, cell: Cell) -> bool:
        """Place there if we can pay for it; return whether we could."""
        return orders.why_not_place(*cell) is None and orders.place(*cell)

    def _new_land(self, orders: OrderSheet) -> list[tuple[Cell, int]]:
        """Return the empty cells in reach with their costs, the best supported first."""
        reach, board = self.board.reach(jump=1), self.board
        free = [
            (cell, cost)
            for cell, cost in reach.items()
            if board.is_empty(*cell) and orders.why_not_place(*cell) is None
        ]
        free.sort(key=lambda place: board.support(*place[0]), reverse=True)
        return free[:MAX_CANDIDATES]

    def _worth(self, forecast: Forecast) -> float:
        return forecast.production + LAND * len(forecast.heights)

    # -- specials ---------------------------------------------------------------------------

    def _use_special(self, orders: OrderSheet) -> None:
        """Use the armed special when it is useful, and select the next one."""
        armed = self.board.armed
        if armed is not None and self._is_time_for(armed):
            self._use(orders, armed, self._target(armed))
        if armed is not None or self.board.selected is None:
            others = (special for special in SPECIALS if special is not armed)
            legal = [each for each in others if orders.why_not_select(each) is None]
            if legal:
                orders.select(legal[0])

    def _use(self, orders: OrderSheet, special: Special, target: Cell | int | None) -> None:
        """Use a special, if there is something to use it on."""
        if orders.why_not_use(special, target) is None:
            orders.use(special, target)

    def _is_time_for(self, special: Special) -> bool:
        """Return whether to use it now: a SHELL waits for an attack."""
        board = self.board
        is_attacked = any(board.team in (fight.owner, fight.winner) for fight in board.fights())
        return special is not Special.SHELL or is_attacked

    def _target(self, special: Special) -> Cell | int | None:
        board = self.board
        rival = max(board.enemies, key=board.production)
        if special is Special.NUKE:
            return max(board.cells(rival), key=lambda cell: board.height(*cell))
        if special is Special.ENRICH:
            poor = [cell for cell in board.cells() if "SUGAR" not in board.terrain(*cell)]
            return max(poor or board.cells(), key=lambda cell: board.height(*cell))
        return rival if special is Special.BLIGHT else None
