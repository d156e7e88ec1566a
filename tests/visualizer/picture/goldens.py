"""Pictures that frames must look like: `python3 -m tests.visualizer.picture.goldens` renews them.

Look at them before you commit them.
"""

from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops, ImageFilter

from engine.replay import Replay
from tests.golden.record import path_of
from visualizer.film import Film
from visualizer.picture.frame_cursor import FrameCursor
from visualizer.picture.painter import Painter
from visualizer.sprites import Sprites

FOLDER = Path(__file__).parent / "golden"
LOUD = 40
"""Of 255: a difference that one sees."""
MOST_LOUD = 0.002
"""Of all pixels. Other versions of Pillow and FreeType set edges a little differently."""


class Golden(NamedTuple):
    match: str
    turn: int
    size: tuple[int, int]


GOLDENS = {
    "first_turn": Golden("small", 1, (640, 360)),
    "crowded": Golden("crowded", 30, (640, 360)),
    "end": Golden("small", 60, (640, 360)),
    "draw": Golden("crowded", 120, (480, 480)),
    "upright": Golden("small", 31, (360, 640)),
}


def paint(golden: Golden) -> Image.Image:
    film = Film(Replay(path_of(golden.match)))
    film.read_on()
    frame = FrameCursor(film)
    frame.go_to(film.end_of(golden.turn))
    return Painter(film, Sprites(film.replay.game.name), golden.size).paint(frame)


def file_of(name: str) -> Path:
    return FOLDER / f"{name}.png"


def loudness(one: Image.Image, other: Image.Image) -> float:
    """The share of pixels that differ so that one sees it."""
    difference = ImageChops.difference(one.convert("RGB"), other.convert("RGB")).convert("L")
    smooth = difference.filter(ImageFilter.BoxBlur(1))
    return sum(smooth.histogram()[LOUD:]) / (one.width * one.height)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, golden in GOLDENS.items():
        colours = paint(golden).quantize(256, dither=Image.Dither.NONE)
        colours.save(file_of(name), optimize=True)
