"""The pictures that scenes name: the standard ones, replaced by bots' own."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from io import BytesIO
from math import cos, sin, tau
from pathlib import Path

from PIL import Image, ImageChops

from engine.errors import EngineFailure
from visualizer.drawing.custom_sprites import CustomSprites, kept, one_picture, pictures_given
from visualizer.scene import scene_class

FOLDER = Path(__file__).parents[2] / "resources/sprites"
SIDE = 256
RIM = 8
"""The width of the rim in the team's color around bots' own pictures; of 256 pixels."""
SCALED_KEPT = 500


@cache
def standard_sprites(game: str) -> Mapping[str, Image.Image]:
    """Return the pictures of a game, by name. They are shared: nobody may paint on them."""
    return {path.stem: _opened(path) for path in sorted((FOLDER / game).glob("*.png"))}


class Sprites:
    """The pictures of a match.

    A scene names one `slime_1:7`: a slime of team 1, of level 7. Without pictures of the bot's
    own that is the standard `slime_1`; the level is for bots that have one for each.
    """

    def __init__(self, game: str, custom: Mapping[int, CustomSprites] | None = None) -> None:
        """Load the pictures of a game; `custom` are the bots' own, by team."""
        self._pictures = dict(standard_sprites(game))
        for team, own in (custom or {}).items():
            color = scene_class(game).team_color(team)
            self._pictures |= _of_team(team, own, self._pictures.get("crown"), color)
        self._levels: dict[str, list[int]] = {}
        for name in self._pictures:
            kind, _, level = name.partition(":")
            self._levels.setdefault(kind, []).append(int(level or 0))
        self._scaled = lru_cache(SCALED_KEPT)(self._scale)

    def image(self, name: str, pixels: int) -> Image.Image:
        """Return the picture of a name in a width. It is shared: nobody may paint on it.

        Raises: EngineFailure if there is none.
        """
        return self._scaled(self.file_of(name), pixels)

    def file_of(self, name: str) -> str:
        """Return the shortest name of the same picture: a page needs each picture once.

        Raises: EngineFailure if there is none.
        """
        kind, _, level = name.partition(":")
        if kind not in self._pictures:
            raise EngineFailure(f"no sprite '{kind}'; there are: {', '.join(self._pictures)}")
        reached = max(least for least in self._levels[kind] if least <= int(level or 0))
        return f"{kind}:{reached}" if reached else kind

    def _scale(self, file: str, pixels: int) -> Image.Image:
        return self._pictures[file].resize((pixels, pixels), Image.Resampling.LANCZOS)


def sprites_of(
    game: str, digests: Sequence[str], out: Path, match_key: str | None = None
) -> Sprites:
    """Return the sprites of a match: those of its bots, stored under `out`.

    Those that were given for the match of a key take their place. Raises: BadSprite.
    """
    teams, custom = len(digests), dict[int, CustomSprites]()
    given = pictures_given(out, match_key, teams) if match_key else [None] * teams
    for team, (digest, file) in enumerate(zip(digests, given, strict=True), 1):
        own = kept(out, digest) if file is None else one_picture(file)
        if own is not None:
            custom[team] = own
    return Sprites(game, custom)


def _of_team(
    team: int, own: CustomSprites, crown: Image.Image | None, color: str
) -> dict[str, Image.Image]:
    """Return a bot's pictures by name; a missing king is its slime of that level with a crown."""
    pictures: dict[str, Image.Image] = {}
    by_level = {f":{level}": content for level, content in own.by_level.items()}
    contents = {"": own.base, **by_level}
    for suffix, content in contents.items():
        if content is not None:
            slime = _decoded(content)
            pictures[f"slime_{team}{suffix}"] = _rimmed(slime, color)
            if own.king is None and crown is not None:
                pictures[f"king_{team}{suffix}"] = _rimmed(_crowned(slime, crown), color)
    if own.king is not None:
        pictures[f"king_{team}"] = _rimmed(_decoded(own.king), color)
    return pictures


def _crowned(slime: Image.Image, crown: Image.Image) -> Image.Image:
    """Return the slime with a crown on top of its visible part."""
    body, gold = _fitted(slime, SIDE * 3 // 4), _fitted(crown, SIDE * 7 // 16)
    square = Image.new("RGBA", (SIDE, SIDE))
    square.alpha_composite(body, ((SIDE - body.width) // 2, SIDE - body.height))
    brow = SIDE - body.height + body.height // 8
    square.alpha_composite(gold, ((SIDE - gold.width) // 2, brow - gold.height))
    return square


def _fitted(picture: Image.Image, pixels: int) -> Image.Image:
    """Return the visible part of a picture, scaled to a length of the longer side."""
    seen = picture.crop(picture.getbbox())
    scale = pixels / max(seen.size)
    size = (max(1, round(seen.width * scale)), max(1, round(seen.height * scale)))
    return seen.resize(size, Image.Resampling.LANCZOS)


def _rimmed(picture: Image.Image, color: str) -> Image.Image:
    """Return a picture with a rim in the team's color, which own pictures may lack."""
    inner = SIDE - 2 * RIM
    square = Image.new("RGBA", (SIDE, SIDE))
    square.alpha_composite(_resized(picture, inner), (RIM, RIM))
    shape, rim = square.getchannel("A"), Image.new("L", square.size)
    # 24 directions look round at 256 pixels.
    for step in range(24):
        x, y = round(RIM * cos(tau * step / 24)), round(RIM * sin(tau * step / 24))
        rim = ImageChops.lighter(rim, ImageChops.offset(shape, x, y))
    behind = Image.new("RGBA", square.size, color)
    behind.putalpha(rim)
    behind.alpha_composite(square)
    return behind


def _resized(picture: Image.Image, pixels: int) -> Image.Image:
    return picture.resize((pixels, pixels), Image.Resampling.LANCZOS)


def _opened(path: Path) -> Image.Image:
    return _decoded(path.read_bytes())


def _decoded(content: bytes) -> Image.Image:
    with Image.open(BytesIO(content), formats=["PNG"]) as image:  # no other decoder sees it
        picture: Image.Image = image.convert("RGBA")
        return picture
