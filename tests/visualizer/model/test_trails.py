"""The ways of things that are carried: kept turn by turn, drawn back to where they begin."""

from collections.abc import Mapping

from engine.games.smac.settings import Settings
from visualizer.model.drawings import PATH
from visualizer.model.timeline import Trails
from visualizer.scenes.smac import SmacScene

Places = Mapping[int, tuple[float, float]]


class Carrying(SmacScene):
    """A scene whose state is what leaves a trail now."""

    def trails(self, state: Places) -> Places:  # type: ignore[override]
        return state


def make_trails(*turns: Places) -> Trails:
    trails = Trails(Carrying(Settings(), 2))
    for turn, places in enumerate(turns):
        trails.add(turn + 1, places)
    return trails


def numbers(trails: Trails, turn: int) -> list[tuple[float, ...]]:
    drawn = trails.at(turn)
    assert all(trail.form == PATH for trail in drawn)
    return [trail.numbers for trail in drawn]


def test_a_trail_goes_back_to_where_it_begins() -> None:
    trails = make_trails({}, {1: (4, 4)}, {1: (5, 4)}, {1: (5, 6)}, {})
    assert [numbers(trails, turn) for turn in range(5)] == [
        [],
        [],
        [(5, 4, 4, 4)],
        [(5, 6, 5, 4, 4, 4)],
        [],
    ]


def test_what_is_taken_again_leaves_a_new_trail() -> None:
    trails = make_trails({1: (1, 1)}, {1: (2, 1)}, {}, {1: (8, 8)}, {1: (8, 9)})
    assert numbers(trails, 4) == [(8, 9, 8, 8)]


def test_a_straight_way_is_one_line_and_one_back_is_not() -> None:
    trails = make_trails(*({2: (float(x), 3)} for x in (1, 2, 2, 3, 4, 3, 2)))
    assert numbers(trails, 4) == [(4, 3, 1, 3)]
    assert numbers(trails, 6) == [(2, 3, 4, 3, 1, 3)]


def test_each_team_has_a_trail_of_its_color() -> None:
    trails = make_trails({1: (1, 1), 2: (9, 9)}, {1: (1, 2), 2: (8, 9)})
    assert [trail.color for trail in trails.at(1)] == [
        SmacScene.team_color(team) for team in (1, 2)
    ]
    assert trails.points == [(0, 1, 1, 1), (0, 2, 9, 9), (1, 1, 1, 2), (1, 2, 8, 9)]


def test_turns_that_have_not_ended_have_none() -> None:
    trails = make_trails({1: (1, 1)}, {1: (2, 1)})
    assert trails.at(-1) == trails.at(2) == []


def test_turns_recorded_together_have_the_same_place() -> None:
    trails = Trails(Carrying(Settings(), 2))
    trails.add(1, {1: (1, 1)})
    trails.add(4, {1: (2, 1)})
    trails.add(3, {1: (7, 7)})
    assert numbers(trails, 3) == [(2, 1, 1, 1)]
