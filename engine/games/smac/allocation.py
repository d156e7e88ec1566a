"""Allocation: sealed orders carried out in passes (docs/rules/smac.md 5.1 to 5.4)."""

from collections.abc import Mapping, Sequence

from engine.games.smac.grid import AT_LEAST, grid_of, mask_of
from engine.games.smac.orders import Evolve, Orders, Place, SkipList
from engine.games.smac.settings import MILLI, Characteristic, levels_of
from engine.games.smac.state import Dish
from engine.streams import Stream


class Account:
    """What a team's orders come to, one after the other. It needs no more than the team knows.

    Whether an order is legal depends on nothing that others order at the same time.
    """

    def __init__(self, dish: Dish, team: int) -> None:
        known = dish.team(team)
        assert known.bank is not None, "another team's bank is not known"
        assert known.points is not None, "another team's points are not known"
        self.bank = known.bank
        """Thousandths."""
        self.points = known.points
        self.levels = known.levels
        self.heights = bytearray(dish.layer(team))
        self.placed: dict[int, int] = {}
        """The cells of the team's placements, and the number of the order that was first there."""
        self.carried_out = 0
        self._levels_before = known.levels
        self._grid = grid_of(dish.side)
        self._ring = mask_of(self.heights, AT_LEAST[1])
        self._rings = [self._grid.text(self._ring)]

    def distance(self, cell: int) -> int | None:
        """To the nearest cell occupied at the start of the turn; None if that is beyond reach."""
        while len(self._rings) <= self.levels.jump:
            self._ring = self._grid.spread(self._ring)
            self._rings.append(self._grid.text(self._ring))
        for distance in range(self.levels.jump + 1):
            if self._rings[distance][cell] == "1":
                return distance
        return None

    def cost(self, cell: int) -> int | None:
        """Points for a placement there (rules 5.3); None if it is beyond reach."""
        distance = self.distance(cell)
        return None if distance is None else 1 + distance

    def why_not_place(self, cell: int) -> str | None:
        """None if the next order can be to place there."""
        cost = self.cost(cell)
        if cost is None:
            return f"beyond reach with jump level {self.levels.jump}"
        if self.heights[cell] >= self.levels.stacking:
            return f"the stack there has {self.heights[cell]}, the stacking level"
        return self._why_too_dear(cost)

    def why_not_evolve(self, characteristic: Characteristic) -> str | None:
        """None if the next order can be to put a point into it (rules 4.2)."""
        most = getattr(self._levels_before, characteristic) + 1
        if getattr(self.points, characteristic) + 1 >= (most + 1) ** 2:
            return f"it would rise to level {most + 1}, from {most - 1} at the start of the turn"
        return self._why_too_dear(1)

    def why_not(self, order: Evolve | Place) -> str | None:
        if isinstance(order, Place):
            return self.why_not_place(self._grid.cell(order.x, order.y))
        return self.why_not_evolve(order.characteristic)

    def carry_out(self, order: Evolve | Place) -> None:
        """A legal order: one of which `why_not` had nothing to say."""
        if isinstance(order, Place):
            self._place(self._grid.cell(order.x, order.y))
        else:
            self._evolve(order.characteristic)
        self.carried_out += 1

    def _place(self, cell: int) -> None:
        cost = self.cost(cell)
        assert cost is not None
        self.bank -= cost * MILLI
        self.heights[cell] += 1
        self.placed.setdefault(cell, self.carried_out)

    def _evolve(self, characteristic: Characteristic) -> None:
        self.bank -= MILLI
        points = getattr(self.points, characteristic) + 1
        self.points = self.points._replace(**{characteristic: points})
        self.levels = levels_of(self.points)

    def _why_too_dear(self, cost: int) -> str | None:
        if self.bank >= cost * MILLI:
            return None
        return f"costs {cost}, the bank has {self.bank // MILLI}.{self.bank % MILLI:03}"


def carry_out_all(account: Account, orders: Orders) -> SkipList:
    """All legal orders in turn; those that were skipped, free of charge."""
    skipped = SkipList(orders.skips, orders.more)
    for order in orders.orders:
        reason = account.why_not(order)
        if reason is None:
            account.carry_out(order)
        else:
            skipped.add(order, reason)
    return skipped


def claims(dish: Dish, accounts: Mapping[int, Account], stream: Stream) -> dict[int, list[int]]:
    """The cells that each team owns by being first in them (rules 2.4, 5.1)."""
    passes = Passes(dish, accounts, stream)
    claimed: dict[int, list[int]] = {team: [] for team in accounts}
    for cell in sorted({cell for account in accounts.values() for cell in account.placed}):
        if any(layer[cell] for layer in dish.heights):
            continue  # it was not empty
        placers = [team for team, account in accounts.items() if cell in account.placed]
        claimed[passes.first_of(placers, cell)].append(cell)
    return claimed


class Passes:
    """In which order the teams are served, pass after pass.

    A pass is a team's next legal order. The order of a pass is drawn for all teams, whatever
    they have left to do, so that nobody's dice depend on another's secrets.
    """

    def __init__(self, dish: Dish, accounts: Mapping[int, Account], stream: Stream) -> None:
        self._accounts = accounts
        self._initiative = {team: dish.team(team).levels.pinit for team in accounts}
        self._stream = stream
        self._orders: list[list[int]] = []

    def first_of(self, teams: Sequence[int], cell: int) -> int:
        """Who of them placed in the cell first."""
        if len(teams) == 1:
            return teams[0]
        return min(teams, key=lambda team: self._when(team, self._accounts[team].placed[cell]))

    def _when(self, team: int, number: int) -> tuple[int, int]:
        while len(self._orders) <= number:
            self._orders.append(by_initiative(self._initiative, self._stream))
        return number, self._orders[number].index(team)


def by_initiative(initiative: Mapping[int, int], stream: Stream) -> list[int]:
    """The teams, the highest level first, equal ones by lot."""
    random = stream.random
    return sorted(initiative, key=lambda team: (-initiative[team], random()))
