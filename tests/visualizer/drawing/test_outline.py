"""The squares of blocks as rectangles, and the lines around them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visualizer.drawing.outline import HEADINGS, STEPS, Outline, make_outline, parse_cells

DRAWINGS = ("##", "##/#.", ".#./###/.#.", "###/#../###", "###/#.#/###", "#####/#####")
drawings = st.lists(st.text("#.", min_size=5, max_size=5), min_size=1, max_size=5).map("/".join)


def edge_strips(outline: Outline, width: float) -> list[tuple[float, ...]]:
    lines = [10.0 * n for n in range(9)], [10.0 * n for n in range(9)]
    return [edge.strip(lines, width) for edge in outline.edges]


@given(drawing=drawings)
def test_boxes_cover_every_square_once(drawing: str) -> None:
    covered = [
        (x, y)
        for box in make_outline(drawing, "").boxes
        for x in range(box.left, box.right)
        for y in range(box.top, box.bottom)
    ]
    assert sorted(covered) == sorted(parse_cells(drawing))


@given(drawing=drawings)
def test_every_side_without_a_neighbor_is_on_an_edge(drawing: str) -> None:
    lit = set(parse_cells(drawing))
    bare = sum((x + dx, y + dy) not in lit for x, y in lit for dx, dy in STEPS)
    assert sum(edge.stop - edge.start for edge in make_outline(drawing, "").edges) == bare


@given(drawing=drawings)
def test_lines_along_the_edges_stay_inside(drawing: str) -> None:
    lit = set(parse_cells(drawing))
    for left, top, right, bottom in edge_strips(make_outline(drawing, ""), 2):
        assert right > left
        assert bottom > top
        for x in range(int(left), int(right)):
            for y in range(int(top), int(bottom)):
                assert (x // 10, y // 10) in lit


def test_lines_meet_where_a_block_turns_inwards() -> None:
    strips = edge_strips(make_outline("##/#.", ""), 2)
    assert (8, 8, 10, 20) in strips  # the right one goes on into the corner above it
    assert (8, 8, 20, 10) in strips  # and so does the lower one to its left


def test_few_rectangles_make_a_large_block() -> None:
    outline = make_outline("#####/#####", "E")
    assert len(outline.boxes) == 1
    assert len(outline.edges) == 4


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_the_front_is_one_side_of_each_line(drawing: str) -> None:
    lit = parse_cells(drawing)
    for heading, front in enumerate(HEADINGS):
        lines = {cell[1 - heading % 2] for cell in lit}
        length = sum(edge.stop - edge.start for edge in make_outline(drawing, front).front)
        assert length == len(lines)


def test_a_hole_has_no_front() -> None:
    [front] = make_outline("###/#.#/###", "E").front
    assert (front.at, front.start, front.stop) == (3, 0, 3)
    assert make_outline("###/#.#/###", "").front == ()


def test_an_edge_knows_the_square_in_its_middle() -> None:
    squares = [make_outline("###/###/###", front).front[0].square for front in HEADINGS]
    assert squares == [(2, 1), (1, 2), (0, 1), (1, 0)]
