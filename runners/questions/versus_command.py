"""`main.py versus A B`: is A better? The exit code is the answer."""

from collections.abc import Callable
from contextlib import closing
from typing import Any

import click
import msgspec
import numpy as np

from engine.bots.wire import one_line
from engine.catalogue import game_named
from runners.command_line import INTERRUPTED
from runners.options import Options, plan_from
from runners.questions.asking import new_bar, opened, options_of
from runners.questions.versus import Answer, answer_so_far, ask
from runners.sequential import SHARES, SequentialTest, Verdict
from runners.store import Store
from runners.store_options import CLUSTER, RESULTS, results_url
from runners.team_counts import require_teams

EXIT_CODES = {Verdict.BETTER: 0, Verdict.NO_BETTER: 3, Verdict.UNDECIDED: 4}
USUAL = SequentialTest()
MOST_PAIRS = 100_000
OUTCOMES = ("0:2", "0.5:1.5", "1:1", "1.5:0.5", "2:0")


def _number(name: str, usual: float, text: str) -> Callable[[Any], Any]:
    return click.option(name, type=float, default=usual, show_default=True, help=text)


@click.command(
    epilog="Exit codes: 0 A is better, 3 A is no better, 4 not decided, 1 a match could not be "
    "played, 2 wrong usage, 130 stopped."
)
@click.argument("a")
@click.argument("b")
@_number("--elo0", USUAL.elo0, "Hypothesis 0: A is better by so much, or less.")
@_number("--elo1", USUAL.elo1, "Hypothesis 1: A is better by so much, or more.")
@_number("--alpha", USUAL.alpha, "How often A may be found better although 0 is true.")
@_number("--beta", USUAL.beta, "How often A may be found no better although 1 is true.")
@click.option(
    "--max",
    "most",
    type=click.IntRange(1, MOST_PAIRS),
    default=1_000,
    show_default=True,
    metavar="N",
    help="After so many mirrored pairs it ends undecided.",
)
@RESULTS
@CLUSTER
@click.pass_context
def versus(context: click.Context, /, **own: Any) -> None:
    """Is A better than B? Play until that is known.

    Mirrored pairs of matches (a map twice, with sides exchanged) feed a sequential test. What
    was played is kept: the same command goes on, or just gives the answer again.
    """
    options = options_of(context)
    test = SequentialTest(**{name: own[name] for name in SequentialTest.__struct_fields__})
    answer, was_stopped = find_answer(options, test)
    if options["prints_json"]:
        click.echo(answer_json(answer))
    else:
        click.echo(answer_text(answer, test))
    if was_stopped:
        click.echo("stopped; the same command goes on", err=True)
    context.exit(INTERRUPTED if was_stopped else EXIT_CODES[answer.assessment.verdict])


def find_answer(options: Options, test: SequentialTest) -> tuple[Answer, bool]:
    """The answer as far as it is known, and whether it was stopped on the way.

    Raises: UsageError where a game cannot be played by two: who sits beside them would decide.
    """
    require_teams(game_named(options["game"]), 2)
    series = plan_from(options, (options["a"], options["b"])).series(options["most"])
    try:
        with (
            opened(options) as (store, pool),
            new_bar(options, total=options["most"], unit="pair") as bar,
        ):
            counts = np.zeros(len(SHARES))

            def watch(share: float) -> None:
                counts[round(share * (len(SHARES) - 1))] += 1
                bar.set_postfix_str(_ratio(test, float(test.ratio(counts))), refresh=False)
                bar.update()

            return ask(series, test, store, pool, watch), False
    except KeyboardInterrupt:
        with closing(Store(results_url(options))) as store:
            return answer_so_far(series, test, store), True


def answer_text(answer: Answer, test: SequentialTest) -> str:
    """For people."""
    found = answer.assessment
    a, b = (one_line(player.name) for player in answer.players)
    counts = ", ".join(
        f"{count} of {name}" for name, count in zip(OUTCOMES, found.counts, strict=True) if count
    )
    matches = f"{answer.matches} matches, {answer.distinct} really different"
    lines = [
        f"{a} against {b}: {found.pairs} mirrored pairs, {matches}",
        "",
        f"  pairs  {counts or 'none'}",
        f"  {_ratio(test, found.llr)}",
        f"  lead   {found.elo}",
        "",
        found.words(a, b),
    ]
    if found.verdict is Verdict.UNDECIDED and found.pairs:
        lines.append(f"more pairs may decide it: --max {2 * found.pairs}")
    return "\n".join(lines)


def answer_json(answer: Answer) -> str:
    """For scripts."""
    return msgspec.json.encode(answer).decode()


def _ratio(test: SequentialTest, ratio: float) -> str:
    return (
        f"LLR    {ratio:+.2f} ({test.lower:.2f}: no better than by {test.elo0:g} Elo, "
        f"{test.upper:+.2f}: better by {test.elo1:g})"
    )
