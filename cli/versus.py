"""The command `versus`: is A better than B? The exit code is the answer."""

from collections.abc import Callable
from typing import Any

import click

from cli.completion import complete_bots
from cli.store_options import CLUSTER, RESULTS
from engine.support.signals import signals_held
from runners.statistics.sequential import SequentialTest

USUAL = SequentialTest()
MOST_PAIRS = 100_000


def _number(name: str, usual: float, text: str) -> Callable[[Any], Any]:
    return click.option(name, type=float, default=usual, show_default=True, help=text)


@click.command(
    epilog="Exit codes: 0 A is better, 3 A is not better, 4 undecided, 1 a match could not be "
    "played, or a bot loses nearly all its decisions, 2 wrong usage, 130 interrupted."
)
@click.argument("a", required=False, shell_complete=complete_bots)
@click.argument("b", required=False, shell_complete=complete_bots)
@click.option(
    "--new",
    metavar="BOT",
    shell_complete=complete_bots,
    help="Instead of A and B: a bot of yours as its files are now, with --old.",
)
@click.option(
    "--old",
    metavar="GIT_REF",
    help="The commit, branch or tag of the bot's own git repository at which it is its opponent.",
)
@_number("--elo0", USUAL.elo0, "Hypothesis 0: A is better by this Elo difference, or less.")
@_number("--elo1", USUAL.elo1, "Hypothesis 1: A is better by this Elo difference, or more.")
@_number("--alpha", USUAL.alpha, "Rate of wrong answers if hypothesis 0 is true.")
@_number(
    "--beta",
    USUAL.beta,
    "Rate of wrong answers if hypothesis 1 is true.",
)
@click.option(
    "--max",
    "most",
    type=click.IntRange(1, MOST_PAIRS),
    default=1_000,
    show_default=True,
    metavar="N",
    help="The test ends undecided after so many side-swapped pairs.",
)
@RESULTS
@CLUSTER
@click.pass_context
def versus(
    context: click.Context,
    /,
    a: str | None,
    b: str | None,
    new: str | None,
    old: str | None,
    most: int,
    **others: Any,
) -> None:
    """Is A better than B? A sequential test (SPRT).

    `versus --new BOT --old HEAD` asks whether what you changed since a commit makes it better.

    Side-swapped pairs of matches (a map twice, with sides swapped) are played until it decides.
    What was played is kept: the same command resumes, or just prints the answer again.
    """
    with signals_held():  # what plays takes a while to import
        from cli.questions import question_options_of
        from cli.versus_run import Question, answer_question, players_meant
    options = question_options_of(context)
    test = SequentialTest(**{name: others[name] for name in SequentialTest.__struct_fields__})
    with players_meant(options, (a, b), new, old) as players:
        asked = Question(store=options, players=players, test=test, most=most)
        context.exit(answer_question(asked))
