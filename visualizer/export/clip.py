"""The source of an animation: frames that are drawn while they are written."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import msgspec
from PIL import Image


class Clip(msgspec.Struct, frozen=True, kw_only=True):
    """A sequence of pictures of one size."""

    size: tuple[int, int]
    fps: float
    ticks: Sequence[int]
    """How long each picture is shown, in 1 / fps of a second."""
    pictures: Callable[[], Iterator[Image.Image]]
    """Draws the pictures. Each is painted over when the next one is asked for."""
    samples: Callable[[], Image.Image]
    """Draws a picture with all colors of the others, for a common palette."""

    def picture_durations(self, step: int = 1) -> list[int]:
        """Yield how long each picture is shown, in whole steps; remainders carry over."""
        ends, tick = [0], 0
        for ticks in self.ticks:
            tick += ticks
            ends.append(round(tick * 1000 / self.fps / step) * step)
        return [end - begin for begin, end in pairwise(ends)]
