"""The pictures that scenes name: the standard ones, replaced by bots' own."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import EngineFailure
from engine.support.lazy_import import lazy_imports
from visualizer.drawing.custom_sprites import (
    CustomSprites,
    find_match_pictures,
    load_bot_sprites,
    one_picture,
)
from visualizer.scene import scene_class

with lazy_imports():  # who shows no picture needs no Pillow, an extra
    from visualizer.drawing import team_pictures

if TYPE_CHECKING:
    from PIL import Image

FOLDER = Path(__file__).parents[2] / "resources/sprites"
MAX_CACHED_SIZES = 500
HAS_PILLOW = find_spec("PIL") is not None
"""Whether pictures can be scaled; without that, an extra, pages show the files as they are."""


@cache
def standard_sprites(game: str) -> Mapping[str, "Image.Image"]:
    """Return the pictures of a game, by name. They are shared: nobody may paint on them."""
    files = _standard_files(FOLDER / game)
    return {name: team_pictures.decode_png(path.read_bytes()) for name, path in files.items()}


@cache
def _standard_files(folder: Path) -> dict[str, Path]:
    return {path.stem: path for path in sorted(folder.glob("*.png"))}


class Sprites:
    """The pictures of a match.

    A scene names one `slime_1:7`: a slime of team 1, of level 7. Without pictures of the bot's
    own that is the standard `slime_1`; the level is for bots that have one for each.
    """

    def __init__(self, game: str, custom: Mapping[int, CustomSprites] | None = None) -> None:
        """Know the pictures of a game; `custom` are the bots' own, by team."""
        self._game = game
        self._own: dict[str, Image.Image] = {}
        for team, own in (custom or {}).items():
            crown = standard_sprites(game).get("crown")
            color = scene_class(game).team_color(team)
            self._own |= team_pictures.make_pictures(team, own, crown, color)
        self._levels: dict[str, list[int]] = {}
        for name in (*_standard_files(FOLDER / game), *self._own):
            kind, _, level = name.partition(":")
            self._levels.setdefault(kind, []).append(int(level or 0))
        self._scaled = lru_cache(MAX_CACHED_SIZES)(self._scale_picture)

    def image(self, name: str, pixels: int) -> "Image.Image":
        """Return the picture of a name in a width. It is shared: nobody may paint on it.

        Raises: EngineFailure if there is none.
        """
        return self._scaled(self.canonical_name(name), pixels)

    def canonical_name(self, name: str) -> str:
        """Return the shortest name of the same picture: a page needs each picture once.

        Raises: EngineFailure if there is none.
        """
        kind, _, level = name.partition(":")
        if kind not in self._levels:
            raise EngineFailure(f"no sprite '{kind}'; there are: {', '.join(self._levels)}")
        reached = max(least for least in self._levels[kind] if least <= int(level or 0))
        return f"{kind}:{reached}" if reached else kind

    def standard_file(self, file: str) -> Path:
        """Return the PNG file of a picture that is not a bot's own."""
        return _standard_files(FOLDER / self._game)[file]

    def _scale_picture(self, file: str, pixels: int) -> "Image.Image":
        picture = self._own.get(file) or standard_sprites(self._game)[file]
        return team_pictures.resize(picture, pixels)


def load_match_sprites(
    game: str, digests: Sequence[str], out: Path, match_key: str | None = None
) -> Sprites:
    """Return the sprites of a match: those of its bots, stored under `out`.

    Those that were given for the match of a key take their place. Raises: BadSprite.
    """
    teams, custom = len(digests), dict[int, CustomSprites]()
    given = find_match_pictures(out, match_key, teams) if match_key else [None] * teams
    for team, (digest, file) in enumerate(zip(digests, given, strict=True), 1):
        own = load_bot_sprites(out, digest) if file is None else one_picture(file)
        if own is not None:
            custom[team] = own
    return Sprites(game, custom)
