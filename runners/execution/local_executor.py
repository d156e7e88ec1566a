"""A match executor that uses processes of this machine, each on a core of its own."""

import multiprocessing
import os
import signal
import sys
import time
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from threading import Thread
from types import FrameType

from engine.fault import Fault
from engine.referee import Job, Referee
from engine.result import MatchResult
from engine.result_folder import LIVE, live_file
from engine.support.process_pool import ProcessLost, ProcessPool
from runners.execution.cores import available_cores, pin
from runners.execution.executor import JobLost, Result

LEFT_S = 60.0
"""A file of a match that nobody has written to for so long may be of a killed server."""


class Processes:
    """Plays each match in a pool process, and stores it below `out`."""

    def __init__(
        self, out: Path, workers: int, *, niceness: int = 0, is_watched: bool = False
    ) -> None:
        """`niceness`: how far matches stand behind other processes, 0 to 19.

        `is_watched`: whether each can be read while it is played (engine/result_folder.py).
        """
        if is_watched:
            clear_live_files(out)
        self._is_watched = is_watched
        self._out = out
        self._niceness = niceness
        self.workers = workers
        self._pool = self._new_pool()

    def submit(self, job: Job) -> "Future[MatchResult]":
        return self._pool.submit(_play, job)

    def outcome_of(self, job: Job, future: "Future[MatchResult]") -> Result:
        error = future.exception()
        if isinstance(error, ProcessLost):
            raise JobLost from error
        return error or future.result()

    def try_bot(self, job: Job) -> "Future[Fault | None]":
        """Find out why the first bot of a job cannot play, if so."""
        return self._pool.submit(_try_bot, job)

    def restart(self) -> None:
        self.end(at_once=True)
        self._pool = self._new_pool()

    def terminate(self) -> None:
        """Ask all processes to end at once; what they play is lost. Waits for nothing."""
        self._pool.terminate()

    def end(self, *, at_once: bool) -> None:
        if at_once:
            self.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _new_pool(self) -> ProcessPool:
        available = available_cores()
        cores = [available[place % len(available)] for place in range(self.workers)]
        rest = self._niceness, self._is_watched
        return ProcessPool(_initialize_process, [(self._out, core, *rest) for core in cores])


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


def _initialize_process(out: Path, core: int, niceness: int, is_watched: bool) -> None:
    """Set up a pool process: its core, its referee, and no ear for the terminal's Ctrl-C."""
    global _referee, _live_of  # noqa: PLW0603 - a pool process has one, set by its initializer
    _live_of = out if is_watched else None
    Thread(target=_leave_with_parent, daemon=True).start()
    # Ctrl-C goes to all processes of a terminal, but the runner decides what is finished.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    if sys.platform != "win32":  # which has no pthread_sigmask
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    pin(core)
    if niceness and sys.platform != "win32":
        os.nice(niceness)
    _referee = Referee(out)


def _play(job: Job) -> MatchResult:
    global _live  # noqa: PLW0603 - the signal's handler has to know it, too
    assert _referee is not None
    if _live_of is None:
        return _referee.play(job)
    _live = live_file(_live_of, job.spec.key)
    _delete_live_file()  # of a server that was killed while it was played
    try:
        return _referee.play(job, live=_live)
    finally:
        _delete_live_file()


def _delete_live_file() -> None:
    if _live is not None:
        with suppress(OSError):  # somebody may be reading it, where that keeps a file
            _live.unlink(missing_ok=True)


def _try_bot(job: Job) -> Fault | None:
    assert _referee is not None
    return _referee.why_it_cannot_play(job)


def _leave(signum: int, frame: FrameType | None) -> None:
    """End on SIGTERM: what was begun is dropped. Bots end with the process that started them."""
    if _referee is not None:
        _referee.abandon()
    _delete_live_file()
    os._exit(128 + signum)


def _leave_with_parent() -> None:
    """End when the runner is gone: one that was killed can ask nobody to."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
