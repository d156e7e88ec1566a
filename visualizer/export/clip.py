"""What an animation is written from: frames that are drawn while they are written."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import msgspec
from PIL import Image


class Clip(msgspec.Struct, frozen=True, kw_only=True):
    """Pictures of one size, one after the other."""

    size: tuple[int, int]
    fps: float
    ticks: Sequence[int]
    """How long each picture stands, in 1 / fps of a second."""
    pictures: Callable[[], Iterator[Image.Image]]
    """Draws them. A picture is painted over when the next one is asked for."""
    samples: Callable[[], Image.Image]
    """Draws one picture that has all the colours of the others."""

    def milliseconds(self, step: int = 1) -> list[int]:
        """How long each picture stands, in whole steps. What is rounded off comes later."""
        ends, tick = [0], 0
        for ticks in self.ticks:
            tick += ticks
            ends.append(round(tick * 1000 / self.fps / step) * step)
        return [end - begin for begin, end in pairwise(ends)]
