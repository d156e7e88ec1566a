"""Sets of cells as bits, against counting cell by cell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.smac.grid import AT_LEAST, EQUALS, HAS_FLAG, make_grid, make_mask

SIDES = (3, 4, 7)
cases = st.sampled_from(SIDES).flatmap(
    lambda side: st.tuples(st.just(side), st.sets(st.integers(0, side * side - 1)))
)


@given(case=cases, need=st.integers(0, 8))
def test_neighbors_are_counted_as_one_by_one(case: tuple[int, set[int]], need: int) -> None:
    side, cells = case
    grid = make_grid(side)
    counts = grid.neighbors(grid.mask(cells))
    around = {
        cell: sum(other in cells for other in grid.block(cell) if other != cell)
        for cell in range(grid.size)
    }
    expected = {cell for cell, count in around.items() if count >= need}
    assert set(grid.cells(grid.at_least(counts, need))) == expected


@pytest.mark.parametrize("side", SIDES)
def test_2_1_no_neighbor_is_across_the_edge(side: int) -> None:
    grid = make_grid(side)
    for cell in range(grid.size):
        near = grid.at_least(grid.neighbors(grid.mask([cell])), 1)
        assert set(grid.cells(near)) == {*grid.block(cell)} - {cell}


@given(case=cases)
def test_a_set_spreads_to_all_its_neighbors(case: tuple[int, set[int]]) -> None:
    side, cells = case
    grid = make_grid(side)
    expected = {part for cell in cells for part in grid.block(cell)}
    assert set(grid.cells(grid.spread(grid.mask(cells)))) == expected


@given(case=cases)
def test_a_set_and_its_cells_are_the_same(case: tuple[int, set[int]]) -> None:
    side, cells = case
    grid = make_grid(side)
    assert grid.cells(grid.mask(cells)) == tuple(sorted(cells))


@given(layer=st.binary(min_size=16, max_size=16), value=st.integers(1, 255))
def test_a_layer_is_read_by_its_values(layer: bytes, value: int) -> None:
    grid = make_grid(4)
    cells = range(16)
    assert set(grid.cells(make_mask(layer, AT_LEAST[value]))) == {
        cell for cell in cells if layer[cell] >= value
    }
    assert set(grid.cells(make_mask(layer, EQUALS[value]))) == {
        cell for cell in cells if layer[cell] == value
    }
    assert set(grid.cells(make_mask(layer, HAS_FLAG[8]))) == {
        cell for cell in cells if layer[cell] & 8
    }


@pytest.mark.parametrize("side", SIDES)
def test_2_1_cells_inside_have_eight_neighbors_and_the_board_has_no_wrap_around(side: int) -> None:
    grid = make_grid(side)
    inside = {grid.cell(x, y) for x in range(1, side - 1) for y in range(1, side - 1)}
    assert set(grid.cells(grid.inner)) == inside
    assert {len(grid.block(cell)) for cell in inside} == {9}
    assert len(grid.block(0)) == 4
    assert grid.distance(grid.cell(0, 0), grid.cell(2, 1)) == 2
    assert grid.xy(grid.cell(1, 2)) == (1, 2)
