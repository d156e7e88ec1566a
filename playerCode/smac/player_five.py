"""A searcher: it tries several plans on copies of the match, and gives the orders of the best."""

import time
from collections.abc import Iterable
from itertools import product
from math import fsum
from typing import Any, NamedTuple

from engine.games.smac.player import (
    BasePlayer,
    Board,
    Cell,
    OrderSheet,
    PlacementSheet,
    Special,
)

NAME = "Searcher"
AUTHOR = "Slime Mind"
VERSION = "1"

CPU_SHARE = 0.7
"""The share of the CPU time for a turn that the search takes at most."""
BANK_SHARE = 0.8
"""The share of the CPU time for the whole match that all turns together take at most."""
ROUNDS = ((3, 3), (6, 1))
"""How many turns plans are played on for, and how many of them remain after that."""
WORTH_OF_POINT, WORTH_OF_CELL = 0.2, 0.15
"""What a saved point and a stack of 1 are worth, points per turn."""
SIGHT = 4
"""The distance at which an enemy is a reason to raise the defense."""
EDGE = 2
"""The attack levels above the enemies' defense that raids aim at."""
WEAPON_SHARE = 0.2
"""The share of our points that a level of a weapon may cost."""
FEW_CANDIDATES, MAX_CANDIDATES = 10, 24
"""The most places for new land that are compared at once, while searching and in earnest."""
SPECIALS = (Special.ENRICH, Special.NUKE, Special.BLIGHT, Special.SHELL)


class Style(NamedTuple):
    """What a plan prefers."""

    fair: float
    """The points per turn that a spent point must bring at least."""
    land: float
    """The value of a cell besides its yield, points per turn."""
    raids: float
    """The share of a turn's points that attacks may cost."""


STYLES = [Style(*chosen) for chosen in product((0.15, 0.25, 0.4), (0.2,), (0.0, 0.4))]
ENEMY = Style(fair=0.25, land=0.25, raids=0.2)
"""How others are thought to play."""


class Player(BasePlayer):
    """Compares plans by what they lead to, some turns later and under the same chance."""

    def __init__(self, board: Board, team: int) -> None:
        """Count the CPU time of the match."""
        super().__init__(board, team)
        self._used_s = 0.0

    def settle(self, sheet: PlacementSheet) -> None:
        """Choose centers with good terrain around, the second one near the first."""
        plan = Plan(self.board, self.team, ENEMY)
        centers = sorted(self.board.free_centers(), key=plan.rate_center, reverse=True)
        for x, y in centers[:30]:
            sheet.center(x, y)

    def decide(self, orders: OrderSheet) -> None:
        """Give the orders of the plan that turns out best."""
        began = time.process_time()
        turns_left = max(1, self.board.settings.last_turn - self.board.turn + 1)
        bank_s = BANK_SHARE * self.limits.bank_s - self._used_s
        budget_s = min(CPU_SHARE * self.limits.cpu_ms / 1000, bank_s / turns_left)
        style = self._best(began + budget_s)
        Plan(self.board, self.team, style, MAX_CANDIDATES).write(orders)
        self._used_s += time.process_time() - began

    def _best(self, deadline: float) -> Style:
        """Return the best style: all are played on a little, and the best of them further."""
        styles = list(STYLES)
        for turns, kept in ROUNDS:
            values = dict[Style, float]()
            for style in styles:
                value = self._value_of(style, turns, deadline)
                if value is None:  # what was found before stands
                    return styles[0]
                values[style] = value
            styles = sorted(values, key=values.__getitem__, reverse=True)[:kept]
        return styles[0]

    def _value_of(self, style: Style, turns: int, deadline: float) -> float | None:
        """Return the share of everything that we have after so many turns of a plan.

        None: there is no time for that.
        """
        world: Any = self.board.simulate(seed=self.board.turn)
        for _ in range(turns):
            if time.process_time() >= deadline:
                return None
            if world.outcome is not None:
                break
            sheets = [world.sheet(ask.team) for ask in world.asks]
            for ask, sheet in zip(world.asks, sheets, strict=True):
                own = style if ask.team == self.team else ENEMY
                Plan(world.board(ask.team), ask.team, own).write(sheet)
            world.play(*sheets)
        if world.outcome is not None:
            return float(world.outcome.winner == self.team)
        worths = {ask.team: _worth_of(world, ask.team) for ask in world.asks}
        return worths.get(self.team, 0.0) / (fsum(worths.values()) or 1.0)


def _worth_of(world: Any, team: int) -> float:
    """Return what a team produces, and what its points and stacks may come to."""
    board, points = world.board(team), world.sheet(team).points
    worth = board.production() + WORTH_OF_CELL * len(board.cells()) + WORTH_OF_POINT * points
    return float(worth)


