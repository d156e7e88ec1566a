"""The command `profile`: where a bot's time goes."""

from pathlib import Path

import click

from cli.completion import complete_bots
from cli.options import FOR_ONE_MATCH, FOR_SERIES, MatchOptions, refuse
from engine.support.signals import signals_held

WITHOUT_EFFECT = tuple(
    name for name in (*FOR_ONE_MATCH, *FOR_SERIES) if name not in ("shows_logs", "jobs")
)


@click.command(epilog="Exit codes: 0 success, 2 wrong usage, 130 interrupted.")
@click.argument("file", metavar="BOT", shell_complete=complete_bots)
@click.option(
    "--against",
    metavar="BOT",
    shell_complete=complete_bots,
    help="The other bot; default: the first starter bot.",
)
@click.option(
    "--turns",
    type=click.IntRange(1),
    metavar="N",
    help="How much of the match is played; default: all of it, 60 seconds at most.",
)
@click.option(
    "--flame",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where the flame graph is written: a .svg picture, or a .json for speedscope.app; "
    "default: a picture in the folder of results.",
)
@click.pass_context
def profile(
    context: click.Context,
    /,
    file: str,
    against: str | None,
    turns: int | None,
    flame: Path | None,
) -> None:
    """Show where a bot's time goes.

    By function and by turn, with a flame graph, and the slowest positions, ready for `ask`. The
    bot plays a match in our process, without limits, and is looked at every half millisecond.
    """
    assert context.parent is not None
    refuse(context.parent, WITHOUT_EFFECT, "profile plays a match of its own")
    options: MatchOptions = context.obj
    with signals_held():
        from cli.profile_run import profile_bot
    profile_bot(options, file, against, turns, flame)
