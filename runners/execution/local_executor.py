"""A match executor that uses processes of this machine, each on a core of its own."""

import multiprocessing
import os
import signal
import sys
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from types import FrameType

from engine.fault import Fault
from engine.referee import Job, Referee
from engine.result import MatchResult
from engine.support.process_pool import ProcessLost, ProcessPool
from runners.execution.cores import available_cores, pin
from runners.execution.executor import JobLost, Result


class Processes:
    """Plays each match in a pool process, and stores it below `out`."""

    def __init__(self, out: Path, workers: int, *, niceness: int = 0) -> None:
        """`niceness`: how far matches stand behind other processes, 0 to 19."""
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

    def look_at(self, job: Job) -> "Future[Fault | None]":
        """Find out why the first bot of a job cannot play, if so."""
        return self._pool.submit(_look_at, job)

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
        return ProcessPool(
            _initialize_process, [(self._out, core, self._niceness) for core in cores]
        )


_referee: Referee | None = None


def _initialize_process(out: Path, core: int, niceness: int) -> None:
    """Set up a pool process: its core, its referee, and no ear for the terminal's Ctrl-C."""
    global _referee  # noqa: PLW0603 - a pool process has one, and only an initializer to set it
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
    assert _referee is not None
    return _referee.play(job)


def _look_at(job: Job) -> Fault | None:
    assert _referee is not None
    return _referee.why_it_cannot_play(job)


def _leave(signum: int, frame: FrameType | None) -> None:
    """End on SIGTERM: what was begun is dropped. Bots end with the process that started them."""
    if _referee is not None:
        _referee.abandon()
    os._exit(128 + signum)


def _leave_with_parent() -> None:
    """End when the runner is gone: one that was killed can ask nobody to."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
