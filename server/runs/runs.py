"""Matches that somebody tries a draft in: queued, played in the sandbox, and kept for a while.

A run is a match like any other: the same referee plays it, with the same limits, checks and record.
It stands behind everything else: its process is nice, few wait at once, and of one person fewer.
Whoever has waited longest comes next (engine/support/fair_queue.py). What was played is kept in a
folder of this process, and is gone with it.
"""

import secrets
import shutil
import tempfile
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple, ParamSpec, TypeVar

import msgspec
from msgspec.structs import replace

from engine.bots.finding import Copies, Packed
from engine.bots.sandbox import Level
from engine.errors import EngineFailure, SlimeMindError
from engine.play_options import PlayOptions
from engine.referee import Job
from engine.replays.reading import Replay
from engine.replays.writing import Contestant
from engine.result import MatchResult
from engine.result_folder import REPLAY, ResultFolder
from engine.spec import MatchSpec
from engine.streams import draw_seed, seed_text
from engine.support.fair_queue import AnyFuture, Priority, QueuePlace
from engine.support.process_pool import ProcessLost
from runners.configuration import read_configuration
from runners.execution.local_executor import Processes, referee_here
from runners.execution.pool import NICENESS
from runners.match_request import MatchRequest
from runners.planning import MatchPlan
from runners.storage.database import Database
from server.bots.examining import faults_in_words, outcome_in_words
from server.http.limits import ConcurrencyLimit
from server.http.parts import Report
from server.identity.rate_limits import Asker
from server.runs.author_notes import TEAM, AuthorNotes, NotStarted
from server.runs.run_rows import OPEN, Run, RunRows, State

P = ParamSpec("P")
T = TypeVar("T")

FOLDER = ".runs"
"""Hidden, so that no backup has it."""
EXHIBITION = Asker("", person="")
"""Stands in place of whoever asks where the server itself has a match played."""
MAX_CONCURRENT_RUNS = 100
"""Runs that wait or are played, those of guests half of them at most."""
MAX_RUNS_PER_USER, MAX_RUNS_PER_ADDRESS = 2, 20
"""The same of one person or browser, and of all guests at one address: a class has but one."""
MAX_KEPT_RUNS = 150
"""Runs that are kept, those of guests half of them at most; what was played of others is removed,
first of whoever has most."""
LEFT_S = 86_400
"""A folder that a killed server has left is removed after so long."""
BANK_S = 20
"""The CPU time of a bot in a run, seconds: nobody waits long for somebody else's."""
FAILED = "The server could not play it, which says nothing against your bot."
STOPPED = "It was stopped."
UNWATCHED = "It was stopped: nobody watched it for a minute."
UNWATCHED_S, NOTED_S = 60.0, 5.0
"""A mock battle ends that nobody watches for so long; a look at it is noted at most so often."""
WAIT_S = 10.0
"""When it may be tried again where too many wait."""
OWN_WAIT = f"{MAX_RUNS_PER_USER} matches of yours are not over: wait until one of them is"


class Opponent(NamedTuple):
    """A bot of this server, of which there is a copy among the results."""

    name: str
    digest: str
    is_confidential: bool
    """Whether its source is its author's alone, also where the rules would disclose it."""
    packed: Packed | None = None
    """Its files, where there is no copy of them."""
    is_here: bool = False
    """Whether it has been played by these runs already."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that was not handed in."""

    name: str
    packed: Packed
    id: str = ""
    """Of the draft of /write that it is; its author is told what happens in a run."""
    main: str = ""
    """The name of its main file there."""
    course_step: int = 0
    """The step of a course that it is to show; 0: none."""
    room: str = ""
    """The room of which the match is a battle: it is played to its end, whoever watches."""


class Restart(msgspec.Struct, frozen=True, kw_only=True):
    """The place from which a run goes on; before it, everybody does as in another run."""

    run: Run
    turn: int


