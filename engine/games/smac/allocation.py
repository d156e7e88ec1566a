"""Allocation: carrying out sealed orders in passes (docs/rules/smac.md 5.1 to 5.4)."""

from collections.abc import Mapping, Sequence

from engine.games.smac.grid import AT_LEAST, make_grid, make_mask
from engine.games.smac.orders import Evolve, Orders, Place, SkipList
from engine.games.smac.settings import MILLI, Characteristic, compute_levels
from engine.games.smac.state import Dish
from engine.streams import Stream


class Account:
    """Carries out one team's orders, one after the other, on a copy of what the team has.

    It needs no more than the team knows, so a bot's sheet and the engine share it: whether an
    order is legal depends on nothing that others order at the same time.
    """

    def __init__(self, dish: Dish, team: int) -> None:
        known = dish.team(team)
        assert known.bank is not None, "another team's bank is not known"
        assert known.points is not None, "another team's points are not known"
        self.bank = known.bank
        """Thousandths of a point."""
        self.points = known.points
        self.levels = known.levels
        self.heights = bytearray(dish.layer(team))
        self.placed: dict[int, int] = {}
        """The cells of the team's placements, with the number of the first order in each."""
        self.carried_out = 0
        # rules 4.2: levels rise by one at most from those at the start of the turn.
        self._levels_before = known.levels
        self._grid = make_grid(dish.side)
        # rules 5.3: distances are measured from the stacks at the start of the turn. `_rings[d]`
        # holds the cells within distance d, each made when a jump level first needs it.
        self._ring = make_mask(self.heights, AT_LEAST[1])
        self._rings = [self._grid.text(self._ring)]

    def distance(self, cell: int) -> int | None:
        """Return the distance to the team's nearest stack at the start of the turn, if in reach."""
        while len(self._rings) <= self.levels.jump:
            self._ring = self._grid.spread(self._ring)
            self._rings.append(self._grid.text(self._ring))
        for distance in range(self.levels.jump + 1):
            if self._rings[distance][cell] == "1":
                return distance
        return None

    def placement_cost(self, cell: int) -> int | None:
        """Return the points that a placement costs (rules 5.3); None if it is beyond reach."""
        distance = self.distance(cell)
        return None if distance is None else 1 + distance

    def why_not_place(self, cell: int) -> str | None:
        """Return why the next order cannot be to place there, None if it can (rules 5.3)."""
        cost = self.placement_cost(cell)
        if cost is None:
            return f"beyond reach with jump level {self.levels.jump}"
        if self.heights[cell] >= self.levels.stacking:
            return f"the stack there has {self.heights[cell]}, the stacking level"
        return self._why_unaffordable(cost)

    def why_not_evolve(self, characteristic: Characteristic) -> str | None:
        """Return why no point can be put into it now, None if one can (rules 4.2)."""
        if self.is_at_limit(characteristic):
            before: int = getattr(self._levels_before, characteristic)
            return f"it would rise to level {before + 2}, from {before} at the start of the turn"
        return self._why_unaffordable(1)

    def is_at_limit(self, characteristic: Characteristic) -> bool:
        """Return whether one more point would be a second level this turn (rules 4.2)."""
        most: int = getattr(self._levels_before, characteristic) + 1
        points: int = getattr(self.points, characteristic)
        return points + 1 >= (most + 1) ** 2

    def why_not(self, order: Evolve | Place) -> str | None:
        """Return why an order cannot be carried out now, None if it can."""
        if isinstance(order, Place):
            return self.why_not_place(self._grid.cell(order.x, order.y))
        return self.why_not_evolve(order.characteristic)

    def carry_out(self, order: Evolve | Place) -> None:
        """Carry out a legal order: one for which `why_not` returned None."""
        if isinstance(order, Place):
            self._place(self._grid.cell(order.x, order.y))
        else:
            self._pay_for_evolution(order.characteristic)
        self.carried_out += 1

    def _place(self, cell: int) -> None:
        cost = self.placement_cost(cell)
        assert cost is not None
        self.bank -= cost * MILLI
        self.heights[cell] += 1
        self.placed.setdefault(cell, self.carried_out)

    def _pay_for_evolution(self, characteristic: Characteristic) -> None:
        self.bank -= MILLI
        points = getattr(self.points, characteristic) + 1
        self.points = self.points._replace(**{characteristic: points})
        self.levels = compute_levels(self.points)

    def _why_unaffordable(self, cost: int) -> str | None:
        if self.bank >= cost * MILLI:
            return None
        return f"costs {cost}, the bank has {self.bank // MILLI}.{self.bank % MILLI:03}"


def carry_out_all(account: Account, orders: Orders) -> SkipList:
    """Carry out all legal orders in turn; return those that were skipped, free of charge."""
    skipped = SkipList(orders.skips, orders.more)
    for order in orders.orders:
        reason = account.why_not(order)
        if reason is None:
            account.carry_out(order)
        else:
            skipped.add(order, reason)
    return skipped


def compute_claims(
    dish: Dish, accounts: Mapping[int, Account], stream: Stream
) -> dict[int, list[int]]:
    """Return the cells that each team owns by being first in them (rules 2.4, 5.1)."""
    passes = Passes(dish, accounts, stream)
    claimed: dict[int, list[int]] = {team: [] for team in accounts}
    for cell in sorted({cell for account in accounts.values() for cell in account.placed}):
        if any(layer[cell] for layer in dish.heights):
            continue  # rules 2.4: only an empty cell is owned at once
        placers = [team for team, account in accounts.items() if cell in account.placed]
        claimed[passes.first_team(placers, cell)].append(cell)
    return claimed


class Passes:
    """The order of the teams in each pass (rules 5.1).

    In a pass every team has its next legal order carried out. Lots are drawn for all teams,
    whatever they have left to do, so that nobody's luck depends on another's hidden orders.
    """

    def __init__(self, dish: Dish, accounts: Mapping[int, Account], stream: Stream) -> None:
        self._accounts = accounts
        self._initiative = {team: dish.team(team).levels.pinit for team in accounts}
        self._stream = stream
        self._orders: list[list[int]] = []

    def first_team(self, teams: Sequence[int], cell: int) -> int:
        """Return which of these teams placed in the cell first."""
        if len(teams) == 1:
            return teams[0]
        return min(
            teams, key=lambda team: self._place_in_pass(team, self._accounts[team].placed[cell])
        )

    def _place_in_pass(self, team: int, number: int) -> tuple[int, int]:
        while len(self._orders) <= number:
            self._orders.append(by_initiative(self._initiative, self._stream))
        return number, self._orders[number].index(team)


def by_initiative(initiative: Mapping[int, int], stream: Stream) -> list[int]:
    """Return the teams, the highest level first, equal ones by lot."""
    random = stream.random
    return sorted(initiative, key=lambda team: (-initiative[team], random()))
