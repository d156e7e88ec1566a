"""Tell which words of a command line name a command, and which are values of options."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import click

END = "--"
"""Behind it every word stands for itself."""

Options = Mapping[str, click.Option]
"""Options by each of their words: `-m` and `--matches`."""
Piece = tuple[str, ...]
"""A word, or an option with the value that stands behind it."""


def options_by_word(commands: Iterable[click.Command]) -> dict[str, click.Option]:
    """Return the options of these commands; of one word, that of the last command."""
    return {
        word: param
        for command in commands
        for param in command.params
        if isinstance(param, click.Option)
        for word in (*param.opts, *param.secondary_opts)
    }


def in_pieces(words: Sequence[str], options: Options) -> Iterator[Piece]:
    """Yield the words; an option and its value together, whatever the value begins with."""
    place = 0
    while place < len(words):
        size = 1 + _takes_next(words[place], words[place + 1 : place + 2], options)
        yield tuple(words[place : place + size])
        place += size
        if words[place - size] == END:
            yield from ((word,) for word in words[place:])
            return


def named_commands(
    words: Sequence[str], group: click.Group, usual: str | None = None
) -> list[click.Command]:
    """Return the command that is named, and the one below it that is.

    `usual` is the name of the command where none is named; None: there may be none.
    """
    name = _first_named(words, [group]) or usual
    if name is None or name not in group.commands:
        return []
    command = group.commands[name]
    if not isinstance(command, click.Group):
        return [command]
    below = _first_named(words, [group, command])
    return [command] if below is None else [command, command.commands[below]]


def with_values_attached(
    words: Sequence[str], group: click.Group, commands: Sequence[click.Command]
) -> list[str]:
    """Return the words, with `--elo0 -3` of a command as `--elo0=-3`.

    The group reads all words before the command does, and would take a value such as `-3` for an
    option of its own. Words behind `--` are kept from both of them.
    """
    own = options_by_word(commands)
    found: list[str] = []
    for piece in in_pieces(words, {**options_by_word([group]), **own}):
        is_own = len(piece) > 1 and piece[0] in own
        found += ["=".join(piece)] if is_own else piece
    if commands and END in found:
        found.insert(found.index(END), END)  # one for the group, and one for the command
    return found


def _first_named(words: Sequence[str], groups: Sequence[click.Group]) -> str | None:
    """Return the first word that names a command of the last group, and is no option's value.

    What is a value is known with the options of that command alone: they may stand before it.
    """
    commands = groups[-1].commands
    for name in (word for word in words if word in commands):
        options = options_by_word([*groups, commands[name]])
        if (name,) in in_pieces(words, options):
            return name
    return None


def _takes_next(word: str, following: Sequence[str], options: Options) -> bool:
    """Return whether the next word is the value of this one."""
    if not following or not word.startswith("-"):
        return False
    option = options.get(word) if word.startswith("--") else _last_short(word, options)
    return option is not None and _needs(option, following[0])


def _last_short(word: str, options: Options) -> click.Option | None:
    """Return the option whose value is not attached, in words such as `-m` and `-qm`."""
    for place, letter in enumerate(word[1:], 2):
        option = options.get(f"-{letter}")
        if option is not None and not option.is_flag:
            return option if place == len(word) else None
    return None


def _needs(option: click.Option, word: str) -> bool:
    """Return whether an option takes a word as its value."""
    if option.is_flag or option.count:
        return False
    is_optional: Any = option._flag_needs_value  # noqa: SLF001 - click has no other way
    return not (is_optional and word.startswith("-") and len(word) > 1)
