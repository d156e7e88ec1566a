"""GIF: one palette for all pictures, and only the changed part of each."""

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

Shades = NDArray[np.uint8]


def write_gif(clip: Clip, path: Path) -> None:
    """Write pictures one by one; Pillow's own writer keeps them all in memory."""
    palette = clip.samples().quantize(MAX_COLORS, Image.Quantize.MEDIANCUT, kmeans=1)
    before: Shades | None = None
    durations = clip.milliseconds(TICK_MS)
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
