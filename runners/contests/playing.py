"""Plays contests: a match of each after the other, as long as any has one.

A contest is a plan, its entrants and the results so far: what has no result is what is to be
played. Each kind says which fixtures those are, and keeps results. What they have in common stands
here: which of them are being played, which rest after they could not be played, and for how long.
"""

from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sequence
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar

from engine.referee import Job
from engine.result import MatchResult
from runners.execution.pool import Pool

MAX_TRIES = 3
"""How often a match is tried that cannot be played, for no bot's fault."""
BACK_OFF_S = (10.0, 60.0)
"""So long a match of a server rests after its first and its second failure: what it needs may be
back then."""

F = TypeVar("F")
"""A fixture, as a kind of contest has it."""


class Contest(Protocol[F]):
    """What a kind of contest says of its fixtures. Used by one thread."""

    @property
    def opens_early(self) -> bool:
        """Return whether each result may open other fixtures, while others are being played."""

    def open_fixtures(self) -> Iterator[F]:
        """Yield the fixtures that are to be played, as the results are now, the first first."""

    def fixture_id(self, fixture: F) -> Hashable:
        """Return what tells a fixture's match from others."""

    def make_job(self, fixture: F) -> Job:
        """Return what plays a fixture."""

    def save_result(self, fixture: F, result: MatchResult) -> bool:
        """Keep a result; return whether others are not to be played any more because of it."""

    def fail(self, fixture: F, error: BaseException) -> int:
        """Note why a fixture could not be played, for no bot's fault.

        Return how often it could not, by now.
        """


class PlannedMatch(Generic[F]):
    """A match that is to be played."""

    def __init__(self, queue: "MatchQueue[F]", fixture: F, job: Job) -> None:
        self.fixture = fixture
        self.job = job
        self._queue = queue

    def record_outcome(self, outcome: MatchResult | BaseException) -> None:
        """Keep its result, or why there is none."""
        self._queue.record_outcome(self.fixture, outcome)


class MatchQueue(Generic[F]):
    """The matches of a contest that are to be played, none of them twice.

    All that is known to be open is played. What failed, and what follows from results, comes when
    nothing of that is being played any more, or earlier where the contest allows.
    """

    def __init__(self, contest: Contest[F], back_off_s: Sequence[float] = ()) -> None:
        """`back_off_s`: how long a match rests after its first failure, its second, and so on."""
        self.contest = contest
        self._back_off_s = back_off_s
        self._fixtures: Iterator[F] = iter(())
        self._is_to_be_read = True
        """Whether there may be more fixtures than were found."""
        self._given_out = set[Hashable]()
        """The ids of those that were found, and are not to be found again."""
        self._playing = set[Hashable]()
        self._resting: dict[Hashable, float] = {}
        """Until when what failed rests."""

    @property
    def is_over(self) -> bool:
        """Return whether nothing is left to be played, as far as was looked."""
        return not (self._is_to_be_read or self._playing or self._resting)

    def reload(self) -> None:
        """Read again what is to be played: something else than results may have changed it."""
        self._is_to_be_read = True
        self._fixtures = iter(())

    def next_match(self) -> PlannedMatch[F] | None:
        """Return the next match in the order of the schedule; None for none now."""
        while True:
            for fixture in self._fixtures:
                number = self.contest.fixture_id(fixture)
                if number not in self._given_out and number not in self._resting:
                    self._given_out.add(number)
                    self._playing.add(number)
                    return PlannedMatch(self, fixture, self.contest.make_job(fixture))
            self._wake()
            if not self._is_to_be_read:
                return None
            self._is_to_be_read = False
            # What ended has a result, and is not found any more, or failed, and may be found again.
            self._given_out = set(self._playing)
            self._fixtures = self.contest.open_fixtures()

    def record_outcome(self, fixture: F, outcome: MatchResult | BaseException) -> None:
        """Keep what came of a match."""
        number = self.contest.fixture_id(fixture)
        self._playing.discard(number)
        # To find what is open all results are looked at: not after each one, if it opens nothing.
        self._is_to_be_read |= self.contest.opens_early or not self._playing
        if not isinstance(outcome, MatchResult):
            times = self.contest.fail(fixture, outcome)
            if times < MAX_TRIES and self._back_off_s:
                rest_s = self._back_off_s[min(times, len(self._back_off_s)) - 1]
                self._resting[number] = monotonic() + rest_s
        elif self.contest.save_result(fixture, outcome):
            self.reload()

    def _wake(self) -> None:
        """Try again what has rested."""
        at = monotonic()
        awake = [number for number, end in self._resting.items() if end <= at]
        for number in awake:
            del self._resting[number]
        self._is_to_be_read |= bool(awake)


class Queue(Protocol):
    """What has matches to be played."""

    def next_match(self) -> PlannedMatch[Any] | None:
        """Return a match that is to be played, and is not being played; None for none now."""


def play_contests(
    pool: Pool, queues: Callable[[], Iterable[Queue]]
) -> Generator[PlannedMatch[Any], None, None]:
    """Play until nothing is to be played and nothing is being played; yield what was played.

    `queues` is asked before each round, in which every contest has one match: who has few waits
    for nobody who has many. Its result, or why there is none, was kept by then.
    """
    playing: dict[int, PlannedMatch[Any]] = {}
    for number, outcome in pool.play_all(_Jobs(queues, playing)):
        planned = playing.pop(number)
        # Before it is yielded: what follows is read from the database.
        planned.record_outcome(outcome)
        yield planned


class _Jobs(Iterator[Job]):
    """What is to be played. It may come to its end, and go on after more results."""

    def __init__(
        self, queues: Callable[[], Iterable[Queue]], playing: dict[int, PlannedMatch[Any]]
    ) -> None:
        """`playing` is filled with what was given out, numbered from 0."""
        self._queues = queues
        self._playing = playing
        self._count = 0
        self._jobs = self._find()

    def __next__(self) -> Job:
        for job in self._jobs:
            return job
        self._jobs = self._find()  # the next time: there may be new results by then
        raise StopIteration

    def _find(self) -> Iterator[Job]:
        has_more = True
        while has_more:
            has_more = False
            for queue in self._queues():
                planned = queue.next_match()
                if planned is not None:
                    has_more = True
                    self._playing[self._count] = planned
                    self._count += 1
                    yield planned.job
