"""The shortest path around obstacles (A*, four directions, Manhattan distance)."""

from heapq import heappop, heappush

from engine.games.slime_mind.state import SIDES, Board

Square = tuple[int, int]


def find_path(
    board: Board, start: Square, goal: Square, *, is_turned: bool = False
) -> list[Square] | None:
    """Return the squares from `start` (excluded) to the nearest empty square beside `goal`.

    [] if `start` is beside or on `goal`; None if there is no path. With `is_turned` ties between
    paths of equal length are broken as on the map turned by 180 degrees (rules 3.1): otherwise
    they would lead one team towards the middle and the other away from it.
    """
    # Squares enter the heap with this sign, so that its order is that of the turned map.
    sign = -1 if is_turned else 1
    columns, rows, at = board.settings.columns, board.settings.rows, board.at
    goal_x, goal_y = goal
    came_from: dict[Square, Square] = {start: start}
    steps_to = {start: 0}
    estimate = abs(start[0] - goal_x) + abs(start[1] - goal_y)
    # Of equally long paths the one nearer to the goal first: open ground is crossed straight.
    frontier = [(estimate, estimate, sign * start[0], sign * start[1])]
    while frontier:
        _, remaining, here_x, here_y = heappop(frontier)
        here = sign * here_x, sign * here_y
        if remaining <= 1:  # the goal itself is occupied: beside it is where the path ends
            return _reconstruct(came_from, here)
        steps = steps_to[here] + 1
        for dx, dy in SIDES:
            x, y = square = sign * (here_x + dx), sign * (here_y + dy)
            if square in at or not (0 <= x < columns and 0 <= y < rows):
                continue
            if steps < steps_to.get(square, steps + 1):
                came_from[square], steps_to[square] = here, steps
                remaining = abs(x - goal_x) + abs(y - goal_y)
                heappush(frontier, (steps + remaining, remaining, sign * x, sign * y))
    return None


def _reconstruct(came_from: dict[Square, Square], square: Square) -> list[Square]:
    path = []
    while came_from[square] != square:
        path.append(square)
        square = came_from[square]
    return path[::-1]
