"""Frames as pictures."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageColor

from engine.bot_output import Circle, Words
from engine.replays.writing import NotesAside
from tests.engine.recorded import record
from tests.golden.record import replay_path
from tests.visualizer.backends.pillow.goldens import (
    GOLDENS,
    MAX_LOUD_SHARE,
    golden_path,
    loudness,
    paint,
)
from tests.visualizer.conftest import MakeTimeline
from tests.visualizer.timelines import read_timeline
from tests.visualizer.toy import random_scripts
from visualizer.backends.pillow.painter import Painter, draw_board
from visualizer.drawing.frame_cursor import FrameCursor
from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import ReplayTimeline
from visualizer.theme import BACKGROUND

SIZE = (640, 360)


def a_timeline(path: Path) -> ReplayTimeline:
    return read_timeline(path)


@pytest.fixture(scope="module")
def timeline() -> ReplayTimeline:
    return a_timeline(replay_path("small"))


def paint_frame(
    timeline: ReplayTimeline, position: int, size: tuple[int, int] = SIZE
) -> Image.Image:
    frame = FrameCursor(timeline)
    frame.go_to(position)
    return Painter(timeline, Sprites(timeline.replay.game.name), size).paint(frame)


@pytest.mark.parametrize("name", GOLDENS)
def test_a_frame_looks_as_it_was_found_good(name: str) -> None:
    with Image.open(golden_path(name)) as golden:
        picture = paint(GOLDENS[name])
        assert picture.size == golden.size
        assert loudness(picture, golden) <= MAX_LOUD_SHARE


def test_a_board_alone_has_nothing_empty_around_it(timeline: ReplayTimeline) -> None:
    board = draw_board(timeline, Sprites("slime_mind"), (360, 240))
    for box in ((0, 0, board.width, 1), (0, 0, 1, board.height)):
        colors = [color for _, color in board.crop(box).getcolors() or ()]
        assert colors != [ImageColor.getrgb(BACKGROUND)]


def test_another_turn_does_not_look_the_same() -> None:
    golden = GOLDENS["crowded"]
    with Image.open(golden_path("crowded")) as picture:
        assert loudness(paint(golden._replace(turn=31)), picture) > MAX_LOUD_SHARE


def test_painting_on_gives_what_painting_anew_gives(timeline: ReplayTimeline) -> None:
    painter, frame = Painter(timeline, Sprites("slime_mind"), SIZE), FrameCursor(timeline)
    for turn in (60, 3, 4, 40):
        frame.go_to(timeline.turn_start(turn))
        frame.go_to(timeline.turn_end(turn))
        assert (
            painter.paint(frame).tobytes()
            == paint_frame(timeline, timeline.turn_end(turn)).tobytes()
        )


def test_the_result_is_told_above_and_below_the_board_at_the_end_alone(
    timeline: ReplayTimeline,
) -> None:
    last, before = paint_frame(timeline, timeline.steps), paint_frame(timeline, timeline.steps - 1)
    for line in ((0, 0, SIZE[0], 24), (0, SIZE[1] - 20, *SIZE)):
        assert ImageChops.difference(last.crop(line), before.crop(line)).getbbox() is not None


def test_strange_and_long_names_are_shown(timeline: ReplayTimeline) -> None:
    names = ("p\n\x1b[31m\u202elayer" * 40, "史莱姆 🐌 слизь")
    bots, sizes = timeline.replay.bots, (SIZE, (360, 640), (1080, 1080))
    plain = [paint_frame(timeline, timeline.steps, size).tobytes() for size in sizes]
    try:
        timeline.replay.bots = tuple(
            replace(bot, name=name, title=name, author=name)
            for bot, name in zip(bots, names, strict=True)
        )
        strange = [paint_frame(timeline, timeline.steps, size).tobytes() for size in sizes]
    finally:
        timeline.replay.bots = bots
    assert all(one != other for one, other in zip(plain, strange, strict=True))


def test_lost_rounds_are_marked(tmp_path: Path) -> None:
    record(tmp_path / "replay.jsonl.gz", faults_pct=60)
    timeline = a_timeline(tmp_path / "replay.jsonl.gz")
    assert timeline.forfeited_turns(1, 5) > 0
    paint_frame(timeline, timeline.turn_end(5))


@pytest.mark.parametrize("teams", [2, 3, 6])
@pytest.mark.parametrize(
    "size",
    [
        (960, 544),
        *(pytest.param(size, marks=pytest.mark.slow) for size in ((1080, 1080), (1080, 1920))),
    ],
    ids=str,
)
def test_another_game_needs_nothing_but_its_scene(
    teams: int, size: tuple[int, int], race_timeline: MakeTimeline
) -> None:
    timeline = race_timeline(*random_scripts(teams, seed=teams), columns=12)
    frames = {paint_frame(timeline, timeline.turn_end(turn), size).tobytes() for turn in range(6)}
    assert len(frames) == 6


@pytest.mark.parametrize(("size", "is_written"), [((320, 320), False), ((1920, 1080), True)])
def test_numbers_on_pieces_are_written_where_there_is_room(
    smac_timeline: ReplayTimeline, size: tuple[int, int], is_written: bool
) -> None:
    cursor = FrameCursor(smac_timeline)
    cursor.go_to(smac_timeline.steps)
    whole = Painter(smac_timeline, Sprites("smac"), size).paint(cursor).tobytes()
    numerals = [i for i, thing in cursor.things.items() if thing.kind == "numeral"]
    assert numerals
    for thing_id in numerals:
        del cursor.things[thing_id]
    painter = Painter(smac_timeline, Sprites("smac"), size)
    assert (painter.paint(cursor).tobytes() != whole) is is_written


def test_a_picture_has_what_bots_drew_only_if_that_is_asked_for(tmp_path: Path) -> None:
    record(tmp_path / "replay.jsonl.gz")
    timeline = a_timeline(tmp_path / "replay.jsonl.gz")
    frame = FrameCursor(timeline)
    frame.go_to(timeline.turn_end(5))
    sprites = Sprites("slime_mind")
    before = Painter(timeline, sprites, SIZE).paint(frame)
    timeline.notes.take(NotesAside(5, 1, 1, (Circle(3, 3, 2), Words(1, 1, "hm"))))
    assert Painter(timeline, sprites, SIZE).paint(frame) == before
    assert Painter(timeline, sprites, SIZE, has_drawings=True).paint(frame) != before
    frame.go_to(timeline.turn_end(6))
    without = Painter(timeline, sprites, SIZE).paint(frame)
    assert Painter(timeline, sprites, SIZE, has_drawings=True).paint(frame) == without
