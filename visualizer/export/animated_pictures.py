"""GIF and WebP. A GIF has one palette for all pictures, and only the changed part of each."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.GifImagePlugin import getdata, getheader

from visualizer.export.clip import Clip

MAX_COLORS = 255
UNCHANGED = 255
"""The palette index of unchanged pixels, which is transparent."""
TICK_MS = 10
"""Milliseconds of a tick: GIF counts in hundredths of a second."""
GIF_TRAILER = b";"
WEBP_QUALITY = 78
WEBP_EFFORT = 3
"""The effort of the encoder, of 6: one more takes twice the time for a tenth less."""

Shades = NDArray[np.uint8]


def write_gif(clip: Clip, path: Path) -> None:
    """Write pictures one by one; Pillow's own writer keeps them all in memory."""
    palette = clip.samples().quantize(MAX_COLORS, Image.Quantize.MEDIANCUT, kmeans=1)
    before: Shades | None = None
    durations = clip.picture_durations(TICK_MS)
    with path.open("wb") as file:
        for picture, duration in zip(clip.pictures(), durations, strict=True):
            reduced = picture.quantize(palette=palette, dither=Image.Dither.NONE)
            shades = np.asarray(reduced)
            if before is None:
                file.writelines(getheader(reduced.copy(), info={"loop": 0})[0])
                changed, corner = reduced, (0, 0)
            else:
                changed, corner = _crop_changes(shades, before, reduced)
            lines = getdata(changed, corner, duration=duration, transparency=UNCHANGED, disposal=1)
            file.writelines(lines)
            before = shades
        file.write(GIF_TRAILER)


def _crop_changes(
    shades: Shades, before: Shades, whole: Image.Image
) -> tuple[Image.Image, tuple[int, int]]:
    """Return the changed part and its place, unchanged pixels in it as SAME."""
    differs = shades != before
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not rows.size:
        rows = columns = np.zeros(1, int)
    top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
    part = np.where(differs, shades, np.uint8(UNCHANGED))[top:bottom, left:right]
    image = Image.frombytes("P", (part.shape[1], part.shape[0]), part.tobytes())
    image.putpalette(whole.getpalette() or [])
    return image, (int(left), int(top))


def write_webp(clip: Clip, path: Path) -> None:
    strip = Strip(clip.size, len(clip.ticks), clip.pictures())
    strip.save(
        path,
        "WEBP",
        save_all=True,
        duration=clip.picture_durations(),
        loop=0,
        quality=WEBP_QUALITY,
        method=WEBP_EFFORT,
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
