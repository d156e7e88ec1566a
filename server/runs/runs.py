"""Matches that somebody tries a draft in: queued, played in the sandbox, and kept for a while.

A run is a match like any other: the same referee plays it, with the same limits, checks and record.
It stands behind everything else: its process is nice, few wait at once, and of one person fewer.
What was played is kept in a folder of this process, and is gone with it.
"""

import os
import secrets
import shutil
import sys
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

import msgspec
from msgspec.structs import replace

from engine.bots.finding import Copies, Packed
from engine.bots.sandbox import Level
from engine.errors import EngineFailure, SlimeMindError
from engine.play_options import PlayOptions
from engine.referee import Job, Referee
from engine.replays.writing import Contestant
from engine.result import MatchResult
from engine.result_folder import ResultFolder
from engine.spec import MatchSpec
from engine.streams import draw_seed
from engine.support.process_pool import ProcessLost, ProcessPool
from runners.configuration import read_configuration
from runners.execution.ending_executor import NICENESS
from runners.match_request import MatchRequest
from runners.planning import MatchPlan
from runners.run_options import RunOptions
from server.bots.examining import faults_in_words, outcome_in_words
from server.games.bot_seats import as_worker
from server.http.errors import TooMany
from server.http.parts import Report

FOLDER = "runs"
EXHIBITION = ""
"""Stands in place of a person or an address where the server itself has a match played."""
MOST_AT_ONCE = 12
"""Runs that wait or are played."""
MOST_OF_ONE = 2
"""The same of one person, or of one address."""
MOST_KEPT = 60
"""Runs that are kept; what was played of older ones is removed."""
LEFT_S = 86_400
"""A folder that a killed server has left is removed after so long."""
BANK_S = 20
"""The CPU time of a bot in a run, seconds: nobody waits long for somebody else's."""
WAIT_S = 10.0
"""When it may be tried again where too many wait."""


class State(StrEnum):
    """How far a run has come."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
    FAILED = "failed"
    """For a reason of the server's."""


