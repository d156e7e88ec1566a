"""The ways that things took lately, such as a flag that is carried: a line behind them."""

from collections.abc import Iterator
from math import hypot
from typing import Any

from visualizer.model.drawings import Drawn
from visualizer.scene import AnyScene

PATH = "path"
"""The form of a trail: `numbers` are the coordinates of its points, one after the other."""

Point = tuple[float, float]
TrailPoint = tuple[int, int, float, float]
"""A turn, the team whose color the trail has, and the place at the end of that turn."""


class Trails:
    """Where whatever leaves a trail was at the end of each turn."""

    def __init__(self, scene: AnyScene) -> None:
        self._scene = scene
        self._turns: list[dict[int, Point]] = []
        self.points: list[TrailPoint] = []
        """All points of all trails, in the order of their turns."""

    def keep(self, turns: int, state: Any) -> None:
        """Keep the places in a state until they are known of so many turns, turn 0 included."""
        if turns <= len(self._turns):
            return
        places = dict(self._scene.trails(state))
        for turn in range(len(self._turns), turns):
            self._turns.append(places)
            self.points += [(turn, team, x, y) for team, (x, y) in places.items()]

    def at(self, turn: int) -> list[Drawn]:
        """Return each trail up to the end of a turn, back to where it begins."""
        if not 0 <= turn < len(self._turns):
            return []
        return [drawn for team in self._turns[turn] for drawn in self._trail(team, turn)]

    def _trail(self, team: int, turn: int) -> Iterator[Drawn]:
        points: list[Point] = []
        while turn >= 0 and (place := self._turns[turn].get(team)) is not None:
            while len(points) > 1 and _is_between(points[-2], points[-1], place):
                points.pop()
            if not points or points[-1] != place:
                points.append(place)
            turn -= 1
        if len(points) > 1:
            numbers = tuple(number for point in points for number in point)
            yield Drawn(team, 0, "", self._scene.team_color(team), PATH, numbers)


def _is_between(start: Point, point: Point, stop: Point) -> bool:
    """Return whether a point is on the straight line between two others."""
    (dx, dy), (to_x, to_y) = ((there[0] - start[0], there[1] - start[1]) for there in (point, stop))
    return (
        dx * to_y == dy * to_x and dx * to_x + dy * to_y >= 0 and hypot(dx, dy) <= hypot(to_x, to_y)
    )
