"""The quickest path of a shape over a grid it partly sees (A*, in the worker)."""

from collections import deque
from collections.abc import Mapping
from heapq import heappop, heappush
from typing import NamedTuple

from engine.games.game_of_death.geometry import Cell

MAX_PLACES = 6_000
"""The most places that one search expands."""
WAITING = 8
"""The cost in turns of a step to where a shape is now: it may leave, or not."""


class MovementMap(NamedTuple):
    """The places that a shape's anchor can have, and the costs of steps in turns."""

    steps: Mapping[str, Cell]
    """The change of its place by a move in each direction."""
    speed: int
    """The turns of a step to a free place."""
    clearing: Mapping[str, int]
    """The turns it takes to shoot a body away in each direction."""
    columns: range
    rows: range
    """The rows and columns in which all of it is on the grid."""
    homes: set[Cell]
    """Places where it would overlap a home: never allowed."""
    bodies: set[Cell]
    """Places where it would overlap a body."""
    shapes: set[Cell]
    """Places where it would overlap another shape."""

    def can_hold(self, place: Cell) -> bool:
        """Return whether it could be there, once nobody else is."""
        return place[0] in self.columns and place[1] in self.rows and place not in self.homes

    def extra(self, place: Cell, direction: str) -> int | None:
        """Return the extra turns of a step to a place; None if it cannot be made."""
        if not self.can_hold(place):
            return None
        waiting = WAITING if place in self.shapes else 0
        return waiting + self.clearing[direction] if place in self.bodies else waiting


def find_path(ground: MovementMap, here: Cell, goal: Cell, ends: set[Cell]) -> deque[str]:
    """Return the directions to one of the ends, which lie around the goal (A*).

    Empty if it could be at none of them. If the search is cut short by `MAX_PLACES`, the path to
    the most promising place; if no end can be reached, to the place nearest to the goal. The
    first step is never to where a shape is: it would only wait there, maybe for one that waits
    for it. Ties go to the straightest path, then to the one on the right, so that shapes that
    meet pass each other.
    """
    ahead = goal[0] - here[0], goal[1] - here[1]
    came: dict[Cell, tuple[Cell, str] | None] = {here: None}
    costs = {here: 0}
    if not any(map(ground.can_hold, ends)):
        return deque()
    heap = [(distance(here, goal) * ground.speed, 0, 0, 0, here)]
    for _ in range(MAX_PLACES):
        if not heap:
            return _path_to(min(costs, key=lambda place: distance(place, goal)), came)
        _, behind, _, _, place = heappop(heap)
        if place in ends:
            return _path_to(place, came)
        if -behind > costs[place]:
            continue  # an old entry: the place was reached at a lower cost since
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
    return _path_to(heap[0][-1] if heap else here, came)


def distance(place: Cell, goal: Cell) -> int:
    """Return the distance in steps (Manhattan distance)."""
    return abs(place[0] - goal[0]) + abs(place[1] - goal[1])


def _path_to(place: Cell, came: dict[Cell, tuple[Cell, str] | None]) -> deque[str]:
    """Return the steps by which a place was reached."""
    way = deque[str]()
    step = came[place]
    while step is not None:
        way.appendleft(step[1])
        step = came[step[0]]
    return way
