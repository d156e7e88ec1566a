"""Whose strengths can be compared: who is linked to whom by matches."""

from collections.abc import Iterable

import rustworkx

Pair = tuple[int, int]


def comparable(met: Iterable[Pair]) -> tuple[int, ...]:
    """The largest part of a field that matches hold together, directly or by way of others.

    Of equals the one with the lowest number in it; nobody where nobody met. Between such parts
    results say nothing.
    """
    pairs = sorted(set(met))
    field = sorted({who for pair in pairs for who in pair})
    places = {who: place for place, who in enumerate(field)}
    graph: rustworkx.PyGraph[int, None] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(field)
    graph.add_edges_from_no_data([(places[one], places[other]) for one, other in pairs])
    parts = [
        tuple(sorted(field[place] for place in part))
        for part in rustworkx.connected_components(graph)
    ]
    return max(parts, key=lambda part: (len(part), -part[0]), default=())
