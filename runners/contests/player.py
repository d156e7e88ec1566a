"""Plays all contests of a database: a thread that keeps processes busy.

It asks the database what is to be played, adds what comes next where too little is, and writes
what came of it. It remembers nothing that is not there: it can be killed at any time. One that was
stopped so long that another plays instead writes nothing any more.
"""

import threading
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from datetime import datetime

import msgspec

from engine.errors import SlimeMindError
from runners.contests.contests import Ladder
from runners.contests.ladder_contest import LadderContest, LadderMatch
from runners.contests.ladder_ratings import Published
from runners.contests.ladders import Ladders
from runners.contests.open_tournaments import NextRound, OpenTournaments
from runners.contests.organizer import OF_SERVERS
from runners.contests.playing import BACK_OFF_S, MatchQueue, Queue, play_contests
from runners.contests.publishing import Publisher
from runners.contests.retention import LadderRetention
from runners.contests.visibility import find_sealed_ladders
from runners.execution.pool import NICENESS, Ending, Pool, describe_error, executor_for
from runners.match_request import RunOptions
from runners.storage.database import Database, now
from runners.storage.leases import Lease, LeaseLost
from runners.storage.locks import LockHeld
from runners.storage.store import StoredResult

PAUSE_S = 1.0
"""How long nobody looks for something to play, where there was nothing."""
TROUBLE_S = 5.0
"""The same after an error."""


class ContestObserver:
    """Told of what happens in contests, by the thread that plays; here it does nothing with it."""

    def on_waiting(self, holder: str) -> None:
        """Another process plays; `holder` names it."""

    def is_ready(self) -> bool:
        """Return whether matches may begin: elsewhere something may be amiss for a while."""
        return True

    def on_poll(self, at: datetime) -> None:
        """We play; told about every second."""

    def on_match_played(
        self, match: LadderMatch, result: StoredResult, quarantined: Collection[str]
    ) -> None:
        """A match of a ladder was played; versions went into quarantine by it."""

    def on_ratings(self, ladder_id: str, ratings: Mapping[str, Published]) -> None:
        """A ladder has new ratings, by version."""

    def on_season_begin(self, season: Ladder) -> None:
        """A season is played that has begun; it may be told again."""

    def on_season_end(self, ladder_id: str) -> None:
        """The final of a season was played and rated; it may be told again."""

    def on_next_round(self, upcoming: NextRound) -> None:
        """The pairings of a round are known that begins after a break; it may be told again."""

    def on_tournament_end(self, tournament: str) -> None:
        """Nothing is left to be played of the tournament of this name."""

    def has_seen_the_end(self, tournament: str) -> bool:
        """Return whether all was done that follows from the end of a tournament."""
        return False

    def on_failure(self, message: str) -> None:
        """Something went wrong; the operator is to know."""


