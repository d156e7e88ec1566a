"""A spreader: new land first, then height with the points that are left."""

from engine.games.smac.player import BasePlayer, Cell, OrderSheet, PlacementSheet, Special

NAME = "Spreader"
AUTHOR = "Slime Mind"
VERSION = "1"

FLAT = 2
"""The height of stacks while there is new land."""
MAX_CANDIDATES = 24
"""The most places for new land that are compared at once."""
LEVELS = ("jump", "stacking", "productivity", "cinit", "attack", "defense")
"""The characteristics to evolve, in this order, while the next level is cheap."""
LITTLE = 0.25
"""The share of our points that a cheap level costs at most."""
SPECIALS = (Special.SPORE, Special.BLOOM, Special.ENRICH, Special.BLIGHT, Special.NUKE)


class Player(BasePlayer):
    """Values cells: those it places, and those that then grow beside them for free."""

    def settle(self, sheet: PlacementSheet) -> None:
        """Choose centers with room around, far from everybody and from each other."""
        centers = self.board.free_centers()
        sheet.bid(1)
        for x, y in sorted(centers, key=self._room, reverse=True)[:30]:
            sheet.center(x, y)

    def decide(self, orders: OrderSheet) -> None:
        """Raise stacks to 2, which pays soonest, then take land, then raise further."""
        self._evolve(orders)
        while self._raise(orders, FLAT) or self._spread(orders):
            self._evolve(orders)
        self._raise(orders, orders.levels.stacking)
        self._evolve(orders)
        if self.board.enemies:
            self._use_special(orders)

    # -- settling ---------------------------------------------------------------------------

    def _room(self, center: Cell) -> float:
        """Rate a center by the empty cells near and the distance to other centers."""
        board, (x, y) = self.board, center
        block = [(x + dx, y + dy) for dx in range(-5, 6) for dy in range(-5, 6)]
        empty = sum(board.is_on_board(*cell) and board.is_empty(*cell) for cell in block)
        others = [other for team in board.teams for other in board.centers(team)]
        return empty + 4.0 * min((board.distance(center, other) for other in others), default=0)

    # -- levels -----------------------------------------------------------------------------

    def _evolve(self, orders: OrderSheet) -> None:
        """Evolve what is cheap; jump 1 is enough to take land."""
        for characteristic in LEVELS:
            is_little = orders.to_next_level(characteristic) <= LITTLE * orders.points
            if is_little and (characteristic != "jump" or orders.levels.jump == 0):
                self._evolve_level(orders, characteristic)

    def _evolve_level(self, orders: OrderSheet, characteristic: str) -> None:
        """Raise a level if we can pay all of it, and it has not risen this turn."""
        if orders.why_not_evolve_level(characteristic) is None:
            orders.evolve_level(characteristic)

    # -- land and height --------------------------------------------------------------------

    def _spread(self, orders: OrderSheet) -> bool:
        """Place where a point gains most cells; return whether anything was placed."""
        now, placed = len(orders.forecast().heights), list[Cell]()
        gains = {
            cell: (len(orders.forecast(also=[cell]).heights) - now) / cost
            for cell, cost in self._edge(orders)
        }
        for cell in sorted(gains, key=gains.__getitem__, reverse=True):
            is_alone = all(self.board.distance(cell, other) > 2 for other in placed)
            if gains[cell] > 0 and is_alone and self._place(orders, cell):
                placed.append(cell)
        return bool(placed)

    def _place(self, orders: OrderSheet, cell: Cell) -> bool:
        """Place there if we can pay for it; return whether we could."""
        return orders.why_not_place(*cell) is None and orders.place(*cell)

    def _edge(self, orders: OrderSheet) -> list[tuple[Cell, int]]:
        """Return the empty cells in reach with their costs, the best supported first."""
        board = self.board
        edge = [
            (cell, cost)
            for cell, cost in board.reach(jump=1).items()
            if board.is_empty(*cell) and orders.why_not_place(*cell) is None
        ]
        edge.sort(key=lambda place: board.support(*place[0]), reverse=True)
        return edge[:MAX_CANDIDATES]

    def _raise(self, orders: OrderSheet, most: int) -> bool:
        """Raise every stack below `most` by one; return whether there was any."""
        low = [
            cell
            for cell in self.board.cells()
            if orders.height(*cell) < min(most, orders.ceiling(*cell))
        ]
        low.sort(key=self._yield_of_two, reverse=True)
        return sum(self._place(orders, cell) for cell in low) > 0

    def _yield_of_two(self, cell: Cell) -> float:
        return self.board.yield_of(*cell, 2)

    # -- specials ---------------------------------------------------------------------------

    def _use_special(self, orders: OrderSheet) -> None:
        """Use the armed special at once, and select the next one."""
        armed = self.board.armed
        if armed is not None:
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
        """Return the cells that a SPORE would fill, if ours are beside them to support it."""
        board = self.board
        around = board.neighbors(*cell)
        empty = sum(board.is_empty(*other) for other in around)
        return empty if board.support(*cell) and len(around) == 8 else -1
