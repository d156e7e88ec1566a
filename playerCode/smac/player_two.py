"""A spreader: land first, as wide as it grows, and height where points are left."""

from engine.games.smac.player import BasePlayer, Cell, OrderSheet, PlacementSheet, Special

NAME = "Spreader"
AUTHOR = "Slime Mind"
VERSION = "1"

FLAT = 2
"""No stack is higher while there is land to be had."""
WEIGHED = 24
"""Places for new land that are weighed at once."""
LEVELS = ("jump", "stacking", "productivity", "cinit", "attack", "defense")
"""What is evolved, in this order, while the next level costs little of what we have."""
LITTLE = 0.25
WISHES = (Special.SPORE, Special.BLOOM, Special.ENRICH, Special.BLIGHT, Special.NUKE)


class Player(BasePlayer):
    """Counts cells: those it places, and those that grow beside them for nothing."""

    def settle(self, sheet: PlacementSheet) -> None:
        """Far from everybody, and the two centres far from each other."""
        centres = self.board.free_centres()
        sheet.bid(1)
        for x, y in sorted(centres, key=self._room, reverse=True)[:30]:
            sheet.centre(x, y)

    def decide(self, orders: OrderSheet) -> None:
        """Stacks of 2, which pay soonest, then land; height when there is no more of it."""
        self._evolve(orders)
        while self._raise(orders, FLAT) or self._spread(orders):
            self._evolve(orders)
        self._raise(orders, orders.levels.stacking)
        self._evolve(orders)
        if self.board.enemies:
            self._use_special(orders)

    # -- settling ---------------------------------------------------------------------------

    def _room(self, centre: Cell) -> float:
        """Empty cells near, and steps to the nearest centre of anybody."""
        board, (x, y) = self.board, centre
        block = [(x + dx, y + dy) for dx in range(-5, 6) for dy in range(-5, 6)]
        empty = sum(board.is_on_board(*cell) and board.is_empty(*cell) for cell in block)
        others = [other for team in board.teams for other in board.centres(team)]
        return empty + 4.0 * min((board.distance(centre, other) for other in others), default=0)

    # -- levels -----------------------------------------------------------------------------

    def _evolve(self, orders: OrderSheet) -> None:
        """Levels that cost little; jump 1 is all that land takes."""
        for characteristic in LEVELS:
            is_little = orders.to_next_level(characteristic) <= LITTLE * orders.points
            if is_little and (characteristic != "jump" or orders.levels.jump == 0):
                orders.evolve_level(characteristic)

    # -- land and height --------------------------------------------------------------------

    def _spread(self, orders: OrderSheet) -> bool:
        """Places that bring most cells for their points; whether there was any."""
        now, placed = len(orders.forecast().heights), list[Cell]()
        gains = {
            cell: (len(orders.forecast(also=[cell]).heights) - now) / cost
            for cell, cost in self._edge(orders)
        }
        for cell in sorted(gains, key=gains.__getitem__, reverse=True):
            is_alone = all(self.board.distance(cell, other) > 2 for other in placed)
            if gains[cell] > 0 and is_alone and orders.place(*cell):
                placed.append(cell)
        return bool(placed)

    def _edge(self, orders: OrderSheet) -> list[tuple[Cell, int]]:
        """The empty cells beside ours, the best supported first, and what each costs."""
        board = self.board
        edge = [
            (cell, cost)
            for cell, cost in board.reach(jump=1).items()
            if board.is_empty(*cell) and orders.why_not_place(*cell) is None
        ]
        edge.sort(key=lambda place: board.support(*place[0]), reverse=True)
        return edge[:WEIGHED]

    def _raise(self, orders: OrderSheet, most: int) -> bool:
        """Every stack one higher that can be and is not so high yet; whether there was any."""
        low = [
            cell
            for cell in self.board.cells()
            if orders.height(*cell) < min(most, orders.ceiling(*cell))
        ]
        low.sort(key=self._yield_of_two, reverse=True)
        return sum(orders.place(*cell) for cell in low) > 0

    def _yield_of_two(self, cell: Cell) -> float:
        return self.board.yield_of(*cell, 2)

    # -- specials ---------------------------------------------------------------------------

    def _use_special(self, orders: OrderSheet) -> None:
        """At once, where most is to be had."""
        armed = self.board.armed
        if armed is not None:
            orders.use(armed, self._target(armed))
        if armed is not None or self.board.selected is None:
            any(orders.select(wish) for wish in WISHES if wish is not armed)

    def _target(self, special: Special) -> Cell | int | None:
        board = self.board
        rival = max(board.enemies, key=board.production)
        if special is Special.BLIGHT:
            return rival
        if special is Special.NUKE:
            return max(board.cells(rival), key=lambda cell: board.height(*cell))
        if special is Special.ENRICH:
            return max(board.cells(), key=lambda cell: board.height(*cell))
        return max(board.empty_cells(), key=self._free_around, default=None)

    def _free_around(self, cell: Cell) -> int:
        """Empty cells that would stand there, with ours beside them."""
        board = self.board
        around = board.neighbours(*cell)
        empty = sum(board.is_empty(*other) for other in around)
        return empty if board.support(*cell) and len(around) == 8 else -1
