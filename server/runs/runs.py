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
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from engine.bots.finding import Copies, Packed
from engine.bots.sandbox import Level
from engine.errors import EngineFailure, SlimeMindError
from engine.play_options import PlayOptions
from engine.referee import Job, Referee
from engine.replays.writing import Contestant
from engine.result import MatchResult
from engine.result_folder import REPLAY, ResultFolder
from engine.spec import MatchSpec
from engine.streams import draw_seed, seed_text
from engine.support.process_pool import ProcessLost, ProcessPool
from runners.configuration import read_configuration
from runners.execution.ending_executor import NICENESS
from runners.match_request import MatchRequest
from runners.planning import MatchPlan
from runners.storage.database import Database
from server.bots.examining import faults_in_words, outcome_in_words
from server.games.bot_seats import as_worker
from server.http.errors import TooMany
from server.http.parts import Report
from server.runs.run_rows import OPEN, Run, RunRows, State

FOLDER = ".runs"
"""Hidden, so that no backup has it."""
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


class Opponent(NamedTuple):
    """A bot of this server, of which there is a copy among the results."""

    name: str
    digest: str
    is_confidential: bool
    """Whether its source is its author's alone, also where the rules would disclose it."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that was not handed in."""

    name: str
    packed: Packed


class Runs:
    """Plays drafts, one match after another. All methods may be called from any thread."""

    def __init__(self, database: Database, out: Path, level: Level, report: Report) -> None:
        """`report` takes a sentence where a run failed for a reason of the server's."""
        self._rows = RunRows(database)
        self._out = out / FOLDER
        self._copies = Copies(out / "bots")
        self._level = level
        self._report = report
        self._lock = threading.Lock()
        self._runs = OrderedDict[str, Run]()
        """Those of this process."""
        self._by = dict[str, str]()
        """Who has asked for them: people's ids, and addresses."""
        self._folder: Path | None = None
        self._pool: ProcessPool | None = None
        self._is_closed = False

    def begin(
        self, draft: Draft, opponents: Sequence[Opponent], request: MatchRequest, by: str
    ) -> Run:
        """Have a draft play against bots of this server. Raises: TooMany, BadBot, EngineFailure."""
        self._require_room(by)
        folder = self._ready()
        run, job = self._new_run(draft, opponents, request, folder)
        run.is_exhibition = by == EXHIBITION
        self._rows.add(run)
        with self._lock:
            self._runs[run.id], self._by[run.id] = run, by
            old = self._surplus()
            pool = self._pool
        if pool is None:
            raise EngineFailure("the server ends")
        future = pool.submit(_play, job, self.live(run))
        self._remove(old)
        future.add_done_callback(lambda done: self._over(run, done))
        return run

    def live(self, run: Run) -> Path:
        """Return the replay of a run as it grows."""
        return self._out / run.folder / f"{run.id}.jsonl"

    def replay(self, run: Run) -> Path:
        """Return the replay of a run that is over."""
        return self._out / run.folder / ResultFolder.MATCHES / run.key / REPLAY

    def find(self, run_id: str) -> Run | None:
        """Return a run that is kept, of any process, as far as it has come."""
        with self._lock:
            run = self._runs.get(run_id)
        run = run or self._rows.find(run_id)
        if run is not None and run.state not in OPEN and not (self._out / run.folder).is_dir():
            return None  # its process has ended
        if run is not None and run.state is State.WAITING and self.live(run).exists():
            run.state = State.PLAYING
        return run

    @property
    def is_busy(self) -> bool:
        """Return whether a run of this process waits or is played."""
        with self._lock:
            return any(run.state in OPEN for run in self._runs.values())

    def warm_up(self) -> None:
        """Start the process that plays runs: somebody is about to want one."""
        self._ready()

    def close(self) -> None:
        """End what is played, and remove what was."""
        with self._lock:
            self._is_closed = True
            pool, folder, mine = self._pool, self._folder, list(self._runs)
            self._pool = self._folder = None
        if pool is not None:
            pool.terminate()
            pool.shutdown(cancel_futures=True)
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
            with suppress(SlimeMindError):  # they are dropped in a day
                self._rows.remove(mine)

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
        self,
        draft: Draft,
        opponents: Sequence[Opponent],
        request: MatchRequest,
        folder: Path,
    ) -> tuple[Run, Job]:
        copies = Copies(folder / "bots")
        copies.unpack(draft.packed.digest, draft.packed)
        for one in opponents:
            copies.unpack(one.digest, self._copies.pack(one.digest))
        contestants = (
            Contestant(name=draft.name, digest=draft.packed.digest),
            *(Contestant(name=one.name, digest=one.digest) for one in opponents),
        )
        spec = _spec(request, contestants)
        run = Run(
            id=secrets.token_hex(16),
            game=request.game,
            names=tuple(one.name for one in contestants),
            digests=spec.bots,
            key=spec.key,
            seed=seed_text(spec.seed),
            folder=folder.name,
            is_confidential=any(one.is_confidential for one in opponents),
        )
        play = PlayOptions(sandbox=self._level, keep_notes=False)
        return run, Job(spec=spec, contestants=contestants, play=play)

    def _require_room(self, by: str) -> None:
        """Raises: TooMany."""
        with self._lock:
            open_ones = [one.id for one in self._runs.values() if one.state in OPEN]
            mine = sum(self._by[run_id] == by for run_id in open_ones)
        if mine >= MOST_OF_ONE:
            words = f"{MOST_OF_ONE} battles of yours are not over: wait until one of them is"
            raise TooMany(words, WAIT_S)
        if len(open_ones) >= MOST_AT_ONCE:
            raise TooMany("many battles wait already: please try again in a moment", WAIT_S)

    def _surplus(self) -> list[Run]:
        """Take out the oldest runs past those that are kept; those that are not over stay."""
        over = [one for one in self._runs.values() if one.state not in OPEN]
        old = over[: max(0, len(self._runs) - MOST_KEPT)]
        for one in old:
            del self._runs[one.id], self._by[one.id]
        return old

    def _remove(self, old: Sequence[Run]) -> None:
        """Remove what was played, and the drafts, which other runs may still need."""
        if not old:
            return
        self._rows.remove([run.id for run in old])
        with self._lock:
            needed = {digest for one in self._runs.values() for digest in one.digests}
        for run in old:
            self.live(run).unlink(missing_ok=True)
            shutil.rmtree(self.replay(run).parent, ignore_errors=True)
            if run.digests[0] not in needed:
                shutil.rmtree(self._out / run.folder / "bots" / run.digests[0], ignore_errors=True)

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
                self._keep(run)
            return
        mine = result.teams[0]
        outcome = outcome_in_words(result).removeprefix("it ")
        parts = [f"{run.names[0]} {outcome}.", faults_in_words(mine), mine.out or ""]
        run.words = " ".join(filter(None, parts))
        run.winner = result.winner
        run.state = State.OVER
        self._keep(run)

    def _keep(self, run: Run) -> None:
        """Write what came of a run, for other processes; without it, they say that it is lost."""
        with suppress(SlimeMindError):
            self._rows.end(run)

    def _replace_pool(self, error: Exception) -> None:
        """Let the next run have another process, in place of one that was killed."""
        if isinstance(error, ProcessLost):
            with self._lock:
                pool, self._pool = self._pool, None
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)


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
