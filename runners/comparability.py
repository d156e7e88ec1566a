"""Whose strengths can be compared: who is linked to whom by points taken."""

from collections.abc import Iterable
from typing import TypeAlias

import msgspec
import rustworkx

Graph: TypeAlias = "rustworkx.PyDiGraph[int, None]"


class Groups(msgspec.Struct, frozen=True, kw_only=True):
    """A field, split by what its results can say.

    Inside a group everybody is linked to everybody by points taken, directly or by way of
    others, so that the results set their distances. Between groups they do not: somebody
    who never dropped a point to a group may be better by any amount.
    Source: L. R. Ford, Solution of a ranking problem from binary comparisons, American
    Mathematical Monthly 64 (1957).
    """

    main: tuple[int, ...]
    """The group by which the others are measured; empty where nobody met anybody."""
    above: tuple[tuple[int, ...], ...]
    """Groups that dropped no point to it, but took some, directly or by way of others; each
    comes after those it took points from."""
    below: tuple[tuple[int, ...], ...]
    """The other way round."""


def groups_of(scored: Iterable[tuple[int, int]]) -> Groups:
    """From who took points from whom. Who is in no group cannot be compared yet.

    The main group is the largest; of equals the one that can be compared with most others,
    then the one most in the middle.
    """
    links = sorted(set(scored))
    if not links:
        return Groups(main=(), above=(), below=())
    field = _graph({who for link in links for who in link}, links)
    members = sorted(
        tuple(sorted(field[node] for node in component))
        for component in rustworkx.strongly_connected_components(field)
    )
    of = {who: number for number, group in enumerate(members) for who in group}
    order = _graph(
        set(range(len(members))),
        [(of[one], of[other]) for one, other in links if of[one] != of[other]],
    )
    main = _main(order, members)
    above, below = rustworkx.ancestors(order, main), rustworkx.descendants(order, main)
    downwards = [int(number) for number in rustworkx.topological_sort(order)]
    return Groups(
        main=members[main],
        above=tuple(members[number] for number in reversed(downwards) if number in above),
        below=tuple(members[number] for number in downwards if number in below),
    )


def _graph(nodes: set[int], links: Iterable[tuple[int, int]]) -> Graph:
    """Nodes have the places of their numbers in order."""
    graph: Graph = rustworkx.PyDiGraph(multigraph=False)
    places = {node: graph.add_node(node) for node in sorted(nodes)}
    graph.add_edges_from_no_data([(places[one], places[other]) for one, other in links])
    return graph


def _main(order: Graph, members: list[tuple[int, ...]]) -> int:
    largest = max(map(len, members))
    candidates = [number for number, group in enumerate(members) if len(group) == largest]

    def worth(number: int) -> tuple[int, int, int, int]:
        above = len(rustworkx.ancestors(order, number))
        below = len(rustworkx.descendants(order, number))
        return above + below, -abs(above - below), above, -number

    return max(candidates, key=worth)
