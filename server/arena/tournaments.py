"""Tournaments of a ladder's bots: made by organizers, played by a thread of the server.

A tournament is its plan, its entrants and the results so far, as everywhere in this project: what
has no result is what remains to be played, so that a restart goes on where the server was ended.
"""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import msgspec
from msgspec.structs import replace
from sqlalchemy import select, update

from engine.errors import EngineFailure, UsageError
from engine.record import Contestant
from engine.streams import draw_seed
from report.folder import PUBLIC, write_report
from runners.commands import Commands
from runners.execution.pool import Pool, words_of
from runners.run_options import RunOptions
from runners.storage.database import Database, Stale, aware
from runners.storage.game_tables import people
from runners.storage.ladder_tables import (
    EntryState,
    VersionState,
    bots,
    entries,
    ratings,
    versions,
)
from runners.storage.leases import Lease, LeaseLost
from runners.storage.locks import LockHeld
from runners.storage.store import Store
from runners.storage.tables import contests
from runners.tournament.ledger import State
from runners.tournament.names import why_no_name
from runners.tournament.persistence import keep, kept_tournament
from runners.tournament.plan import Entrant, Field, Secret, TournamentPlan
from runners.tournament.playing import Progress, Tournament
from runners.tournament.registration import require_playable, require_table
from server.arena.ending_executor import Ending, EndingExecutor
from server.arena.ladders import Ladder

PAUSE_S = 1.0
"""How long nobody looks for something to play, where there was nothing."""
TROUBLE_S = 10.0
UNRATED = -1e9
"""What stands for the rating of whom nothing is known: they are seeded last."""
MOST_REASONS = 5
PAGES = 60
"""Pages of the report to watch matches."""


class KeptTournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament as its row says it."""

    name: str
    ladder: str
    is_paused: bool
    stuck: int
    """How many of its matches could not be played, however often they were tried."""
    created_at: datetime


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A bot of a ladder that can play in a tournament, with its active version."""

    bot: str
    contestant: Contestant


class Wishes(msgspec.Struct, frozen=True, kw_only=True):
    """What an organizer chooses of a tournament; the rest is the ladder's."""

    name: str
    format: str
    games: int
    """Map pairs per pairing."""
    rounds: int | None
    """None: as many as the format usually has."""
    table: int
    """How many bots a match has."""


