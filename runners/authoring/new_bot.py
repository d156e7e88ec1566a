"""A new bot: its file made from a template, its tests, and a project of its own around it."""

import keyword
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from string import Template

import msgspec

from engine.bots.finding import PREFIX, TEMPLATE, read_own_files
from engine.bots.programs.manifest import MANIFEST
from engine.catalog import DEFAULT_GAME, describe_game, find_game
from engine.description import find_file
from engine.errors import UsageError
from engine.support.files import wrap_write_errors, write_whole
from engine.support.typed_commands import IS_INSTALLED
from runners.configuration import HOME, bundled_bots_folder, preset_names

TEMPLATES = HOME / "resources" / "templates"
CLIENTS = HOME / "clients"
PROJECT_FILES = {
    "pyproject.toml": "pyproject.toml",
    ".gitignore": "gitignore",
    "config.toml": "config.toml",
    ".vscode/settings.json": "settings.json",
    ".vscode/launch.json": "launch.json",
}
"""The files of a project, and what each is made from."""
PACKAGES = ".slime-mind"
"""The folder of a project in which editors find what bots import."""
NEEDED = ("engine", "runners")
"""What of it a bot and its tests import."""
PARAMETERS = "parameters.json"
CREDITS_PATTERN = re.compile(r'^name = ".*"\nauthor = ".*"$', re.MULTILINE)
"""What the manifest of an example says of its author."""
DOCSTRING = re.compile(r'\A""".*?"""\n', re.DOTALL)
QUOTES = '"""'
TEMPLATE_NAME_LINE = 'NAME = "Template"'
TAKEN_NAMES = {*sys.stdlib_module_names, *NEEDED, "slime_mind_arena", "numpy", "pytest"}
"""Modules that Python would no longer find beside a file of that name."""
MAX_NAME_LENGTH = 40
"""The longest name of a bot: results and logs have it in their own names."""


class TemplateName(StrEnum):
    """The bots to begin with."""

    SIMPLE = "simple"
    SEARCH = "search"
    LEARNING = "learning"


class Language(StrEnum):
    """What a bot is written in."""

    PYTHON = "python"
    CPP = "cpp"
    GO = "go"
    JAVA = "java"
    NODE = "node"
    RUST = "rust"


