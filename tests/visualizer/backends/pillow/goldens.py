"""Reference images of frames.

`python3 -m tests.visualizer.backends.pillow.goldens` renews them.

Look at them before you commit them.
"""

from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops, ImageFilter

from tests.golden.record import replay_path
from tests.visualizer.timelines import read_timeline
from visualizer.backends.pillow.painter import Painter
from visualizer.drawing.frame_cursor import FrameCursor
from visualizer.drawing.sprites import Sprites

FOLDER = Path(__file__).parent / "golden"
LOUD = 40
"""One sees a difference of so much, of 255."""
MAX_LOUD_SHARE = 0.002
"""The share of all pixels. Other versions of Pillow and FreeType set edges a little differently."""


class Golden(NamedTuple):
    match: str
    turn: int
    size: tuple[int, int]


GOLDENS = {
    "first_turn": Golden("small", 1, (640, 360)),
    "crowded": Golden("crowded", 30, (640, 360)),
    "end": Golden("small", 60, (640, 360)),
    "square": Golden("crowded", 120, (480, 480)),
    "upright": Golden("small", 31, (360, 640)),
}


def paint(golden: Golden) -> Image.Image:
    timeline = read_timeline(replay_path(golden.match))
    frame = FrameCursor(timeline)
    frame.go_to(timeline.turn_end(golden.turn))
    return Painter(timeline, Sprites(timeline.replay.game.name), golden.size).paint(frame)


def golden_path(name: str) -> Path:
    return FOLDER / f"{name}.png"


def loudness(one: Image.Image, other: Image.Image) -> float:
    """The share of pixels that differ so that one sees it."""
    difference = ImageChops.difference(one.convert("RGB"), other.convert("RGB")).convert("L")
    smooth = difference.filter(ImageFilter.BoxBlur(1))
    return sum(smooth.histogram()[LOUD:]) / (one.width * one.height)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, golden in GOLDENS.items():
        colors = paint(golden).quantize(256, dither=Image.Dither.NONE)
        colors.save(golden_path(name), optimize=True)
