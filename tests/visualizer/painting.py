"""Pictures to try things with, right and wrong."""

import struct
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

RED, GREEN, YELLOW = "#d01030", "#10a040", "#f0d020"


def blob(color: str = RED, side: int = 64) -> Image.Image:
    """A disc on nothing."""
    image = Image.new("RGBA", (side, side))
    ImageDraw.Draw(image).ellipse((side / 8, side / 8, side * 7 / 8, side * 7 / 8), fill=color)
    return image


def png(image: Image.Image, **options: Any) -> bytes:
    file = BytesIO()
    image.save(file, "PNG", **options)
    return file.getvalue()


def write_blob(path: Path, color: str = RED) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(png(blob(color)))
    return path


def chunk(name: bytes, content: bytes) -> bytes:
    """A piece of a PNG file."""
    check = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", check)


def png_that_says(width: int, height: int, pixels: bytes = b"") -> bytes:
    """A PNG file that claims a size, whatever is in it."""
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", zlib.compress(pixels)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*each) for each in chunks)


def picture_color(content: bytes) -> str:
    """Return what a picture's middle looks like."""
    with Image.open(BytesIO(content)) as image:
        return middle_color(image)


def middle_color(image: Image.Image) -> str:
    x, y = image.width // 2, image.height // 2
    return "#" + image.convert("RGB").crop((x, y, x + 1, y + 1)).tobytes().hex()
