"""Terrain, and what the teams begin with (docs/rules/smac.md 2)."""

from collections import Counter

import pytest

from engine.games.smac import events as ev
from engine.games.smac.placement import free_centers
from engine.games.smac.settings import Characteristics, Settings
from engine.games.smac.setup import draw_terrain, set_up
from engine.games.smac.state import new_dish
from engine.games.smac.terrain import PLAIN, TERRAINS, TRAITS, terrain_names
from engine.streams import Stream, Streams
from tests.engine.advancing import advance


def draw(seed: int = 1, **settings: object) -> bytearray:
    return draw_terrain(Settings(**settings), 2, Stream(b"%d" % seed))  # type: ignore[arg-type]


@pytest.mark.parametrize(("teams", "side"), [(2, 20), (3, 24), (4, 28), (6, 36)])
def test_2_1_the_board_grows_with_the_teams(teams: int, side: int) -> None:
    dish = new_dish(Settings(), teams)
    assert (dish.side, len(dish.terrain)) == (side, side * side)


def test_2_1_a_side_that_is_set_is_the_side() -> None:
    assert new_dish(Settings(side=17), 2).side == 17


def test_2_2_a_trait_is_minus_nothing_or_plus_and_a_cell_has_three() -> None:
    assert len(set(TERRAINS)) == 27
    for terrain in TERRAINS:
        for minus, plus in TRAITS:
            assert terrain & (minus | plus) in (0, minus, plus)
    assert terrain_names(TERRAINS[-1]) == ("SUGAR", "HILL", "BASE")
    assert terrain_names(PLAIN) == ()


def test_2_3_terrain_is_a_share_of_all_cells_and_its_traits_are_as_likely() -> None:
    boards = [draw(seed, symmetric_terrain=False) for seed in range(100)]
    cells = [terrain for board in boards for terrain in board if terrain != PLAIN]
    assert len(cells) / (100 * 400) == pytest.approx(0.12, abs=0.01)
    kinds = Counter(cells)
    assert set(kinds) == set(TERRAINS) - {PLAIN}
    # One of each trait: a cell with none of them is drawn again, which 1 in 8 is.
    for minus, plus in TRAITS:
        for flag in (minus, plus):
            share = sum(bool(terrain & flag) for terrain in cells) / len(cells)
            assert share == pytest.approx(2 / 7, abs=0.03)


def test_2_3_a_symmetric_board_looks_the_same_turned_around() -> None:
    for side in (12, 13):
        board = draw(side=side, terrain_pct=30)
        assert board == board[::-1]
    board = draw(symmetric_terrain=False)
    assert board != board[::-1]


@pytest.mark.parametrize("teams", [2, 6])
@pytest.mark.parametrize("terrain_pct", [12, 40, 100])
def test_2_3_a_board_has_room_for_ten_centers_per_team_and_is_found(
    teams: int, terrain_pct: int
) -> None:
    dish = new_dish(Settings(side=16, terrain_pct=terrain_pct), teams)
    advance(dish, set_up(dish, Streams(1)))
    assert len(free_centers(dish, 1)) >= 10 * teams


def test_2_3_terrain_is_told_once_and_the_same_seed_gives_the_same() -> None:
    first, second = (new_dish(Settings(), 2) for _ in range(2))
    events = advance(first, set_up(first, Streams(7)))
    assert events == advance(second, set_up(second, Streams(7)))
    laid = events[0]
    assert isinstance(laid, ev.TerrainLaid)
    assert {cell: first.terrain[cell] for cell in laid.cells} == dict(
        zip(laid.cells, laid.terrains, strict=True)
    )
    assert sum(map(bool, first.terrain)) == len(laid.cells)


def test_4_3_stacking_begins_with_a_point_and_all_others_with_none() -> None:
    dish = new_dish(Settings(), 2)
    events = advance(dish, set_up(dish, Streams(1)))
    begins = Characteristics(stacking=1)
    assert events[1:] == [ev.Endowed(1, 20_000, begins), ev.Endowed(2, 20_000, begins)]
    assert dish.team(1).levels == begins
