"""Where settings and limits are configured: config.toml, other such files, and presets."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from engine.catalog import DEFAULT_GAME, describe_game, find_game
from engine.description import find_file
from engine.errors import BadSettings
from engine.game import AnyGame
from engine.settings import read_toml
from engine.support.sanitizing import one_line
from engine.support.typed_commands import IS_INSTALLED
from engine.support.wording import did_you_mean

HOME = Path(__file__).resolve().parents[1]
CONFIG_FILE = Path("config.toml") if IS_INSTALLED else HOME / "config.toml"
PYTHON_CONFIG = CONFIG_FILE.with_suffix(".py")
"""Where the first version of the game was configured."""
DEFAULT_OUT = Path("results")
TABLES = ("settings", "limits", "options")
ASSIGNMENT = re.compile(r"^(\w+) *=(?!=).{0,40}$", re.MULTILINE)


def bundled_bots_folder(game: AnyGame) -> Path:
    """Return the folder of the bots of a game that come with the program, or with its package."""
    return find_file(describe_game(game.name).bots)


class Configuration(msgspec.Struct, frozen=True):
    """The tables of `config.toml`, the optional file beside main.py that is read first.

    With an installed copy it is that of the current folder.

    Or those of another such file, named with --config and read over it.
    """

    path: Path
    settings: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    options: dict[str, Any] = {}
    """Defaults of the command line's options, by their long names."""


UNCONFIGURED = Configuration(Path())
"""What programs have: no file is read that they did not name."""


def read_configuration(path: Path = CONFIG_FILE) -> Configuration:
    """Return config.toml, or an empty one if there is no such file. Raises: BadSettings."""
    if not path.exists():
        return Configuration(path)
    return read_existing_configuration(path)


def read_existing_configuration(path: Path) -> Configuration:
    """Return a file that must be there. Raises: BadSettings."""
    tables = read_toml(path)
    if "render" in tables:
        raise BadSettings(f"{path}: render belongs under [options]: write that line above it")
    for name, table in tables.items():
        if name not in TABLES or not isinstance(table, dict):
            known = ", ".join(f"[{table}]" for table in TABLES)
            raise BadSettings(f"{path}: unknown '{name}'; there may be the tables {known}")
    return Configuration(path, **tables)


def note_on_python_file(path: Path = PYTHON_CONFIG) -> str:
    """Return what to do instead of a config.py with a `render` or settings; '' without any."""
    try:
        found = ASSIGNMENT.finditer(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return ""
    lines = {assignment[1]: one_line(assignment[0].strip()) for assignment in found}
    name = path.with_suffix(".toml").name
    # The first version had one game.
    first_settings = find_game(DEFAULT_GAME).settings.__struct_fields__
    settings = [f"`{lines[field]}`" for field in first_settings if field in lines]
    said = []
    if "render" in lines:
        said.append(
            f"instead of `{lines['render']}` say --render none (or auto), or put into {name} "
            "the two lines [options] and render = 0 (or 1)"
        )
    if settings:
        said.append(
            f"instead of {', '.join(settings)} say --set NAME=VALUE, or put the same into {name} "
            "below the line [settings]"
        )
    return f"{path} is not read: {'; '.join(said)}" if said else ""


def preset_names(game: str) -> list[str]:
    """Return the names of a game's presets."""
    return sorted(path.stem for path in find_presets_folder(game).glob("*.toml"))


def find_presets_folder(game: str) -> Path:
    """Return the folder of a game's presets, which need not be there."""
    return find_file(describe_game(game).presets)


def presets_text(games: Iterable[str]) -> str:
    """Return the presets of these games in words, for a help page."""
    lists = {game: ", ".join(names) for game in games if (names := preset_names(game))}
    if len(lists) == 1:
        return next(iter(lists.values()))
    return "; ".join(f"{game}: {names}" for game, names in lists.items())


def preset_path(game: AnyGame, name: str) -> Path:
    """Return the file of a preset. Raises: BadSettings if there is none."""
    names = preset_names(game.name)
    if name not in names:
        raise BadSettings(
            f"--preset {name}: {game.title} has the presets {', '.join(names)}"
            f"{did_you_mean(name, names)}"
        )
    return find_presets_folder(game.name) / f"{name}.toml"
