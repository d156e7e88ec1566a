"""Declare the options of commands that put a bot before a turn of a recorded match."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

MATCH = click.option(
    "--replay",
    metavar="MATCH",
    help="The recorded match: a replay, or the first letters of its key; default: the newest.",
)
TEAM = click.option(
    "--team",
    type=click.IntRange(1, 6),
    metavar="N",
    help="The team for which it decides; default: the one that a bot of its name played.",
)
FRESH = click.option(
    "--fresh",
    is_flag=True,
    help="Begin at that turn, as after a restart: quick, and the bot remembers nothing. Otherwise "
    "it is asked in all turns before as well.",
)


def piece_option(words: str) -> Callable[[F], F]:
    """Return the option that names one piece; `words` are its help."""
    return click.option("--piece", type=int, metavar="ID", help=words)
