"""Whether two copies of a bot play alike: if so, matches between them say nothing."""

from collections.abc import Iterable, Iterator

import msgspec

from engine.errors import EngineFailure
from engine.referee import Job
from engine.result import MatchResult
from runners.execution.pool import Pool, words_of
from runners.lost_decisions import LossTally


class Likeness(msgspec.Struct, frozen=True, kw_only=True):
    """What some side-swapped pairs showed of two copies."""

    is_alike: bool
    """Whether it never mattered which of them sat where: everything happened the same."""
    maps: int
    match_s: float
    """How long a match took, on average."""


def likeness(pairs: Iterable[tuple[Job, Job]], pool: Pool, losses: LossTally) -> Likeness:
    """Play pairs until one shows a difference. Raises: EngineFailure.

    `losses` is told of all sides: both are the same bot.
    """
    seconds: list[float] = []
    is_alike = True
    for pair in pairs:
        results = list(_played(pair, pool))
        for result in results:
            losses.add(result.key, (0,) * len(result.teams), result.teams)
            seconds.append(result.wall_ms / 1_000)
        is_alike = len({result.fingerprint for result in results}) == 1
        if not is_alike:
            break
    count = len(seconds)
    return Likeness(is_alike=is_alike, maps=count // 2, match_s=sum(seconds) / max(1, count))


def _played(jobs: Iterable[Job], pool: Pool) -> Iterator[MatchResult]:
    for _, result in pool.play_all(jobs):
        if not isinstance(result, MatchResult):
            raise EngineFailure(f"a match could not be played: {words_of(result)}")
        yield result
