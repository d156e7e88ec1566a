"""Answering whether A is better than B: playing pairs until the sequential test decides."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import msgspec
import numpy as np

from cli.fault_lines import CANNOT_PLAY, FaultPlaces, loss_lines, why_given_up
from cli.next_steps import next_steps
from cli.questions import new_bar, opened, series_between
from cli.store_options import StoreOptions, sandbox_lines
from engine.catalogue import game_named
from engine.errors import UsageError
from engine.support.sanitizing import one_line
from engine.support.signals import INTERRUPTED
from engine.support.wording import counted
from runners.execution.pool import Pool
from runners.git_version import old_version
from runners.observers import Forecast
from runners.questions.reuse import results_in_order
from runners.questions.versus import Answer, answer_so_far, ask
from runners.series import Series
from runners.statistics.sequential import SHARES, SequentialTest, Verdict
from runners.storage.kept_series import with_kept_secret
from runners.storage.store import KeptResult, Store, opened_store
from runners.team_counts import require_teams

WHY_SO_MANY = "; so many are needed if one of the two wins all of them"
EXIT_CODES = {Verdict.BETTER: 0, Verdict.NO_BETTER: 3, Verdict.UNDECIDED: 4}
OUTCOMES = ("0:2", "0.5:1.5", "1:1", "1.5:0.5", "2:0")


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked: who is to be better than whom, and when the test ends."""

    store: StoreOptions
    players: tuple[str, str]
    test: SequentialTest
    most: int
    """Pairs, after which it ends undecided."""
    shows_next: bool = True
    """Whether it is said what to do next."""


@contextmanager
def players_meant(
    options: StoreOptions, named: tuple[str | None, str | None], new: str | None, old: str | None
) -> Iterator[tuple[str, str]]:
    """Yield A and B. An old version lies in a folder meanwhile. Raises: UsageError."""
    first, second = named
    if new is None and old is None:
        if first is None or second is None:
            raise UsageError("name two bots: versus A B; or versus --new BOT --old GIT_REF")
        yield first, second
        return
    if new is None or old is None or first is not None:
        raise UsageError("--new BOT and --old GIT_REF stand together, and without A and B")
    with TemporaryDirectory(prefix="slime-mind-") as folder:
        now, before = old_version(new, options.match.game, old, Path(folder))
        yield str(now), str(before)


def answer_question(asked: Question) -> int:
    """Play as far as needed, print the answer, and return the exit code."""
    series = _series(asked)
    answer, was_stopped = find_answer(asked, series)
    if asked.store.match.prints_json:
        click.echo(answer_json(answer))
    else:
        places = FaultPlaces.of_question(asked.store, series.own_files)
        lines = [answer_text(answer, asked.test, places), *sandbox_lines(asked.store)]
        if asked.shows_next and not was_stopped:
            lines += next_steps(answer, places)
        click.echo("\n".join(lines))
    if was_stopped:
        click.echo("stopped; the same command resumes", err=True)
    return INTERRUPTED if was_stopped else exit_code(answer)


def exit_code(answer: Answer) -> int:
    """Return the code of a verdict; there is none on a bot that loses nearly all decisions."""
    return CANNOT_PLAY if answer.hopeless is not None else EXIT_CODES[answer.assessment.verdict]


def _series(asked: Question) -> Series:
    """Return what is played.

    Raises: UsageError where a game cannot be played by two: who sits beside them would decide.
    """
    require_teams(game_named(asked.store.match.game), 2)
    return series_between(asked.store, asked.players, asked.most)


def find_answer(asked: Question, series: Series) -> tuple[Answer, bool]:
    """Return the answer as far as it is known, and whether it was stopped on the way."""
    test = asked.test
    try:
        with (
            opened(asked.store) as (store, pool),
            new_bar(asked.store, total=asked.most, unit="pair") as bar,
        ):
            counts = np.zeros(len(SHARES))

            def watch(share: float) -> None:
                counts[round(share * (len(SHARES) - 1))] += 1
                bar.set_postfix_str(_ratio(test, float(test.ratio(counts))), refresh=False)
                bar.update()

            kept = with_kept_secret(series, store)
            return ask(kept, test, _played(asked, kept, store, pool), watch), False
    except KeyboardInterrupt:
        with closing(opened_store(asked.store.url)) as store:
            return answer_so_far(with_kept_secret(series, store), test, store), True


def _played(asked: Question, series: Series, store: Store, pool: Pool) -> Iterator[KeptResult]:
    """Yield the results of a series in order, and say once how long that takes."""
    match = asked.store.match
    is_wanted = match.shows_progress and match.run.cluster is None
    matches = 2 * asked.test.fewest_pairs(asked.most)
    jobs = [series.job(fixture) for fixture in series.fixtures()]
    with Forecast(matches, match.run.workers, is_wanted=is_wanted, why=WHY_SO_MANY) as forecast:
        for result in results_in_order(jobs, store, pool):
            forecast.heard(result.teams)
            yield result


def answer_text(answer: Answer, test: SequentialTest, places: FaultPlaces) -> str:
    """Return the answer for people."""
    found = answer.assessment
    a, b = (one_line(player.name) for player in answer.players)
    counts = ", ".join(
        f"{count} of {name}" for name, count in zip(OUTCOMES, found.counts, strict=True) if count
    )
    matches = f"{answer.matches} matches, {answer.distinct} distinct games"
    lines = [
        f"{a} against {b}: {counted(found.pairs, 'side-swapped pair')}, {matches}",
        "",
        f"  pairs  {counts or 'none'}",
        f"  {_ratio(test, found.llr)}",
        f"  lead   {found.elo}",
        *loss_lines(answer.lost_decisions, places),
        "",
        found.words(a, b) if answer.hopeless is None else why_given_up(answer.hopeless),
    ]
    if answer.secret is not None:
        lines.append(f"maps follow from secret {answer.secret}, seed {answer.seed}")
    if found.verdict is Verdict.UNDECIDED and found.pairs and answer.hopeless is None:
        lines.append(f"more pairs may decide it: --max {2 * found.pairs}")
    return "\n".join(lines)


def answer_json(answer: Answer) -> str:
    """Return the answer for scripts."""
    return msgspec.json.encode(answer).decode()


def _ratio(test: SequentialTest, ratio: float) -> str:
    return (
        f"LLR    {ratio:+.2f} ({test.lower:.2f}: not better than by {test.elo0:g} Elo, "
        f"{test.upper:+.2f}: better by {test.elo1:g})"
    )
