"""Jobs -> results: matches side by side, one per core, each in a process of its own."""

import multiprocessing
import os
import signal
import traceback
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path
from threading import Thread
from types import FrameType

from engine.errors import EngineFailure, SlimeMindError
from engine.referee import Job, Referee
from engine.result import MatchResult
from engine.signals import signals_held
from runners.cores import available_cores, pin

MOST_TRIES = 3
"""How often a job is begun again whose process was killed from outside."""

Result = MatchResult | BaseException
"""What came of a job; an exception that is no SlimeMindError is a bug of ours."""
Numbered = tuple[int, Job]


class Pool:
    """Plays jobs on `workers` processes. Use it as a context: it leaves no process behind."""

    def __init__(self, out: Path, workers: int) -> None:
        self._out = out
        self._workers = workers
        self._executor = self._new_executor()

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is not None:
            _end_children()
        self._executor.shutdown(wait=True, cancel_futures=True)

    def play_all(self, jobs: Iterable[Job]) -> Iterator[tuple[int, Result]]:
        """The number of each job (from 0) with what came of it, as they come."""
        todo = enumerate(jobs)
        while lost := (yield from self._play_until_broken(todo)):
            for number, job in lost:
                yield number, self._play_alone(job)

    def _play_until_broken(
        self, todo: Iterator[Numbered]
    ) -> Generator[tuple[int, Result], None, list[Numbered]]:
        """Play on until all is done or a process was killed; what was lost with it.

        One killed process breaks a whole ProcessPoolExecutor.
        """
        playing: dict[Future[MatchResult], Numbered] = {}
        lost: list[Numbered] = []
        while True:
            if not lost:
                for number, job in islice(todo, 2 * self._workers - len(playing)):
                    playing[self._submit(job)] = number, job
            if not playing:
                break
            for future in wait(playing, return_when=FIRST_COMPLETED).done:
                number, job = playing.pop(future)
                error = future.exception()
                if isinstance(error, BrokenProcessPool):
                    lost.append((number, job))
                else:
                    yield number, error or future.result()
        if lost:
            self._rebuild()
        return lost

    def _play_alone(self, job: Job) -> Result:
        """A lost job again, with nothing beside it: who is to blame is then known."""
        for _ in range(MOST_TRIES):
            future = self._submit(job)
            error = future.exception()
            if not isinstance(error, BrokenProcessPool):
                return error or future.result()
            self._rebuild()
        return EngineFailure(f"the process that played it was killed, {MOST_TRIES + 1} times")

    def _submit(self, job: Job) -> "Future[MatchResult]":
        with signals_held():
            try:
                return self._executor.submit(_play, job)
            except BrokenProcessPool as broken:  # a process was killed while it had nothing to do
                future: Future[MatchResult] = Future()
                future.set_exception(broken)
                return future

    def _rebuild(self) -> None:
        _end_children()
        self._executor.shutdown(wait=True, cancel_futures=True)
        self._executor = self._new_executor()

    def _new_executor(self) -> Executor:
        context = multiprocessing.get_context("spawn")
        with signals_held():  # the first queue starts multiprocessing's resource tracker
            cores = context.SimpleQueue()
        available = available_cores()
        for place in range(self._workers):
            cores.put(available[place % len(available)])
        return ProcessPoolExecutor(
            self._workers, mp_context=context, initializer=_sit_down, initargs=(self._out, cores)
        )


def words_of(error: BaseException) -> str:
    """A sentence; for a bug of ours the whole traceback."""
    if isinstance(error, SlimeMindError):
        return str(error)
    return "".join(traceback.format_exception(error)).rstrip()


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


def _end_children() -> None:
    for child in multiprocessing.active_children():
        child.terminate()