class Tournaments:
    """The tournaments of a server. All methods may be called from any thread."""

    def __init__(self, database: Database, run: RunOptions) -> None:
        """`run`: how matches are played, and the folder of results and bots' copies."""
        self._database = database
        self._store = Store(database)
        self._lease = Lease(database, "tournaments")
        self._locking = database.fenced(database.on_writing)
        """The database, whose other users do not write through the session that holds a lock."""
        self._run = run
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._is_ending = False
        self._executor: EndingExecutor | None = None
        self._reported: set[str] = set()
        self._thread = threading.Thread(target=self._run_thread, name="tournaments", daemon=True)
        self.on_failure: Callable[[str], object] = lambda words: None

    # -- what there is ------------------------------------------------------------------------

    def all(self) -> list[KeptTournament]:
        """Return all tournaments, the newest first."""
        query = (
            select(contests)
            .where(contests.c.ladder.is_not(None))
            .order_by(contests.c.begun_at.desc(), contests.c.name)
        )
        with self._database.reading() as connection:
            return [
                KeptTournament(
                    name=row.name,
                    ladder=row.ladder,
                    is_paused=row.is_paused,
                    stuck=row.stuck,
                    created_at=aware(row.begun_at),
                )
                for row in connection.execute(query)
            ]

    def kept(self, name: str) -> KeptTournament | None:
        return next((one for one in self.all() if one.name == name), None)

    def found(self, name: str) -> Tournament | None:
        """Return a tournament with its results so far. Raises: EngineFailure, BadResult."""
        return None if self.kept(name) is None else kept_tournament(self._store, name)

    def reasons(self, tournament: Tournament) -> list[str]:
        """Return why matches of a tournament could not be played, each reason once."""
        entries = tournament.ledger()
        keys = {entry.key for entry in entries if entry.state is State.OPEN}
        words = (words for of_key in self._store.failures(keys).values() for words in of_key)
        return list(dict.fromkeys(words))[:MOST_REASONS]

    def count_results(self) -> int:
        """Return how many results there are of all tournaments."""
        return self._store.count()

    def report_folder(self, name: str) -> Path:
        """Return where the report of a tournament is, once it was written."""
        return self._run.out / name / "report"

    def candidates(self, ladder_id: str) -> list[Candidate]:
        """Return who can play in a tournament of a ladder, the strongest first."""
        query = (
            select(bots.c.id, bots.c.name, versions.c.digest, versions.c.id.label("version"))
            .add_columns(versions.c.number, people.c.name.label("author"))
            .join(versions, versions.c.bot == bots.c.id)
            .join(entries, entries.c.bot == bots.c.id)
            .join(people, people.c.id == bots.c.person)
            .where(
                entries.c.ladder == ladder_id,
                entries.c.state == EntryState.PLAYING,
                versions.c.state == VersionState.ACTIVE,
            )
        )
        rated = select(ratings.c.version, ratings.c.elo).where(ratings.c.ladder == ladder_id)
        with self._database.reading() as connection:
            newest = rated.order_by(ratings.c.at)
            elo = {row.version: row.elo for row in connection.execute(newest)}
            rows = sorted(
                connection.execute(query),
                key=lambda row: (-(elo.get(row.version) or UNRATED), row.name),
            )
        return [
            Candidate(
                bot=row.id,
                contestant=Contestant(
                    name=row.name, digest=row.digest, author=row.author, version=str(row.number)
                ),
            )
            for row in rows
        ]

    # -- what organizers do -------------------------------------------------------------------

    def make(
        self,
        ladder: Ladder,
        chosen: Sequence[Candidate],
        wishes: Wishes,
    ) -> None:
        """Begin a tournament of bots of a ladder, with its settings and limits.

        The first are seeded first. Raises: UsageError, with what is wrong.
        """
        name = wishes.name
        if why := why_no_name(name):
            raise UsageError(why)
        secret = Secret(0, draw_seed())
        plan = TournamentPlan(
            name=name,
            game=ladder.spec.game,
            rules_version=ladder.game.rules_version,
            format=wishes.format,
            games=wishes.games,
            rounds=wishes.rounds,
            table=wishes.table,
            settings=ladder.spec.settings,
            limits=ladder.spec.limits,
            packages=ladder.spec.packages,
        )
        require_table(plan)
        field = Field(plan, tuple(Entrant(bot=one.contestant, secret=secret) for one in chosen))
        require_playable(field)
        taken = f"there is a tournament {name} already: choose another name"
        if (self._run.out / name).exists():
            raise UsageError(taken)
        try:
            keep(self._store, field, new_of=ladder.id)
        except Stale as error:
            raise UsageError(taken) from error
        self._woken.set()

    def set_paused(self, name: str, is_paused: bool) -> bool:
        """Pause a tournament or let it go on; return whether there is one."""
        changed = update(contests).where(contests.c.name == name)
        with self._database.writing() as connection:
            done = connection.execute(changed.values(is_paused=is_paused)).rowcount == 1
        self._woken.set()
        return done

    def has_report(self, name: str) -> bool:
        """Return whether there is a report of a tournament that may be shown to everybody."""
        return (self.report_folder(name) / PUBLIC).exists()

    # -- playing ------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin to play, in a thread."""
        self._thread.start()

    def close(self) -> None:
        """End at once; what is being played is played again after the next start."""
        with self._lock:
            self._is_ending = True
            if self._executor is not None:
                self._executor.end_for_good()
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run_thread(self) -> None:
        """Play until the server ends. Only one process of a database does at a time."""
        while not self._is_ending:
            pause_s = PAUSE_S
            try:
                with self._lease.held():
                    while not self._is_ending:
                        self._wait(self._play_all())
            except (LockHeld, LeaseLost):
                pass
            except Exception as error:  # noqa: BLE001 - the lease is to be taken again
                pause_s = self._fail(error)
            self._wait(pause_s)

    def _play_all(self) -> float:
        """Play what there is now; return how long to wait then, seconds. Raises: LeaseLost."""
        pause_s = PAUSE_S
        for kept in reversed(self.all()):
            try:
                if not kept.is_paused:
                    self._play(kept.name)
            except (LockHeld, Ending):  # the command line plays it; or somebody paused it
                continue
            except LeaseLost:
                raise
            except Exception as error:  # noqa: BLE001 - the next one is to be played all the same
                pause_s = self._fail(error)
        return pause_s

    def _fail(self, error: Exception) -> float:
        """Say what is wrong; return how long to wait then, seconds."""
        if not self._is_ending:
            self.on_failure(f"tournaments: {words_of(error)}")
        return TROUBLE_S

    def _wait(self, seconds: float) -> None:
        if not self._is_ending:
            self._woken.wait(seconds)
        self._woken.clear()

    def _play(self, name: str) -> None:
        """Play what a tournament lacks, and write its report at the end. Raises: Ending."""
        if name in self._reported:
            return
        store = Store(self._lease.database)
        tournament = kept_tournament(store, name)
        if tournament is None:  # its plan is in the folder of another process
            return
        if any(entry.state is State.OPEN for entry in tournament.ledger()):
            with self._locking.lock(name), Pool(self._new_executor()) as pool:
                self._note_stuck(name, 0)  # by what it is tried again
                tournament.play_on(pool, self._run, lambda progress: self._look(name, progress))
                self._note_stuck(name, len(tournament.given_up))
        if not self.has_report(name) or tournament.given_up:
            with suppress(EngineFailure):  # a page says that there is no report
                commands = Commands(out=self._run.out)
                write_report(tournament, self._run.out, commands, PAGES, is_public=True)
        self._reported.add(name)

    def _note_stuck(self, name: str, count: int) -> None:
        """Note how many matches cannot be played: pages are sent by other processes, too."""
        changed = update(contests).where(contests.c.name == name)
        with self._lease.database.writing() as connection:
            connection.execute(changed.values(stuck=count))

    def _look(self, name: str, progress: Progress) -> None:
        """Go on after a match unless somebody wants otherwise. Raises: Ending."""
        kept = self.kept(name)
        if self._is_ending or kept is None or kept.is_paused:
            raise Ending

    def _new_executor(self) -> EndingExecutor:
        """Raises: Ending; UsageError and EngineFailure: a cluster cannot be used."""
        # A tournament was asked for by somebody: it is played where ladders are not.
        executor = EndingExecutor(replace(self._run, workers=max(1, self._run.workers)))
        with self._lock:
            if not self._is_ending:
                self._executor = executor
                return executor
        executor.end(at_once=True)
        raise Ending
