"""Plays the matches of the ladders: a thread of the server that keeps processes busy.

It asks the database what is to be played, adds what comes next where too little is, and writes
what came of it. It remembers nothing that is not there: it can be killed at any time. One that was
stopped so long that another plays instead writes nothing any more.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress

import msgspec

from engine.errors import SlimeMindError
from engine.referee import Job
from engine.result import MatchResult
from runners.execution.pool import Pool, words_of
from runners.run_options import RunOptions
from runners.storage.database import Database, Stale
from runners.storage.leases import Lease, LeaseLost
from runners.storage.locks import LockHeld
from runners.storage.store import KeptResult
from server.arena.ending_executor import Ending, EndingExecutor
from server.arena.fixtures import Contender, Fixture, Fixtures, job_of
from server.arena.ladders import Ladder, Ladders
from server.arena.publishing import Publisher
from server.arena.rating import Published
from server.arena.retention import Retention
from server.arena.schedule import Schedule
from server.people import now

PAUSE_S = 1.0
"""How long nobody looks for something to play, where there was nothing."""
TROUBLE_S = 5.0
"""The same after an error."""

OnPlayed = Callable[[Fixture, Sequence[Contender], KeptResult, Sequence[str]], None]
"""Told of a match that was played; the last are the versions that went into quarantine by it."""
OnRated = Callable[[str, Mapping[str, Published]], None]
"""Told of a ladder's new ratings."""


class _Playing(msgspec.Struct, frozen=True):
    """A fixture that was given to the executor."""

    schedule: Schedule
    fixture: Fixture
    seated: list[Contender]


class Dispatcher:
    """Plays ladders. Only one dispatcher of a database does at a time; the others wait."""

    def __init__(self, database: Database, run: RunOptions) -> None:
        """`run`: how matches are played, and the folder of results and of bots' copies."""
        self._lease = Lease(database, "dispatcher")
        database = self._database = self._lease.database
        self._run_options = run
        self._ladders = Ladders(database)
        self._fixtures = Fixtures(database)
        self._retention = Retention(database, run.out)
        self._schedules: dict[str, Schedule] = {}
        self._begun: list[Ladder] = []
        self._running: list[Ladder] = []
        self._looked_at = 0.0
        self._playing: dict[int, _Playing] = {}
        self._woken = threading.Event()
        self._is_ending = False
        self._executor: EndingExecutor | None = None
        self.workers = run.workers
        """Matches that can be played side by side, as of the last look."""
        self._publisher: Publisher | None = None
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="dispatcher", daemon=True)
        self.on_failure: Callable[[str], object] = lambda words: None
        self.on_played: OnPlayed = lambda fixture, seated, result, quarantined: None
        self.on_rated: OnRated = lambda ladder_id, ratings: None

    def begin(self) -> None:
        """Begin to play, in a thread."""
        self._thread.start()

    def wake(self) -> None:
        """Look at once for something to play: a version was handed in, perhaps."""
        self._looked_at = 0.0
        self._woken.set()

    def close(self) -> None:
        """End at once; what is being played then is played again some time."""
        with self._lock:
            self._is_ending = True
            if self._executor is not None:
                self._executor.end_for_good()
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join()

    # -- the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._is_ending:
            try:
                with self._lease.held():
                    self._play_on()
            except (LockHeld, LeaseLost):
                self._wait(PAUSE_S)
            except Ending:
                return
            except Exception as error:  # noqa: BLE001 - the ladders are to be played all the same
                if not self._is_ending:
                    self.on_failure(f"ladders: {words_of(error)}")
                    self._wait(TROUBLE_S)

    def _play_on(self) -> None:
        """Play until the server ends, or something is wrong."""
        self._schedules.clear()
        self._playing.clear()
        with ExitStack() as stack:
            self._publisher = stack.enter_context(closing(Publisher(self._database)))
            executor = self._new_executor()
            pool = stack.enter_context(Pool(executor))
            while not self._is_ending:
                for number, result in pool.play_all(self._jobs()):
                    self._take(self._playing.pop(number), result)
                    self._rate()
                self._playing.clear()
                self._rate()
                self._wait(PAUSE_S)
            executor.end(at_once=True)

    def _new_executor(self) -> EndingExecutor:
        """Raises: Ending; UsageError and EngineFailure: a cluster cannot be used."""
        executor = EndingExecutor(self._run_options)
        with self._lock:
            if not self._is_ending:
                self._executor = executor
                return executor
        executor.end(at_once=True)
        raise Ending

    def _wait(self, seconds: float) -> None:
        if not self._is_ending:
            self._woken.wait(seconds)
        self._woken.clear()

    def _jobs(self) -> Iterator[Job]:
        """Yield what is to be played, one match of each ladder after the other."""
        number = 0
        has_more = True
        while has_more:
            has_more = False
            self._look()
            for ladder in list(self._running):
                found = self._next(ladder)
                if self._is_ending:
                    return
                if found is not None:
                    has_more = True
                    self._playing[number] = found
                    number += 1
                    job = job_of(found.schedule.ladder, found.fixture, found.seated)
                    yield msgspec.structs.replace(job, sandbox=self._run_options.sandbox)

    def _look(self) -> None:
        """See now and then which ladders run, and who plays there."""
        at = now()
        if 0 <= at.timestamp() - self._looked_at < PAUSE_S:
            return
        self._looked_at = at.timestamp()
        if self._executor is not None:
            self.workers = self._executor.workers
        self._retention.look(at)
        self._begun = [ladder for ladder in self._ladders.all() if ladder.has_begun(at)]
        self._running = [ladder for ladder in self._begun if ladder.is_running(at)]
        playing = {one.fixture.id for one in self._playing.values()}
        for ladder in self._running:
            schedule = self._schedules.get(ladder.id)
            if schedule is None:
                schedule = self._schedules[ladder.id] = Schedule(self._database, ladder)
            schedule.refresh(ladder, playing)

    def _next(self, ladder: Ladder) -> _Playing | None:
        """Return the next fixture of a ladder; None if there is none."""
        schedule = self._schedules[ladder.id]
        while (fixture := schedule.take()) is not None:
            found = _Playing(schedule, fixture, schedule.seated(fixture))
            if job_of(ladder, fixture, found.seated).spec.key == fixture.key:
                return found
            self._fixtures.give_up(fixture, "the ladder is played with other settings now")
        return None

    def _take(self, played: _Playing, result: MatchResult | BaseException) -> None:
        """Write what came of a match. Raises: EngineFailure."""
        if not isinstance(result, MatchResult):
            self._fixtures.fail(played.fixture, words_of(result))
            played.schedule.failed(played.fixture)
            if not isinstance(result, SlimeMindError):
                self.on_failure(f"ladders: {words_of(result)}")
            return
        kept = msgspec.convert(result, KeptResult, from_attributes=True)
        with suppress(Stale):  # given up meanwhile: one of its bots plays no more
            quarantined = self._fixtures.keep(played.fixture, kept)
            played.schedule.played(played.seated, kept)
            self._retention.played(played.fixture.ladder)
            self.on_played(played.fixture, played.seated, kept, quarantined)
            if quarantined:
                self._looked_at = 0.0

    def _rate(self) -> None:
        assert self._publisher is not None
        found = self._publisher.step(self._begun)
        if found is not None:
            ladder_id, ratings = found
            if ladder_id in self._schedules:
                self._schedules[ladder_id].adopt(ratings)
            self.on_rated(ladder_id, ratings)