class Runs:
    """Plays drafts, one match after another. All methods may be called from any thread."""

    def __init__(self, database: Database, out: Path, level: Level, report: Report) -> None:
        """`report` takes a sentence where a run failed for a reason of the server's."""
        self._rows = RunRows(database)
        self._out = out / FOLDER
        self._copies = Copies(out / "bots")
        self.level = level
        self._report = report
        self._lock = threading.Lock()
        self._runs = OrderedDict[str, Run]()
        """Those of this process."""
        self._by = dict[str, Asker]()
        """Who has asked for them."""
        self._limit = ConcurrencyLimit(
            MAX_CONCURRENT_RUNS, MAX_RUNS_PER_USER, MAX_RUNS_PER_ADDRESS, OWN_WAIT, WAIT_S
        )
        self._futures = dict[str, Future[MatchResult]]()
        """Those of runs that are not over."""
        self._held = Counter[str]()
        """How often something needs the copy of a bot."""
        self._folder: Path | None = None
        self._workers: Processes | None = None
        self._is_closed = False

    def start_run(
        self,
        draft: Draft,
        opponents: Sequence[Opponent],
        request: MatchRequest,
        by: Asker,
        restart: Restart | None = None,
    ) -> Run:
        """Have a draft play against bots of this server. Raises: TooMany, BadBot, EngineFailure."""
        folder, workers = self._require_ready()
        digests = (draft.packed.digest, *(one.digest for one in opponents))
        self._limit.acquire(by)
        self.hold(digests)
        try:
            run, job = self._new_run(draft, opponents, request, folder, restart)
            run.is_exhibition = by == EXHIBITION
            self._rows.add(run)
        except BaseException:
            self._limit.release(by)
            self.release(digests)
            raise
        with self._lock:
            self._runs[run.id], self._by[run.id] = run, by
            old = self._take_out_surplus()
        notes = self.load_notes(run) if draft.id else None
        future = workers.call(
            by.keys, Priority.WAITED_FOR, _play, job, self.live_replay_path(run), notes
        )
        with self._lock:
            self._futures[run.id] = future
        self._remove(old)
        future.add_done_callback(lambda done: self._on_run_done(run, done))
        if not (draft.id or draft.room or run.is_exhibition):  # a mock battle
            self._look_after(run, UNWATCHED_S)
        return run

    def do(
        self,
        by: Asker,
        priority: Priority,
        function: Callable[P, T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Future[T]:
        """Have something else done in a process that plays runs, when it is somebody's turn.

        `function` finds the referee of the process by `referee_here`. Raises: EngineFailure.
        """
        return self._require_ready()[1].call(by.keys, priority, function, *args, **kwargs)

    def give_up(self, future: AnyFuture) -> None:
        """Let something not be done that was to be done so."""
        with self._lock:
            workers = self._workers
        if workers is not None:
            workers.stop(future)

    @property
    def folder(self) -> Path:
        """Return the folder of what is played by this process. Raises: EngineFailure."""
        return self._require_ready()[0]

    def hold(self, digests: Sequence[str]) -> None:
        """Keep the copies of bots, which are made after this, until they are released."""
        with self._lock:
            self._held.update(digests)

    def release(self, digests: Sequence[str]) -> None:
        """Remove the copies of bots that nothing holds any more."""
        with self._lock:  # whoever holds one after this makes the copy anew
            self._held.subtract(digests)
            for digest in digests:
                if self._held[digest] <= 0:
                    del self._held[digest]
                    if self._folder is not None:
                        shutil.rmtree(self._folder / "bots" / digest, ignore_errors=True)

    def copy_here(self, draft: Draft, opponents: Sequence[Opponent]) -> None:
        """Copy bots to where runs are played. Raises: BadBot, EngineFailure."""
        copies = Copies(self.folder / "bots")
        copies.unpack(draft.packed.digest, draft.packed)
        for one in opponents:
            if not one.is_here:
                copies.unpack(one.digest, one.packed or self._copies.pack(one.digest))

    def _end_if_unwatched(self, run: Run) -> None:
        """End a run that is nobody's result once nobody has looked at it for a minute."""
        if self._is_closed or run.state not in OPEN:
            return
        with suppress(OSError):
            left_s = self._look_file(run).stat().st_mtime + UNWATCHED_S - time.time()
            if left_s > 0:
                self._look_after(run, left_s)
                return
        self.stop(run, UNWATCHED)

    def _look_after(self, run: Run, delay_s: float) -> None:
        timer = threading.Timer(delay_s, self._end_if_unwatched, [run])
        timer.daemon = True
        timer.start()

    def stop(self, run: Run, text: str = STOPPED) -> None:
        """End a run of this process: what was played of it stays to be looked at."""
        with self._lock:
            future, workers = self._futures.get(run.id), self._workers
            own = self._runs.get(run.id)
            if own is None or future is None or workers is None or own.state not in OPEN:
                return
            self._limit.release(self._by[run.id])
            own.state, own.words = State.STOPPED, text
        workers.stop(future)
        self._save_end(own)

    def find_place(self, run: Run) -> QueuePlace:
        """Return the place of a run in the queue of this process."""
        with self._lock:
            future, workers = self._futures.get(run.id), self._workers
        return QueuePlace(0, 0) if future is None or workers is None else workers.find_place(future)

    def note_viewer(self, run: Run) -> None:
        """Note that somebody looks at a run: one that is nobody's result ends without viewers."""
        path = self._look_file(run)
        with suppress(OSError):  # what was played is gone
            if not path.exists() or path.stat().st_mtime < time.time() - NOTED_S:
                path.touch()

    def live_replay_path(self, run: Run) -> Path:
        """Return the replay of a run as it grows."""
        return self._out / run.folder / f"{run.id}.jsonl"

    def replay(self, run: Run) -> Path:
        """Return the replay of a run that is over."""
        return self._out / run.folder / f"{run.id}.jsonl.gz"

    def load_notes(self, run: Run) -> Path:
        """Return what the author of a draft is told of its run."""
        return self._out / run.folder / f"{run.id}.notes"

    def _look_file(self, run: Run) -> Path:
        """Return the file that is as old as the last look at a run, in whatever process."""
        return self._out / run.folder / f"{run.id}.watched"

    def find(self, run_id: str) -> Run | None:
        """Return a run that is kept, of any process, as far as it has come."""
        with self._lock:
            run = self._runs.get(run_id)
        run = run or self._rows.find(run_id)
        if run is not None and run.state not in OPEN and not (self._out / run.folder).is_dir():
            return None  # its process has ended
        if run is not None and run.state is State.WAITING and self.live_replay_path(run).exists():
            with self._lock:  # it may be over by now
                run.state = State.PLAYING if run.state is State.WAITING else run.state
        return run

    def fail_unfinished(self) -> None:
        """Say of what a killed server has left that it is lost, where no other one plays."""
        self._rows.fail_unfinished()

    @property
    def is_busy(self) -> bool:
        """Return whether a run of this process waits or is played."""
        with self._lock:
            return any(run.state in OPEN for run in self._runs.values())

    def warm_up(self) -> None:
        """Start the process that plays runs: somebody is about to want one."""
        self._require_ready()

    def close(self) -> None:
        """End what is played, and remove what was."""
        with self._lock:
            self._is_closed = True
            workers, folder, own_runs = self._workers, self._folder, list(self._runs)
            self._workers = self._folder = None
        if workers is not None:
            workers.end(at_once=True)
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
            with suppress(SlimeMindError):  # they are dropped in a day
                self._rows.remove(own_runs)

    # -- details --------------------------------------------------------------------------------

    def _require_ready(self) -> tuple[Path, Processes]:
        """Return the folder, once there is one, and who plays. Raises: EngineFailure."""
        with self._lock:
            if self._is_closed:
                raise EngineFailure("the server ends")
            if self._folder is None:
                self._folder = _new_folder(self._out)
            if self._workers is None:
                self._workers = Processes(self._folder, 1, niceness=NICENESS, is_pinned=False)
            workers = self._workers
        workers.warm_up()
        return self._folder, workers

    def _new_run(
        self,
        draft: Draft,
        opponents: Sequence[Opponent],
        request: MatchRequest,
        folder: Path,
        restart: Restart | None,
    ) -> tuple[Run, Job]:
        self.copy_here(draft, opponents)
        contestants = (
            Contestant(name=draft.name, digest=draft.packed.digest),
            *(Contestant(name=one.name, digest=one.digest) for one in opponents),
        )
        spec = run_spec(request, contestants)
        if restart is not None:
            recorded = Replay(self.replay(restart.run)).spec
            spec = replace(recorded, bots=spec.bots)
        run = Run(
            id=secrets.token_hex(16),
            game=request.game,
            names=tuple(one.name for one in contestants),
            digests=spec.bots,
            key=spec.key,
            seed=seed_text(spec.seed),
            folder=folder.name,
            is_confidential=any(one.is_confidential for one in opponents),
            draft=draft.id,
            main=draft.main,
            course_step=draft.course_step,
            room=draft.room,
            after_turn=0 if restart is None else restart.turn,
            cpu_limit_ms=spec.limits.cpu_ms,
        )
        job = Job(
            spec=spec,
            contestants=contestants,
            play=PlayOptions(sandbox=self.level, keep_notes=bool(draft.id)),
            noted_teams=(TEAM,),
            past=None if restart is None else self.replay(restart.run),
            past_before=None if restart is None else restart.turn,
        )
        return run, job

    def _take_out_surplus(self) -> list[Run]:
        """Take out the runs past those that are kept; those that are not over stay."""
        old: list[Run] = []
        while (one := self._next_surplus()) is not None:
            old.append(one)
            del self._runs[one.id], self._by[one.id]
        return old

    def _next_surplus(self) -> Run | None:
        counts = Counter(by.keys[0] for by in self._by.values())
        guests = {run_id for run_id, by in self._by.items() if by.is_guest}
        surplus = self._by.keys() if len(self._by) > MAX_KEPT_RUNS else guests
        if surplus is guests and len(guests) <= MAX_KEPT_RUNS // 2:
            return None
        over = [run for run in self._runs.values() if run.state not in OPEN and run.id in surplus]
        return max(over, key=lambda run: counts[self._by[run.id].keys[0]], default=None)

    def _remove(self, old: Sequence[Run]) -> None:
        """Remove what was played, and the bots that nothing else needs."""
        if not old:
            return
        self._rows.remove([run.id for run in old])
        for run in old:
            for path in (
                self.live_replay_path(run),
                self.replay(run),
                self.load_notes(run),
                self._look_file(run),
            ):
                path.unlink(missing_ok=True)
            self.release(run.digests)

    def _on_run_done(self, run: Run, done: "Future[MatchResult]") -> None:
        with self._lock:
            self._futures.pop(run.id, None)
        try:
            result = done.result()
            self._take_in(run, result)
        except CancelledError:
            return
        except NotStarted as error:
            self._end(run, State.OVER, f"{run.names[0]} did not start: {error}")
        except (ProcessLost, SlimeMindError, OSError) as error:
            if not self._end(run, State.FAILED, FAILED):
                return
            if not self._is_closed:
                self._report(f"a run could not be played: {error}")
        else:
            own = result.teams[0]
            outcome = outcome_in_words(result).removeprefix("it ")
            parts = [f"{run.names[0]} {outcome}.", faults_in_words(own), own.out or ""]
            run.winner = result.winner
            self._end(run, State.OVER, " ".join(filter(None, parts)))

    def _take_in(self, run: Run, result: MatchResult) -> None:
        """Put what was filed beside the rest of a run: a match of the same key may be played."""
        filed = self._out / run.folder / ResultFolder.MATCHES / result.key
        (filed / REPLAY).replace(self.replay(run))
        self.discard(result)

    def discard(self, result: MatchResult) -> None:
        """Remove what was filed of a match. Raises: EngineFailure."""
        filed = self.folder / ResultFolder.MATCHES / result.key
        shutil.rmtree(filed, ignore_errors=True)

    def _end(self, run: Run, state: State, text: str) -> bool:
        """Say what came of a run, unless its author has stopped it."""
        with self._lock:
            if run.state not in OPEN:
                return False
            self._limit.release(self._by[run.id])  # first: who reads that it is over may begin one
            run.words = text
            run.state = state
        if not self._is_closed:
            self._save_end(run)
        return True

    def _save_end(self, run: Run) -> None:
        """Write what came of a run, for other processes; without it, they say that it is lost."""
        with suppress(SlimeMindError):
            self._rows.end(run)


def run_spec(request: MatchRequest, contestants: Sequence[Contestant]) -> MatchSpec:
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


def _play(job: Job, live: Path, notes: Path | None) -> MatchResult:
    if notes is None:
        return referee_here().play(job, live=live)
    with closing(AuthorNotes(notes, job.contestants[TEAM - 1].name, job.spec.limits)) as written:
        return referee_here().play(job, [written], live=live)
