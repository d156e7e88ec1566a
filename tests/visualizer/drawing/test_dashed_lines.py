"""Broken lines."""

from unittest.mock import Mock

import pytest

from visualizer.drawing.geometry import Point
from visualizer.drawing.score_graph import draw_curve, split_into_dashes
from visualizer.theme import TEAM_COLORS


def test_a_straight_line_is_drawn_and_left_out_in_turns() -> None:
    pieces = split_into_dashes([(0, 0), (10, 0)], (3, 2))
    assert list(pieces) == [((0, 0), (3, 0)), ((5, 0), (8, 0))]


def test_the_last_dash_ends_with_the_line() -> None:
    pieces = split_into_dashes([(0, 0), (0, 6)], (3, 2))
    assert list(pieces) == [((0, 0), (0, 3)), ((0, 5), (0, 6))]


def test_dashes_and_gaps_go_on_around_a_corner() -> None:
    corner = [(0.0, 0.0), (4.0, 0.0), (4.0, 10.0)]
    assert list(split_into_dashes(corner, (3, 2))) == [
        ((0, 0), (3, 0)),
        ((4, 1), (4, 4)),
        ((4, 6), (4, 9)),
    ]
    assert list(split_into_dashes(corner, (5, 1))) == [
        ((0, 0), (4, 0)),
        ((4, 0), (4, 1)),
        ((4, 2), (4, 7)),
        ((4, 8), (4, 10)),
    ]


@pytest.mark.parametrize("line", [[], [(1.0, 1.0)], [(1.0, 1.0), (1.0, 1.0)]], ids=len)
def test_of_no_line_nothing_is_drawn(line: list[Point]) -> None:
    assert list(split_into_dashes(line, (3, 2))) == []


def test_many_short_pieces_look_like_one_long_one() -> None:
    pieces = [(x / 10, 0.0) for x in range(101)]
    drawn = sum(stop[0] - start[0] for start, stop in split_into_dashes(pieces, (3, 2)))
    assert drawn == pytest.approx(6)


def test_the_lines_of_all_teams_have_dashes_of_their_own() -> None:
    looks = set()
    for color in TEAM_COLORS:
        draws = Mock(px=lambda points: points)
        draw_curve(draws, [(0, 0), (40, 0)], 2, color)
        looks.add(tuple(tuple(call.args[0]) for call in draws.line.call_args_list))
    assert len(looks) == len(TEAM_COLORS)
