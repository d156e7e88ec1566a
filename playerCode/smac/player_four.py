"""A raider: it settles near the others, and attacks where they lose most production."""

from math import fsum

from engine.games.smac.player import BasePlayer, Cell, OrderSheet, PlacementSheet, Special

NAME = "Raider"
AUTHOR = "Slime Mind"
VERSION = "1"

BID = 1
"""The bid of each placement round."""
NEAR = 0.5
"""The value of a step towards the middle, where enemies will be near, points per turn."""
CONTACT = 3
"""The distance to enemy stacks at which it arms."""
EDGE = 2
"""The attack levels above the enemies' defense that it aims at."""
WEAPON_SHARE = 0.2
"""The share of our points that a level of a weapon may cost."""
RAID_SHARE = 0.5
"""The share of a turn's points that raids may cost."""
FAIR = 0.35
"""The points per turn that an enemy must lose, on average, for a point spent."""
MAX_CANDIDATES = 24
"""The most places for new land that are compared at once."""
DETOUR = 0.05
"""The value of a step towards an enemy, in cells of land."""
SPECIALS = (Special.NUKE, Special.BLIGHT, Special.SPORE, Special.SHELL, Special.ENRICH)


class Player(BasePlayer):
    """Builds until it meets an enemy; then weapons and raids come first."""

    def settle(self, sheet: PlacementSheet) -> None:
        """Choose centers on good terrain near the middle, and bid for them."""
        sheet.bid(BID)
        centers = sorted(self.board.free_centers(), key=self._rate_center, reverse=True)
        for x, y in centers[:30]:
            sheet.center(x, y)

    def decide(self, orders: OrderSheet) -> None:
        """Spend on weapons and raids first, and what is left on land and levels."""
        self._evolve(orders)
        if self._has_met_somebody():
            self._arm(orders)
            self._raid(orders)
        while self._raise(orders) or self._spread(orders):
            self._evolve(orders)
        for characteristic in ("attack", "cinit", "productivity", "defense", "pinit"):
            self._evolve_level(orders, characteristic)
        if self.board.enemies:
            self._use_special(orders)

    def _has_met_somebody(self) -> bool:
        board, near = self.board, self.board.reach(jump=CONTACT)
        return any(cell in near for team in board.enemies for cell in board.cells(team))

    # -- settling ---------------------------------------------------------------------------

    def _rate_center(self, center: Cell) -> float:
        """Rate a center by the yield of stacks of 2 around it, less the distance to the middle."""
        board, middle = self.board, self.board.side // 2
        soil = fsum(0.4 + board.yield_of(*cell, 2) for cell in self._free_around(center))
        return soil - NEAR * board.distance(center, (middle, middle))

    def _free_around(self, center: Cell) -> list[Cell]:
        """Return the cells of 7 by 7 that are nobody else's."""
        board, (x, y) = self.board, center
        block = [(x + dx, y + dy) for dx in range(-3, 4) for dy in range(-3, 4)]
        return [
            cell
            for cell in block
            if board.is_on_board(*cell) and board.owner(*cell) in (None, self.team)
        ]

    # -- levels -----------------------------------------------------------------------------

    def _evolve(self, orders: OrderSheet) -> None:
        """Evolve what building needs, and productivity that pays."""
        if orders.levels.jump == 0:
            self._evolve_level(orders, "jump")
        if orders.to_next_level("stacking") <= len(self.board.cells()) // 9:
            self._evolve_level(orders, "stacking")
        gain = self.board.production() / (10 + orders.levels.productivity)
        if gain > 0.3 * orders.to_next_level("productivity"):
            self._evolve_level(orders, "productivity")

    def _arm(self, orders: OrderSheet) -> None:
        """Evolve attack above their defense, and initiative above theirs, if that is cheap."""
        theirs = [self.board.levels(team) for team in self.board.enemies]
        wanted = {
            "attack": max(levels.defense for levels in theirs) + EDGE,
            "cinit": max(levels.cinit for levels in theirs) + 1,
        }
        affordable = WEAPON_SHARE * orders.points
        for weapon, level in wanted.items():
            is_cheap = orders.to_next_level(weapon) <= affordable
            if is_cheap and getattr(orders.levels, weapon) < level:
                self._evolve_level(orders, weapon)

    def _evolve_level(self, orders: OrderSheet, characteristic: str) -> None:
        """Raise a level if we can pay all of it, and it has not risen this turn."""
        if orders.why_not_evolve_level(characteristic) is None:
            orders.evolve_level(characteristic)

    # -- raids ------------------------------------------------------------------------------

    def _raid(self, orders: OrderSheet) -> None:
        """Attack the stacks whose loss costs their owners most, per point of ours."""
        kept = orders.points * (1 - RAID_SHARE)
        targets = {
            cell: self._worth(cell) / cost
            for cell, cost in self.board.reach(jump=orders.levels.jump).items()
            if self.board.owner(*cell) in self.board.enemies
        }
        for cell in sorted(targets, key=targets.__getitem__, reverse=True):
            if targets[cell] < FAIR or orders.points <= kept:
                break
            self._place(orders, cell)

    def _worth(self, cell: Cell) -> float:
        """Return the owner's expected loss of production, if we attack this stack."""
        board, owner = self.board, self.board.owner(*cell)
        loss = board.production(owner) - board.production(owner, without=[cell])
        return loss * board.odds(*cell, 1)

    # -- land -------------------------------------------------------------------------------

    def _raise(self, orders: OrderSheet) -> bool:
        """Raise every stack that can be raised; return whether there was any."""
        board = self.board
        low = [cell for cell in board.cells() if orders.height(*cell) < orders.ceiling(*cell)]
        low.sort(key=lambda cell: self._yield(orders, cell), reverse=True)
        return sum(self._place(orders, cell) for cell in low) > 0

    def _yield(self, orders: OrderSheet, cell: Cell) -> float:
        """Return the yield of a stack one higher."""
        return self.board.yield_of(*cell, orders.height(*cell) + 1)

    def _spread(self, orders: OrderSheet) -> bool:
        """Take new land, preferably towards an enemy; return whether there was any."""
        now, placed = len(orders.forecast().heights), list[Cell]()
        gains = {
            cell: (len(orders.forecast(also=[cell]).heights) - now) / cost
            for cell, cost in self._edge(orders)
        }
        good = [cell for cell in gains if gains[cell] > 0]
        for cell in sorted(good, key=lambda cell: DETOUR * self._way(cell) - gains[cell]):
            is_alone = all(self.board.distance(cell, other) > 2 for other in placed)
            if is_alone and self._place(orders, cell):
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
        edge.sort(key=lambda place: (-board.support(*place[0]), self._way(place[0])))
        return edge[:MAX_CANDIDATES]

    def _way(self, cell: Cell) -> int:
        """Return the distance to the nearest center of an enemy."""
        board = self.board
        centers = [center for team in board.enemies for center in board.centers(team)]
        return min((board.distance(cell, center) for center in centers), default=0)

    # -- specials ---------------------------------------------------------------------------

    def _use_special(self, orders: OrderSheet) -> None:
        """Use the armed special where it does most harm, and select the next one."""
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
        if special is Special.NUKE:
            return min(board.cells(rival), key=lambda cell: self._left_by_nuke(rival, cell))
        if special is Special.SPORE:
            return self._between(rival)
        if special is Special.ENRICH:
            return max(board.cells(), key=lambda cell: board.height(*cell))
        return rival if special is Special.BLIGHT else None

    def _left_by_nuke(self, team: int, cell: Cell) -> float:
        """Return what the team would produce after a NUKE there."""
        board = self.board
        around = [cell, *board.neighbors(*cell)]
        return board.production(team, [hit for hit in around if board.owner(*hit) == team])

    def _between(self, rival: int) -> Cell | None:
        """Return the empty cell with most of their and our stacks around."""
        board = self.board
        inside = [cell for cell in board.empty_cells() if len(board.neighbors(*cell)) == 8]
        return max(inside, key=lambda cell: self._stacks_around(cell, rival), default=None)

    def _stacks_around(self, cell: Cell, rival: int) -> int:
        return self.board.support(*cell) + self.board.support(*cell, rival)
