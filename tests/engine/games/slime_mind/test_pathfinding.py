"""The shortest path around obstacles."""

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from engine.games.slime_mind.pathfinding import Square, find_path
from engine.games.slime_mind.pieces import Piece, Rock
from engine.games.slime_mind.state import SIDES, Board
from tests.engine.games.slime_mind.boards import a_board, some_settings


def test_over_open_ground_the_way_is_straight() -> None:
    assert find_path(a_board("A . . . B"), (0, 0), (4, 0)) == [(1, 0), (2, 0), (3, 0)]


def test_the_way_leads_around_obstacles() -> None:
    board = a_board(
        """
        A # . .
        . p . B
        . . . #
        """
    )
    assert find_path(board, (0, 0), (3, 1)) == [(0, 1), (0, 2), (1, 2), (2, 2), (2, 1)]


def test_a_slime_beside_its_goal_has_arrived() -> None:
    board = a_board("A B . .")
    assert find_path(board, (0, 0), (1, 0)) == []
    assert find_path(board, (0, 0), (0, 0)) == []


def test_a_corner_is_not_beside() -> None:
    board = a_board(
        """
        A .
        # B
        """
    )
    assert find_path(board, (0, 0), (1, 1)) == [(1, 0)]


@pytest.mark.parametrize("drawing", ["A # . B", "A . # B", "A . B\n. # #\n# C ."])
def test_no_path_is_found_where_there_is_none(drawing: str) -> None:
    board = a_board(drawing, C=Rock(9, 0, 0))
    goal = (3, 0) if board.settings.rows == 1 else (2, 2)
    assert find_path(board, (0, 0), goal) is None


def test_an_empty_square_can_be_a_goal_and_the_way_ends_beside_it() -> None:
    assert find_path(a_board("A . . ."), (0, 0), (3, 0)) == [(1, 0), (2, 0)]


class CountingSquares(dict[Square, Piece]):
    """A dict of squares that counts how often it is asked whether one is taken."""

    asked = 0

    def __contains__(self, square: object) -> bool:
        self.asked += 1
        return super().__contains__(square)


@pytest.mark.parametrize(("start", "goal"), [((0, 0), (29, 14)), ((29, 3), (2, 11))])
def test_over_open_ground_only_squares_along_the_way_are_looked_at(
    start: Square, goal: Square
) -> None:
    board = Board(some_settings())
    board.at = squares = CountingSquares()
    path = find_path(board, start, goal)
    assert path is not None
    assert squares.asked <= 4 * (len(path) + 1)


POCKET = [(20, 7), (21, 6), (22, 6), (23, 7), (22, 8), (21, 8)]
"""The squares around two empty ones."""


@pytest.mark.parametrize("is_turned", [False, True])
def test_that_a_goal_is_in_a_pocket_is_seen_soon(*, is_turned: bool) -> None:
    rocks = {number: Rock(number, x, y) for number, (x, y) in enumerate(POCKET, 1)}
    board = Board(some_settings(), rocks=rocks)
    board.at = squares = CountingSquares(board.at)
    assert find_path(board, (1, 1), (22, 7), is_turned=is_turned) is None
    assert squares.asked < 200
    assert board.settings.columns * board.settings.rows > 400


def test_a_goal_all_around_which_is_taken_has_no_path() -> None:
    board = a_board(
        """
        A . . # .
        . . # p #
        . . . # .
        """
    )
    assert find_path(board, (0, 0), (3, 1)) is None


def test_a_goal_off_the_map_is_reached_at_the_edge_and_there_is_no_start_there() -> None:
    board = a_board("A . . .")
    assert find_path(board, (0, 0), (4, 0)) == [(1, 0), (2, 0), (3, 0)]
    assert find_path(board, (0, 0), (9, 0)) is None
    assert find_path(board, (-3, 0), (3, 0)) is None


@st.composite
def mazes(draw: DrawFn) -> tuple[Board, Square, Square]:
    columns, rows = draw(st.integers(2, 14)), draw(st.integers(2, 9))
    squares = st.tuples(st.integers(0, columns - 1), st.integers(0, rows - 1))
    rocks = draw(st.sets(squares, max_size=columns * rows // 2))
    board = Board(
        some_settings(columns=columns, rows=rows),
        rocks={number: Rock(number, x, y) for number, (x, y) in enumerate(sorted(rocks), 1)},
    )
    return board, draw(squares), draw(squares)


def beside(square: Square) -> set[Square]:
    return {(square[0] + dx, square[1] + dy) for dx, dy in SIDES}


def steps_by_breadth_first_search(board: Board, start: Square, goal: Square) -> int | None:
    queue, steps_to = deque([start]), {start: 0}
    while queue:
        here = queue.popleft()
        if here == goal or here in beside(goal):
            return steps_to[here]
        for square in beside(here) - steps_to.keys():
            if board.is_empty(*square):
                steps_to[square] = steps_to[here] + 1
                queue.append(square)
    return None


@given(mazes())
def test_no_way_is_shorter_than_the_one_found(maze: tuple[Board, Square, Square]) -> None:
    board, start, goal = maze
    path = find_path(board, start, goal)
    steps = steps_by_breadth_first_search(board, start, goal)
    assert (None if path is None else len(path)) == steps


def mirror(board: Board, square: Square) -> Square:
    """Return the mirror image of a square (rules 3.1)."""
    return board.settings.columns - 1 - square[0], board.settings.rows - 1 - square[1]


@given(mazes())
def test_on_the_turned_map_the_path_is_the_mirror_image(maze: tuple[Board, Square, Square]) -> None:
    board, start, goal = maze
    rocks = [mirror(board, (rock.x, rock.y)) for rock in board.rocks.values()]
    other = Board(
        board.settings, rocks={number: Rock(number, x, y) for number, (x, y) in enumerate(rocks, 1)}
    )
    path = find_path(board, start, goal)
    image = find_path(other, mirror(other, start), mirror(other, goal), is_turned=True)
    assert image == (None if path is None else [mirror(board, square) for square in path])


@given(mazes())
def test_each_step_of_a_way_goes_to_an_empty_square_beside_the_last(
    maze: tuple[Board, Square, Square],
) -> None:
    board, here, goal = maze
    path = find_path(board, here, goal)
    for square in path or []:
        assert square in beside(here)
        assert board.is_empty(*square)
        here = square
    assert path is None or here == goal or here in beside(goal)
