"""Plays ladders and tournaments: a thread of the server that keeps processes busy.

It asks the database what is to be played, adds what comes next where too little is, and writes
what came of it. It remembers nothing that is not there: it can be killed at any time. One that was
stopped so long that another plays instead writes nothing any more.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress

import msgspec

from engine.errors import SlimeMindError
from engine.referee import Job
from engine.result import MatchResult
from runners.contests.player import Contest, play_contests
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
from server.arena.tournaments import OpenTournaments, Tournaments
from server.people import now

PAUSE_S = 1.0
"""How long nobody looks for something to play, where there was nothing."""
TROUBLE_S = 5.0
"""The same after an error."""

OnPlayed = Callable[[Fixture, Sequence[Contender], KeptResult, Sequence[str]], None]
"""Told of a match that was played; the last are the versions that went into quarantine by it."""
OnRated = Callable[[str, Mapping[str, Published]], None]
"""Told of a ladder's new ratings."""


class LadderMatch:
    """A match of a ladder that is to be played."""

    def __init__(
        self, ladder: "LadderContest", fixture: Fixture, seated: list[Contender], job: Job
    ) -> None:
        self.fixture = fixture
        self.seated = seated
        self.job = job
        self._ladder = ladder

    def keep(self, result: MatchResult) -> None:
        """Write its result. Raises: EngineFailure."""
        self._ladder.keep(self, msgspec.convert(result, KeptResult, from_attributes=True))

    def fail(self, error: BaseException) -> None:
        """Write why there is none. Raises: EngineFailure."""
        self._ladder.fail(self, error)


class LadderContest:
    """A ladder: who meets next follows from all results so far, and it never ends."""

    def __init__(self, dispatcher: "Dispatcher", schedule: Schedule) -> None:
        self.schedule = schedule
        self._dispatcher = dispatcher
        self._playing = set[int]()
        """The ids of the fixtures that are being played."""

    def refresh(self, ladder: Ladder) -> None:
        """Look again who plays."""
        self.schedule.refresh(ladder, self._playing)

    def next(self) -> LadderMatch | None:
        """Return the next match; None if nobody can meet now."""
        ladder, known = self.schedule.ladder, self._dispatcher.fixtures
        while (fixture := self.schedule.take()) is not None:
            seated = self.schedule.seated(fixture)
            job = job_of(ladder, fixture, seated, self._dispatcher.run_options.play.sandbox)
            if job.spec.key == fixture.key:
                self._playing.add(fixture.id)
                return LadderMatch(self, fixture, seated, job)
            known.give_up(fixture, "the ladder is played with other settings now")
        return None

    def keep(self, match: LadderMatch, result: KeptResult) -> None:
        """Write the result of a match. Raises: EngineFailure."""
        self._playing.discard(match.fixture.id)
        with suppress(Stale):  # given up meanwhile: one of its bots plays no more
            quarantined = self._dispatcher.fixtures.keep(match.fixture, result)
            self.schedule.played(match.seated, result)
            self._dispatcher.played(match, result, quarantined)

    def fail(self, match: LadderMatch, error: BaseException) -> None:
        """Write why a match could not be played, for no bot's fault. Raises: EngineFailure."""
        self._playing.discard(match.fixture.id)
        self._dispatcher.fixtures.fail(match.fixture, words_of(error))
        self.schedule.failed(match.fixture)
        if not isinstance(error, SlimeMindError):
            self._dispatcher.on_failure(f"ladders: {words_of(error)}")


