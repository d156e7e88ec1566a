"""Play many matches between the same bots: the command `series`."""

from __future__ import annotations

import click
from msgspec.structs import replace

from cli.choices import complete_bots
from cli.options import MatchOptions, Runner
from engine.support.lazy_import import lazy_imports

with lazy_imports():  # they take a while, and --help needs none of them
    from cli import match


@click.command()
@click.argument("bots", metavar="[BOT]...", nargs=-1, shell_complete=complete_bots)
@click.pass_context
def series(context: click.Context, /, bots: tuple[str, ...]) -> None:
    """Play many matches between the same bots.

    The same as -r multi_match, with the bots named behind it. -m N says how many matches; every map
    is played from every seat. The same command resumes after a stop, or prints the result again.
    """
    assert context.parent is not None
    options: MatchOptions = context.obj
    request = replace(options.request, players=(*options.request.players, *bots))
    asked = replace(options, runner=Runner.MULTI_MATCH, request=request)
    context.exit(match.play(context.parent, asked))
