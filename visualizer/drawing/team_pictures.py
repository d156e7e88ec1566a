"""The pictures that bots have of their own, drawn as those of their team."""

from io import BytesIO
from math import cos, sin, tau

from PIL import Image, ImageChops

from visualizer.drawing.custom_sprites import CustomSprites

SIDE = 256
RIM_WIDTH = 8
"""The width of the rim in the team's color around bots' own pictures; of 256 pixels."""


def make_pictures(
    team: int, own: CustomSprites, crown: Image.Image | None, color: str
) -> dict[str, Image.Image]:
    """Return a bot's pictures by name; a missing king is its slime of that level with a crown."""
    pictures: dict[str, Image.Image] = {}
    by_level = {f":{level}": content for level, content in own.by_level.items()}
    contents = {"": own.base, **by_level}
    for suffix, content in contents.items():
        if content is not None:
            slime = decode_png(content)
            pictures[f"slime_{team}{suffix}"] = _add_rim(slime, color)
            if own.king is None and crown is not None:
                pictures[f"king_{team}{suffix}"] = _add_rim(_add_crown(slime, crown), color)
    if own.king is not None:
        pictures[f"king_{team}"] = _add_rim(decode_png(own.king), color)
    return pictures


def _add_crown(slime: Image.Image, crown: Image.Image) -> Image.Image:
    """Return the slime with a crown on top of its visible part."""
    body, gold = _fit_picture(slime, SIDE * 3 // 4), _fit_picture(crown, SIDE * 7 // 16)
    square = Image.new("RGBA", (SIDE, SIDE))
    square.alpha_composite(body, ((SIDE - body.width) // 2, SIDE - body.height))
    brow = SIDE - body.height + body.height // 8
    square.alpha_composite(gold, ((SIDE - gold.width) // 2, brow - gold.height))
    return square


def _fit_picture(picture: Image.Image, pixels: int) -> Image.Image:
    """Return the visible part of a picture, scaled to a length of the longer side."""
    seen = picture.crop(picture.getbbox())
    scale = pixels / max(seen.size)
    size = (max(1, round(seen.width * scale)), max(1, round(seen.height * scale)))
    return seen.resize(size, Image.Resampling.LANCZOS)


def _add_rim(picture: Image.Image, color: str) -> Image.Image:
    """Return a picture with a rim in the team's color, which own pictures may lack."""
    inner = SIDE - 2 * RIM_WIDTH
    square = Image.new("RGBA", (SIDE, SIDE))
    square.alpha_composite(resize(picture, inner), (RIM_WIDTH, RIM_WIDTH))
    shape, rim = square.getchannel("A"), Image.new("L", square.size)
    # 24 directions look round at 256 pixels.
    for step in range(24):
        x, y = round(RIM_WIDTH * cos(tau * step / 24)), round(RIM_WIDTH * sin(tau * step / 24))
        rim = ImageChops.lighter(rim, ImageChops.offset(shape, x, y))
    behind = Image.new("RGBA", square.size, color)
    behind.putalpha(rim)
    behind.alpha_composite(square)
    return behind


def resize(picture: Image.Image, pixels: int) -> Image.Image:
    """Return a picture in another width."""
    return picture.resize((pixels, pixels), Image.Resampling.LANCZOS)


def decode_png(content: bytes) -> Image.Image:
    """Return the picture of a PNG file."""
    with Image.open(BytesIO(content), formats=["PNG"]) as image:  # no other decoder sees it
        picture: Image.Image = image.convert("RGBA")
        return picture
