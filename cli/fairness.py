"""The command `fairness`: is a side, or a seat, favored? The exit code is the answer."""

import click

from cli.completion import complete_bots
from cli.store_options import CLUSTER, RESULTS
from engine.support.signals import signals_held


@click.command(
    epilog="Exit codes: 0 no side is favored beyond chance, 3 one is, 1 a match could not be "
    "played, or a bot loses nearly all its decisions, 2 wrong usage, 130 interrupted."
)
@click.argument("bots", nargs=-1, shell_complete=complete_bots)
@click.option(
    "--games",
    type=click.IntRange(1, 100_000),
    default=10,
    show_default=True,
    metavar="N",
    help="Maps; on each every two bots play a side-swapped pair, and every bot plays itself.",
)
@click.option(
    "--table",
    type=click.IntRange(2),
    metavar="N",
    help="Play N-player matches, of all groups of N bots, in all rotations of the seats; "
    "default: as few players as the game allows.",
)
@RESULTS
@CLUSTER
@click.pass_context
def fairness(
    context: click.Context,
    /,
    bots: tuple[str, ...],
    games: int,
    table: int | None,
    **store: str | None,
) -> None:
    """Is a side, or a seat, favored? Bots play each other on mirrored maps, and themselves.

    Those you name, or all of playerCode but the template. What was played is kept: the same
    command resumes, or just prints the answer again.
    """
    with signals_held():  # what plays takes a while to import
        from cli.fairness_run import Question, answer_question
        from cli.questions import question_options_of
    options = question_options_of(context)
    context.exit(answer_question(Question(store=options, bots=bots, maps=games, seats=table)))