class Dispatcher:
    """Plays contests. Only one dispatcher of a database does at a time; the others wait."""

    def __init__(
        self, database: Database, run: RunOptions, tournaments: Tournaments | None = None
    ) -> None:
        """`run`: how matches are played, and the folder of results and of bots' copies.

        Ladders wait where it has neither workers nor a cluster; tournaments, which somebody asked
        for, do not.
        """
        self.run_options = msgspec.structs.replace(run, workers=max(1, run.workers))
        self._plays_ladders = run.workers > 0 or run.cluster is not None
        # Two, as whoever plays no ladders must not keep others from that.
        self._tournaments_lease = Lease(database, "tournaments")
        self._lease = Lease(database, "dispatcher")
        if not self._plays_ladders:
            self._lease = self._tournaments_lease
        database = self._database = self._lease.database
        self._ladders = Ladders(database)
        self.fixtures = Fixtures(database)
        self._retention = Retention(database, run.out)
        self._tournaments = tournaments
        self._open_tournaments: OpenTournaments | None = None
        """None while another process plays them."""
        self._held = ExitStack()
        """Leases that are held besides."""
        self._known: dict[str, LadderContest] = {}
        """The ladders that have been played since the lease was taken, by id."""
        self._begun: list[Ladder] = []
        self._running: list[Contest] = []
        self._looked_at = 0.0
        self._woken = threading.Event()
        self._is_ending = False
        self._executor: EndingExecutor | None = None
        self.workers = run.workers
        """Matches of ladders that can be played side by side, as of the last look."""
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
                    self.on_failure(f"dispatcher: {words_of(error)}")
                    self._wait(TROUBLE_S)

    def _play_on(self) -> None:
        """Play until the server ends, or something is wrong."""
        self._known.clear()
        self._open_tournaments = None
        with ExitStack() as stack:
            self._held = stack
            self._publisher = stack.enter_context(closing(Publisher(self._database)))
            executor = self._new_executor()
            pool = stack.enter_context(Pool(executor))
            while not self._is_ending:
                for _ in play_contests(pool, self._contests):
                    self._rate()
                self._rate()
                self._wait(PAUSE_S)
            executor.end(at_once=True)

    def _new_executor(self) -> EndingExecutor:
        """Raises: Ending; UsageError and EngineFailure: a cluster cannot be used."""
        executor = EndingExecutor(self.run_options)
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

    def _contests(self) -> Sequence[Contest]:
        """Return what runs now."""
        self._look()
        return () if self._is_ending else self._running

    def _look(self) -> None:
        """See now and then what runs, and who plays there."""
        at = now()
        if 0 <= at.timestamp() - self._looked_at < PAUSE_S:
            return
        self._looked_at = at.timestamp()
        self._retention.look(at)
        self._running = [] if self._tournaments is None else self._look_for(self._tournaments)
        if not self._plays_ladders:
            return
        if self._executor is not None:
            self.workers = self._executor.workers
        self._begun = [ladder for ladder in self._ladders.all() if ladder.has_begun(at)]
        for ladder in self._begun:
            if ladder.is_running(at):
                contest = self._known.get(ladder.id)
                if contest is None:
                    contest = LadderContest(self, Schedule(self._database, ladder))
                    self._known[ladder.id] = contest
                contest.refresh(ladder)
                self._running.append(contest)

    def _look_for(self, tournaments: Tournaments) -> list[Contest]:
        """Return the tournaments that are to be played now, unless another process plays them."""
        if self._open_tournaments is None:
            with suppress(LockHeld):
                if self._lease is not self._tournaments_lease:
                    self._held.enter_context(self._tournaments_lease.held())
                self._open_tournaments = tournaments.opened(self._tournaments_lease.database)
        return [] if self._open_tournaments is None else [*self._open_tournaments.look()]

    def played(self, match: LadderMatch, result: KeptResult, quarantined: Sequence[str]) -> None:
        """Do what follows from a match of a ladder."""
        self._retention.played(match.fixture.ladder)
        self.on_played(match.fixture, match.seated, result, quarantined)
        if quarantined:
            self._looked_at = 0.0

    def _rate(self) -> None:
        assert self._publisher is not None
        found = self._publisher.step(self._begun)
        if found is not None:
            ladder_id, ratings = found
            if ladder_id in self._known:
                self._known[ladder_id].schedule.adopt(ratings)
            self.on_rated(ladder_id, ratings)
