"""What is seen of the moves of recorded matches, picture by picture."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tests.cases import for_each
from tests.views.matches import MATCHES, load_timeline
from visualizer.backends.pillow.painter import Painter
from visualizer.drawing.frame_cursor import FrameCursor
from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import MOVES

FPS, SIZE = 30, (640, 360)
FIRST, TURNS = 12, 4
VISIBLE = 12
"""By how much a pixel differs that looks different, of 255."""


def draw_frames(name: str) -> Iterator[tuple[float, NDArray[np.int16]]]:
    """Yield the pictures of some turns at normal speed, each with its time in turns."""
    timeline = load_timeline(name)
    painter, frame = Painter(timeline, Sprites(name), SIZE), FrameCursor(timeline)
    per_turn = FPS / timeline.scene.turns_per_s
    for number in range(round(TURNS * per_turn) + 1):
        time = FIRST + number / per_turn
        frame.go_to_time(time)
        yield time, np.asarray(painter.paint(frame), np.int16)


@for_each("name", MATCHES)
def test_most_pictures_of_a_move_differ_from_the_one_before(name: str) -> None:
    before, changed = None, list[bool]()
    for time, picture in draw_frames(name):
        if before is not None and 0 < time % 1 <= MOVES:
            changed.append(bool((abs(picture - before) > VISIBLE).any()))
        before = picture
    assert sum(changed) > 0.7 * len(changed)


@for_each("name", MATCHES)
def test_a_played_turn_ends_with_the_picture_of_that_turn(name: str) -> None:
    timeline = load_timeline(name)
    painter, frame = Painter(timeline, Sprites(name), SIZE), FrameCursor(timeline)
    for tenths in range(11):
        frame.go_to_time(FIRST + tenths / 10)
        played = painter.paint(frame).tobytes()
    frame.go_to(timeline.turn_end(FIRST + 1))
    assert played == painter.paint(frame).tobytes()
