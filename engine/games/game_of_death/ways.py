"""The quickest way of a shape over ground it partly sees (in the worker)."""

from collections import deque
from collections.abc import Mapping
from heapq import heappop, heappush
from typing import NamedTuple

from engine.games.game_of_death.forms import Cell

MOST_PLACES = 6_000
"""Looked at for one way."""
WAITING = 8
"""What a step to where a shape is now costs, in turns: it may leave, or not."""


class Ground(NamedTuple):
    """Where a shape can be, as places of its anchor, and what its steps there cost in turns."""

    steps: Mapping[str, Cell]
    """How its place changes by a move in each direction."""
    speed: int
    """Turns of a step over free ground."""
    breaking: Mapping[str, int]
    """Turns it takes to shoot a body away in each direction."""
    columns: range
    rows: range
    """Where it would be on the grid."""
    homes: set[Cell]
    """Where it would lie on a home: never."""
    bodies: set[Cell]
    """Where it would lie on a body."""
    shapes: set[Cell]
    """Where it would lie on another shape."""

    def can_hold(self, place: Cell) -> bool:
        """Whether it could be there, once nobody else is."""
        return place[0] in self.columns and place[1] in self.rows and place not in self.homes

    def extra(self, place: Cell, direction: str) -> int | None:
        """What a step there takes beyond its own turns; None if it cannot be made."""
        if not self.can_hold(place):
            return None
        waiting = WAITING if place in self.shapes else 0
        return waiting + self.breaking[direction] if place in self.bodies else waiting


def find_way(ground: Ground, here: Cell, goal: Cell, ends: set[Cell]) -> deque[str]:
    """The directions to one of the ends, of which the goal is in the midst (A*).

    No steps if it could be at none of them. When there are too many places to look at, those to
    where a way may go on; when none of the ends is reached, those to the place nearest to the
    goal. Never is the first step to where a shape is: beside that, it would only wait, and maybe
    for one that waits for it. Of ways as long it takes the straightest, then the one to the right:
    so those who meet pass each other.
    """
    ahead = goal[0] - here[0], goal[1] - here[1]
    came: dict[Cell, tuple[Cell, str] | None] = {here: None}
    costs = {here: 0}
    if not any(map(ground.can_hold, ends)):
        return deque()
    heap = [(distance(here, goal) * ground.speed, 0, 0, 0, here)]
    for _ in range(MOST_PLACES):
        if not heap:
            return _way_to(min(costs, key=lambda place: distance(place, goal)), came)
        _, behind, _, _, place = heappop(heap)
        if place in ends:
            return _way_to(place, came)
        if -behind > costs[place]:
            continue
        for direction, (du, dv) in ground.steps.items():
            new = place[0] + du, place[1] + dv
            cost = costs[place] + ground.speed
            if costs.get(new, cost + 1) <= cost or (place == here and new in ground.shapes):
                continue
            extra = ground.extra(new, direction)
            if extra is not None and cost + extra < costs.get(new, cost + extra + 1):
                cost += extra
                costs[new] = cost
                came[new] = place, direction
                to_the_right = ahead[0] * (new[1] - here[1]) - ahead[1] * (new[0] - here[0])
                in_all = cost + distance(new, goal) * ground.speed
                heappush(heap, (in_all, -cost, abs(to_the_right), -to_the_right, new))
    return _way_to(heap[0][-1] if heap else here, came)


def distance(place: Cell, goal: Cell) -> int:
    """In steps."""
    return abs(place[0] - goal[0]) + abs(place[1] - goal[1])


def _way_to(place: Cell, came: dict[Cell, tuple[Cell, str] | None]) -> deque[str]:
    """The steps by which one came there."""
    way = deque[str]()
    step = came[place]
    while step is not None:
        way.appendleft(step[1])
        step = came[step[0]]
    return way
