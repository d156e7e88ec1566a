"""The command `debug`: a recorded turn before your present bot, under Python's debugger."""

import click

from cli.completion import complete_bots
from cli.options import FOR_ONE_MATCH, FOR_SERIES, MatchOptions, refuse
from cli.recorded_options import FRESH, MATCH, TEAM, piece_option
from engine.support.signals import signals_held

WITHOUT_EFFECT = tuple(
    name
    for name in (*FOR_ONE_MATCH, *FOR_SERIES, "seed")
    if name not in ("shows_logs", "jobs", "in_process")
)


@click.command(
    epilog="Exit codes: 0 success, also if you quit the debugger, 2 wrong usage, 130 interrupted."
)
@click.argument("file", metavar="BOT", shell_complete=complete_bots)
@MATCH
@click.option(
    "--turn",
    type=click.IntRange(0),
    required=True,
    metavar="N",
    help="The turn in which the debugger stops.",
)
@TEAM
@piece_option("Stop for this piece alone.")
@FRESH
@click.pass_context
def debug(
    context: click.Context,
    /,
    file: str,
    replay: str | None,
    turn: int,
    team: int | None,
    piece: int | None,
    fresh: bool,
) -> None:
    """Debug your bot in a recorded turn.

    BOT is the bot as it is now, in our process, with its own lines and names. It is asked in all
    turns before as well, where breakpoint() is passed over, and pdb stops at the first line of it
    that decides in that turn. Nothing is played on.
    """
    assert context.parent is not None
    refuse(context.parent, WITHOUT_EFFECT, "debug plays nothing")
    options: MatchOptions = context.obj
    with signals_held():
        from cli.ask_run import Asked
        from cli.debug_run import debug_turn
    turns = range(turn, turn + 1)
    debug_turn(
        options,
        Asked(file=file, match=replay, turns=turns, team=team, piece=piece, is_fresh=fresh),
    )
