"""Plays contests: a match of each after the other, as long as any has one."""

from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Protocol

from engine.referee import Job
from engine.result import MatchResult
from runners.execution.pool import Pool

MOST_TRIES = 3
"""How often a match is tried that cannot be played, for no bot's fault."""
BACK_OFF_S = (10.0, 60.0)
"""So long a match of a server rests after its first and its second failure: what it needs may be
back then."""


class PlannedMatch(Protocol):
    """A match that is to be played."""

    @property
    def job(self) -> Job:
        """Return what plays it."""

    def keep(self, result: MatchResult) -> None:
        """Keep its result."""

    def fail(self, error: BaseException) -> None:
        """Note that it could not be played, for no bot's fault."""


class Contest(Protocol):
    """Matches that follow from the results so far."""

    def next(self) -> PlannedMatch | None:
        """Return a match that is to be played, and is not being played; None for none now."""


def play_contests(
    pool: Pool, contests: Callable[[], Iterable[Contest]]
) -> Generator[PlannedMatch, None, None]:
    """Play until nothing is to be played and nothing is being played; yield what was played.

    `contests` is asked before each round, in which every contest has one match: who has few waits
    for nobody who has many. Its result, or why there is none, was kept by then.
    """
    playing: dict[int, PlannedMatch] = {}
    for number, result in pool.play_all(_Jobs(contests, playing)):
        planned = playing.pop(number)
        if isinstance(result, MatchResult):
            planned.keep(result)
        else:
            planned.fail(result)
        yield planned


class _Jobs(Iterator[Job]):
    """What is to be played. It may come to its end, and go on after more results."""

    def __init__(
        self, contests: Callable[[], Iterable[Contest]], playing: dict[int, PlannedMatch]
    ) -> None:
        """`playing` is filled with what was given out, numbered from 0."""
        self._contests = contests
        self._playing = playing
        self._count = 0
        self._found = self._find()

    def __next__(self) -> Job:
        for job in self._found:
            return job
        self._found = self._find()  # the next time: there may be new results by then
        raise StopIteration

    def _find(self) -> Iterator[Job]:
        has_more = True
        while has_more:
            has_more = False
            for contest in self._contests():
                planned = contest.next()
                if planned is not None:
                    has_more = True
                    self._playing[self._count] = planned
                    self._count += 1
                    yield planned.job
