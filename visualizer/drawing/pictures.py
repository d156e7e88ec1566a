"""Validates untrusted pictures, and re-encodes them from their pixels alone."""

import struct
import zlib
from io import BytesIO
from pathlib import Path

from PIL import Image

from engine.errors import BadSprite
from engine.support.interpreter_state import ignore_warnings

SCALED_SIDE = 256
"""Pixels of a side; larger pictures are scaled down."""
MAX_SIDE = 2048
MAX_FILE_BYTES = 2_000_000
EXPECTED = (
    f"a sprite is a square PNG picture with a transparent background, "
    f"up to {MAX_SIDE} x {MAX_SIDE} pixels and {MAX_FILE_BYTES // 1_000_000} MB"
)
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
DAMAGE_ERRORS = (OSError, SyntaxError, ValueError, LookupError, EOFError, struct.error, zlib.error)
"""The exceptions Pillow raises over damaged files."""


class Unfit(Exception):
    """Why a picture is refused; follows its name in a sentence."""


def reencode_picture(path: Path) -> bytes:
    """Return a new PNG file with the pixels of an untrusted one. Raises: BadSprite."""
    try:
        return reencode_content(_read_content(path))
    except Unfit as flaw:
        raise BadSprite(f"{path}: {flaw}; {EXPECTED}") from flaw


def reencode_content(content: bytes) -> bytes:
    """Return the same of the content of a file. Raises: Unfit."""
    if len(content) > MAX_FILE_BYTES:
        raise Unfit("has too many bytes")
    image = _decode_png(content)
    _require_background(image)
    return _encode_png(image)


def _read_content(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():  # opening a pipe would wait for ever
            raise Unfit("is not a file")
        with path.open("rb") as file:
            return file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise Unfit(f"cannot be read: {error.strerror}") from error


def _decode_png(content: bytes) -> Image.Image:
    """Return the picture with an alpha channel; its size is checked before it is unpacked."""
    if not content.startswith(PNG_SIGNATURE):
        raise Unfit("is not a PNG file")
    try:
        with (
            ignore_warnings(),
            Image.open(BytesIO(content), formats=["PNG"]) as image,  # no other decoder sees it
        ):
            _require_shape(image)
            picture: Image.Image = image.convert("RGBA")
            return picture
    except (Image.DecompressionBombError, MemoryError) as error:
        raise Unfit("has too many pixels") from error
    except DAMAGE_ERRORS as error:
        raise Unfit("is damaged") from error


def _require_shape(image: Image.Image) -> None:
    width, height = image.size
    if width != height:
        raise Unfit(f"is not square but {width} x {height} pixels")
    if width > MAX_SIDE:
        raise Unfit(f"is {width} x {height} pixels large")
    if not image.has_transparency_data:
        raise Unfit("has no transparent background")


def _require_background(image: Image.Image) -> None:
    least, most = image.getchannel("A").getextrema()
    if least == 255:
        raise Unfit("has no transparent background")
    if most == 0:
        raise Unfit("is transparent everywhere")


def _encode_png(image: Image.Image) -> bytes:
    """Return a PNG file without texts, profiles and further frames."""
    if image.width > SCALED_SIDE:
        image = image.resize((SCALED_SIDE, SCALED_SIDE), Image.Resampling.LANCZOS)
    # A new image from the pixels drops all chunks that came with the file.
    plain = Image.frombytes("RGBA", image.size, image.tobytes())
    file = BytesIO()
    plain.save(file, "PNG", optimize=True)
    return file.getvalue()