class Run(msgspec.Struct, kw_only=True):
    """A match in which a draft is tried: team 1 is the draft."""

    id: str
    by: str
    """Who has asked for it: a person's id, an address, or EXHIBITION."""
    title: str
    names: tuple[str, ...]
    job: Job
    live: Path
    """The replay as it grows."""
    state: State = State.WAITING
    words: str = ""
    """What came of it."""
    winner: int | None = None


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that was not handed in."""

    name: str
    packed: Packed


class Runs:
    """Plays drafts, one match after another. All methods may be called from any thread."""

    def __init__(self, out: Path, level: Level, report: Report) -> None:
        """`report` takes a sentence where a run failed for a reason of the server's."""
        self._out = out / FOLDER
        self._level = level
        self._report = report
        self._lock = threading.Lock()
        self._runs = OrderedDict[str, Run]()
        self._folder: Path | None = None
        self._pool: ProcessPool | None = None
        self._is_closed = False

    def begin(self, draft: Draft, opponents: Sequence[str], request: MatchRequest, by: str) -> Run:
        """Have a draft play against bots of this server, by their names.

        Raises: TooMany, BadBot, EngineFailure, UsageError.
        """
        self._require_room(by)
        folder = self._ready()
        Copies(folder / "bots").unpack(draft.packed.digest, draft.packed)
        mine = Contestant(name=draft.name, digest=draft.packed.digest)
        # With one name for each seat, no bot is drawn.
        _, *others = _contestants(request, (opponents[0], *opponents), folder)
        return self._queue(request, (mine, *others), by, folder)

    def exhibit(self, players: Sequence[str], request: MatchRequest) -> Run:
        """Have bots of this server play each other, by their names, for whoever looks on.

        Raises: TooMany, BadBot, EngineFailure, UsageError.
        """
        self._require_room(EXHIBITION)
        folder = self._ready()
        contestants = _contestants(request, players, folder)
        return self._queue(request, contestants, EXHIBITION, folder)

    def _queue(
        self, request: MatchRequest, contestants: Sequence[Contestant], by: str, folder: Path
    ) -> Run:
        """Let a match be played once its turn comes. Raises: TooMany."""
        run = self._new_run(request, contestants, by, folder)
        with self._lock:
            self._require_room_locked(by)
            self._runs[run.id] = run
            old = self._surplus()
            assert self._pool is not None
            future = self._pool.submit(_play, run.job, run.live)
        for one in old:
            self._remove(one)
        future.add_done_callback(lambda done: self._over(run, done))
        return run

    def newest_exhibition(self) -> Run | None:
        """Return the exhibition match that was begun last, while it is kept."""
        with self._lock:
            found = [run for run in self._runs.values() if run.by == EXHIBITION]
        return found[-1] if found else None

    @property
    def is_busy(self) -> bool:
        """Return whether a run waits or is played."""
        with self._lock:
            return any(run.state in OPEN for run in self._runs.values())

    def find(self, run_id: str) -> Run | None:
        """Return a run that is kept, as far as it has come."""
        with self._lock:
            run = self._runs.get(run_id)
        if run is not None and run.state is State.WAITING and run.live.exists():
            run.state = State.PLAYING
        return run

    def warm_up(self) -> None:
        """Start the process that plays runs: somebody is about to want one."""
        self._ready()

    def close(self) -> None:
        """End what is played, and remove what was."""
        with self._lock:
            self._is_closed = True
            pool, folder = self._pool, self._folder
            self._pool = self._folder = None
        if pool is not None:
            pool.terminate()
            pool.shutdown(cancel_futures=True)
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)

    # -- details --------------------------------------------------------------------------------

    def _ready(self) -> Path:
        """Return the folder, once there is one and a process. Raises: EngineFailure."""
        with self._lock:
            if self._is_closed:
                raise EngineFailure("the server ends")
            if self._folder is None:
                self._folder = _new_folder(self._out)
            if self._pool is None:
                self._pool = ProcessPool(_prepare, [(self._folder, self._level)])
                self._pool.submit(_is_ready)
            return self._folder

    def _new_run(
        self, request: MatchRequest, contestants: Sequence[Contestant], by: str, folder: Path
    ) -> Run:
        run_id = secrets.token_hex(16)
        return Run(
            id=run_id,
            by=by,
            title=request.game,
            names=tuple(one.name for one in contestants),
            job=Job(
                spec=_spec(request, contestants),
                contestants=tuple(contestants),
                play=PlayOptions(sandbox=self._level, keep_notes=False),
            ),
            live=folder / f"{run_id}.jsonl",
        )

    def _require_room(self, by: str) -> None:
        with self._lock:
            self._require_room_locked(by)

    def _require_room_locked(self, by: str) -> None:
        """Raises: TooMany."""
        open_ones = [one for one in self._runs.values() if one.state in OPEN]
        if sum(one.by == by for one in open_ones) >= MOST_OF_ONE:
            words = f"{MOST_OF_ONE} battles of yours are not over: wait until one of them is"
            raise TooMany(words, WAIT_S)
        if len(open_ones) >= MOST_AT_ONCE:
            raise TooMany("many battles wait already: please try again in a moment", WAIT_S)

    def _surplus(self) -> list[Run]:
        """Take out the oldest runs past those that are kept; those that are not over stay."""
        over = [one for one in self._runs.values() if one.state not in OPEN]
        old = over[: max(0, len(self._runs) - MOST_KEPT)]
        for one in old:
            del self._runs[one.id]
        return old

    def _remove(self, run: Run) -> None:
        """Remove what was played, and the draft, which another run may still need."""
        folder, digest = run.live.parent, run.job.contestants[0].digest
        run.live.unlink(missing_ok=True)
        shutil.rmtree(folder / ResultFolder.MATCHES / run.job.spec.key, ignore_errors=True)
        with self._lock:
            is_needed = any(digest in one.job.spec.bots for one in self._runs.values())
        if not is_needed:
            shutil.rmtree(folder / "bots" / digest, ignore_errors=True)

    def _over(self, run: Run, done: "Future[MatchResult]") -> None:
        try:
            result = done.result()
        except CancelledError:
            return
        except (ProcessLost, SlimeMindError) as error:
            run.words = "The server could not play it, which says nothing against your army."
            run.state = State.FAILED
            if not self._is_closed:
                self._report(f"a run could not be played: {error}")
                self._replace_pool(error)
            return
        mine = result.teams[0]
        outcome = outcome_in_words(result).removeprefix("it ")
        parts = [f"{run.names[0]} {outcome}.", faults_in_words(mine), mine.out or ""]
        run.words = " ".join(filter(None, parts))
        run.winner = result.winner
        run.state = State.OVER

    def _replace_pool(self, error: Exception) -> None:
        """Let the next run have another process, in place of one that was killed."""
        if isinstance(error, ProcessLost):
            with self._lock:
                pool, self._pool = self._pool, None
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)


OPEN = (State.WAITING, State.PLAYING)


def _contestants(
    request: MatchRequest, players: Sequence[str], folder: Path
) -> tuple[Contestant, ...]:
    """Return bots of this server by their names; copies are kept in a folder. Raises: BadBot."""
    named = replace(request, players=tuple(players), seed=0, run=RunOptions(out=folder))
    return tuple(MatchPlan(named, read_configuration()).contestants())


def _spec(request: MatchRequest, contestants: Sequence[Contestant]) -> MatchSpec:
    """Return what is played: with limits that hold nobody up, on a map that is drawn now."""
    spec = MatchPlan(request, read_configuration()).spec(())
    limits = replace(spec.limits, bank_s=min(BANK_S, spec.limits.bank_s))
    bots = tuple(one.digest for one in contestants)
    seed = draw_seed() if request.seed is None else request.seed
    return replace(spec, limits=limits, bots=bots, seed=seed)


def _new_folder(parent: Path) -> Path:
    """Return a folder of this process, and remove those that were left long ago.

    Raises: EngineFailure.
    """
    try:
        parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        for left in parent.iterdir():
            with suppress(OSError):
                if left.stat().st_mtime < time.time() - LEFT_S:
                    shutil.rmtree(left, ignore_errors=True)
        return Path(tempfile.mkdtemp(dir=parent))
    except OSError as error:
        raise EngineFailure(f"{error.filename}: {error.strerror}") from error


_referee: Referee | None = None


def _prepare(out: Path, level: Level) -> None:
    """Make this process one that plays runs."""
    global _referee  # noqa: PLW0603 - a process has one, and only this function to set it
    as_worker()
    if sys.platform != "win32":
        os.nice(NICENESS)
    _referee = Referee(out)


def _is_ready() -> None:
    """Do nothing: the process has started, and imported what it needs."""


def _play(job: Job, live: Path) -> MatchResult:
    assert _referee is not None
    return _referee.play(job, live=live)