class Plan:
    """Orders of one turn, written by a style."""

    def __init__(self, board: Board, team: int, style: Style, most: int = FEW_CANDIDATES) -> None:
        """`board` may be of a simulated match; `most` places for new land are compared."""
        self._most = most
        self.board = board
        self.team = team
        self.style = style

    def write(self, orders: OrderSheet) -> None:
        """Defend, evolve what pays, raid, raise stacks, and take land."""
        near = self._enemies_near()
        if near:
            self._arm(orders, near)
        self._evolve(orders)
        if near and self.style.raids:
            self._raid(orders)
        while self._raise(orders) or self._spread(orders):
            self._evolve(orders)
        for characteristic in ("defense", "productivity", "cinit", "attack"):
            while near and orders.why_not_evolve(characteristic) is None:
                orders.evolve(characteristic)
        if self.board.enemies:
            self._use_special(orders)

    def rate_center(self, center: Cell) -> float:
        """Rate a center by the terrain around, less the distance to our other one."""
        board, (x, y) = self.board, center
        block = [(x + dx, y + dy) for dx in range(-4, 5) for dy in range(-4, 5)]
        ours = (None, self.team)
        soil = fsum(
            0.4 + board.yield_of(*cell, 2)
            for cell in block
            if board.is_on_board(*cell) and board.owner(*cell) in ours
        )
        return soil - 2.0 * sum(board.distance(center, own) for own in board.centers())

    # -- levels -----------------------------------------------------------------------------

    def _enemies_near(self) -> list[int]:
        board = self.board
        near = board.reach(jump=SIGHT)
        return [t for t in board.enemies if any(cell in near for cell in board.cells(t))]

    def _arm(self, orders: OrderSheet, near: Iterable[int]) -> None:
        """Evolve defense above their attack; and weapons above theirs, if we raid."""
        theirs = [self.board.levels(team) for team in near]
        if orders.levels.defense <= max(levels.attack for levels in theirs):
            self._evolve_level(orders, "defense")
        if not self.style.raids:
            return
        wanted = {
            "attack": max(levels.defense for levels in theirs) + EDGE,
            "cinit": max(levels.cinit for levels in theirs) + 1,
        }
        affordable = WEAPON_SHARE * orders.points
        for weapon, level in wanted.items():
            is_cheap = orders.to_next_level(weapon) <= affordable
            if is_cheap and getattr(orders.levels, weapon) < level:
                self._evolve_level(orders, weapon)

    def _evolve(self, orders: OrderSheet) -> None:
        """Evolve what building needs, and productivity where it brings more than stacks."""
        fair = self.style.fair
        if orders.levels.jump == 0:
            self._evolve_level(orders, "jump")
        if self._waiting(orders) * fair > 0.5 * orders.to_next_level("stacking"):
            self._evolve_level(orders, "stacking")
        gain = self.board.production() / (10 + orders.levels.productivity)
        if gain > fair * orders.to_next_level("productivity"):
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

    # -- raids ------------------------------------------------------------------------------

    def _raid(self, orders: OrderSheet) -> None:
        """Attack the stacks whose loss costs their owners most, per point of ours."""
        board, kept = self.board, orders.points * (1 - self.style.raids)
        gains = {
            cell: self._loss(cell) * board.odds(*cell, 1) / cost
            for cell, cost in board.reach(jump=orders.levels.jump).items()
            if board.owner(*cell) in board.enemies
        }
        for cell in sorted(gains, key=gains.__getitem__, reverse=True):
            if gains[cell] < self.style.fair or orders.points <= kept:
                break
            self._place(orders, cell)

    def _loss(self, cell: Cell) -> float:
        """Return what the owner of a stack produces with it, and not without it."""
        board, owner = self.board, self.board.owner(*cell)
        return board.production(owner) - board.production(owner, without=[cell])

    # -- stacks -----------------------------------------------------------------------------

    def _raise(self, orders: OrderSheet) -> bool:
        """Raise stacks, the best gain first; return whether there was any."""
        yield_of = self.board.yield_of
        gains = {}
        for cell in self.board.cells():
            height = orders.height(*cell)
            if height < orders.ceiling(*cell):
                gains[cell] = yield_of(*cell, height + 1) - yield_of(*cell, height)
        best = sorted(gains, key=gains.__getitem__, reverse=True)
        return sum(self._place(orders, cell) for cell in best if gains[cell] >= self.style.fair) > 0

    def _spread(self, orders: OrderSheet) -> bool:
        """Take new land, far enough apart to be valued separately; return whether there was any."""
        now, placed = self._worth(orders), list[Cell]()
        gains = {
            cell: (self._worth(orders, [cell]) - now) / cost for cell, cost in self._edge(orders)
        }
        for cell in sorted(gains, key=gains.__getitem__, reverse=True):
            is_alone = all(self.board.distance(cell, other) > 2 for other in placed)
            if gains[cell] > 0 and is_alone and self._place(orders, cell):
                placed.append(cell)
        return bool(placed)

    def _worth(self, orders: OrderSheet, also: Iterable[Cell] = ()) -> float:
        forecast = orders.forecast(also=list(also))
        return forecast.production + self.style.land * len(forecast.heights)

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
        return edge[: self._most]

    # -- specials ---------------------------------------------------------------------------

    def _use_special(self, orders: OrderSheet) -> None:
        """Use the armed special when it is useful, and select the next one."""
        board, armed = self.board, self.board.armed
        is_attacked = any(board.team in (fight.owner, fight.winner) for fight in board.fights())
        if armed is not None and (armed is not Special.SHELL or is_attacked):
            self._use(orders, armed, self._target(armed))
        if armed is not None or board.selected is None:
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
        if special is Special.ENRICH:
            poor = [cell for cell in board.cells() if "SUGAR" not in board.terrain(*cell)]
            return max(poor or board.cells(), key=lambda cell: board.height(*cell))
        return rival if special is Special.BLIGHT else None

    def _left_by_nuke(self, team: int, cell: Cell) -> float:
        """Return what the team would produce after a NUKE there."""
        board = self.board
        around = [cell, *board.neighbors(*cell)]
        return board.production(team, [hit for hit in around if board.owner(*hit) == team])
