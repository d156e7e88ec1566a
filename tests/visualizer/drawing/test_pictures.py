"""Strangers' pictures: what is taken, what is refused, and what is left of one."""

import os
import random
import zlib
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from engine.errors import BadSprite
from tests import needs
from tests.visualizer.painting import RED, blob, chunk, picture_color, png, png_that_says
from visualizer.drawing.pictures import EXPECTED, MAX_FILE_BYTES, reencode_picture


def jpeg() -> bytes:
    file = BytesIO()
    blob().convert("RGB").save(file, "JPEG")
    return file.getvalue()


def with_an_end_that_says(width: int) -> bytes:
    """A second header, in the hope that the first is the one that is checked."""
    good, bomb = png(blob()), png_that_says(width, width)
    return good[:33] + bomb[8:33] + good[33:]


def broken_checksum() -> bytes:
    content = bytearray(png(blob()))
    content[content.index(b"IDAT") + 10] ^= 255
    return bytes(content)


WRONG: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "is not a PNG file"),
    "words": (lambda: b"I am a slime", "is not a PNG file"),
    "jpeg": (jpeg, "is not a PNG file"),
    "signature alone": (lambda: png(blob())[:8], "is damaged"),
    "cut off": (lambda: png(blob())[:-200], "is damaged"),
    "checksum": (broken_checksum, "is damaged"),
    "no pixels": (lambda: png_that_says(0, 0), "is damaged"),
    "fewer pixels than it says": (lambda: png_that_says(64, 64, b"\0" * 99), "is damaged"),
    "text that is a bomb": (
        lambda: (
            png(blob())[:33]
            + chunk(b"zTXt", b"a\0\0" + zlib.compress(b"a" * 5_000_000))
            + png(blob())[33:]
        ),
        "is damaged",
    ),
    "oblong": (lambda: png(Image.new("RGBA", (64, 48))), "is not square but 64 x 48 pixels"),
    "too wide": (lambda: png(blob(side=2049)), "is 2049 x 2049 pixels large"),
    "bomb": (lambda: png_that_says(12_000, 12_000), "is 12000 x 12000 pixels large"),
    "great bomb": (lambda: png_that_says(2**31 - 1, 2**31 - 1), "has too many pixels"),
    "bomb behind": (lambda: with_an_end_that_says(50_000), "has too many pixels"),
    "too many bytes": (lambda: png(blob()) + b"\0" * MAX_FILE_BYTES, "has too many bytes"),
    "no alpha": (lambda: png(blob().convert("RGB")), "has no transparent background"),
    "16 bits of gray": (lambda: png(Image.new("I;16", (64, 64))), "has no transparent background"),
    "opaque": (lambda: png(Image.new("RGBA", (64, 64), RED)), "has no transparent background"),
    "nothing": (lambda: png(Image.new("RGBA", (64, 64))), "is transparent everywhere"),
}


@pytest.mark.parametrize(("content", "flaw"), WRONG.values(), ids=WRONG)
def test_a_wrong_picture_is_refused_by_name_with_what_is_expected(
    content: Callable[[], bytes], flaw: str, tmp_path: Path
) -> None:
    path = tmp_path / "player_mine.png"
    path.write_bytes(content())
    with pytest.raises(BadSprite) as refused:
        reencode_picture(path)
    assert str(refused.value) == f"{path}: {flaw}; {EXPECTED}"


def test_a_picture_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSprite, match="cannot be read: No such file"):
        reencode_picture(tmp_path / "none.png")


def test_a_folder_is_no_picture(tmp_path: Path) -> None:
    with pytest.raises(BadSprite, match="is not a file"):
        reencode_picture(tmp_path)


@needs.call("os.mkfifo")
def test_nobody_waits_for_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(BadSprite, match="is not a file"):
        reencode_picture(tmp_path / "pipe.png")


RIGHT: dict[str, Callable[[], bytes]] = {
    "colors": lambda: png(blob()),
    "palette": lambda: png(blob().quantize(16)),
    "one color stands for nothing": lambda: png(blob().convert("RGB").quantize(16), transparency=0),
    "one pixel wide": lambda: png(Image.new("RGBA", (1, 1), "#d0103080")),
    "largest": lambda: png(blob(side=2048)),
}


@pytest.mark.parametrize("content", RIGHT.values(), ids=RIGHT)
def test_a_right_picture_is_taken_in_each_of_its_forms(
    content: Callable[[], bytes], tmp_path: Path
) -> None:
    path = tmp_path / "mine.png"
    path.write_bytes(content())
    assert picture_color(reencode_picture(path)) == RED


def test_a_large_picture_is_kept_small_and_a_small_one_as_it_is(tmp_path: Path) -> None:
    sides = []
    for side in (40, 256, 700):
        path = tmp_path / f"{side}.png"
        path.write_bytes(png(blob(side=side)))
        with Image.open(BytesIO(reencode_picture(path))) as image:
            sides.append(image.size)
    assert sides == [(40, 40), (256, 256), (256, 256)]


def test_nothing_but_pixels_is_kept(tmp_path: Path) -> None:
    words = PngInfo()
    words.add_text("secret", "<script>")
    path = tmp_path / "mine.png"
    path.write_bytes(png(blob(), pnginfo=words, icc_profile=b"profile", dpi=(300, 300)))
    with Image.open(BytesIO(reencode_picture(path))) as image:
        image.load()
        assert image.info == {}
        assert getattr(image, "text", {}) == {}


def test_whatever_is_spoiled_a_picture_is_taken_or_refused(tmp_path: Path) -> None:
    chance, path = random.Random(7), tmp_path / "mine.png"
    whole = png(blob().quantize(16))
    taken = 0
    for _ in range(400):
        content = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            content[chance.randrange(len(content))] = chance.randrange(256)
        path.write_bytes(content[: chance.randint(8, 2 * len(content))])
        with suppress(BadSprite):
            reencode_picture(path)
            taken += 1
    assert 0 < taken < 400
