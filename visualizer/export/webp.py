"""WebP: all colors, about half the size of a GIF."""

from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from visualizer.export.clip import Clip

QUALITY = 78
EFFORT = 3
"""The effort of the encoder, of 6: one more takes twice the time for a tenth less."""


def write_webp(clip: Clip, path: Path) -> None:
    strip = Strip(clip.size, len(clip.ticks), clip.pictures())
    strip.save(
        path,
        "WEBP",
        save_all=True,
        duration=clip.milliseconds(),
        loop=0,
        quality=QUALITY,
        method=EFFORT,
        kmin=30,
        kmax=300,
    )


class Strip(Image.Image):
    """An image of many frames that are drawn on demand, forwards only.

    Pillow turns an iterator of frames into a list, and would hold them all in memory.
    """

    def __init__(self, size: tuple[int, int], count: int, pictures: Iterator[Image.Image]) -> None:
        super().__init__()
        self.im = Image.new("RGB", size).im
        self._mode = "RGB"
        self._size = size
        self.n_frames = count
        self._pictures = pictures
        self._next = 0

    def seek(self, frame: int) -> None:
        if frame == self._next:
            self._next += 1  # first: Pillow seeks back to 0 where drawing picture 0 was cut short
            self.paste(next(self._pictures))
