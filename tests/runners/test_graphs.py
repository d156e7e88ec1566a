"""Groups and pairs in graphs of who met whom, by both libraries."""

from collections.abc import Callable, Iterable
from itertools import combinations
from random import Random

import pytest

from runners import graphs
from runners.graphs import Edge, cheapest_pairs, connected_components

Pairing = Callable[[int, dict[Edge, int]], Iterable[Edge]]


def make_costs(count: int, seed: int) -> dict[Edge, int]:
    rng = Random(seed)
    return {edge: rng.randrange(20) for edge in combinations(range(count), 2)}


def total(pairs: Iterable[Edge], costs: dict[Edge, int]) -> int:
    return sum(costs[min(pair), max(pair)] for pair in pairs)


def test_those_that_are_linked_by_way_of_others_are_one_group() -> None:
    edges = [(1, 2), (5, 2), (7, 9)]
    assert connected_components([1, 2, 4, 5, 7, 9], edges) == [[1, 2, 5], [4], [7, 9]]


def test_nobody_is_in_no_group() -> None:
    assert connected_components([], []) == []


def test_all_are_paired_at_the_lowest_cost() -> None:
    costs = {(0, 1): 1, (0, 2): 5, (0, 3): 5, (1, 2): 5, (1, 3): 5, (2, 3): 20}
    assert cheapest_pairs(4, costs) == [(0, 2), (1, 3)]


@pytest.mark.parametrize("pair", [graphs._pairs_by_rustworkx, graphs._pairs_by_networkx])
@pytest.mark.parametrize("count", [2, 6, 7, 20])
def test_both_libraries_pair_everybody_as_cheaply(pair: Pairing, count: int) -> None:
    for seed in range(10):
        costs = make_costs(count, seed)
        pairs = list(pair(count, costs))
        assert len({node for edge in pairs for node in edge}) == count // 2 * 2
        assert total(pairs, costs) == total(cheapest_pairs(count, costs), costs)


def test_where_rustworkx_has_no_wheel_networkx_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "find_spec", lambda name: None)
    monkeypatch.setattr(graphs, "_pairs_by_rustworkx", None)  # cannot be called
    assert cheapest_pairs(2, {(0, 1): 3}) == [(0, 1)]
