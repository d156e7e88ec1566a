"""The shortest way around obstacles (A*, four directions, Manhattan distance)."""

from heapq import heappop, heappush

from engine.games.slime_mind.state import SIDES, Board

Square = tuple[int, int]


def find_path(
    board: Board, start: Square, goal: Square, *, is_turned: bool = False
) -> list[Square] | None:
    """Squares from `start` (left out) to the nearest square beside `goal` over empty squares.

    [] if `start` is beside or on `goal`; None if there is no way. Which of equally long ways it
    is depends on where one stands: `is_turned` for who sees the map turned by half (rules 3.1).
    Or it would lead one team towards the middle, and the other away from it.
    """
    sign = -1 if is_turned else 1
    columns, rows, at = board.settings.columns, board.settings.rows, board.at
    goal_x, goal_y = goal
    came_from: dict[Square, Square] = {start: start}
    steps_to = {start: 0}
    start_left = abs(start[0] - goal_x) + abs(start[1] - goal_y)
    # Of equally long ways the one nearer to the goal first: open ground is crossed straight.
    frontier = [(start_left, start_left, sign * start[0], sign * start[1])]
    while frontier:
        _, left, here_x, here_y = heappop(frontier)
        here = sign * here_x, sign * here_y
        if left <= 1:
            return _walk_back(came_from, here)
        steps = steps_to[here] + 1
        for dx, dy in SIDES:
            x, y = square = sign * (here_x + dx), sign * (here_y + dy)
            if square in at or not (0 <= x < columns and 0 <= y < rows):
                continue
            if steps < steps_to.get(square, steps + 1):
                came_from[square], steps_to[square] = here, steps
                left = abs(x - goal_x) + abs(y - goal_y)
                heappush(frontier, (steps + left, left, sign * x, sign * y))
    return None


def _walk_back(came_from: dict[Square, Square], square: Square) -> list[Square]:
    path = []
    while came_from[square] != square:
        path.append(square)
        square = came_from[square]
    return path[::-1]
