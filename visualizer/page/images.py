"""The pictures of a page: small, and each of them once."""

import re
from collections.abc import Iterable, Mapping
from io import BytesIO

import msgspec
from PIL import Image

from visualizer.sprites import Sprites

PIXELS = (128, 112, 96, 80, 64, 48, 32)
"""Widths to try, the largest first."""
MOST_BYTES = 30_000
"""Of all pictures together; 40 KB in the page."""
COLOURS = 128
"""Of a picture, each with its own transparency: no eye tells it from the original."""


class Images(msgspec.Struct, frozen=True):
    """PNG files, and which of them is drawn under which name."""

    files: list[bytes]
    names: Mapping[str, int]

    def emblem(self, team: int) -> int | None:
        """The first picture that shows something of a team: by their names, `slime_1`."""
        pattern = re.compile(rf".*_{team}$")
        own = (file for name, file in self.names.items() if pattern.match(name.partition(":")[0]))
        return next(own, None)


def images_of(sprites: Sprites, names: Iterable[str]) -> Images:
    """What is drawn under these names, as large as there is room for."""
    file_of = {name: sprites.file_of(name) for name in names}
    places = {file: place for place, file in enumerate(dict.fromkeys(file_of.values()))}
    return Images(_files(sprites, list(places)), {name: places[file_of[name]] for name in file_of})


def _files(sprites: Sprites, names: list[str]) -> list[bytes]:
    files: list[bytes] = []
    for pixels in PIXELS:
        files = [_packed(sprites.image(name, pixels)) for name in names]
        if sum(map(len, files)) <= MOST_BYTES:
            break
    return files


def _packed(image: Image.Image) -> bytes:
    content = BytesIO()
    few = image.quantize(COLOURS, method=Image.Quantize.FASTOCTREE)
    few.save(content, "PNG", optimize=True)
    return content.getvalue()
