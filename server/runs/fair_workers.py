"""Processes that do what people ask for: whoever has waited longest comes next, person by person.

Somebody who asks for much gets no more turns than others: of each person one piece of work is
begun, and then one of whoever had a turn longest ago. Guests at one address have the turns of one
person, and take them in turn. Work that can wait comes after all other.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple, ParamSpec, TypeVar

from engine.support.process_pool import ProcessLost, ProcessPool, Words
from server.identity.rate_limits import Keys

P = ParamSpec("P")
T = TypeVar("T")
NEWEST_SHARE = 0.3
"""The weight of what was done last in how long a piece takes."""


class QueuePlace(NamedTuple):
    """A place in a queue, and the time until its turn."""

    number: int
    """1 is begun next; 0 if it is begun or over."""
    wait_s: int
    """When it is begun, about; 0 where that is not known."""


class Work:
    """Something that is to be done for somebody."""

    def __init__(
        self, by: Keys, call: Callable[[ProcessPool], "Future[Any]"], number: int, *, can_wait: bool
    ) -> None:
        self.by = by
        self.call = call
        self.number = number
        self.can_wait = can_wait
        self.future = Future[Any]()
        self.pool: ProcessPool | None = None
        """Where it is done."""
        self.is_stopped = False


class FairWorkers:
    """Does work in processes, one piece in each. All methods may be called from any thread."""

    def __init__(self, prepare: Callable[..., None], place: Words, processes: int = 1) -> None:
        """Start nothing yet: a process comes when all there are have something to do.

        `prepare` is called once in each process, with `place`; `processes` is the most there are.
        """
        self._prepare = prepare
        self._place = place
        self._processes = processes
        self._changed = threading.Condition()
        self._waiting: list[Work] = []
        self._running: list[Work] = []
        self._turns: dict[str, int] = {}
        """When work for a key was begun last, as the number of that turn."""
        self._numbers = count(1)
        self._mean_s = 0.0
        """How long a piece has taken of late; 0 before the first."""
        self._threads: list[threading.Thread] = []
        self._pools: set[ProcessPool] = set()
        self._is_closed = False

    def warm_up(self) -> None:
        """Start a process: somebody is about to want one."""
        with self._changed:
            if not self._threads:
                self._begin_another()

    def submit(
        self, by: Keys, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> "Future[T]":
        """Do something for somebody. Its future raises ProcessLost, and what the function does."""
        return self._submit(by, function, args, kwargs, can_wait=False)

    def submit_patiently(
        self, by: Keys, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> "Future[T]":
        """Do the same once nothing else waits."""
        return self._submit(by, function, args, kwargs, can_wait=True)

    def find_place(self, future: "Future[Any]") -> QueuePlace:
        """Return where something is in the queue, and when it is begun, about."""
        number = self._find_number(future)
        # What is done now is in its middle, on average.
        wait_s = max(0.0, number - 0.5) * self._mean_s / self._processes
        return QueuePlace(number, round(wait_s))

    def _find_number(self, future: "Future[Any]") -> int:
        with self._changed:
            waiting, turns = list(self._waiting), dict(self._turns)
        # Who comes next depends on who has had a turn by then, so the queue is played through, on
        # copies: as if each piece were begun and gave its people their newest turn.
        number = max(turns.values(), default=0)
        for place in range(1, len(waiting) + 1):
            work = _choose_next(waiting, turns)
            if work.future is future:
                return place
            waiting.remove(work)
            turns.update(dict.fromkeys(work.by, number + place))
        return 0

    def stop(self, future: "Future[Any]") -> None:
        """Let something not be done, or be lost at once where it is."""
        with self._changed:
            for work in self._waiting:
                if work.future is future:
                    self._waiting.remove(work)
                    break
            for work in self._running:  # none other is begun there before the lock is free
                if work.future is future and work.pool is not None:
                    work.is_stopped = True
                    work.pool.terminate()
        future.cancel()

    def close(self) -> None:
        """Lose what is done, and forget what waits."""
        with self._changed:
            self._is_closed = True
            waiting, self._waiting = self._waiting, []
            for pool in self._pools:
                pool.terminate()
            self._changed.notify_all()
        for work in waiting:
            work.future.cancel()
        for thread in self._threads:
            thread.join()

    # -- details --------------------------------------------------------------------------------

    def _submit(
        self, by: Keys, function: Callable[..., T], args: Any, kwargs: Any, *, can_wait: bool
    ) -> "Future[T]":
        self.warm_up()
        with self._changed:
            work = Work(
                by,
                lambda pool: pool.submit(function, *args, **kwargs),
                next(self._numbers),
                can_wait=can_wait,
            )
            if self._is_closed:
                work.future.cancel()
            else:
                self._waiting.append(work)
                # Threads that are idle take what waits; only for more than that one is started.
                if len(self._waiting) > len(self._threads) - len(self._running):
                    self._begin_another()
                self._changed.notify()
        return work.future

    def _begin_another(self) -> None:
        """Start another process, if there may be more: each takes memory, and stays."""
        if len(self._threads) < self._processes and not self._is_closed:
            name = f"runs {len(self._threads) + 1}"
            thread = threading.Thread(target=self._run_work, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def _run_work(self) -> None:
        """Do one piece after the other, in a process of this thread's."""
        pool = self._new_pool()
        while (work := self._take(pool)) is not None:
            begun_at = time.monotonic()
            try:
                outcome = work.call(pool).result()
            except ProcessLost as error:
                self._end(pool)
                if not self._is_closed:
                    pool = self._new_pool()
                self._remove_finished(work)
                work.future.set_exception(error)
            except BaseException as error:  # noqa: BLE001 - it is raised where we were asked
                self._remove_finished(work)
                work.future.set_exception(error)
            else:
                self._remove_finished(work)
                took_s = time.monotonic() - begun_at
                self._mean_s += (took_s - self._mean_s) * (NEWEST_SHARE if self._mean_s else 1)
                if work.is_stopped:  # at its very end: the process is lost all the same
                    self._end(pool)
                    pool = self._new_pool()
                work.future.set_result(outcome)
        self._end(pool)

    def _take(self, pool: ProcessPool) -> Work | None:
        """Wait for something to do; None when it is over."""
        with self._changed:
            while not self._is_closed:
                if self._waiting:
                    work = _choose_next(self._waiting, self._turns)
                    self._waiting.remove(work)
                    if work.future.set_running_or_notify_cancel():
                        self._turns.update(dict.fromkeys(work.by, next(self._numbers)))
                        self._forget_old_turns()
                        work.pool = pool
                        self._running.append(work)
                        return work
                else:
                    self._changed.wait()
        return None

    def _forget_old_turns(self) -> None:
        """Forget the turns of those who want nothing: who comes anew has waited longest anyway."""
        wanting = {key for work in (*self._waiting, *self._running) for key in work.by}
        if len(self._turns) > 1_000:
            self._turns = {by: turn for by, turn in self._turns.items() if by in wanting}

    def _remove_finished(self, work: Work) -> None:
        with self._changed:
            if work in self._running:
                self._running.remove(work)

    def _new_pool(self) -> ProcessPool:
        pool = ProcessPool(self._prepare, [self._place])
        with self._changed:
            self._pools.add(pool)
            if self._is_closed:
                pool.terminate()
        pool.submit(_is_ready)
        return pool

    def _end(self, pool: ProcessPool) -> None:
        with self._changed:
            self._pools.discard(pool)
        pool.terminate()
        with suppress(ProcessLost):
            pool.shutdown(cancel_futures=True)


def _choose_next(waiting: list[Work], turns: dict[str, int]) -> Work:
    """Return what is done next: of whoever had a turn longest ago, the oldest."""
    # Guests at one address share their first key, the address; their second one tells them apart.
    first = min(waiting, key=lambda one: (one.can_wait, turns.get(one.by[0], 0), one.number))
    theirs = [one for one in waiting if (one.can_wait, one.by[0]) == (first.can_wait, first.by[0])]
    return min(theirs, key=lambda one: ([turns.get(key, 0) for key in one.by], one.number))


def _is_ready() -> None:
    """Do nothing: the process has started, and imported what it needs."""
