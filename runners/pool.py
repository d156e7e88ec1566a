"""Jobs -> results: matches side by side, one per core, each in a process of its own."""

import multiprocessing
import os
import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path
from types import FrameType

from engine.bots.sandbox.process import die_with_parent
from engine.errors import EngineFailure
from engine.referee import Job, Referee
from engine.result import MatchResult
from runners.cores import available_cores, pin

MOST_TRIES = 3
"""How often a job is begun whose process was killed from outside."""


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

    def play_all(self, jobs: Iterable[Job]) -> Iterator[tuple[int, MatchResult | EngineFailure]]:
        """The number of each job (from 0) with its result, as they come."""
        todo = ((number, job, 1) for number, job in enumerate(jobs))
        playing: dict[Future[MatchResult], tuple[int, Job, int]] = {}
        lost: list[tuple[int, Job, int]] = []
        while True:
            for number, job, tries in (*lost, *islice(todo, 2 * self._workers - len(playing))):
                playing[self._executor.submit(_play, job)] = number, job, tries
            lost.clear()
            if not playing:
                return
            for future in wait(playing, return_when=FIRST_COMPLETED).done:
                number, job, tries = playing.pop(future)
                try:
                    yield number, future.result()
                except BrokenProcessPool:
                    lost.append((number, job, tries + 1))
                except EngineFailure as failure:
                    yield number, failure
            if lost:
                lost += [(number, job, tries + 1) for number, job, tries in playing.values()]
                playing.clear()
                self._rebuild(lost)

    def _rebuild(self, lost: list[tuple[int, Job, int]]) -> None:
        """One killed process breaks a whole ProcessPoolExecutor."""
        if any(tries > MOST_TRIES for _, _, tries in lost):
            raise EngineFailure(f"the processes that play matches were killed {MOST_TRIES} times")
        _end_children()
        self._executor.shutdown(wait=True, cancel_futures=True)
        self._executor = self._new_executor()

    def _new_executor(self) -> Executor:
        context = multiprocessing.get_context("spawn")
        cores = context.SimpleQueue()
        available = available_cores()
        for place in range(self._workers):
            cores.put(available[place % len(available)])
        return ProcessPoolExecutor(
            self._workers, mp_context=context, initializer=_sit_down, initargs=(self._out, cores)
        )


_referee: Referee | None = None


def _sit_down(out: Path, cores: "multiprocessing.SimpleQueue[int]") -> None:
    """Once in each process: a core, a referee, and no ear for the terminal's Ctrl-C."""
    global _referee  # noqa: PLW0603 - a pool process has one, and only an initializer to set it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    die_with_parent()
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


def _end_children() -> None:
    for child in multiprocessing.active_children():
        child.terminate()
