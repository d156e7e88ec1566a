"""How a soldier finds its way."""

from collections.abc import Collection
from typing import Any

import pytest

from engine.games.game_of_death import pathfinding as ways
from engine.games.game_of_death.geometry import SIDES, STEPS, Cell
from engine.games.game_of_death.pathfinding import MovementMap, find_path

BREAKING = {"forward": 10, "right": 30, "backward": 10, "left": 30}


def ground(
    bodies: Collection[Cell] = (), shapes: Collection[Cell] = (), **more: Any
) -> MovementMap:
    usual: dict[str, Any] = {
        "steps": dict(zip(SIDES, STEPS, strict=True)),
        "speed": 1,
        "clearing": BREAKING,
        "columns": range(20),
        "rows": range(10),
        "homes": set(),
    }
    return MovementMap(**{**usual, **more}, bodies=set(bodies), shapes=set(shapes))


def cells(here: Cell, way: Collection[str]) -> list[Cell]:
    """Return where a way leads, step by step."""
    places = [here]
    for direction in way:
        du, dv = STEPS[SIDES.index(direction)]
        places.append((places[-1][0] + du, places[-1][1] + dv))
    return places[1:]


def wall(u: int, *, gap: int | None = None) -> set[Cell]:
    return {(u, v) for v in range(10) if v != gap}


def test_straight_where_nothing_is_in_the_way() -> None:
    assert list(find_path(ground(), (3, 4), (7, 4), {(7, 4)})) == ["forward"] * 4


def test_nowhere_from_where_it_ends() -> None:
    assert not find_path(ground(), (3, 4), (3, 4), {(3, 4)})


def test_around_a_wall_while_that_is_quicker_than_breaking_it() -> None:
    passed = cells((4, 5), find_path(ground(wall(5, gap=2)), (4, 5), (6, 5), {(6, 5)}))
    assert (5, 2) in passed
    assert len(passed) == 8


def test_through_a_wall_that_is_quicker_to_break() -> None:
    assert cells((4, 9), find_path(ground(wall(5, gap=0)), (4, 9), (6, 9), {(6, 9)})) == [
        (5, 9),
        (6, 9),
    ]


def test_breaks_where_it_hits_hard() -> None:
    """A body beside it takes three times as long as one in front."""
    bodies = {(3, 5), (4, 4)}
    passed = cells((3, 4), find_path(ground(bodies, rows=range(4, 6)), (3, 4), (4, 5), {(4, 5)}))
    assert passed == [(4, 4), (4, 5)]


def test_never_over_a_home_or_the_edge() -> None:
    shut = wall(5)
    field = ground(homes=shut)
    way = find_path(field, (2, 3), (8, 3), {(8, 3)})
    assert cells((2, 3), way)[-1] == (4, 3)  # the nearest there is


@pytest.mark.parametrize(("depth", "is_around"), [(2, True), (4, False)])
def test_others_may_leave_so_they_cost_some_turns(depth: int, is_around: bool) -> None:
    """Around the houses are 6 steps more, or 10; somebody in the street costs 8."""
    houses = {(u, v) for u in range(3, 7) for v in range(1, depth + 1)}
    way = find_path(ground(shapes={(5, 0)}, homes=houses), (2, 0), (8, 0), {(8, 0)})
    assert ((5, 0) not in cells((2, 0), way)) == is_around
    assert len(way) == (12 if is_around else 6)


def test_of_ways_as_long_it_takes_the_right_hand_one() -> None:
    rock = {(5, 4)}
    there = find_path(ground(homes=rock), (3, 4), (7, 4), {(7, 4)})
    back = find_path(ground(homes=rock), (7, 4), (3, 4), {(3, 4)})
    assert {v for _, v in cells((3, 4), there)} == {4, 5}
    assert {v for _, v in cells((7, 4), back)} == {3, 4}


def test_no_first_step_to_where_a_shape_is() -> None:
    way = find_path(ground(shapes={(4, 4)}), (3, 4), (7, 4), {(7, 4)})
    assert way[0] != "forward"


def test_shut_in_by_shapes_there_is_no_way() -> None:
    around = {(2, 4), (4, 4), (3, 3), (3, 5)}
    assert not find_path(ground(shapes=around), (3, 4), (7, 4), {(7, 4)})


def test_with_too_many_places_it_leads_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways, "MAX_PLACES", 5)
    way = find_path(ground(), (0, 4), (19, 4), {(19, 4)})
    assert 0 < len(way) < 19
    assert set(way) == {"forward"}
