"""Counting who met whom."""

import numpy as np
import pytest

from runners.statistics.comparisons import make_pairwise_table
from runners.statistics.scores import PairwiseResults, Score, SideSwappedSet, Total
from tests.runners.side_swapped import a_pair, pairs, round_robin


@pytest.mark.slow
def test_equal_outcomes_are_only_counted() -> None:
    pairwise_results = PairwiseResults(pairs(0, 1, won=60_000, even=30_000, lost=10_000))
    assert pairwise_results.counts == {
        ((0, 1, 4, 2),): 60_000,
        ((0, 1, 2, 2),): 30_000,
        ((0, 1, 0, 2),): 10_000,
    }
    assert pairwise_results.totals() == {(0, 1): Total(points=150_000, games=200_000, sets=100_000)}


def test_half_a_pair_counts_as_one_match() -> None:
    pairwise_results = PairwiseResults([SideSwappedSet(0, a_pair(2, 1, (1.0, 0.0)).scores[:1])])
    assert pairwise_results.totals() == {(1, 2): Total(points=0.0, games=1, sets=1)}


def test_of_a_table_each_two_have_met() -> None:
    pairwise_results = PairwiseResults([SideSwappedSet(0, (Score((2, 0, 1), (3.0, 2.0, 1.0)),))])
    assert pairwise_results.counts == {((0, 1, 2, 1), (0, 2, 0, 1), (1, 2, 0, 1)): 1}
    assert pairwise_results.entrants == [0, 1, 2]


def test_arrays_add_up_to_the_totals() -> None:
    chance = np.random.default_rng(1)
    pairwise_results = PairwiseResults(round_robin([0.0, 0.5, -0.5, 1.0], 4, chance))
    table = make_pairwise_table(pairwise_results)
    points, games = table.totals(table.counts)
    assert {
        (int(one), int(other)): (own, played)
        for one, other, own, played in zip(table.first, table.second, points, games, strict=True)
    } == {pair: (total.points, total.games) for pair, total in pairwise_results.totals().items()}


@pytest.mark.parametrize("field", [(10, 30), (30, 10, 99)])
def test_arrays_can_be_cut_down_to_some(field: tuple[int, ...]) -> None:
    pairwise_results = PairwiseResults(pairs(10, 20, won=3) + pairs(10, 30, won=2, lost=1))
    table = make_pairwise_table(pairwise_results, field)
    assert table.entrants == tuple(sorted(field))
    points, games = table.totals(table.counts)
    assert (table.first.tolist(), table.second.tolist()) == ([0], [1])
    assert (points.tolist(), games.tolist()) == ([4.0], [6.0])
