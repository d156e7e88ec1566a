"""The crew of this machine: a process for each match at a time, each on a core of its own."""

import multiprocessing
import os
import signal
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from threading import Thread
from types import FrameType

from engine.referee import Job, Referee
from engine.result import MatchResult
from engine.signals import signals_held
from runners.cores import available_cores, pin
from runners.crew import Lost, Result


class Processes:
    """Files matches below `out`."""

    def __init__(self, out: Path, workers: int) -> None:
        self._out = out
        self.workers = workers
        self._executor = self._new_executor()

    def submit(self, job: Job) -> "Future[MatchResult]":
        with signals_held():
            try:
                return self._executor.submit(_play, job)
            except BrokenProcessPool as broken:  # a process was killed while it had nothing to do
                future: Future[MatchResult] = Future()
                future.set_exception(broken)
                return future

    def take(self, job: Job, future: "Future[MatchResult]") -> Result:
        error = future.exception()
        if isinstance(error, BrokenProcessPool):
            raise Lost from error
        return error or future.result()

    def begin_anew(self) -> None:
        self.end(at_once=True)
        self._executor = self._new_executor()

    def end(self, *, at_once: bool) -> None:
        if at_once:
            for child in multiprocessing.active_children():
                child.terminate()
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _new_executor(self) -> Executor:
        context = multiprocessing.get_context("spawn")
        with signals_held():  # the first queue starts multiprocessing's resource tracker
            cores = context.SimpleQueue()
        available = available_cores()
        for place in range(self.workers):
            cores.put(available[place % len(available)])
        return ProcessPoolExecutor(
            self.workers, mp_context=context, initializer=_sit_down, initargs=(self._out, cores)
        )


_referee: Referee | None = None


def _sit_down(out: Path, cores: "multiprocessing.SimpleQueue[int]") -> None:
    """Once in each process: a core, a referee, and no ear for the terminal's Ctrl-C."""
    global _referee  # noqa: PLW0603 - a pool process has one, and only an initializer to set it
    Thread(target=_leave_with_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    pin(cores.get())
    _referee = Referee(out)


def _play(job: Job) -> MatchResult:
    assert _referee is not None
    return _referee.play(job)


def _leave(signum: int, frame: FrameType | None) -> None:
    """Asked to end: what was begun is dropped. Bots end with the process that started them."""
    if _referee is not None:
        _referee.abandon()
    os._exit(128 + signum)


def _leave_with_parent() -> None:
    """A runner that was killed can ask nobody to end, so we do: of the thread that plays."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
