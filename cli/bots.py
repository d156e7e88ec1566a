"""List the bots there are to play with: the command `bots`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from cli.completion import complete_bots
from cli.options import MatchOptions
from engine.support.lazy_import import lazy_imports
from engine.support.sanitizing import one_line, path_text

with lazy_imports():  # they take a while, and --help needs none of them
    from engine.bots import finding
    from runners import planning


@click.command()
@click.argument("path", metavar="[BOT]", required=False, shell_complete=complete_bots)
@click.pass_obj
def bots(options: MatchOptions, path: str | None) -> None:
    """List bots, and why a file is not a valid bot.

    Those of playerCode, or of BOT: a bot, or a folder of bots. They are read and not run. A bot
    may have 1 MB of source (its .py files), 32 MB of files and 1000 files.
    """
    folder, listed = planning.list_bots(options.game, path)
    click.echo(bots_json(folder, listed) if options.prints_json else bots_table(folder, listed))


def bots_json(folder: Path, bots: Sequence[finding.Bot]) -> str:
    """Return every file that could be meant as a bot, for scripts."""
    listed = [{**msgspec.structs.asdict(bot), "path": path_text(bot.path)} for bot in bots]
    return msgspec.json.encode({"folder": path_text(folder), "bots": listed}).decode()


def bots_table(folder: Path, bots: Sequence[finding.Bot]) -> str:
    """Return a line for every file that could be meant as a bot."""
    if not bots:
        return f"no bots in {folder}: files named player_NAME.py are looked for"
    files = [one_line(bot.path.name) for bot in bots]
    width = max(map(len, files))
    lines = [f"bots in {folder}:"]
    for file, bot in zip(files, bots, strict=True):
        lines.append(
            f"  {file:<{width}}  {bot.digest:<{finding.DIGEST_LETTERS}}  {_bot_words(bot)}".rstrip()
        )
    return "\n".join(lines)


def _bot_words(bot: finding.Bot) -> str:
    if bot.flaw:
        return f"NOT A VALID BOT: {bot.flaw}"
    needs = f"needs {', '.join(bot.needs)}" if bot.needs else ""
    origin = bot.origin and f"asked over HTTP at {bot.origin}"
    language = bot.language and f"a program ({bot.language})"
    template = "the template: copy it" if bot.name == finding.TEMPLATE else ""
    author = bot.author and f"by {bot.author}"
    arguments = (bot.title, bot.version, author, language, origin, needs, template)
    return ", ".join(filter(None, arguments))
