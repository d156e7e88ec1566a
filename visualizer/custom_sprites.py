"""Bots' own sprites: found beside the bot, and kept for whoever watches its matches later."""

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from engine.bots.finding import DIGEST_LETTERS
from engine.errors import EngineFailure
from engine.files import make_folder, write_whole

DIGEST = re.compile(f"[0-9a-f]{{{DIGEST_LETTERS}}}")
BASE = "base"
KING = "king"
MOST_LEVEL = 99
LEVELS = tuple(str(level) for level in range(1, MOST_LEVEL + 1))
IN_A_FOLDER = "sprite"
"""What a bot that is a folder calls its picture in there."""


class CustomSprites(msgspec.Struct, frozen=True):
    """PNG files that were checked. Empty for a bot without pictures."""

    base: bytes | None = None
    king: bytes | None = None
    by_level: dict[int, bytes] = {}
    """By the level from which on they are shown."""

    def files(self) -> dict[str, bytes]:
        """As they are kept, by name."""
        levels = {str(level): content for level, content in self.by_level.items()}
        looks = {BASE: self.base, KING: self.king, **levels}
        return {f"{look}.png": content for look, content in looks.items() if content}


def find_custom(bot: Path) -> CustomSprites:
    """The pictures of a bot: in its folder if it is one with pictures, else beside it.

    Raises: BadSprite.
    """
    inside = _looks(bot, IN_A_FOLDER) if bot.is_dir() else {}
    return _read(inside or _looks_beside(bot))


def one_picture(path: Path) -> CustomSprites:
    """A picture for every level. Raises: BadSprite."""
    return _read({BASE: path})


def keep(custom: CustomSprites, out: Path, digest: str) -> None:
    """Keep a bot's pictures, in place of those it had; without any it keeps what it had.

    Raises: UsageError if nothing can be written under `out`, EngineFailure if not this.
    """
    files = custom.files()
    if not files:
        return
    make_folder(out)
    folder = _folder(out, digest)
    for name, content in files.items():
        write_whole(folder / name, content)
    try:
        for path in folder.glob("*.png"):
            if path.name not in files:
                path.unlink(missing_ok=True)
    except OSError as error:
        raise EngineFailure(f"{error.filename}: {error.strerror}") from error


def kept(out: Path, digest: str) -> CustomSprites | None:
    """What was kept of a bot. Raises: BadSprite if somebody changed it."""
    there = pictures_kept(out, digest)
    return _read(there) if there else None


def pictures_kept(out: Path, digest: str) -> dict[str, Path]:
    """The files that were kept of a bot, by what they are for."""
    if not DIGEST.fullmatch(digest):  # a stranger's replay may say anything
        return {}
    folder = _folder(out, digest)
    looks = {look: folder / f"{look}.png" for look in (BASE, KING, *LEVELS)}
    return {look: path for look, path in looks.items() if path.is_file()}


def _folder(out: Path, digest: str) -> Path:
    return out / "sprites" / digest


def _looks_beside(bot: Path) -> dict[str, Path]:
    """`player_x_5.png` is of player_x, unless there is a player_x_5."""
    name = bot.stem if bot.is_file() else bot.name
    looks = _looks(bot.parent, name)
    return {look: path for look, path in looks.items() if look == BASE or not _has_bot(path)}


def _looks(folder: Path, name: str) -> dict[str, Path]:
    """The pictures there are under a name, by what they are for."""
    try:
        there = {path.name for path in folder.iterdir()}
    except PermissionError:  # of a folder that may be passed through and not be listed
        return {}
    names = {BASE: name} | {look: f"{name}_{look}" for look in (KING, *LEVELS)}
    return {look: folder / f"{stem}.png" for look, stem in names.items() if f"{stem}.png" in there}


def _has_bot(picture: Path) -> bool:
    name = picture.with_suffix("")
    return picture.with_suffix(".py").is_file() or (name / "__init__.py").is_file()


def _read(looks: Mapping[str, Path]) -> CustomSprites:
    if not looks:
        return CustomSprites()
    # Not above: most bots have no picture, and Pillow takes a fifth of the time we start in.
    from visualizer.pictures import clean_picture

    contents = {look: clean_picture(path) for look, path in looks.items()}
    return CustomSprites(
        base=contents.pop(BASE, None),
        king=contents.pop(KING, None),
        by_level={int(level): content for level, content in contents.items()},
    )
