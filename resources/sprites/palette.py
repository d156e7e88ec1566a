"""256 colours instead of millions: files of a third of the size that look the same."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

COLOURS = 256
KEPT = COLOURS // 2
"""The most frequent colours stay as they are: plain areas, and fades, which must not band."""

Colours = NDArray[np.int64]
"""Shape: (colours, 4), red, green, blue and alpha from 0 to 255."""


def with_palette(image: Image.Image) -> Image.Image:
    """The RGBA picture in the 256 colours that suit it best."""
    pixels = np.asarray(image, dtype=np.int64).reshape(-1, 4)
    colours, where, count = np.unique(pixels, axis=0, return_inverse=True, return_counts=True)
    frequent = colours[np.argsort(-count, kind="stable")[:KEPT]]
    palette = np.concatenate([frequent, _spread(image, COLOURS - KEPT)])
    indices = _nearest(colours, palette)[where.ravel()]
    indexed = Image.new("P", image.size)
    indexed.putdata(indices.tolist())
    indexed.putpalette(palette.astype(np.uint8).tobytes(), "RGBA")
    return indexed


def _spread(image: Image.Image, count: int) -> Colours:
    """Colours from all over the picture, for the smooth edges."""
    reduced = image.quantize(count, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    pixels = np.asarray(reduced.convert("RGBA"), dtype=np.int64)
    return np.unique(pixels.reshape(-1, 4), axis=0)


def _nearest(colours: Colours, palette: Colours) -> NDArray[np.intp]:
    """For each colour the place in the palette of what looks most like it."""
    between = _as_seen(colours)[:, None] - _as_seen(palette)[None]
    nearest: NDArray[np.intp] = (between**2).sum(axis=2).argmin(axis=1)
    return nearest


def _as_seen(colours: Colours) -> Colours:
    """The less there is of a colour, the less its hue matters."""
    return np.concatenate([colours[:, :3] * colours[:, 3:] // 255, colours[:, 3:]], axis=1)
