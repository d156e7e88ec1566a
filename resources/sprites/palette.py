"""256 colors instead of millions: files of a third of the size that look the same."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

COLORS = 256
KEPT = COLORS // 2
"""The most frequent colors stay as they are: plain areas, and fades, which must not band."""

Colors = NDArray[np.int64]
"""Shape: (colors, 4), red, green, blue and alpha from 0 to 255."""


def with_palette(image: Image.Image) -> Image.Image:
    """Return an RGBA picture in the 256 colors that suit it best."""
    pixels = np.asarray(image, dtype=np.int64).reshape(-1, 4)
    colors, where, count = np.unique(pixels, axis=0, return_inverse=True, return_counts=True)
    frequent = colors[np.argsort(-count, kind="stable")[:KEPT]]
    palette = np.concatenate([frequent, _spread(image, COLORS - KEPT)])
    indices = _nearest(colors, palette)[where.ravel()]
    indexed = Image.new("P", image.size)
    indexed.putdata(indices.tolist())
    indexed.putpalette(palette.astype(np.uint8).tobytes(), "RGBA")
    return indexed


def _spread(image: Image.Image, count: int) -> Colors:
    """Return colors from all over the picture, for the smooth edges."""
    reduced = image.quantize(count, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    pixels = np.asarray(reduced.convert("RGBA"), dtype=np.int64)
    return np.unique(pixels.reshape(-1, 4), axis=0)


def _nearest(colors: Colors, palette: Colors) -> NDArray[np.intp]:
    """Return for each color the index of the most similar one in the palette."""
    between = _as_seen(colors)[:, None] - _as_seen(palette)[None]
    nearest: NDArray[np.intp] = (between**2).sum(axis=2).argmin(axis=1)
    return nearest


def _as_seen(colors: Colors) -> Colors:
    """Return colors as seen: the more transparent, the less the hue matters."""
    return np.concatenate([colors[:, :3] * colors[:, 3:] // 255, colors[:, 3:]], axis=1)
