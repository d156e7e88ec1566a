"""What a player sees, and the questions it asks."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.games.slime_mind.board_view import FEW_PLANTS, BoardView, distance
from engine.games.slime_mind.pieces import Piece, Plant
from engine.games.slime_mind.state import Board
from tests.engine.games.slime_mind.boards import (
    a_board,
    a_plant,
    a_slime,
    an_enemy,
    play,
    some_settings,
)

CROWD = """
    . p . #
    C A q .
    . . D .
    B . r .
"""


def a_crowd() -> Board:
    return a_board(
        CROWD,
        q=a_plant(4, level=12, hp=60),
        r=a_plant(5, level=2, hp=6),
        C=a_slime(6),
        D=an_enemy(7, xp=15),
    )


def ids(pieces: Any) -> list[int]:
    return [piece.id for piece in pieces]


@pytest.fixture
def board() -> Board:
    return a_crowd()


@pytest.fixture
def view(board: Board) -> BoardView:
    return BoardView(board, team=1)


def test_8_a_player_sees_the_whole_match(board: Board, view: BoardView) -> None:
    assert (view.turn, view.columns, view.rows) == (2, 4, 4)
    assert view.settings is board.settings
    assert (ids(view.slimes), ids(view.plants), ids(view.rocks)) == ([1, 2, 6, 7], [3, 4, 5], [8])


def test_8_pieces_have_the_documented_attributes(board: Board, view: BoardView) -> None:
    fields = [piece.__struct_fields__ for piece in (view.slimes[0], view.plants[0], view.rocks[0])]
    slime = "id team x y xp level max_level current_hp max_hp attack ready_to_merge"
    plant = "id x y level max_level current_hp max_hp"
    assert fields == [tuple(slime.split()), tuple(plant.split()), ("id", "x", "y")]


def test_8_what_a_player_sees_is_always_up_to_date(board: Board, view: BoardView) -> None:
    play(board, "DOWN")
    assert (view.at(1, 1), view.at(1, 2)) == (None, board.slimes[1])


@pytest.mark.parametrize(("team", "friends", "enemies"), [(1, [1, 6], [2, 7]), (2, [2, 7], [1, 6])])
def test_friends_are_of_the_own_team(
    board: Board, team: int, friends: list[int], enemies: list[int]
) -> None:
    view = BoardView(board, team)
    assert (ids(view.friends), ids(view.enemies)) == (friends, enemies)


def test_a_piece_is_found_by_its_id(board: Board, view: BoardView) -> None:
    assert [view.piece(piece_id) for piece_id in (1, 3, 8, 99)] == [
        board.slimes[1],
        board.plants[3],
        board.rocks[8],
        None,
    ]


def test_a_square_is_looked_at(board: Board, view: BoardView) -> None:
    assert [view.at(*square) for square in ((1, 1), (3, 0), (0, 0), (-1, 0), (4, 0))] == [
        board.slimes[1],
        board.rocks[8],
        None,
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("square", "on_map", "empty"),
    [
        ((0, 0), True, True),
        ((3, 3), True, True),
        ((1, 1), True, False),
        ((3, 0), True, False),
        ((-1, 0), False, False),
        ((0, -1), False, False),
        ((4, 0), False, False),
        ((0, 4), False, False),
    ],
)
def test_off_the_map_nothing_is_empty(
    view: BoardView, square: tuple[int, int], *, on_map: bool, empty: bool
) -> None:
    assert (view.is_on_map(*square), view.is_empty(*square)) == (on_map, empty)


def test_neighbors_stand_on_the_four_sides(board: Board, view: BoardView) -> None:
    assert ids(view.neighbors(board.slimes[1])) == [6, 4, 3]
    assert ids(view.neighbors(board.slimes[2])) == []


def test_around_are_eight_squares(board: Board, view: BoardView) -> None:
    assert ids(view.around(board.slimes[1])) == [3, 6, 4, 7]


def test_empty_squares_beside_and_around(board: Board, view: BoardView) -> None:
    slime = board.slimes[1]
    assert view.empty_beside(slime) == [(1, 2)]
    assert view.empty_around(slime) == [(0, 0), (2, 0), (0, 2), (1, 2)]
    assert view.empty_beside(board.slimes[2]) == [(1, 3), (0, 2)]


def test_distance_counts_steps(board: Board, view: BoardView) -> None:
    assert view.distance(board.slimes[1], board.plants[5]) == 3
    assert distance(board.plants[5], board.slimes[1]) == 3


def test_the_nearest_of_each_kind(board: Board, view: BoardView) -> None:
    slime = board.slimes[1]
    assert view.nearest_plant(slime) is board.plants[3]
    assert view.nearest_friend(slime) is board.slimes[6]
    assert view.nearest_enemy(slime) is board.slimes[7]


def test_the_nearest_of_those_that_are_wanted(board: Board, view: BoardView) -> None:
    slime = board.slimes[1]
    assert view.nearest_plant(slime, lambda plant: plant.level == 2) is board.plants[5]
    assert view.nearest_enemy(slime, lambda enemy: enemy.level == 1) is board.slimes[2]
    assert view.nearest_friend(slime, lambda friend: friend.level > 1) is None


def test_a_slime_remembered_from_an_earlier_turn_is_not_its_own_nearest_friend() -> None:
    board = a_board("A . C B", C=a_slime(3))
    view, remembered = BoardView(board, 1), board.slimes[1]
    play(board, "RIGHT")
    assert view.nearest(remembered, view.friends) is board.slimes[3]
    assert view.nearest_friend(remembered) is board.slimes[3]


def test_a_square_without_an_id_has_a_nearest_piece(board: Board, view: BoardView) -> None:
    square: Any = SimpleNamespace(x=3, y=3)
    assert view.nearest(square, view.plants) is board.plants[5]


@given(
    st.sets(st.tuples(st.integers(0, 11), st.integers(0, 8)), min_size=FEW_PLANTS + 1),
    st.tuples(st.integers(0, 11), st.integers(0, 8)),
    st.integers(1, 30),
)
def test_among_many_plants_the_nearest_is_that_with_the_lowest_id(
    squares: set[tuple[int, int]], here: tuple[int, int], every: int
) -> None:
    plants = {
        number: replace(a_plant(number), x=x, y=y)
        for number, (x, y) in enumerate(sorted(squares, key=hash), 1)
    }
    view = BoardView(Board(some_settings(columns=12, rows=9), plants=plants), 1)
    square: Any = SimpleNamespace(x=here[0], y=here[1])

    def wanted(plant: Plant) -> bool:
        return plant.id % every == 0

    assert view.nearest_plant(square) is view.nearest(square, view.plants)
    assert view.nearest_plant(square, wanted) is view.nearest(square, filter(wanted, view.plants))


def test_a_piece_is_asked_about_only_where_it_would_be_the_nearest() -> None:
    view, asked = BoardView(a_board("A . p . q . r", q=a_plant(4), r=a_plant(5)), 1), list[int]()

    def wanted(plant: Plant) -> bool:
        asked.append(plant.id)
        return True

    nearest = view.nearest_plant(view.slimes[0], wanted)
    assert nearest is not None
    assert nearest.id == 3
    assert asked == [3]


def test_enemies_beside_are_those_that_could_bite_there(board: Board, view: BoardView) -> None:
    slime, enemy = board.slimes[1], board.slimes[7]
    assert view.enemies_beside(slime) == []
    assert view.enemies_beside((1, 2)) == [enemy]
    assert view.enemies_beside((0, 2)) == [board.slimes[2]]
    assert view.enemies_beside(board.plants[4]) == [enemy]
    assert BoardView(board, 2).enemies_beside((0, 0)) == [board.slimes[6]]


def test_a_lonely_slime_has_no_nearest_friend() -> None:
    board = a_board("A . B")
    assert BoardView(board, 1).nearest_friend(board.slimes[1]) is None


@given(st.randoms(use_true_random=False))
def test_the_nearest_is_the_first_of_the_fewest_steps(dice: Any) -> None:
    squares = dice.sample([(x, y) for x in range(8) for y in range(8)], 10)
    pieces: list[Piece] = [
        replace(a_plant(number), x=x, y=y) for number, (x, y) in enumerate(squares, 1)
    ]
    start = pieces[dice.randrange(10)]
    others = [piece for piece in pieces if piece is not start]
    nearest = BoardView(a_board("A . B"), 1).nearest(start, pieces)
    assert nearest is min(others, key=lambda piece: (distance(start, piece), piece.id))


def test_counting_within_some_steps(board: Board, view: BoardView) -> None:
    slime = board.slimes[1]
    assert [view.count(view.plants, slime, steps) for steps in range(4)] == [0, 2, 2, 3]
    assert view.count(view.friends, slime, within=0) == 1


def test_a_path_leads_beside_the_target(board: Board, view: BoardView) -> None:
    slime = board.slimes[1]
    assert view.path(slime, board.plants[5]) == [(1, 2), (1, 3)]
    assert view.path(slime, board.plants[3]) == []


def test_the_first_step_towards_a_target(board: Board, view: BoardView) -> None:
    slime = board.slimes[1]
    assert view.step_towards(slime, board.plants[5]) == "DOWN"
    assert view.step_towards(slime, board.plants[3]) is None
    assert view.step_towards(board.rocks[8], slime) is None


@pytest.mark.parametrize(
    ("square", "down", "up"),
    [
        ((0, 1), "LEFT", "LEFT"),
        ((2, 1), "RIGHT", "RIGHT"),
        ((1, 0), "UP", "DOWN"),
        ((1, 2), "DOWN", "UP"),
        ((2, 2), None, None),
        ((1, 1), None, None),
        ((3, 1), None, None),
    ],
)
def test_a_direction_is_the_command_that_leads_there(
    square: tuple[int, int], down: str | None, up: str | None
) -> None:
    for y_up, expected in ((False, down), (True, up)):
        board = a_board(CROWD, C=a_slime(4), D=an_enemy(5), q=a_plant(6), r=a_plant(7), y_up=y_up)
        view, slime = BoardView(board, 1), board.slimes[1]
        assert view.direction(slime, square) == expected
        if expected and board.is_empty(*square):
            play(board, expected)
            assert (board.slimes[1].x, board.slimes[1].y) == square


@pytest.mark.parametrize("number", [np.int64, np.uint8, np.float64, np.array, float])
def test_numbers_of_every_library_are_numbers_on_the_map(view: BoardView, number: Any) -> None:
    if number is not np.array:  # an array is no key of a dict
        assert view.at(number(1), number(1)) == view.at(1, 1) is not None
        assert (view.is_on_map(number(3), 1), view.is_empty(number(0), number(0))) == (True, True)
    slime = view.friends[0]
    square: Any = np.array([number(slime.x + 1), number(slime.y)])
    assert view.direction(slime, square) == view.direction(slime, square.tolist()) == "RIGHT"
    assert view.enemies_beside(square) == view.enemies_beside((slime.x + 1, slime.y))


def test_a_bite_is_the_command_that_bites_the_target(board: Board, view: BoardView) -> None:
    slime = board.slimes[1]
    assert view.bite(slime, board.plants[3]) == "BITEUP"
    assert view.bite(slime, board.plants[4]) == "BITERIGHT"
    assert view.bite(slime, board.slimes[7]) is None
