"""Write the first page of a command's help, which fits a terminal; all of it is `--help --all`."""

from collections.abc import Iterable, Sequence
from textwrap import shorten, wrap
from typing import NamedTuple

import click

MAX_LINES, MAX_COLUMNS = 24, 80
"""What a terminal shows at once."""
MAX_WORDS = 24
"""The column of options, in letters; who has more stands alone on a line."""
EVERYTHING = "--all"
"""With --help: the whole page."""


class HelpRow(NamedTuple):
    """An option or a command, and what it does."""

    words: str
    text: str


def brief_help(context: click.Context, command: click.Command) -> str:
    """Return the help of a command, as far as fits: of each option its first sentence."""
    name, usage = context.command_path, " ".join(command.collect_usage_pieces(context))
    lines = [f"Usage: {name} {usage}", ""]
    opening = click.unstyle(command.help or "").split("\n\n")[0]
    lines += [f"  {line}" for line in wrap(" ".join(opening.split()), MAX_COLUMNS - 2)]
    rows = list_rows(context, command)
    room = MAX_LINES - len(lines) - 3
    shown, left = format_rows(rows), 0
    if len(shown) > room:
        shown, left = format_rows(rows[:room], is_short=True), max(0, len(rows) - room)
    rest = f"{left} more, and all in full" if left else "all in full"
    return "\n".join([*lines, "", *shown, "", f"  {name} --help --all: {rest}"])


def list_rows(context: click.Context, command: click.Command) -> list[HelpRow]:
    """Return the options of a command, and the commands of a group."""
    records = (param.get_help_record(context) for param in command.get_params(context))
    rows = [HelpRow(*one) for one in records if one and one[1] and "--help" not in one[0]]
    if isinstance(command, click.Group):
        below = ((name, command.commands[name]) for name in command.list_commands(context))
        rows += [HelpRow(name, str(one.help or "")) for name, one in below]
    return rows


def format_rows(
    rows: Sequence[HelpRow], width: int | None = None, *, is_short: bool = False
) -> list[str]:
    """Return lines with the words of each row, its first sentence and what can be chosen.

    `is_short`: one line for each, with as much of the sentence as it holds.
    """
    width = width or min(MAX_WORDS, max((len(row.words) for row in rows), default=0))
    lines = []
    for row in rows:
        words, choices = row.words, ""
        if len(words) > width:
            words, _, choices = words.partition(" [")
        room = MAX_COLUMNS - 4 - max(width, len(words))
        text = first_sentence(row.text)
        if choices:
            text += f": {choices.rstrip(']').replace('|', ', ')}"
        first, *more = [shorten(text, room, placeholder=" ...")] if is_short else wrap(text, room)
        lines += [f"  {words:<{width}}  {first}", *(f"  {'':<{width}}  {line}" for line in more)]
    return lines


def first_sentence(text: str) -> str:
    """Return what stands before the first full stop, semicolon or default, in one line."""
    line = " ".join(text.split())
    for end in ("; default:", "; ", ". ", "  ["):
        line = line.partition(end)[0]
    return line.removesuffix(".")


def note_everything(
    context: click.Context, arguments: Sequence[str], asking: Iterable[str]
) -> list[str]:
    """Note in the context whether words ask for all of the help; return them without --all."""
    if EVERYTHING not in arguments or set(arguments).isdisjoint(asking):
        return list(arguments)
    context.meta[EVERYTHING] = True
    return [word for word in arguments if word != EVERYTHING]
