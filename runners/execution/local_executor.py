"""A match executor that uses processes of this machine, each on a core of its own."""

import os
import signal
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import ParamSpec, TypeVar

from engine.errors import EngineFailure
from engine.fault import Fault
from engine.referee import Job, Referee
from engine.result import MatchResult
from engine.result_folder import LIVE, live_file
from engine.support.fair_queue import AnyFuture, Owner, Priority, QueuePlace
from engine.support.process_pool import ProcessLost, ProcessPool
from runners.execution.cores import available_cores, pin
from runners.execution.executor import JobLost, Result

P = ParamSpec("P")
T = TypeVar("T")
LEFT_S = 60.0
"""A file of a match that nobody has written to for so long may be of a killed server."""


class Processes:
    """Plays each match in a pool process, and stores it below `out`.

    Whoever has waited longest comes next, owner by owner (engine/support/fair_queue.py). All
    methods may be called from any thread.
    """

    def __init__(
        self,
        out: Path,
        workers: int,
        *,
        niceness: int = 0,
        is_watched: bool = False,
        is_pinned: bool = True,
    ) -> None:
        """`niceness`: how far matches stand behind other processes, 0 to 19.

        `is_watched`: whether each can be read while it is played (engine/result_folder.py).
        `is_pinned`: whether each process has a core of its own.
        """
        if is_watched:
            clear_live_files(out)
        self.workers = workers
        available: Sequence[int | None] = available_cores() if is_pinned else [None]
        cores = [available[index % len(available)] for index in range(workers)]
        self._places = [(out, core, is_watched) for core in cores]
        self._niceness = niceness
        self._pool = self._new_pool()

    def submit(
        self, job: Job, owner: Owner = (), priority: Priority = Priority.WAITED_FOR
    ) -> Future[MatchResult]:
        return self.call(owner, priority, play_here, job)

    def outcome_of(self, job: Job, future: Future[MatchResult]) -> Result:
        error = future.exception()
        if isinstance(error, ProcessLost):
            raise JobLost from error
        return error or future.result()

    def call(
        self,
        owner: Owner,
        priority: Priority,
        function: Callable[P, T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Future[T]:
        """Have something else done when it is its owner's turn; `referee_here` plays there.

        Raises, by its future: ProcessLost; what the function raises. Cancelled after the end.
        """
        return self._pool.submit_for(owner, priority, function, *args, **kwargs)

    def try_bot(self, job: Job) -> Future[Fault | None]:
        """Find out why the first bot of a job cannot play, if so."""
        return self._pool.submit(_try_bot, job)

    def find_place(self, future: AnyFuture) -> QueuePlace:
        """Return where something is in the queue, and when it is begun, about."""
        return self._pool.find_place(future)

    def stop(self, future: AnyFuture) -> None:
        """Let something not be done, or be lost at once where it is."""
        self._pool.stop(future)

    def warm_up(self) -> None:
        """Start a process: somebody is about to want one."""
        self._pool.warm_up()

    def restart(self) -> None:
        self.end(at_once=True)
        self._pool = self._new_pool()

    def terminate(self) -> None:
        """Ask all processes to end at once; what they play is lost. Waits for nothing."""
        self._pool.terminate()

    def end(self, *, at_once: bool) -> None:
        """Leave no process behind; what waits is cancelled."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        if at_once:
            self.terminate()
        self._pool.shutdown()

    def _new_pool(self) -> ProcessPool:
        return ProcessPool(_initialize_process, self._places, niceness=self._niceness)


def clear_live_files(out: Path) -> None:
    """Make the folder of matches that are being played, and remove what was left by a kill."""
    folder = out / LIVE
    with suppress(OSError):  # without it they are played all the same
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for left in folder.iterdir():
            with suppress(OSError):
                if left.stat().st_mtime < time.time() - LEFT_S:
                    left.unlink()


_referee: Referee | None = None
_live_of: Path | None = None
"""The folder of results, where matches can be read while they are played."""
_live: Path | None = None
"""Where the present one is."""


def _initialize_process(out: Path, core: int | None, is_watched: bool) -> None:
    """Set up a pool process: its core and its referee."""
    global _referee, _live_of  # noqa: PLW0603 - a pool process has one, set by its initializer
    _live_of = out if is_watched else None
    signal.signal(signal.SIGTERM, _leave)
    if core is not None:
        pin(core)
    _referee = Referee(out)


def referee_here() -> Referee:
    """Return the referee of this process. Raises: EngineFailure in one that plays no matches."""
    if _referee is None:
        raise EngineFailure("this process plays no matches")
    return _referee


def play_here(job: Job) -> MatchResult:
    """Play a match in a process of `Processes`. Raises: SlimeMindError."""
    global _live  # noqa: PLW0603 - the signal's handler has to know it, too
    if _live_of is None:
        return referee_here().play(job)
    _live = live_file(_live_of, job.spec.key)
    _delete_live_file()  # of a server that was killed while it was played
    try:
        return referee_here().play(job, live=_live)
    finally:
        _delete_live_file()


def _delete_live_file() -> None:
    if _live is not None:
        with suppress(OSError):  # somebody may be reading it, where that keeps a file
            _live.unlink(missing_ok=True)


def _try_bot(job: Job) -> Fault | None:
    return referee_here().why_it_cannot_play(job)


def _leave(signum: int, frame: FrameType | None) -> None:
    """End on SIGTERM: what was begun is dropped. Bots end with the process that started them."""
    if _referee is not None:
        _referee.abandon()
    _delete_live_file()
    os._exit(128 + signum)
