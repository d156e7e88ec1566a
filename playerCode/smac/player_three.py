"""A fortress: one piece of land, as high as it can be, behind a good defence."""

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
"""An enemy so near is a reason to be armed."""
LAND = 0.2
"""Points a turn that a cell is worth beside what it yields: what is inside can be raised."""
FAIR = 0.25
"""Points a turn that a point must bring at least while there is anything better to hope for."""
WEIGHED = 24
"""Places for new land that are weighed at once."""
WISHES = (Special.ENRICH, Special.SHELL, Special.NUKE, Special.BLIGHT)


class Player(BasePlayer):
    """Asks of each point what it brings a turn, and of each enemy how hard it strikes."""

    def settle(self, sheet: PlacementSheet) -> None:
        """Where there is most good soil; the second centre not far from the first."""
        centres = sorted(self.board.free_centres(), key=self._comfort, reverse=True)
        for x, y in centres[:30]:
            sheet.centre(x, y)

    def decide(self, orders: OrderSheet) -> None:
        """A wall against who is near, levels that pay, then height, then land."""
        self._arm(orders)
        self._evolve(orders)
        while self._raise(orders) or self._spread(orders):
            self._evolve(orders)
        self._spend(orders)
        if self.board.enemies:
            self._use_special(orders)

    # -- settling ---------------------------------------------------------------------------

    def _comfort(self, centre: Cell) -> float:
        """The soil around, less the way to the other centre."""
        board = self.board
        soil = sum(0.4 + board.yield_of(*cell, 2) for cell in self._around(centre))
        return soil - 2.0 * sum(board.distance(centre, own) for own in board.centres())

    def _around(self, centre: Cell) -> list[Cell]:
        """The free cells of 9 by 9."""
        x, y = centre
        block = [(x + dx, y + dy) for dx in range(-4, 5) for dy in range(-4, 5)]
        return [cell for cell in block if self.board.is_on_board(*cell) and self._is_ours(cell)]

    def _is_ours(self, cell: Cell) -> bool:
        return self.board.owner(*cell) in (None, self.team)

    # -- levels -----------------------------------------------------------------------------

    def _arm(self, orders: OrderSheet) -> None:
        """Defence above the attack of whoever is near."""
        board = self.board
        near = board.reach(jump=SIGHT)
        attacks = [
            board.levels(team).attack
            for team in board.enemies
            if any(cell in near for cell in board.cells(team))
        ]
        if attacks and orders.levels.defense <= max(attacks):
            orders.evolve_level("defense")

    def _evolve(self, orders: OrderSheet) -> None:
        """What is needed to build at all, and productivity where it brings more than stacks."""
        if orders.levels.jump == 0:
            orders.evolve_level("jump")
        if self._waiting(orders) * FAIR > 0.5 * orders.to_next_level("stacking"):
            orders.evolve_level("stacking")
        gain = self.board.production() / (10 + orders.levels.productivity)
        if gain > FAIR * orders.to_next_level("productivity"):
            orders.evolve_level("productivity")

    def _waiting(self, orders: OrderSheet) -> int:
        """Stacks that could be higher but for the stacking level."""
        most = orders.levels.stacking
        return sum(
            orders.height(*cell) == most
            and all(orders.height(*other) >= most for other in self.board.neighbours(*cell))
            for cell in self.board.cells()
        )

    def _spend(self, orders: OrderSheet) -> None:
        """What is left makes us harder to beat."""
        for characteristic in ("defense", "productivity", "cinit", "attack"):
            while orders.evolve(characteristic):
                pass

    # -- stacks -----------------------------------------------------------------------------

    def _raise(self, orders: OrderSheet) -> bool:
        """Higher stacks, the best yield first; whether there was any."""
        gains = {
            cell: self._gain(orders, cell)
            for cell in self.board.cells()
            if orders.height(*cell) < orders.ceiling(*cell)
        }
        best = sorted(gains, key=gains.__getitem__, reverse=True)
        return sum(orders.place(*cell) for cell in best if gains[cell] >= FAIR) > 0

    def _gain(self, orders: OrderSheet, cell: Cell) -> float:
        height = orders.height(*cell)
        return self.board.yield_of(*cell, height + 1) - self.board.yield_of(*cell, height)

    def _spread(self, orders: OrderSheet) -> bool:
        """New land, far enough apart for each piece not to need another; whether there was any."""
        now, placed = self._worth(orders.forecast()), list[Cell]()
        gains = {
            cell: (self._worth(orders.forecast(also=[cell])) - now) / cost
            for cell, cost in self._new_land(orders)
        }
        for cell in sorted(gains, key=gains.__getitem__, reverse=True):
            is_alone = all(self.board.distance(cell, other) > 2 for other in placed)
            if gains[cell] > 0 and is_alone and orders.place(*cell):
                placed.append(cell)
        return bool(placed)

    def _new_land(self, orders: OrderSheet) -> list[tuple[Cell, int]]:
        """The empty cells with most of ours around, and their costs."""
        reach, board = self.board.reach(jump=1), self.board
        free = [
            (cell, cost)
            for cell, cost in reach.items()
            if board.is_empty(*cell) and orders.why_not_place(*cell) is None
        ]
        free.sort(key=lambda place: board.support(*place[0]), reverse=True)
        return free[:WEIGHED]

    def _worth(self, forecast: Forecast) -> float:
        return forecast.production + LAND * len(forecast.heights)

    # -- specials ---------------------------------------------------------------------------

    def _use_special(self, orders: OrderSheet) -> None:
        """What is armed is used as soon as it is of use, and the next one selected."""
        armed = self.board.armed
        if armed is not None and self._is_time_for(armed):
            orders.use(armed, self._target(armed))
        if armed is not None or self.board.selected is None:
            any(orders.select(wish) for wish in WISHES if wish is not armed)

    def _is_time_for(self, special: Special) -> bool:
        """A SHELL waits for an attack."""
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
