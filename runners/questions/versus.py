"""Plays side-swapped pairs, or reads stored ones, until a test has decided whether A is better."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import islice

import msgspec

from engine.errors import EngineFailure
from engine.referee import Job
from engine.replays.writing import Contestant
from engine.result import MatchResult
from engine.streams import seed_text
from runners.execution.pool import Pool, describe_error
from runners.lost_decisions import LossTally, LostDecisions
from runners.series import A, B, Fixture, Series
from runners.statistics.scores import Score, SideSwappedSet
from runners.statistics.sequential import Assessment, Pair, RunningTest, SequentialTest
from runners.storage.store import Store, StoredResult

Played = tuple[Fixture, StoredResult]
Watch = Callable[[RunningTest], None]
"""Is called after each pair."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a sequential test, and how many distinct games it rests on."""

    players: tuple[Contestant, ...]
    """A and B."""
    seed: str
    secret: str | None
    """The secret from which the maps were drawn; None while there may be more to play."""
    assessment: Assessment
    matches: int
    distinct: int
    keys: tuple[str, ...]
    """The keys of the matches it rests on, in their order."""
    lost_decisions: tuple[LostDecisions, ...] = ()
    """What the bots lost by faults."""
    lost_by_a: tuple[tuple[str, int], ...] = ()
    """The matches that A lost: the key, and the team that it played."""
    hopeless: LostDecisions | None = None
    """What a bot lost that loses nearly all its decisions: it was not played on."""


def ask(
    series: Series, test: SequentialTest, results: Iterator[StoredResult], watch: Watch
) -> Answer:
    """Play as much of the series as the test needs, and no more where a bot cannot play.

    `results` are those of its matches, in order, which are played when asked for.
    Raises: KeyboardInterrupt.
    """
    answer = _compute_answer(series, test, results, watch)
    return msgspec.structs.replace(answer, secret=seed_text(series.secret))


def answer_so_far(series: Series, test: SequentialTest, store: Store) -> Answer:
    """Return the answer from the results that are stored."""
    jobs = [series.make_job(fixture) for fixture in series.fixtures()]
    return _compute_answer(series, test, load_known_results(jobs, store), lambda running: None)


def _compute_answer(
    series: Series, test: SequentialTest, results: Iterator[StoredResult], watch: Watch
) -> Answer:
    used: list[Played] = []
    losses = LossTally(keeps_going=series.run.keeps_going)
    running = RunningTest(test)
    for share, played in _complete_pairs(series, results):
        used.extend(played)
        for fixture, result in played:
            losses.add(result.key, fixture.seats, result.teams)
        running.add(Pair(share, tuple(result.fingerprint for _, result in played)))
        watch(running)
        if running.is_over or losses.hopeless is not None:
            break
    assessment = running.assess()
    return Answer(
        players=series.contestants,
        seed=seed_text(series.seed),
        secret=None,
        assessment=assessment,
        matches=len(used),
        distinct=assessment.games,
        keys=tuple(result.key for _, result in used),
        lost_decisions=losses.losses,
        hopeless=losses.hopeless,
        lost_by_a=tuple(
            (result.key, fixture.seats.index(A) + 1)
            for fixture, result in used
            if result.winner == fixture.seats.index(B) + 1
        ),
    )


def _complete_pairs(
    series: Series, results: Iterator[StoredResult]
) -> Iterator[tuple[float, list[Played]]]:
    """Yield what A took of each complete side-swapped pair, and its matches."""
    fixtures = iter(series.fixtures())
    while len(matches := list(islice(results, 2))) == 2:
        pair = list(zip(islice(fixtures, 2), matches, strict=True))
        scores = tuple(Score(fixture.seats, result.scores) for fixture, result in pair)
        yield SideSwappedSet(0, scores).entrant_share(A), pair


def results_in_order(jobs: Sequence[Job], store: Store, pool: Pool) -> Iterator[StoredResult]:
    """Yield results, played only when asked for, but for what keeps all cores busy meanwhile.

    So whoever knows enough just stops asking. Raises: EngineFailure.
    """
    found = store.load_results(job.spec.key for job in jobs)
    missing = list({job.spec.key: job for job in jobs if job.spec.key not in found}.values())
    with closing(pool.play_all(missing)) as played:
        for job in jobs:
            while job.spec.key not in found:
                number, result = next(played)
                key = missing[number].spec.key
                found[key] = _save_result(key, result, store)
            yield found[job.spec.key]


def load_known_results(jobs: Sequence[Job], store: Store) -> Iterator[StoredResult]:
    """Yield the results before the first that is not in the store."""
    found = store.load_results(job.spec.key for job in jobs)
    for job in jobs:
        if job.spec.key not in found:
            return
        yield found[job.spec.key]


def _save_result(key: str, result: MatchResult | BaseException, store: Store) -> StoredResult:
    if isinstance(result, MatchResult):
        return store.add(result)
    message = describe_error(result)
    store.add_failure(key, message)
    raise EngineFailure(f"match {key} could not be played: {message}")
