"""Results in the order of their jobs: from the store, or else played now."""

from collections.abc import Iterator, Sequence
from contextlib import closing

from engine.errors import EngineFailure
from engine.referee import Job
from engine.result import MatchResult
from runners.execution.pool import Pool, words_of
from runners.storage.store import KeptResult, Store


def results_in_order(jobs: Sequence[Job], store: Store, pool: Pool) -> Iterator[KeptResult]:
    """Yield results, played only when asked for, but for what keeps all cores busy meanwhile.

    So whoever knows enough just stops asking. Raises: EngineFailure.
    """
    found = store.results(job.spec.key for job in jobs)
    missing = list({job.spec.key: job for job in jobs if job.spec.key not in found}.values())
    with closing(pool.play_all(missing)) as played:
        for job in jobs:
            while job.spec.key not in found:
                number, result = next(played)
                key = missing[number].spec.key
                found[key] = _kept(key, result, store)
            yield found[job.spec.key]


def known_in_order(jobs: Sequence[Job], store: Store) -> Iterator[KeptResult]:
    """Yield the results before the first that is not in the store."""
    found = store.results(job.spec.key for job in jobs)
    for job in jobs:
        if job.spec.key not in found:
            return
        yield found[job.spec.key]


def _kept(key: str, result: MatchResult | BaseException, store: Store) -> KeptResult:
    if isinstance(result, MatchResult):
        return store.add(result)
    words = words_of(result)
    store.add_failure(key, words)
    raise EngineFailure(f"match {key} could not be played: {words}")
