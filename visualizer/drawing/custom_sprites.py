"""Bots' own sprites: found beside the bot, and kept for whoever watches its matches later.

Those that a command gives are kept for the matches that it played, and for no other.
"""

import re
import shutil
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import msgspec

from engine.bots.finding import DIGEST_LETTERS
from engine.errors import EngineFailure
from engine.spec import KEY_LETTERS
from engine.support.files import make_folder, write_whole

DIGEST = re.compile(f"[0-9a-f]{{{DIGEST_LETTERS}}}")
MATCH_KEY = re.compile(f"[0-9a-f]{{{KEY_LETTERS}}}")
BASE = "base"
KING = "king"
MAX_LEVEL = 99
LEVELS = tuple(str(level) for level in range(1, MAX_LEVEL + 1))
OF_MATCHES = "matches"
"""The folder of pictures that were given for a match, beside those of bots."""
IN_A_FOLDER = "sprite"
"""The name of the picture inside a bot that is a folder."""


class CustomSprites(msgspec.Struct, frozen=True):
    """The validated PNG files of a bot; empty for one without."""

    base: bytes | None = None
    king: bytes | None = None
    by_level: dict[int, bytes] = {}
    """The pictures by the level from which on each is shown."""

    def files(self) -> dict[str, bytes]:
        """Return the files as they are stored, by name."""
        levels = {str(level): content for level, content in self.by_level.items()}
        pictures = {BASE: self.base, KING: self.king, **levels}
        return {f"{purpose}.png": content for purpose, content in pictures.items() if content}


def find_custom(bot: Path) -> CustomSprites:
    """Return the pictures of a bot: those inside its folder if there are any, else beside it.

    Raises: BadSprite.
    """
    inside = _find_pictures(bot, IN_A_FOLDER) if bot.is_dir() else {}
    return _read(inside or _pictures_beside(bot))


def one_picture(path: Path) -> CustomSprites:
    """Return one picture for every level. Raises: BadSprite."""
    return _read({BASE: path})


def save_sprites(custom: CustomSprites, out: Path, digest: str) -> None:
    """Store a bot's pictures, replacing older ones; without new ones the older ones stay.

    Raises: UsageError if nothing can be written under `out`, EngineFailure if not this.
    """
    files = custom.files()
    if not files:
        return
    make_folder(out)
    folder = _sprite_folder(out, digest)
    for name, content in files.items():
        write_whole(folder / name, content)
    try:
        for path in folder.glob("*.png"):
            if path.name not in files:
                path.unlink(missing_ok=True)
    except OSError as error:
        raise EngineFailure(f"{error.filename}: {error.strerror}") from error


def load_bot_sprites(out: Path, digest: str) -> CustomSprites | None:
    """Return the stored pictures of a bot. Raises: BadSprite if somebody changed them."""
    there = find_bot_pictures(out, digest)
    return _read(there) if there else None


def find_bot_pictures(out: Path, digest: str) -> dict[str, Path]:
    """Return the stored files of a bot, by what they are for."""
    if not DIGEST.fullmatch(digest):  # replays are untrusted: no `../` as a digest
        return {}
    folder = _sprite_folder(out, digest)
    pictures = {purpose: folder / f"{purpose}.png" for purpose in (BASE, KING, *LEVELS)}
    return {purpose: path for purpose, path in pictures.items() if path.is_file()}


def save_match_sprites(pictures: Sequence[CustomSprites | None], out: Path, match_key: str) -> None:
    """Store the pictures that a command gave the teams of a match, in place of former ones.

    Raises: UsageError if nothing can be written under `out`, EngineFailure if not this.
    """
    folder = _folder_of_match(out, match_key)
    shutil.rmtree(folder, ignore_errors=True)
    for team, picture in enumerate(pictures, 1):
        if picture is not None and picture.base is not None:
            make_folder(out)
            write_whole(folder / f"{team}.png", picture.base)


def find_match_pictures(out: Path, match_key: str, teams: int) -> list[Path | None]:
    """Return the stored file that a command gave each team of a match, None where it gave none."""
    if not MATCH_KEY.fullmatch(match_key):
        return [None] * teams
    folder = _folder_of_match(out, match_key)
    paths = (folder / f"{team}.png" for team in range(1, teams + 1))
    return [path if path.is_file() else None for path in paths]


def _sprite_folder(out: Path, digest: str) -> Path:
    return out / "sprites" / digest


def _folder_of_match(out: Path, match_key: str) -> Path:
    return out / "sprites" / OF_MATCHES / match_key


def _pictures_beside(bot: Path) -> dict[str, Path]:
    """Return a bot's files beside it: `player_x_5.png` is its, unless a bot player_x_5 exists."""
    name = bot.stem if bot.is_file() else bot.name
    pictures = _find_pictures(bot.parent, name)
    return {
        purpose: path for purpose, path in pictures.items() if purpose == BASE or not _has_bot(path)
    }


def _find_pictures(folder: Path, name: str) -> dict[str, Path]:
    """Return the pictures that exist under a name, by what they are for."""
    try:
        there = {path.name for path in folder.iterdir()}
    except PermissionError:  # of a folder that may be passed through and not be listed
        return {}
    return {purpose: folder / file for purpose, file in pictures_by_purpose(there, name).items()}


def pictures_by_purpose(files: Collection[str], name: str = IN_A_FOLDER) -> dict[str, str]:
    """Return the names of the pictures among some files, by what they are for."""
    stems = {BASE: name} | {purpose: f"{name}_{purpose}" for purpose in (KING, *LEVELS)}
    return {purpose: f"{stem}.png" for purpose, stem in stems.items() if f"{stem}.png" in files}


def _has_bot(picture: Path) -> bool:
    name = picture.with_suffix("")
    return picture.with_suffix(".py").is_file() or (name / "__init__.py").is_file()


def _read(pictures: Mapping[str, Path]) -> CustomSprites:
    if not pictures:
        return CustomSprites()
    # Not above: most bots have no picture, and Pillow takes a fifth of the time we start in.
    from visualizer.drawing.pictures import reencode_picture

    return make_custom_sprites(
        {purpose: reencode_picture(path) for purpose, path in pictures.items()}
    )


def make_custom_sprites(contents: Mapping[str, bytes]) -> CustomSprites:
    """Return the pictures of a bot, of validated files by what they are for."""
    levels = {purpose: content for purpose, content in contents.items() if purpose.isdecimal()}
    return CustomSprites(
        base=contents.get(BASE),
        king=contents.get(KING),
        by_level={int(level): content for level, content in levels.items()},
    )