class NewBot(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that is to be begun."""

    name: str
    """The name of its file, without `.py`."""
    game: str
    template: TemplateName
    language: Language = Language.PYTHON
    folder: Path
    is_own_project: bool
    command: str
    """How we are called there."""

    @property
    def call(self) -> str:
        """Return how we are called for its game."""
        return self.command if self.game == DEFAULT_GAME else f"{self.command} -g {self.game}"

    @property
    def word(self) -> str:
        """Return what names it on a command line."""
        return self.path.name if self.is_own_project else self.name

    @property
    def is_folder(self) -> bool:
        """Return whether it has more than one file."""
        return self.template is TemplateName.LEARNING or self.language is not Language.PYTHON

    @property
    def path(self) -> Path:
        """Return the file or folder that is named on a command line."""
        return self.folder / (self.name if self.is_folder else f"{self.name}.py")

    @property
    def title(self) -> str:
        """Return what tables call it."""
        return self.name.removeprefix(PREFIX).replace("_", " ").title()

    @property
    def words(self) -> dict[str, str]:
        """Return what stands in the templates for the words with a dollar."""
        program = '"-m", "slime_mind_arena"' if IS_INSTALLED else f'"{HOME / "main.py"}"'
        preset = next((name for name in ("small", "short") if name in preset_names(self.game)), "")
        return {
            "name": self.name,
            "game": self.game,
            "command": self.call,
            "bot": self.path.name,
            "word": self.word,
            "test": f"test_{self.name}.py",
            "positions": f"{self.name}.positions.toml",
            "script": f"train_{self.name}.py",
            "parameters": f"{self.path.name}/{PARAMETERS}",
            '"$program"': program,
            '"$options"': f'"--preset", "{preset}"' if preset else "",
        }


def bot_name(word: str, *, is_own_project: bool) -> str:
    """Return the name of a new bot's file. Raises: UsageError.

    In playerCode a name begins with `player_`: what does not is not looked at there.
    """
    name = word.removesuffix(".py")
    if not name.isidentifier() or keyword.iskeyword(name) or not name.isascii():
        raise UsageError(
            f"'{word:.60}' cannot be the name of a bot: expected letters, digits and _, such as "
            "my_bot"
        )
    if len(name) > MAX_NAME_LENGTH:
        raise UsageError(f"'{name:.60}': a bot's name has at most {MAX_NAME_LENGTH} letters")
    name = name if is_own_project else f"{PREFIX}{name.removeprefix(PREFIX)}"
    if name == TEMPLATE or name.startswith("test_") or name in TAKEN_NAMES:
        raise UsageError(f"'{name}' is the name of something else: choose another one")
    return name


def folder_of_bots(game: str) -> Path:
    """Return the folder of playerCode for bots of a game. Raises: UsageError without one."""
    here = Path("playerCode")
    if not here.is_dir() and IS_INSTALLED:
        raise UsageError(
            "there is no folder playerCode here; with --here the bot and a project around it are "
            "made in this folder"
        )
    found = find_game(game)
    return here / found.bots if here.is_dir() else bundled_bots_folder(found)


def write_new_bot(bot: NewBot) -> list[Path]:
    """Write a bot with its tests, and return the files that were written.

    Raises: UsageError if something of that name is there, EngineFailure if it cannot be written.
    """
    contents = dict(_bot_files(bot))
    for path in contents:
        if path.exists():
            raise UsageError(
                f"{path}: is there already, and nothing was written; choose another name"
            )
    for path, text in contents.items():
        write_whole(path, text.encode())
    return list(contents)


def write_project(bot: NewBot) -> tuple[list[Path], list[Path]]:
    """Write what a project in a folder of its own needs; return what was written and kept.

    Raises: EngineFailure.
    """
    written, existing = list[Path](), list[Path]()
    for name, source in PROJECT_FILES.items():
        path = bot.folder / name
        if path.exists():
            existing.append(path)
        else:
            text = _fill_template(TEMPLATES / "project" / source, bot.words)
            write_whole(path, text.encode())
            written.append(path)
    _link(HOME, bot.folder / PACKAGES)
    return written, existing


def _bot_files(bot: NewBot) -> Iterator[tuple[Path, str]]:
    """Yield the files of a new bot with their contents."""
    if bot.language is Language.PYTHON:
        source = template_file(bot.game, bot.template)
        entry = bot.path / "__init__.py" if bot.is_folder else bot.path
        yield entry, _personalize_template(source.read_text(encoding="utf-8"), bot)
        if bot.is_folder:
            weights = source.with_name(PARAMETERS)
            yield bot.path / PARAMETERS, weights.read_text(encoding="utf-8")
            script = bot.folder / bot.words["script"]
            yield script, _fill_template(TEMPLATES / "train.py", bot.words)
    else:
        for name, content in _client_files(bot.game, bot.language).items():
            text = content.decode()
            if name == MANIFEST:
                text = CREDITS_PATTERN.sub(f'name = "{bot.title}"', text)
            yield bot.path / name, text
    yield bot.folder / bot.words["test"], _fill_template(TEMPLATES / "bot_test.py", bot.words)
    yield (
        bot.folder / bot.words["positions"],
        _fill_template(TEMPLATES / "positions.toml", bot.words),
    )


def _client_files(game: str, language: Language) -> dict[str, bytes]:
    """Return the files of an example in another language. Raises: UsageError where there is none.

    The example of Slime Mind is a complete folder. Of another game's there is only what differs.
    """
    example = CLIENTS / f"{PREFIX}{language}"
    folders = {path.parent.name: path for path in sorted(CLIENTS.glob(f"*/{language}"))}
    folders = {DEFAULT_GAME: example} | folders
    if game not in folders:
        raise UsageError(
            f"--language {language}: {CLIENTS} has no example of {game}; expected -g "
            f"{' or '.join(folders)}. docs/protocol.md says how to write one"
        )
    return read_own_files(example) | read_own_files(folders[game])


def template_file(game: str, template: TemplateName) -> Path:
    """Return the file of a template. Raises: UsageError where it was removed."""
    own = find_file(describe_game(game).templates)
    source = {
        TemplateName.SIMPLE: bundled_bots_folder(find_game(game)) / f"{TEMPLATE}.py",
        TemplateName.SEARCH: own / "search.py",
        TemplateName.LEARNING: own / "learning" / "__init__.py",
    }[template]
    if not source.is_file():
        raise UsageError(
            f"--template {template}: {source} is missing; put the file back, or choose another "
            f"template: {', '.join(other for other in TemplateName if other != template)}"
        )
    return source


def _personalize_template(source: str, bot: NewBot) -> str:
    """Return a template as its new author's own: with its name, and what to type first."""
    head = _make_docstring(bot)
    if bot.template is TemplateName.SIMPLE:  # it says how to copy it
        source = DOCSTRING.sub(lambda _: head, source, count=1)
    else:
        source = _append_commands(source, head)
    return source.replace(TEMPLATE_NAME_LINE, f'NAME = "{bot.title}"', 1)


def _append_commands(source: str, head: str) -> str:
    """Put what to type at the end of a template's docstring."""
    text, _, rest = source.removeprefix(QUOTES).partition(QUOTES)
    commands = head.removeprefix(QUOTES).partition("\n\n")[2].rpartition(QUOTES)[0]
    return f"{QUOTES}{text.rstrip()}\n\n{commands}{QUOTES}{rest}"


def _make_docstring(bot: NewBot) -> str:
    """Return the docstring of a new bot: what to type."""
    lines = (
        f"{bot.call} check {bot.word}",
        f"{bot.call} -1 {bot.word} -2 player_one",
        f"{bot.call} versus {bot.word} player_two",
    )
    return "\n".join(
        [
            f"{QUOTES}A bot for {find_game(bot.game).title}: change it, and see what comes of it.",
            "",
            *(f"    {line}" for line in lines),
            f"{QUOTES}\n",
        ]
    )


def _fill_template(source: Path, replacements: Mapping[str, str]) -> str:
    """Return a template with its words."""
    text = source.read_text(encoding="utf-8")
    for place, word in replacements.items():
        text = text.replace(place, word) if place.startswith('"') else text
    return Template(text).safe_substitute(replacements)


def _link(packages: Path, place: Path) -> None:
    """Make our packages visible for editors and checkers; a copy where links are not allowed."""
    with wrap_write_errors(place):
        if place.is_symlink():
            place.unlink()
        elif place.is_dir():
            shutil.rmtree(place)
        try:
            place.symlink_to(packages, target_is_directory=True)
        except OSError:  # Windows lets few people make links
            for name in NEEDED:
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(packages / name, place / name, ignore=ignored)
