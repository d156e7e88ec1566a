"""How a soldier finds its way."""

from collections.abc import Collection
from heapq import heappop, heappush
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.game_of_death.geometry import SIDES, STEPS, Cell
from engine.games.game_of_death.pathfinding import (
    WAITING_COST,
    MovementMap,
    Window,
    anchors_touching,
    distance,
    find_path,
)

WINDOW = Window(0, 0, 20, 10, 3)
BREAKING = {"forward": 10, "right": 30, "backward": 10, "left": 30}


def ground(
    bodies: Collection[Cell] = (), shapes: Collection[Cell] = (), **more: Any
) -> MovementMap:
    usual: dict[str, Any] = {
        "window": WINDOW,
        "steps": dict(zip(SIDES, STEPS, strict=True)),
        "speed": 1,
        "clearing": BREAKING,
        "columns": range(20),
        "rows": range(10),
        "homes": (),
    }
    usual |= {**more, "bodies": bodies, "shapes": shapes}
    for name in ("homes", "bodies", "shapes"):
        usual[name] = usual["window"].bits(filter(usual["window"].has, usual[name]))
    return MovementMap(**usual)


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


def test_a_goal_out_of_sight_is_walked_to_as_if_all_were_free_from_there_on() -> None:
    seen = Window(5, 2, 6, 6, 3)
    way = find_path(ground(window=seen), (7, 4), (18, 4), {(18, 4)})
    assert cells((7, 4), way) == [(8, 4), (9, 4), (10, 4)]


def test_it_leaves_what_is_seen_on_a_side_that_is_towards_the_goal() -> None:
    seen = Window(5, 2, 6, 6, 3)
    ahead = {(10, v) for v in range(2, 7)}
    around = find_path(ground(window=seen, homes=ahead), (7, 4), (18, 4), {(18, 4)})
    assert cells((7, 4), around)[-1] == (10, 7)
    shut = {(9, v) for v in range(2, 8)}
    on = find_path(ground(window=seen, homes=shut), (7, 4), (18, 4), {(18, 4)})
    assert cells((7, 4), on)[-1] == (8, 4)  # the nearest there is
    above = find_path(ground(window=seen, homes=shut), (7, 4), (18, 1), {(18, 1)})
    assert cells((7, 4), above)[-1] == (8, 2)


def test_a_place_off_the_grid_is_not_walked_to() -> None:
    assert not find_path(ground(), (3, 4), (30, 4), {(30, 4)})
    assert not find_path(ground(homes={(7, 4)}), (3, 4), (7, 4), {(7, 4)})


# -- the same costs as a search square by square ----------------------------------------------

places = st.tuples(st.integers(0, 13), st.integers(0, 8))
some_places = st.sets(places, max_size=40)


@given(
    here=places, goal=places, bodies=some_places, shapes=some_places, homes=some_places,
    speed=st.integers(1, 3), clearing=st.tuples(*[st.integers(1, 12)] * 4),
    heading=st.integers(0, 3),
)  # fmt: skip
def test_a_path_costs_as_much_as_that_of_dijkstra(
    here: Cell,
    goal: Cell,
    bodies: set[Cell],
    shapes: set[Cell],
    homes: set[Cell],
    speed: int,
    clearing: tuple[int, ...],
    heading: int,
) -> None:
    sides = (*STEPS[heading:], *STEPS[:heading])
    steps, turns = dict(zip(SIDES, sides, strict=True)), dict(zip(SIDES, clearing, strict=True))
    homes -= {here}
    extent = {"columns": range(14), "rows": range(9), "window": Window(0, 0, 14, 9, 2)}
    field = ground(bodies, shapes, homes=homes, speed=speed, clearing=turns, steps=steps, **extent)

    def price(before: Cell, direction: str) -> int | None:
        place = before[0] + steps[direction][0], before[1] + steps[direction][1]
        is_there = place[0] in range(14) and place[1] in range(9) and place not in homes
        if not is_there or (place in shapes and before == here):
            return None
        return speed + (place in shapes) * WAITING_COST + (place in bodies) * turns[direction]

    costs, heap = {here: 0}, [(0, here)]
    while heap:
        cost, place = heappop(heap)
        for direction, (du, dv) in steps.items():
            extra, new = price(place, direction), (place[0] + du, place[1] + dv)
            if extra is not None and cost + extra < costs.get(new, cost + extra + 1):
                costs[new] = cost + extra
                heappush(heap, (cost + extra, new))

    at, spent = here, 0
    for direction in find_path(field, here, goal, {goal}):
        extra = price(at, direction)
        assert extra is not None
        at, spent = (at[0] + steps[direction][0], at[1] + steps[direction][1]), spent + extra
    if goal in costs:
        assert (at, spent) == (goal, costs[goal])
    elif goal not in homes:
        assert distance(at, goal) == min(distance(place, goal) for place in costs)


@given(found=some_places, offsets=st.sets(st.tuples(*[st.integers(-2, 2)] * 2), min_size=1))
def test_where_a_shape_would_touch_cells(found: set[Cell], offsets: set[Cell]) -> None:
    window = Window(0, 0, 14, 9, 3)
    touched = anchors_touching(window.bits(found), offsets, window.stride)
    inside = window.rectangle(window.columns, window.rows)
    wanted = {(u - du, v - dv) for u, v in found for du, dv in offsets}
    assert set(window.cells(touched & inside)) == set(filter(window.has, wanted))


def test_cells_are_read_from_letters() -> None:
    window = Window(4, 2, 3, 2, 2)
    assert set(window.cells(window.cells_with_letters(("fx.", ".hf"), "fh"))) == {
        (4, 2),
        (5, 3),
        (6, 3),
    }
    assert not window.cells_with_letters(("fx.", ".hf"), "F")
