"""The command `ask`: what a bot would order in a recorded turn, without playing on."""

from pathlib import Path

import click

from cli.completion import complete_bots
from cli.options import FOR_ONE_MATCH, FOR_SERIES, MatchOptions, refuse
from cli.recorded_options import FRESH, MATCH, TEAM, piece_option
from engine.errors import UsageError
from engine.support.signals import signals_held

WITHOUT_EFFECT = tuple(
    name
    for name in (*FOR_ONE_MATCH, *FOR_SERIES, "seed")
    if name not in ("shows_logs", "jobs", "in_process", "past_before")
)


def turn_range(text: str) -> range:
    """Return some turns, typed as the first and the last. Raises: click.BadParameter."""
    first, dash, last = text.partition("-")
    if not (dash and first.isdecimal() and last.isdecimal() and int(first) <= int(last)):
        raise click.BadParameter(f"{text!r:.40}: expected two turns, such as 400-412")
    return range(int(first), int(last) + 1)


@click.command(
    epilog="Exit codes: 0 the same was ordered, or all positions are right, 1 not so, 2 wrong "
    "usage, 130 interrupted."
)
@click.argument("file", metavar="BOT", shell_complete=complete_bots)
@MATCH
@click.option(
    "--turn", type=click.IntRange(0), metavar="N", help="The turn in which the bot is asked."
)
@click.option("--turns", type=turn_range, metavar="A-B", help="The same, for several turns.")
@TEAM
@piece_option("Ask about this piece alone.")
@FRESH
@click.option(
    "--keep",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="SUITE",
    help="Add what was asked to a suite of positions (TOML), with what it ordered as the best.",
)
@click.option(
    "--positions",
    "suite",
    type=click.Path(path_type=Path),
    metavar="SUITE",
    help="Ask it all positions of a suite, and compare with the orders that are expected there.",
)
@click.pass_context
def ask(
    context: click.Context,
    /,
    file: str,
    replay: str | None,
    turn: int | None,
    turns: range | None,
    team: int | None,
    piece: int | None,
    fresh: bool,
    keep: Path | None,
    suite: Path | None,
) -> None:
    """Ask a bot what it would order in a recorded turn.

    It is shown beside what was ordered then, and nothing is played on. BOT is the bot as it is
    now, in a process of its own; with --in-process in ours, where breakpoint() works.
    """
    assert context.parent is not None
    refuse(context.parent, WITHOUT_EFFECT, "ask plays nothing")
    options: MatchOptions = context.obj
    with signals_held():
        from cli.ask_run import Asked, ask_recorded, ask_suite
    if suite is not None:
        if turn is not None or turns is not None or replay is not None or keep is not None:
            raise UsageError("--positions has the matches and turns of its own")
        context.exit(ask_suite(options, file, suite))
    if (turn is None) == (turns is None):
        raise UsageError("name the turn: --turn 412, or --turns 400-412")
    wanted = turns if turns is not None else range(turn or 0, (turn or 0) + 1)
    asked = Asked(file=file, match=replay, turns=wanted, team=team, piece=piece, is_fresh=fresh)
    context.exit(ask_recorded(options, asked, keep))
