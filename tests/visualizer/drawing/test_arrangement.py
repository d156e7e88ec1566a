"""Parts of a scene side by side, or one below the other, whoever shows it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.visualizer.backends.arcade.timelines import a_model
from visualizer.backends.arcade.frame import WindowFrame
from visualizer.backends.terminal.colors import Abilities, Depth
from visualizer.backends.terminal.frame import Frames
from visualizer.backends.terminal.terminal_model import ReplayView, TerminalModel
from visualizer.drawing.arrangement import Arrangement, arrangements, stack_parts
from visualizer.drawing.picture_layout import layout_for
from visualizer.drawing.sprites import Sprites
from visualizer.model.cursor import Cursor
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Extent

LEFT, RIGHT = Extent(-1, 0, 4, 5), Extent(6, 0, 10, 3)
BELOW = stack_parts([LEFT, RIGHT])
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def test_upright_parts_lie_one_below_the_other_in_the_middle() -> None:
    assert BELOW.extent == Extent(-1, 0, 4, 8)
    assert BELOW.to_view(0, 1) == (0, 1)
    assert BELOW.to_view(6, 0) == (-0.5, 5)
    assert BELOW.to_view(10, 3) == (3.5, 8)


@given(st.floats(0, 1), st.floats(0, 1), st.sampled_from([LEFT, RIGHT]))
def test_what_is_shown_is_found_again(across: float, down: float, part: Extent) -> None:
    point = part.left + across * part.width * 0.99, part.top + down * part.height * 0.99
    assert BELOW.to_scene(*BELOW.to_view(*point)) == pytest.approx(point)


def test_a_scene_of_one_part_is_shown_as_it_is() -> None:
    whole = Arrangement(LEFT)
    assert whole.to_view(3, 4) == whole.to_scene(3, 4) == (3, 4)


def test_a_picture_takes_the_arrangement_with_the_larger_squares() -> None:
    thirds = [Extent(x, 0, x + 10, 10) for x in (0, 10, 20)]
    ways = [Arrangement(Extent(0, 0, 30, 10)), stack_parts(thirds)]
    lying, standing = (layout_for(size, ways, 2) for size in ((1280, 720), (720, 1280)))
    assert lying.fit.arrangement == ways[0]
    assert standing.fit.arrangement == ways[1]
    assert standing.board.width / standing.board.height == pytest.approx(1 / 3, rel=0.05)


@pytest.mark.parametrize(
    ("size", "is_upright"),
    [((1_600, 1_000), False), ((800, 1_000), False), ((800, 1_400), True)],
    ids=str,
)
def test_a_window_does_and_finds_what_is_pointed_at(
    smack_timeline: ReplayTimeline, size: tuple[int, int], is_upright: bool
) -> None:
    model = a_model(smack_timeline)
    frame = WindowFrame(model, *size, 1.0)
    fit = frame.fit(0)
    assert fit.arrangement == arrangements(smack_timeline.scene)[is_upright]
    for thing_id, thing in Cursor(smack_timeline).things.items():
        if "name" in smack_timeline.scene.kinds[thing.kind].facts and thing.kind != "words":
            target = frame.thing_at(*fit.to_pixels(thing.x, thing.y))
            assert target is not None
            assert target.thing_id == thing_id


@pytest.mark.parametrize(("size", "is_upright"), [((120, 30), False), ((60, 60), True)])
def test_a_terminal_does(
    smack_timeline: ReplayTimeline, size: tuple[int, int], is_upright: bool
) -> None:
    model = TerminalModel([ReplayView(smack_timeline, Sprites("smack"))])
    model.playback.pause()
    lines = Frames(model, Abilities(Depth.NONE, is_unicode=True)).draw(*size).text().splitlines()
    first, second = (
        next(y for y, line in enumerate(lines) if f"Board {number}" in line) for number in (1, 2)
    )
    assert (second > first) is is_upright
