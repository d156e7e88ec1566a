"""The command `tune`: finds better numbers for a bot that declares them."""

from collections.abc import Sequence

import click

from cli.completion import complete_bots
from cli.store_options import RESULTS
from engine.support.signals import signals_held

MOST_ITERATIONS, MOST_PAIRS = 10_000, 1_000


@click.command(
    epilog="Exit codes: 0 the tuned bot is better, 3 it is not better, 4 undecided, 1 a match "
    "could not be played, or the bot loses nearly all its decisions, 2 wrong usage, such as "
    "parameters that change nothing, 130 interrupted."
)
@click.argument("file", metavar="BOT", shell_complete=complete_bots)
@click.option(
    "--param",
    "ranges",
    multiple=True,
    required=True,
    metavar="NAME=LOW..HIGH",
    help="A number of the bot's PARAMS, and the range to look in: aggression=0.1..0.9. It begins "
    "at the bot's own value. May be repeated; whole numbers stay whole.",
)
@click.option(
    "--iterations",
    type=click.IntRange(1, MOST_ITERATIONS),
    default=100,
    show_default=True,
    metavar="N",
    help="How often two copies meet and the numbers move.",
)
@click.option(
    "--pairs",
    type=click.IntRange(1, MOST_PAIRS),
    default=4,
    show_default=True,
    metavar="N",
    help="Side-swapped pairs of matches in an iteration.",
)
@click.option(
    "--max",
    "most",
    type=click.IntRange(0, 100_000),
    default=500,
    show_default=True,
    metavar="N",
    help="At the end the tuned bot plays the present one until a sequential test decides, or so "
    "many pairs are played; 0: no such test.",
)
@RESULTS
@click.pass_context
def tune(
    context: click.Context,
    /,
    file: str,
    ranges: Sequence[str],
    iterations: int,
    pairs: int,
    most: int,
    results: str,
) -> None:
    """Find better numbers for a bot that declares them.

    At the top of its file: PARAMS = {"aggression": 0.5}; the bot reads them from there. Two copies
    with slightly different numbers meet again and again, and the numbers move towards those that
    win (SPSA). The same command resumes after a stop. The tuned bot is written beside a picture of
    the way, and is compared with the present one; your file stays as it is.
    """
    with signals_held():  # what plays takes a while to import
        from cli.questions import question_options_of
        from cli.tune_run import TuneRequest, tune_bot
    asked = TuneRequest(
        store=question_options_of(context),
        file=file,
        ranges=tuple(ranges),
        iterations=iterations,
        pairs=pairs,
        most=most,
    )
    context.exit(tune_bot(asked))
