"""A raider: settles near the others, and strikes where it costs them most."""

from engine.games.smac.player import BasePlayer, Cell, OrderSheet, PlacementSheet, Special

NAME = "Raider"
AUTHOR = "Slime Mind"
VERSION = "1"

BID = 1
"""Points for an early choice, in each of the placement rounds."""
NEAR = 0.5
"""Points of soil that a step towards the middle is worth, where the others are near."""
CONTACT = 3
"""Steps between the nearest stacks at which we arm."""
EDGE = 2
"""Attack levels above the enemies' defence that are enough."""
DEAR = 0.2
"""The share of our points that a level of a weapon may cost."""
FOR_RAIDS = 0.5
"""The share of a turn's points that raids may cost."""
FAIR = 0.35
"""Points a turn that an enemy must lose, on average, for a point of ours."""
WEIGHED = 24
"""Places for new land that are weighed at once."""
DETOUR = 0.05
"""Cells of land that a step nearer to an enemy is worth."""
WISHES = (Special.NUKE, Special.BLIGHT, Special.SPORE, Special.SHELL, Special.ENRICH)


class Player(BasePlayer):
    """Builds up until it meets somebody; then weapons and raids come first."""

    def settle(self, sheet: PlacementSheet) -> None:
        """On good soil not far from the middle, and early."""
        sheet.bid(BID)
        centres = sorted(self.board.free_centres(), key=self._comfort, reverse=True)
        for x, y in centres[:30]:
            sheet.centre(x, y)

    def decide(self, orders: OrderSheet) -> None:
        """Weapons, raids, and what is left into the land we live on."""
        self._evolve(orders)
        if self._has_met_somebody():
            self._arm(orders)
            self._raid(orders)
        while self._raise(orders) or self._spread(orders):
            self._evolve(orders)
        for characteristic in ("attack", "cinit", "productivity", "defense", "pinit"):
            orders.evolve_level(characteristic)
        if self.board.enemies:
            self._use_special(orders)

    def _has_met_somebody(self) -> bool:
        board, near = self.board, self.board.reach(jump=CONTACT)
        return any(cell in near for team in board.enemies for cell in board.cells(team))

    # -- settling ---------------------------------------------------------------------------

    def _comfort(self, centre: Cell) -> float:
        """What stacks of 2 around it would yield, and room; less the way to the middle."""
        board, middle = self.board, self.board.side // 2
        soil = sum(0.4 + board.yield_of(*cell, 2) for cell in self._free_around(centre))
        return soil - NEAR * board.distance(centre, (middle, middle))

    def _free_around(self, centre: Cell) -> list[Cell]:
        """The cells of 7 by 7 that are nobody else's."""
        board, (x, y) = self.board, centre
        block = [(x + dx, y + dy) for dx in range(-3, 4) for dy in range(-3, 4)]
        return [
            cell
            for cell in block
            if board.is_on_board(*cell) and board.owner(*cell) in (None, self.team)
        ]

    # -- levels -----------------------------------------------------------------------------

    def _evolve(self, orders: OrderSheet) -> None:
        """What it takes to build, and productivity that pays."""
        if orders.levels.jump == 0:
            orders.evolve_level("jump")
        if orders.to_next_level("stacking") <= len(self.board.cells()) // 9:
            orders.evolve_level("stacking")
        gain = self.board.production() / (10 + orders.levels.productivity)
        if gain > 0.3 * orders.to_next_level("productivity"):
            orders.evolve_level("productivity")

    def _arm(self, orders: OrderSheet) -> None:
        """Stronger than their defence, and sooner than they are, if that is cheap."""
        theirs = [self.board.levels(team) for team in self.board.enemies]
        wanted = {
            "attack": max(levels.defense for levels in theirs) + EDGE,
            "cinit": max(levels.cinit for levels in theirs) + 1,
        }
        affordable = DEAR * orders.points
        for weapon, level in wanted.items():
            is_cheap = orders.to_next_level(weapon) <= affordable
            if is_cheap and getattr(orders.levels, weapon) < level:
                orders.evolve_level(weapon)

    # -- raids ------------------------------------------------------------------------------

    def _raid(self, orders: OrderSheet) -> None:
        """On the stacks whose loss costs their owners most for what it costs us to try."""
        kept = orders.points * (1 - FOR_RAIDS)
        prey = {
            cell: self._worth(cell) / cost
            for cell, cost in self.board.reach(jump=orders.levels.jump).items()
            if self.board.owner(*cell) in self.board.enemies
        }
        for cell in sorted(prey, key=prey.__getitem__, reverse=True):
            if prey[cell] < FAIR or orders.points <= kept:
                break
            orders.place(*cell)

    def _worth(self, cell: Cell) -> float:
        """What the owner loses with this stack, times the odds that it does."""
        board, owner = self.board, self.board.owner(*cell)
        loss = board.production(owner) - board.production(owner, without=[cell])
        return loss * board.odds(*cell, 1)

    # -- land -------------------------------------------------------------------------------

    def _raise(self, orders: OrderSheet) -> bool:
        """Every stack one higher that can be; whether there was any."""
        board = self.board
        low = [cell for cell in board.cells() if orders.height(*cell) < orders.ceiling(*cell)]
        low.sort(key=lambda cell: self._yield(orders, cell), reverse=True)
        return sum(orders.place(*cell) for cell in low) > 0

    def _yield(self, orders: OrderSheet, cell: Cell) -> float:
        """Of a stack one higher."""
        return self.board.yield_of(*cell, orders.height(*cell) + 1)

    def _spread(self, orders: OrderSheet) -> bool:
        """New land, best on the way to an enemy; whether there was any."""
        now, placed = len(orders.forecast().heights), list[Cell]()
        gains = {
            cell: (len(orders.forecast(also=[cell]).heights) - now) / cost
            for cell, cost in self._edge(orders)
        }
        good = [cell for cell in gains if gains[cell] > 0]
        for cell in sorted(good, key=lambda cell: DETOUR * self._way(cell) - gains[cell]):
            is_alone = all(self.board.distance(cell, other) > 2 for other in placed)
            if is_alone and orders.place(*cell):
                placed.append(cell)
        return bool(placed)

    def _edge(self, orders: OrderSheet) -> list[tuple[Cell, int]]:
        """The empty cells with most of ours around, and what each costs."""
        board = self.board
        edge = [
            (cell, cost)
            for cell, cost in board.reach(jump=1).items()
            if board.is_empty(*cell) and orders.why_not_place(*cell) is None
        ]
        edge.sort(key=lambda place: (-board.support(*place[0]), self._way(place[0])))
        return edge[:WEIGHED]

    def _way(self, cell: Cell) -> int:
        """Steps to the nearest centre with which an enemy began."""
        board = self.board
        centres = [centre for team in board.enemies for centre in board.centres(team)]
        return min((board.distance(cell, centre) for centre in centres), default=0)

    # -- specials ---------------------------------------------------------------------------

    def _use_special(self, orders: OrderSheet) -> None:
        """The armed one at once, where it does most harm; then the next one is selected."""
        armed = self.board.armed
        if armed is not None:
            orders.use(armed, self._target(armed))
        if armed is not None or self.board.selected is None:
            any(orders.select(wish) for wish in WISHES if wish is not armed)

    def _target(self, special: Special) -> Cell | int | None:
        board = self.board
        rival = max(board.enemies, key=board.production)
        if special is Special.NUKE:
            return min(board.cells(rival), key=lambda cell: self._left_by_nuke(rival, cell))
        if special is Special.SPORE:
            return self._between(rival)
        if special is Special.ENRICH:
            return max(board.cells(), key=lambda cell: board.height(*cell))
        return rival if special is Special.BLIGHT else None

    def _left_by_nuke(self, team: int, cell: Cell) -> float:
        """What the team would produce after it."""
        board = self.board
        around = [cell, *board.neighbours(*cell)]
        return board.production(team, [hit for hit in around if board.owner(*hit) == team])

    def _between(self, rival: int) -> Cell | None:
        """The empty cell with most of theirs and ours around; none if there is none."""
        board = self.board
        inside = [cell for cell in board.empty_cells() if len(board.neighbours(*cell)) == 8]
        return max(inside, key=lambda cell: self._company(cell, rival), default=None)

    def _company(self, cell: Cell, rival: int) -> int:
        return self.board.support(*cell) + self.board.support(*cell, rival)