class ContestPlayer:
    """Plays contests. Only one process of a database does at a time; the others wait."""

    def __init__(
        self,
        database: Database,
        run: RunOptions,
        observer: ContestObserver,
        *,
        only: str | None = None,
    ) -> None:
        """`run`: how matches are played, and the folder of results and of bots' copies.

        Ladders wait where it has neither workers nor a cluster; tournaments, which somebody asked
        for, do not. `only`: the id of the ladder to play, and no other contest.
        """
        self._run_options = msgspec.structs.replace(run, workers=max(1, run.workers))
        self._plays_ladders = run.workers > 0 or run.cluster is not None
        self._only = only
        # Two, as whoever plays no ladders must not keep others from that.
        self._tournaments_lease = Lease(database, OF_SERVERS)
        self._lease = Lease(database, "dispatcher")
        if not self._plays_ladders:
            self._lease = self._tournaments_lease
        self._observer = observer
        self._database = self._lease.database
        self._ladders = Ladders(self._database)
        self._retention = LadderRetention(self._database, run.out, run.kept_replays)
        self._tournaments: OpenTournaments | None = None
        """None while another process plays them."""
        self._held = ExitStack()
        """Leases that are held besides."""
        self._known: dict[str, tuple[LadderContest, MatchQueue[LadderMatch]]] = {}
        """The ladders that have been played since the lease was taken, by id."""
        self._begun: list[Ladder] = []
        self._running: list[Queue] = []
        self._looked_at = 0.0
        self._woken = threading.Event()
        self._is_ending = False
        self._pool: Pool | None = None
        self.workers = run.workers
        """Matches of ladders that can be played side by side, as of the last look."""
        self._publisher: Publisher | None = None
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="dispatcher", daemon=True)

    def start(self) -> None:
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
            if self._pool is not None:
                self._pool.end_for_good()
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join()

    # -- the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._is_ending:
            try:
                with self._lease.hold(watches=self._only is not None):
                    self._play_on()
            except LeaseLost:
                self._wait(PAUSE_S)
            except LockHeld as held:
                self._observer.on_waiting(str(held))
                self._wait(PAUSE_S)
            except Ending:
                return
            except Exception as error:  # noqa: BLE001 - the contests are to be played all the same
                if not self._is_ending:
                    self._observer.on_failure(f"contests: {describe_error(error)}")
                    self._wait(TROUBLE_S)

    def _play_on(self) -> None:
        """Play until the end, or something is wrong."""
        # Another process may have played since the lease was lost: what was known is outdated.
        self._known.clear()
        self._tournaments = None
        while not self._is_ending and not self._observer.is_ready():
            self._wait(PAUSE_S)
        with ExitStack() as stack:
            self._held = stack
            self._publisher = stack.enter_context(closing(Publisher(self._database)))
            pool = stack.enter_context(self._new_pool())
            while not self._is_ending:
                # Ratings are computed in another process; after each match it is only looked at.
                for _ in play_contests(pool, self._running_queues):
                    self._rate()
                self._rate()
                self._wait(PAUSE_S)

    def _new_pool(self) -> Pool:
        """Raises: Ending; UsageError and EngineFailure: a cluster cannot be used."""
        executor = executor_for(self._run_options, niceness=NICENESS, is_watched=True)
        pool = Pool(executor)
        with self._lock:
            if not self._is_ending:
                self._pool = pool
                return pool
        # `close` came while it was made, did not see it, and so could not end it.
        executor.end(at_once=True)
        raise Ending

    def _wait(self, seconds: float) -> None:
        if not self._is_ending:
            self._woken.wait(seconds)
        self._woken.clear()

    def _running_queues(self) -> Sequence[Queue]:
        """Return what runs now."""
        self._poll()
        return () if self._is_ending else self._running

    def _poll(self) -> None:
        """See now and then what runs, and who plays there."""
        at = now()
        # Less than 0 where the clock was set back, which must not stop this until it has caught up.
        if 0 <= at.timestamp() - self._looked_at < PAUSE_S:
            return
        self._looked_at = at.timestamp()
        if not self._observer.is_ready():
            self._running = []
            return
        self._observer.on_poll(at)
        self._running = [*self._find_tournaments()]
        if not self._plays_ladders:
            return
        if self._pool is not None:
            self.workers = self._pool.workers
        self._begun = [one for one in self._ladders.all() if self._is_ours(one, at)]
        sealed = self._database.find(find_sealed_ladders())
        for ladder in self._begun:
            if ladder.is_running(at) and ladder.id not in sealed:
                contest, queue = self._known.get(ladder.id) or self._open_contest(ladder)
                contest.ladder = ladder  # its organizer may have changed its settings
                queue.reload()
                self._running.append(queue)
                if ladder.concluded_at is not None:  # by a clock that has been set back since
                    self._ladders.reopen(ladder.id)
                elif ladder.is_in_final(at) and contest.is_final_played():
                    self._ladders.conclude(ladder.id)

    def _is_ours(self, ladder: Ladder, at: datetime) -> bool:
        return self._only in (None, ladder.id) and ladder.has_begun(at)

    def _open_contest(self, ladder: Ladder) -> tuple[LadderContest, MatchQueue[LadderMatch]]:
        contest = LadderContest(
            self._database,
            ladder,
            self._run_options.play,
            on_played=self._finish_match,
            on_failure=self._note_failure,
        )
        self._known[ladder.id] = contest, MatchQueue(contest, BACK_OFF_S)
        if ladder.is_season:
            self._observer.on_season_begin(ladder)
        return self._known[ladder.id]

    def _find_tournaments(self) -> Sequence[Queue]:
        """Return the tournaments that are to be played now, unless another process plays them."""
        if self._only is not None:
            return ()
        if self._tournaments is None:
            with suppress(LockHeld):
                if self._lease is not self._tournaments_lease:
                    self._held.enter_context(self._tournaments_lease.hold())
                self._tournaments = OpenTournaments(
                    self._tournaments_lease.database,
                    self._run_options,
                    is_settled=self._observer.has_seen_the_end,
                    on_end=self._observer.on_tournament_end,
                    on_failure=self._observer.on_failure,
                    on_next_round=self._observer.on_next_round,
                )
        return () if self._tournaments is None else self._tournaments.poll()

    def _finish_match(
        self, match: LadderMatch, result: StoredResult, quarantined: Collection[str]
    ) -> None:
        """Do what follows from a match of a ladder."""
        self._retention.on_match_played(match.fixture.ladder)
        self._observer.on_match_played(match, result, quarantined)

    def _note_failure(self, error: BaseException) -> None:
        if not isinstance(error, SlimeMindError):
            self._observer.on_failure(f"ladders: {describe_error(error)}")

    def _rate(self) -> None:
        assert self._publisher is not None
        found = self._publisher.step(self._begun)
        if found is not None:
            ladder_id, ratings, is_final = found
            if is_final:
                self._observer.on_season_end(ladder_id)
                return
            if ladder_id in self._known:
                self._known[ladder_id][0].adopt(ratings)
            self._observer.on_ratings(ladder_id, ratings)
