"""The command `bots`: what there is to play with."""

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from cli.completion import complete_bots
from cli.options import MatchOptions
from engine.bots.finding import DIGEST_LETTERS, TEMPLATE, Bot
from engine.support.sanitizing import one_line, path_text
from runners.planning import found_bots


@click.command()
@click.argument("path", metavar="[BOT]", required=False, shell_complete=complete_bots)
@click.pass_obj
def bots(options: MatchOptions, path: str | None) -> None:
    """List bots, and why a file is not a valid bot.

    Those of playerCode, or of BOT: a bot, or a folder of bots. They are read and not run. A bot
    may have 1 MB of source (its .py files), 32 MB of files and 1000 files.
    """
    folder, listed = found_bots(options.game, path)
    click.echo(bots_json(folder, listed) if options.prints_json else bots_table(folder, listed))


def bots_json(folder: Path, bots: Sequence[Bot]) -> str:
    """Return every file that could be meant as a bot, for scripts."""
    listed = [{**msgspec.structs.asdict(bot), "path": path_text(bot.path)} for bot in bots]
    return msgspec.json.encode({"folder": path_text(folder), "bots": listed}).decode()


def bots_table(folder: Path, bots: Sequence[Bot]) -> str:
    """Return a line for every file that could be meant as a bot."""
    if not bots:
        return f"no bots in {folder}: files named player_NAME.py are looked for"
    files = [one_line(bot.path.name) for bot in bots]
    width = max(map(len, files))
    lines = [f"bots in {folder}:"]
    for file, bot in zip(files, bots, strict=True):
        lines.append(f"  {file:<{width}}  {bot.digest:<{DIGEST_LETTERS}}  {_about(bot)}".rstrip())
    return "\n".join(lines)


def _about(bot: Bot) -> str:
    if bot.flaw:
        return f"NOT A VALID BOT: {bot.flaw}"
    needs = f"needs {', '.join(bot.needs)}" if bot.needs else ""
    language = bot.language and f"a program ({bot.language})"
    template = "the template: copy it" if bot.name == TEMPLATE else ""
    author = bot.author and f"by {bot.author}"
    return ", ".join(filter(None, (bot.title, bot.version, author, language, needs, template)))
