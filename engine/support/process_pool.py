"""Run calls in processes that share nothing but a pipe each with us."""

import multiprocessing
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from threading import Lock, local
from types import ModuleType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from engine.support.child_processes import allow_children
from engine.support.signals import deferring_signals

P = ParamSpec("P")
T = TypeVar("T")

_hiding = Lock()
"""Held by the thread that has hidden the main module: threads start processes side by side."""
Words = tuple[object, ...]
"""Positional arguments."""
Named = Mapping[str, object]
"""Keyword arguments."""
if TYPE_CHECKING:
    Pipe = Connection[tuple[bool, object], tuple[Callable[..., object], Words, Named]]


class ProcessLost(Exception):
    """A process ended before it had done what it was given."""


class ProcessPool(Executor):
    """Runs functions in processes that are started as they are needed.

    Python's own pools need named semaphores, which are files in /dev/shm that nobody removes when
    all processes are killed together. Here a thread of ours waits for each process.
    """

    def __init__(self, prepare: Callable[..., None], places: Sequence[Words]) -> None:
        """Start no process yet. `prepare` is called once in each, with one of `places`."""
        self._prepare = prepare
        self._places = SimpleQueue[Words]()
        for place in places:
            self._places.put(place)
        self._threads = ThreadPoolExecutor(len(places))
        self._here = local()
        """The process of each thread."""
        self._processes: list[_Process] = []
        self._is_terminated = False

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Raises, by its future: ProcessLost; and whatever the function raises there."""
        with deferring_signals():  # it may start a thread; those are for the thread that calls us
            return self._threads.submit(self._run, fn, args, kwargs)

    def terminate(self) -> None:
        """Ask all processes to end at once; what they were doing is lost."""
        self._is_terminated = True
        for process in self._processes:
            process.terminate()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes when they have done what they were given."""
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)
        for process in self._processes:
            process.end()

    def _run(self, function: Callable[..., T], words: Words, named: Named) -> T:
        if not hasattr(self._here, "process"):
            self._here.process = _Process(self._prepare, self._places.get())
            self._processes.append(self._here.process)
            if self._is_terminated:
                self._here.process.terminate()
        result: T = self._here.process.call(function, words, named)
        return result


class _Process:
    """A process, and the pipe to it."""

    def __init__(self, prepare: Callable[..., None], place: Words) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, prepare, place), daemon=True)
        _start_deferring_signals(self._process)
        theirs.close()  # so that the pipe ends with the process

    def call(self, *request: object) -> Any:
        """Raises: ProcessLost; what the function raises."""
        try:
            self._pipe.send(request)
            is_done, outcome = self._pipe.recv()
        except (EOFError, OSError) as error:
            raise ProcessLost("a process was killed") from error
        if not is_done:
            raise outcome
        return outcome

    def terminate(self) -> None:
        self._process.terminate()

    def end(self) -> None:
        self._pipe.close()
        self._process.join()


def _start_deferring_signals(process: BaseProcess) -> None:
    """Start it with signals held back, so that its imports are not cut short by a Ctrl-C."""
    with deferring_signals():
        if os.name == "posix":  # else that of Python lets them through just before it starts ours
            resource_tracker.ensure_running()
    with deferring_signals(), _hiding_main_module(), allow_children():
        process.start()


@contextmanager
def _hiding_main_module() -> Iterator[None]:
    """Have the new process not run the script that is run here, of which it needs nothing.

    So a script that plays by our library need not stand behind `if __name__ == "__main__"`.
    """
    with _hiding:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


def _serve(pipe: "Pipe", prepare: Callable[..., None], place: Words) -> None:
    """Do what comes over the pipe until that ends, with us or with the pool."""
    prepare(*place)
    while True:
        try:
            function, words, named = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(_run_call(function, words, named))
        except BrokenPipeError:  # the pool has ended meanwhile
            return


def _run_call(function: Callable[..., object], words: Words, named: Named) -> tuple[bool, object]:
    """Return whether a call ended, and its result or its error, with the traceback as a note."""
    try:
        return True, function(*words, **named)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is raised where we were asked
        error.add_note(traceback.format_exc())
        return False, error
