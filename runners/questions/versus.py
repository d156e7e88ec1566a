"""Is A better than B? Mirrored pairs are played until the answer is known."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import msgspec

from engine.record import Contestant
from runners.multi_match import A, Series
from runners.pool import Pool
from runners.questions.recall import known_in_order, results_in_order
from runners.scores import MirroredSet, Score
from runners.sequential import Assessment, SequentialTest
from runners.store import KeptResult, Store

Watch = Callable[[float], None]
"""Is told what share of a pair A took."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it, and by how many matches that were really different."""

    players: tuple[Contestant, ...]
    """A and B."""
    assessment: Assessment
    matches: int
    distinct: int
    keys: tuple[str, ...]
    """Of the matches it rests on, in their order."""


def ask(series: Series, test: SequentialTest, store: Store, pool: Pool, watch: Watch) -> Answer:
    """Play as much of the series as the test needs. Raises: KeyboardInterrupt."""
    jobs = [series.job(fixture) for fixture in series.fixtures()]
    return _answer(series, test, results_in_order(jobs, store, pool), watch)


def answer_so_far(series: Series, test: SequentialTest, store: Store) -> Answer:
    """From the results that are there."""
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
        assessment=test.run(shares()),
        matches=len(used),
        distinct=len({result.fingerprint for result in used}),
        keys=tuple(result.key for result in used),
    )


def _pairs(
    series: Series, results: Iterator[KeptResult]
) -> Iterator[tuple[float, list[KeptResult]]]:
    """What A took of each mirrored pair, and its matches; an unfinished pair is left out."""
    fixtures = iter(series.fixtures())
    while len(matches := list(islice(results, 2))) == 2:
        scores = tuple(
            Score(fixture.seats, result.scores)
            for fixture, result in zip(islice(fixtures, 2), matches, strict=True)
        )
        yield MirroredSet(0, scores).share_of(A), matches
