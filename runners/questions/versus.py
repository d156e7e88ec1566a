"""Plays side-swapped pairs until a test has decided whether A is better than B."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import msgspec

from engine.record import Contestant
from engine.streams import seed_text
from runners.execution.pool import Pool
from runners.multi_match import A, Series
from runners.questions.reuse import known_in_order, results_in_order
from runners.statistics.scores import Score, SideSwappedSet
from runners.statistics.sequential import Assessment, SequentialTest
from runners.storage.store import KeptResult, Store

Watch = Callable[[float], None]
"""Is told what share of a pair A took."""


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


def ask(series: Series, test: SequentialTest, store: Store, pool: Pool, watch: Watch) -> Answer:
    """Play as much of the series as the test needs. Raises: KeyboardInterrupt."""
    jobs = [series.job(fixture) for fixture in series.fixtures()]
    answer = _answer(series, test, results_in_order(jobs, store, pool), watch)
    return msgspec.structs.replace(answer, secret=seed_text(series.secret))


def answer_so_far(series: Series, test: SequentialTest, store: Store) -> Answer:
    """Return the answer from the results that are stored."""
    jobs = [series.job(fixture) for fixture in series.fixtures()]
    return _answer(series, test, known_in_order(jobs, store), lambda share: None)


def _answer(
    series: Series, test: SequentialTest, results: Iterator[KeptResult], watch: Watch
) -> Answer:
    used: list[KeptResult] = []
    pairs = _pairs(series, results)

    def shares() -> Iterable[float]:
        for share, matches in pairs:
            used.extend(matches)
            watch(share)
            yield share

    return Answer(
        players=series.contestants,
        seed=seed_text(series.seed),
        secret=None,
        assessment=test.run(shares()),
        matches=len(used),
        distinct=len({result.fingerprint for result in used}),
        keys=tuple(result.key for result in used),
    )


def _pairs(
    series: Series, results: Iterator[KeptResult]
) -> Iterator[tuple[float, list[KeptResult]]]:
    """Yield what A took of each complete side-swapped pair, and its matches."""
    fixtures = iter(series.fixtures())
    while len(matches := list(islice(results, 2))) == 2:
        scores = tuple(
            Score(fixture.seats, result.scores)
            for fixture, result in zip(islice(fixtures, 2), matches, strict=True)
        )
        yield SideSwappedSet(0, scores).share_of(A), matches
