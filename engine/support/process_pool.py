"""Run calls in processes that share nothing but a pipe each with us, fairly between owners."""

import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from threading import Condition, Event, Lock, Thread
from types import ModuleType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from engine.support.child_processes import allow_children
from engine.support.fair_queue import AnyFuture, FairQueue, Owner, Priority, QueuePlace
from engine.support.signals import deferring_signals

P = ParamSpec("P")
T = TypeVar("T")

_hiding = Lock()
"""Held by the thread that has hidden the main module: threads start processes side by side."""
Arguments = tuple[object, ...]
"""Positional arguments."""
Named = Mapping[str, object]
"""Keyword arguments."""
if TYPE_CHECKING:
    Pipe = Connection[tuple[bool, object], tuple[Callable[..., object], Arguments, Named]]


class ProcessLost(Exception):
    """A process ended before it had done what it was given."""


class ProcessPool(Executor):
    """Runs functions in processes, one call in each; whoever has waited longest comes next.

    A process is started when those there are have something to do, and again where it was killed.

    Python's own pools need named semaphores, which are files in /dev/shm that nobody removes when
    all processes are killed together. Here a thread of ours waits for each process.
    """

    def __init__(
        self, prepare: Callable[..., None] | None, places: Sequence[Arguments], *, niceness: int = 0
    ) -> None:
        """Start no process yet. `prepare` is called once in each, with one of `places`.

        `niceness`: how far they stand behind other processes, 0 to 19.
        """
        self._setup = niceness, prepare
        self._places = list(places)
        self._changed = Condition()
        self._queue = FairQueue()
        self._running: dict[AnyFuture, _Process | None] = {}
        """Where each call runs that has been begun."""
        self._stopped = set[AnyFuture]()
        """Those of them that are to be lost."""
        self._threads: list[Thread] = []
        """One for each process."""
        self._processes = set[_Process]()
        self._is_ending = False
        self._terminated = Event()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Raises, by its future: ProcessLost; and whatever the function raises there."""
        return self.submit_for((), Priority.WAITED_FOR, fn, *args, **kwargs)

    def submit_for(
        self,
        owner: Owner,
        priority: Priority,
        fn: Callable[P, T],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Future[T]:
        """Run a call when it is its owner's turn; cancelled where the pool ends.

        Raises, by its future, as `submit` does.
        """
        with self._changed:
            future = self._queue.put(owner, priority, fn, args, kwargs)
            if self._is_ending:
                self._queue.remove(future)
                future.cancel()
            # Threads that are idle take what waits; only for more than that one is started.
            elif len(self._queue) > len(self._threads) - len(self._running):
                self._start_thread()
            self._changed.notify()
        return future

    def warm_up(self) -> None:
        """Start a process: somebody is about to want one."""
        with self._changed:
            if not self._threads:
                self._start_thread()

    def find_place(self, future: AnyFuture) -> QueuePlace:
        """Return where a call is in the queue, and when it is begun, about."""
        with self._changed:
            idle = len(self._places) - len(self._running)
            return self._queue.estimate_wait(future, len(self._places), idle)

    def stop(self, future: AnyFuture) -> None:
        """Let a call not begin, or be lost at once where it runs."""
        with self._changed:
            self._queue.remove(future)
            process = self._running.get(future)  # it runs nothing else before the lock is free
            if process is not None:
                self._stopped.add(future)
                process.terminate()
        future.cancel()

    def terminate(self) -> None:
        """Ask all processes to end at once; what they were doing is lost."""
        self._terminated.set()
        for process in list(self._processes):
            process.terminate()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes when they have done what they were given."""
        with self._changed:
            self._is_ending = True
            cancelled = self._queue.clear() if cancel_futures else []
            self._changed.notify_all()
        for future in cancelled:
            future.cancel()
        if wait:
            for thread in self._threads:
                thread.join()

    # -- details --------------------------------------------------------------------------------

    def _start_thread(self) -> None:
        """Start another process, if there may be more: each takes memory, and stays."""
        if len(self._threads) < len(self._places) and not self._is_ending:
            place = self._places[len(self._threads)]
            thread = Thread(target=self._serve_place, args=(place,), daemon=True)
            self._threads.append(thread)
            with deferring_signals():  # those are for the thread that calls us
                thread.start()

    def _serve_place(self, place: Arguments) -> None:
        """Run one call after the other, in a process of this thread's."""
        process = self._start_process(place)
        while (taken := self._take(process)) is not None:
            future, request = taken
            began_at = time.monotonic()
            outcome, error = None, None
            try:
                if process is None:
                    is_killed = self._terminated.is_set()
                    raise ProcessLost(f"a process {'was killed' if is_killed else 'cannot start'}")
                outcome = process.call(*request)
            except BaseException as raised:  # noqa: BLE001 - it is raised where we were asked
                error = raised
            with self._changed:
                if error is None:
                    self._queue.note_duration(time.monotonic() - began_at)
                del self._running[future]
                is_lost = isinstance(error, ProcessLost) or future in self._stopped
                self._stopped.discard(future)
            if is_lost:  # also one that was stopped at its very end
                self._end_process(process)
                process = self._start_process(place)
            if error is None:
                future.set_result(outcome)
            else:
                future.set_exception(error)
                del error, future  # else this frame and the error hold each other
        self._end_process(process)

    def _take(self, process: "_Process | None") -> tuple[AnyFuture, tuple[Any, ...]] | None:
        """Wait for something to do; None when it is over."""
        with self._changed:
            while True:
                work = self._queue.take()
                if work is None:
                    if self._is_ending:
                        return None
                    self._changed.wait()
                elif work.future.set_running_or_notify_cancel():
                    self._running[work.future] = process
                    return work.future, work.request

    def _start_process(self, place: Arguments) -> "_Process | None":
        """Start a process; None where there can be none."""
        with suppress(OSError):
            if not self._terminated.is_set():
                process = _Process(*self._setup, place)
                self._processes.add(process)
                if self._terminated.is_set():
                    process.terminate()
                return process
        return None

    def _end_process(self, process: "_Process | None") -> None:
        if process is not None:
            self._processes.discard(process)
            process.end()


