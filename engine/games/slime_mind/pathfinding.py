"""The shortest path around obstacles (A*, four directions, Manhattan distance)."""

from collections.abc import Mapping
from functools import lru_cache
from heapq import heappop, heappush

from engine.games.slime_mind.pieces import Piece
from engine.games.slime_mind.state import SIDES, Board

Square = tuple[int, int]
Neighbors = tuple[tuple[int, Square], ...]
"""Places, and their squares."""
MAX_ONE_WAY_DETOUR = 8
"""After so many squares more than the straight way has, the search goes on from both ends: many
goals have no path, and the squares around them are soon looked through."""
MAX_CACHED_PLACES = 20_000
"""The neighbors of so many places are kept; they take 0.5 KB each."""


class Grid(dict[int, Neighbors]):
    """A map whose squares are numbered: the neighbors of each place, by its number.

    Places are in the order of x, then y; on a turned map from its lower right corner.
    """

    def __init__(self, columns: int, rows: int, *, is_turned: bool) -> None:
        self._columns = columns
        self._rows = rows
        self._last = columns * rows - 1
        self._is_turned = is_turned

    def place_at(self, x: int, y: int) -> int:
        """Return the number of a square."""
        cell = x * self._rows + y
        return self._last - cell if self._is_turned else cell

    def square_at(self, cell: int) -> Square:
        """Return the square of a number."""
        return divmod(self._last - cell if self._is_turned else cell, self._rows)

    def __missing__(self, cell: int) -> Neighbors:
        """Return the places on the four sides, as far as they are on the map."""
        x, y = self.square_at(cell)
        beside = [(x + dx, y + dy) for dx, dy in SIDES]
        neighbors = tuple(
            (self.place_at(*square), square)
            for square in beside
            if 0 <= square[0] < self._columns and 0 <= square[1] < self._rows
        )
        if len(self) < MAX_CACHED_PLACES:
            self[cell] = neighbors
        return neighbors


class Surroundings:
    """The empty squares that are connected with a goal, looked at one after the other."""

    def __init__(
        self, grid: Grid, at: Mapping[Square, Piece], first: list[int], start: int
    ) -> None:
        """`first` are the empty squares beside the goal."""
        self._grid = grid
        self._at = at
        self._start = start
        self._seen = set(first)
        self._waiting = first
        self._is_start_seen = False

    def are_closed(self) -> bool:
        """Look at one more square; return whether there is none left, and no way to the start."""
        if self._is_start_seen:
            return False
        if not self._waiting:
            return True
        at, seen, waiting = self._at, self._seen, self._waiting
        for cell, square in self._grid[waiting.pop()]:
            if cell == self._start:
                self._is_start_seen = True
            elif square not in at and cell not in seen:
                seen.add(cell)
                waiting.append(cell)
        return False


@lru_cache(maxsize=4)
def _make_grid(columns: int, rows: int, is_turned: bool) -> Grid:
    return Grid(columns, rows, is_turned=is_turned)


def find_path(
    board: Board, start: Square, goal: Square, *, is_turned: bool = False
) -> list[Square] | None:
    """Return the squares from `start` (excluded) to the nearest empty square beside `goal`.

    [] if `start` is beside or on `goal`; None if there is no path, or `start` is not on the map.
    With `is_turned` ties between paths of equal length are broken as on the map turned by 180
    degrees (rules 3.1): otherwise they would lead one team towards the middle and the other away
    from it.
    """
    columns, rows, at = board.settings.columns, board.settings.rows, board.at
    goal_x, goal_y = goal
    remaining = abs(start[0] - goal_x) + abs(start[1] - goal_y)
    if remaining <= 1:
        return []
    grid = _make_grid(columns, rows, is_turned)
    ends = [
        grid.place_at(goal_x + dx, goal_y + dy)
        for dx, dy in SIDES
        if board.is_empty(goal_x + dx, goal_y + dy)
    ]
    if not ends or not board.is_on_map(*start):
        return None
    first = grid.place_at(*start)
    across = [abs(x - goal_x) for x in range(columns)]
    down = [abs(y - goal_y) for y in range(rows)]
    area = columns * rows
    came_from = {first: first}
    steps_to = {first: 0}
    # What waits in a heap is one number, which compares faster than a tuple would: the steps that
    # the straight way has left, times the area, plus the place. It also says how ties are broken.
    # A step makes a path as long as it was thought to be, or two steps longer: so there are two
    # heaps, of the paths that are as short as possible and of the next ones. Of equally long paths
    # the one nearer to the goal is first: open ground is crossed straight.
    frontier, next_frontier = [remaining * area + first], list[int]()
    surroundings = Surroundings(grid, at, ends, first)
    looked_at, straight = 0, remaining + MAX_ONE_WAY_DETOUR
    while frontier:
        looked_at += 1
        # One square around the goal for each square of ours, so that a goal that is walled in ends
        # the search early, and one that is not makes it at most twice as long.
        if looked_at > straight and surroundings.are_closed():
            return None
        remaining, here = divmod(heappop(frontier), area)
        if remaining <= 1:  # the goal itself is occupied: beside it is where the path ends
            return _reconstruct_path(grid, came_from, here)
        steps = steps_to[here] + 1
        for cell, square in grid[here]:
            if square not in at and steps < steps_to.get(cell, steps + 1):
                came_from[cell], steps_to[cell] = here, steps
                x, y = square
                left = across[x] + down[y]
                heappush(frontier if left < remaining else next_frontier, left * area + cell)
        if not frontier:  # every path of that length leads away: the next ones are two steps longer
            frontier, next_frontier = next_frontier, []
    return None


def _reconstruct_path(grid: Grid, came_from: dict[int, int], cell: int) -> list[Square]:
    path = []
    while came_from[cell] != cell:
        path.append(grid.square_at(cell))
        cell = came_from[cell]
    return path[::-1]
