"""Write the files of a new bot, or of a new game: the commands `new` and `new-game`."""

import re
import shlex
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import click
import msgspec

from cli.choices import Choice, option
from cli.options import MatchOptions
from engine.catalog import GAMES
from engine.errors import UsageError
from runners.authoring.new_bot import (
    Language,
    NewBot,
    TemplateName,
    bot_name,
    folder_of_bots,
    write_new_bot,
    write_project,
)
from runners.commands import commands_for
from runners.configuration import HOME

GAME_TEMPLATE = HOME / "resources" / "templates" / "game"
GAME_NAME = re.compile(r"[a-z][a-z0-9_]{1,39}")


@click.command(epilog="Exit codes: 0 success, 1 a file cannot be written, 2 wrong usage.")
@click.argument("name", required=False)
@option(
    "--template",
    type=Choice([str(name) for name in TemplateName]),
    default=str(TemplateName.SIMPLE),
    help="What it begins with: a few rules that explain the API; a search; or a policy whose "
    "weights stand in a file beside it, with a script that trains it.",
)
@option(
    "--language",
    type=Choice([str(language) for language in Language]),
    default=str(Language.PYTHON),
    help="What it is written in; in another language than Python it is a folder with a client of "
    "the protocol.",
)
@option(
    "--here",
    is_flag=True,
    help="Make it in this folder, with a project around it: pyproject.toml, the configuration of "
    "editors, .gitignore. Without NAME only what is missing of the project is made.",
)
@click.pass_obj
def new(
    options: MatchOptions, /, name: str | None, template: str, language: str, here: bool
) -> None:
    """Begin a bot: its file, its tests, a project around it.

    It is a bot of the game of -g, and plays as it is. Without --here it is
    playerCode/player_NAME.py, or a folder of that name. Nothing that is there already is changed.
    """
    if name is None and not here:
        raise UsageError("new needs a NAME, such as my_bot")
    if language != Language.PYTHON and template != TemplateName.SIMPLE:
        raise UsageError(f"--template {template} is in Python: leave it out, or --language")
    command = commands_for(sys.argv[0], options.out).main
    bot = NewBot(
        name=bot_name(name or Path.cwd().name.replace("-", "_"), is_own_project=here),
        game=options.game,
        template=TemplateName(template),
        language=Language(language),
        folder=Path() if here else folder_of_bots(options.game),
        is_own_project=here,
        command=command,
    )
    written = [] if name is None else write_new_bot(bot)
    existing = list[Path]()
    if here:
        made, existing = write_project(bot)
        written += made
    commands = {} if name is None else _next_commands(bot)
    if options.prints_json:
        files = {"made": [*map(str, written)], "kept": [*map(str, existing)]}
        result = {**files, "commands": commands}
        click.echo(msgspec.json.encode(result).decode())
    else:
        click.echo(_summary_text(written, existing, commands))


def _next_commands(bot: NewBot) -> dict[str, str]:
    """Return what to type next."""
    commands = {
        "check": f"{bot.call} check {bot.word}",
        "watch": f"{bot.call} -1 {bot.word} -2 player_one",
        "test": f"{bot.call} test {bot.word}",
    }
    if bot.template is TemplateName.LEARNING:
        commands["train"] = f"python3 {bot.folder / bot.words['script']}"
    return commands


def _summary_text(written: list[Path], existing: list[Path], commands: Mapping[str, str]) -> str:
    """Return what was made, and what to type next."""
    lines = [f"made {path}" for path in written]
    lines += [f"kept {path}, which was there" for path in existing]
    if commands:
        lines.append("")
    lines += [f"{f'{name} it:':<11} {command}" for name, command in commands.items()]
    return "\n".join(lines)


@click.command(epilog="Exit codes: 0 success, 1 a file cannot be written, 2 wrong usage.")
@click.argument("name")
@click.pass_obj
def new_game(options: MatchOptions, /, name: str) -> None:
    """Begin a game: a package that plays as it is, bots and tests.

    It is made in the folder NAME. Its rules are taking stones, until you change them:
    docs/adding_a_game.md.
    """
    if Path(name).exists():
        raise UsageError(f"{name} is there already: nothing in it is changed")
    title = name.replace("_", " ").title()
    if not GAME_NAME.fullmatch(name) or find_spec(name) is not None or name in GAMES:
        raise UsageError(
            f"{name!r:.60}: expected a name of small letters, digits and _, as connect_four, that "
            "no module and no game has"
        )
    replacements = {"my_game": name, "my-game": name.replace("_", "-"), "My Game": title}
    replacements["MyGame"] = title.replace(" ", "")
    made = []
    for source in sorted(GAME_TEMPLATE.rglob("*.*")):
        if source.suffix != ".pyc":
            path, text = str(source.relative_to(GAME_TEMPLATE)), source.read_text(encoding="utf-8")
            for word, own in replacements.items():
                path, text = path.replace(word, own), text.replace(word, own)
            made.append(Path(name, path))
            made[-1].parent.mkdir(parents=True, exist_ok=True)
            made[-1].write_text(text, encoding="utf-8")
    command, python = commands_for(sys.argv[0], options.out).main, shlex.quote(sys.executable)
    commands = {
        "install": f"{python} -m pip install --no-deps --editable {name}",
        "play": f"{command} -g {name} -1 player_one -2 player_two",
        "test": f"{python} -m pytest {name}",
    }
    result = {"made": [*map(str, made)], "commands": commands}
    as_json = msgspec.json.encode(result).decode()
    click.echo(as_json if options.prints_json else _summary_text(made, [], commands))