class _Process:
    """A process, and the pipe to it."""

    def __init__(self, *setup: object) -> None:
        """`setup`: the arguments of _run_process behind its pipe."""
        context = multiprocessing.get_context("spawn")
        self._pipe, child_end = context.Pipe()
        self._process = context.Process(target=_run_process, args=(child_end, *setup), daemon=True)
        # Signals are held back, so that its imports are not cut short by a Ctrl-C.
        with deferring_signals():
            if os.name == "posix":  # else that of Python lets them through just before it starts it
                resource_tracker.ensure_running()
        with deferring_signals(), _hide_main_module(), allow_children():
            self._process.start()
        child_end.close()  # so that the pipe ends with the process

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


@contextmanager
def _hide_main_module() -> Iterator[None]:
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


def _run_process(
    pipe: "Pipe", niceness: int, prepare: Callable[..., None] | None, place: Arguments
) -> None:
    """Begin as a process of a pool: with no ear for a Ctrl-C, which is for whoever ends the pool.

    A terminal sends that to all its processes.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":  # which has neither
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        with suppress(OSError):
            os.nice(niceness)
    if prepare is not None:
        prepare(*place)
    Thread(target=_leave_with_parent, daemon=True).start()
    _serve(pipe)


def _leave_with_parent() -> None:
    """End when the process that has the pool is gone: one that was killed can ask nobody to."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def _serve(pipe: "Pipe") -> None:
    """Do what comes over the pipe until that ends, with us or with the pool."""
    while True:
        try:
            function, arguments, named = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(_run_call(function, arguments, named))
        except BrokenPipeError:  # the pool has ended meanwhile
            return


def _run_call(
    function: Callable[..., object], arguments: Arguments, named: Named
) -> tuple[bool, object]:
    """Return whether a call ended, and its result or its error, with the traceback as a note."""
    try:
        return True, function(*arguments, **named)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is raised where we were asked
        error.add_note(traceback.format_exc())
        return False, error
