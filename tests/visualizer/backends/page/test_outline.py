"""The page sees blocks as the house does."""

from typing import Any

import pytest

from tests.visualizer.backends.page.conftest import Open
from visualizer.backends.page.bundling import WEB
from visualizer.drawing.outline import HEADINGS, make_outline
from visualizer.model.timeline import ReplayTimeline

DRAWINGS = (
    "#",
    "##",
    "##/#.",
    ".#./###/.#.",
    "###/#../###",
    "###/#.#/###",
    "#.#/###/#.#",
    "####/####",
)
SEEN = "(asked) => { %s\n return asked.map(([cells, front]) => findOutline(cells, front)); }"


@pytest.fixture(scope="module")
def asked() -> list[tuple[str, str]]:
    return [(cells, front) for cells in DRAWINGS for front in (*HEADINGS, "")]


@pytest.mark.slow
def test_outlines_are_those_of_the_house(
    race_timeline: Any, open_page: Open, asked: list[tuple[str, str]]
) -> None:
    timeline: ReplayTimeline = race_timeline()
    source = (WEB / "viewer/outline.js").read_text(encoding="utf-8").replace("export ", "")
    seen = open_page(timeline).run(SEEN % source, asked)
    for (cells, front), outline in zip(asked, seen, strict=True):
        ours = make_outline(cells, front)
        assert edge_tuples(outline["edges"]) == [tuple(edge) for edge in ours.edges]
        assert edge_tuples(outline["front"]) == [tuple(edge) for edge in ours.front]
        assert sorted(list_squares(outline["boxes"])) == sorted(ours.cells)


def edge_tuples(edges: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [
        (edge["heading"], edge["at"], edge["start"], edge["stop"], tuple(map(bool, edge["goesOn"])))
        for edge in edges
    ]


def list_squares(boxes: list[list[int]]) -> list[tuple[int, int]]:
    return [
        (x, y)
        for left, top, right, bottom in boxes
        for y in range(top, bottom)
        for x in range(left, right)
    ]
