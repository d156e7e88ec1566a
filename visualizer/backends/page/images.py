"""The pictures of a page: small, and each of them once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import TYPE_CHECKING

import msgspec

from visualizer.drawing.sprites import HAS_PILLOW, Sprites

if TYPE_CHECKING:
    from PIL import Image

PIXELS = (128, 112, 96, 80, 64, 48, 32)
"""Widths to try, the largest first, until all pictures fit into MOST_BYTES."""
MAX_IMAGE_BYTES = 30_000
"""The most bytes of all pictures together; as base64 they are 40 KB."""
FAST_OCTREE = 2  # of PIL.Image.Quantize
COLORS = 128
"""Colors of a picture, each with its own transparency: no difference can be seen."""


class Images(msgspec.Struct, frozen=True):
    """PNG files, and the file of each picture name."""

    files: list[bytes]
    names: Mapping[str, int]

    def emblem(self, team: int) -> int | None:
        """Return the first picture of a team, by their names (`slime_1`); None if there is none."""
        pattern = re.compile(rf".*_{team}$")
        own = (file for name, file in self.names.items() if pattern.match(name.partition(":")[0]))
        return next(own, None)


def make_images(sprites: Sprites, names: Iterable[str]) -> Images:
    """Return the pictures of these names, as large as there is room for."""
    file_of = {name: sprites.canonical_name(name) for name in names}
    places = {file: index for index, file in enumerate(dict.fromkeys(file_of.values()))}
    return Images(
        _picture_files(sprites, list(places)), {name: places[file_of[name]] for name in file_of}
    )


def _picture_files(sprites: Sprites, names: list[str]) -> list[bytes]:
    if not HAS_PILLOW:
        return [sprites.standard_file(name).read_bytes() for name in names]
    files: list[bytes] = []
    for pixels in PIXELS:
        files = [encode_png(sprites.image(name, pixels)) for name in names]
        if sum(map(len, files)) <= MAX_IMAGE_BYTES:
            break
    return files


def encode_png(image: Image.Image) -> bytes:
    """Return a picture as a small PNG file."""
    content = BytesIO()
    few = image.quantize(COLORS, method=FAST_OCTREE)
    few.save(content, "PNG", optimize=True)
    return content.getvalue()
