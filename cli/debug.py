"""The command `debug`: a recorded turn before your present bot, under Python's debugger."""

import click

from cli.completion import complete_bots
from cli.options import FOR_ONE_MATCH, FOR_SERIES, MatchOptions, refuse
from engine.signals import signals_held

WITHOUT_EFFECT = tuple(
    name
    for name in (*FOR_ONE_MATCH, *FOR_SERIES, "seed")
    if name not in ("shows_logs", "jobs", "in_process")
)


@click.command(
    epilog="Exit codes: 0 success, also if you quit the debugger, 2 wrong usage, 130 interrupted."
)
@click.argument("match")
@click.argument("turn", type=click.IntRange(0))
@click.option(
    "--team",
    type=click.IntRange(1, 6),
    metavar="N",
    help="The team to debug; default: that of --bot, or the first whose bot was changed since.",
)
@click.option(
    "--bot",
    "file",
    metavar="BOT",
    shell_complete=complete_bots,
    help="The bot to put there; default: the file of the name that is recorded.",
)
@click.option("--piece", type=int, metavar="ID", help="Stop for this piece alone.")
@click.option(
    "--fresh",
    is_flag=True,
    help="Begin at that turn, as after a restart: quick, and the bot remembers nothing.",
)
@click.pass_context
def debug(
    context: click.Context,
    /,
    match: str,
    turn: int,
    team: int | None,
    file: str | None,
    piece: int | None,
    fresh: bool,
) -> None:
    """Debug your bot in a recorded turn.

    MATCH is a replay, or the first letters of its key; TURN the turn. The bot is your own file as
    it is now, in our process; it is asked in all turns before as well, where breakpoint() is
    passed over, and pdb stops at the first line of it that decides in TURN. Nothing is played on.
    """
    assert context.parent is not None
    refuse(context.parent, WITHOUT_EFFECT, "debug plays nothing")
    options: MatchOptions = context.obj
    with signals_held():
        from cli.debug_run import Debugged, debug_turn
    debug_turn(
        options,
        Debugged(match=match, turn=turn, team=team, file=file, piece=piece, is_fresh=fresh),
    )
