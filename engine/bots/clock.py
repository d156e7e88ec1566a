"""What a bot is charged for: processor time, and wall time but for waiting for a processor."""

import sys
import threading
import time
from array import array
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol
from weakref import finalize

from engine.bots.sandbox.process import read_proc
from engine.errors import HostStarved
from engine.fault import Cause, Fault
from engine.limits import Limits

Nanoseconds = int
IS_QUEUE_WAIT_KNOWN = Path("/proc/self/schedstat").exists()
"""Whether sleeping and waiting for a processor can be told apart (Linux)."""
FEW_SLICES, SLICES_PER_MS = 20, 10
"""How often a call may begin to wait, and how much oftener for each millisecond that it works. Who
works is put off once in a while; who sleeps for a moment, again and again, chooses to wait."""
CpuClock = Callable[[], Nanoseconds]

NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000
CPU_READ_INTERVAL_NS = NS_PER_MS
SHOWN_SLEEP_NS = NS_PER_S // 20
"""The least sleep of a match that is reported: less would be rounded to 0.0 s."""
MAX_WAITED_BUDGETS = 10
"""The host is to blame after so many wall budgets spent waiting for a processor."""


class Timed(Protocol):
    """A worker's process, as its judge knows it."""

    pid: int
    cpu_clock: CpuClock | None
    """None where the system lets nobody read it."""


class Hung(Exception):
    """No answer came within the budget; the cause says which one."""

    def __init__(self, cause: Cause, detail: str) -> None:
        super().__init__(detail)
        self.cause = cause


class Bank:
    """What a bot may still use in a match, and what it slept of that."""

    __slots__ = ("left_ns", "slept_ns", "whole_ns")

    def __init__(self, limits: Limits) -> None:
        self.whole_ns: Nanoseconds = limits.bank_s * NS_PER_S
        self.left_ns = self.whole_ns
        self.slept_ns: Nanoseconds = 0

    def used_s(self) -> float:
        """Return what was used, sleep included, seconds."""
        return (self.whole_ns - self.left_ns) / NS_PER_S


class RunQueue(NamedTuple):
    """What a thread has waited for a processor since it began."""

    wait_ns: Nanoseconds
    slices: int
    """How often it was given a processor."""


NO_WAIT = RunQueue(0, 0)


class QueueWaits(NamedTuple):
    """The waits of a worker, and of the thread of the engine that asks it."""

    worker: RunQueue
    engine: RunQueue

    @property
    def wait_ns(self) -> Nanoseconds:
        return self.worker.wait_ns + self.engine.wait_ns


def read_run_queue(thread: int) -> RunQueue:
    """Return how long a thread has waited for a processor since it began (Linux; else nothing).

    A process is known by its first thread. Source: the second and third number of
    /proc/ID/schedstat.
    """
    try:
        _, wait_ns, slices = map(int, read_proc(f"/proc/{thread}/schedstat").split())
    except (OSError, ValueError):  # another system; it has ended; a kernel without the figures
        return NO_WAIT
    return RunQueue(wait_ns, slices)


def involuntary_wait_ns(before: QueueWaits, now: QueueWaits, used_ms: float) -> Nanoseconds:
    """Return the waits meanwhile, as far as the worker did not choose them.

    Of more slices than its CPU time explains, their share counts.
    """
    most = FEW_SLICES + SLICES_PER_MS * max(0.0, used_ms)
    return sum(_involuntary_share_ns(*pair, most) for pair in zip(before, now, strict=True))


def _involuntary_share_ns(before: RunQueue, now: RunQueue, most: float) -> Nanoseconds:
    wait_ns = max(0, now.wait_ns - before.wait_ns)
    slices = now.slices - before.slices
    return wait_ns if slices <= most else int(wait_ns * most / slices)


class Judge:
    """The budgets of one bot in one match, and what it has used of them.

    Processor time is read off the worker's own clock; where there is none, the wall time of its
    calls stands in, and nobody is seen to ponder. Wall time counts against sleepers alone, in each
    call and off the bank: time in which worker or engine waited for a processor is the
    host's doing, and not charged.
    """

    def __init__(
        self,
        name: str,
        limits: Limits,
        bank: Bank | None = None,
        call_us: "array[int] | None" = None,
    ) -> None:
        """`bank` and `call_us` are those of others, where processes have them together."""
        self.call_us = array("I") if call_us is None else call_us
        """CPU time of each call, microseconds; of short calls the wall time, which is no less."""
        self._name = name
        self._limits = limits
        self.bank = Bank(limits) if bank is None else bank
        self._ponder_ns = limits.ponder_ms * NS_PER_MS
        self._process: Timed | None = None
        self._cpu_clock: CpuClock | None = None
        self._read_at = 0
        """The worker's CPU clock when it was last read."""
        self._unread_ns = 0
        """Wall time that calls took since then."""
        self._asked_at = 0
        self._first_look: _FirstLook | None = None
        """The first look at the queue in this call."""
        self._last_queued_ns = 0
        """The waits when sleep was last looked for."""
        finalize(self, _engine.clocks.pop, id(self), None)

    def watch(self, process: Timed) -> None:
        """Judge this process from now on."""
        self._process = process
        self._cpu_clock = process.cpu_clock
        self._read_at = self._unread_ns = 0
        self._last_queued_ns = self._queue_waits().wait_ns
        _engine.clocks[id(self)] = process.cpu_clock

    def ask(self) -> None:
        """Note that the bot is asked now."""
        self._asked_at = time.perf_counter_ns()
        self._first_look = None

    def forgive(self) -> None:
        """Charge nobody for what was used so far: loading has a budget of its own."""
        self._read_at += self._cpu_since_reading_ns(self._since_ask())
        self._unread_ns = 0

    def charge(self) -> Fault | None:
        """Take what the call used off the bank; return a Fault if it was too much.

        Reading another process's clock is a twentieth of an order, and on one core a call
        cannot have used more CPU time than it took. So short calls are charged the time they
        took, and the clock sets that right once they took a millisecond together.
        """
        took = time.perf_counter_ns() - self._asked_at
        if self._unread_ns + took > CPU_READ_INTERVAL_NS:
            return self._settle(took)
        self._unread_ns += took
        self.bank.left_ns -= took
        self.call_us.append(took // 1_000)
        return None

    def _settle(self, took: Nanoseconds) -> Fault | None:
        """Read the clock. What the calls cannot have used was used between them."""
        since_reading = self._cpu_since_reading_ns(took)
        used = max(0, since_reading - self._unread_ns)
        pondered = used - took
        self._read_at += since_reading
        self._unread_ns = 0
        self.bank.left_ns -= used + self._measure_sleep_ns(
            _answer_wait_ns(self._asked_at, took) - used
        )
        self.call_us.append(used // 1_000)
        if self.bank.left_ns < 0:
            return Fault(Cause.BANK_EMPTY, self._describe_bank_use())
        if pondered > self._ponder_ns:
            message = f"used {pondered // NS_PER_MS} ms of CPU time between its orders"
            return Fault(Cause.PONDERED, message)
        if used > self._limits.cpu_ms * NS_PER_MS:
            message = f"answered after {used // NS_PER_MS} ms of CPU time"
            return Fault(Cause.TIMEOUT, message)
        return None

    def _measure_sleep_ns(self, idle: Nanoseconds) -> Nanoseconds:
        """Return how much of the time without a processor the call did not want one."""
        if idle < CPU_READ_INTERVAL_NS or not IS_QUEUE_WAIT_KNOWN:
            return 0
        queued = self._queue_waits().wait_ns
        waited, self._last_queued_ns = queued - self._last_queued_ns, queued
        slept = max(0, idle - max(0, waited))
        self.bank.slept_ns += slept
        return slept

    def _describe_bank_use(self) -> str:
        whole = self._limits.bank_s
        if self.bank.slept_ns < SHOWN_SLEEP_NS:
            return f"used its {whole} s of CPU time"
        slept_s = self.bank.slept_ns / NS_PER_S
        used_s = self.bank.used_s() - slept_s
        return f"used its {whole} s: {slept_s:.1f} s asleep, {used_s:.1f} s of CPU time"

    def remaining_ms(self, cpu_ms: float, wall_ms: float) -> float:
        """Return how long to wait before the next look at the clocks. Raises: Hung, HostStarved."""
        used, thinking = self.used_cpu_ms(), self.thinking_ms()
        cpu_left, wall_left = cpu_ms - used, wall_ms - thinking
        if cpu_left <= 0:
            pondered = used - self._since_ask() / NS_PER_MS
            if pondered * NS_PER_MS > self._ponder_ns:
                raise Hung(
                    Cause.PONDERED, f"used {pondered:.0f} ms of CPU time before it was asked"
                )
            raise Hung(Cause.TIMEOUT, f"no answer after {cpu_ms} ms of CPU time")
        if wall_left <= 0:
            raise _out_of_wall_time(used, wall_ms)
        self._raise_if_wait_is_too_long(used)
        return min(cpu_left, wall_left)

    def _raise_if_wait_is_too_long(self, used_ms: float) -> None:
        """Raises: HostStarved, or Hung if the match's own processes kept the processors busy."""
        wall = self._since_ask() / NS_PER_MS
        if wall <= MAX_WAITED_BUDGETS * max(self._limits.wall_ms, self._limits.load_ms):
            return
        # Where they share a core, a worker waits for it, and the engine does.
        by_own_ms = 2 * self._match_cpu_ms()
        if self._processor_wait_ms(used_ms) - by_own_ms > wall / 2:
            raise HostStarved(
                f"{self._name} waited for a processor for most of {wall / 1_000:.0f} s: "
                "the machine is overloaded"
            )
        raise Hung(Cause.TIMEOUT, f"no answer after {wall / 1_000:.0f} s in which bots were busy")

    def used_cpu_ms(self) -> float:
        """Return the CPU time of this call so far, and what was used before it unseen."""
        return (self._cpu_since_reading_ns(self._since_ask()) - self._unread_ns) / NS_PER_MS

    def thinking_ms(self) -> float:
        """Return the wall time since the ask, less what worker and engine waited for a processor.

        The queue is first looked at when the answer is overdue.
        """
        return self._since_ask() / NS_PER_MS - self._processor_wait_ms(self.used_cpu_ms())

    def _processor_wait_ms(self, used_ms: float) -> float:
        """Return how long this call has waited for a processor, and did not choose to."""
        now = self._queue_waits()
        first = self._first_look = self._first_look or self._check_queue_first(now)
        return (first.waited_ns + involuntary_wait_ns(first.waits, now, used_ms)) / NS_PER_MS

    def _check_queue_first(self, waits: QueueWaits) -> "_FirstLook":
        """Look at the queue for the first time in a call.

        What was waited since sleep was last looked for is all that is known of the time before.
        """
        waited = min(waits.wait_ns - self._last_queued_ns, self._since_ask())
        return _FirstLook(waits, max(0, waited), _engine.bots_cpu_ns())

    def _match_cpu_ms(self) -> float:
        """Return the CPU time of all bots of this engine since the first look."""
        assert self._first_look is not None
        return (_engine.bots_cpu_ns() - self._first_look.used_by_bots_ns) / NS_PER_MS

    def _queue_waits(self) -> QueueWaits:
        assert self._process is not None
        return QueueWaits(
            read_run_queue(self._process.pid), read_run_queue(threading.get_native_id())
        )

    def _since_ask(self) -> Nanoseconds:
        """Return the wall time since the ask."""
        return time.perf_counter_ns() - self._asked_at

    def _cpu_since_reading_ns(self, took: Nanoseconds) -> Nanoseconds:
        """Return the CPU time since the last reading; `took` is the wall time of this call."""
        if self._cpu_clock is None:
            return self._unread_ns + took
        return self._cpu_clock() - self._read_at


class _FirstLook(NamedTuple):
    """What was known of the queue when it was first looked at in a call."""

    waits: QueueWaits
    waited_ns: Nanoseconds
    """What was waited in the call before."""
    used_by_bots_ns: Nanoseconds


class _Engine:
    """What judges of this process have in common: one engine, which reads an answer at a time."""

    done_at: Nanoseconds = 0
    """When it last had an answer that took long."""

    def __init__(self) -> None:
        self.clocks: dict[int, CpuClock | None] = {}
        """The clock of each process that is judged here, by its judge."""

    def bots_cpu_ns(self) -> Nanoseconds:
        """Return the CPU time of all bots that are judged here, of those that live."""
        total = 0
        for clock in list(self.clocks.values()):
            if clock is not None:
                with suppress(OSError):  # its process has ended
                    total += clock()
        return total


_engine = _Engine()


def _answer_wait_ns(asked_at: Nanoseconds, took: Nanoseconds) -> Nanoseconds:
    """Return how long the engine has waited for this answer: it may have had others to wait for."""
    now = asked_at + took
    waited, _engine.done_at = min(took, now - _engine.done_at), now
    return waited


def process_cpu_clock(pid: int) -> CpuClock | None:
    """Return a clock of the CPU time of another process, where the system has one.

    Source: Linux makes a clock id of a pid (clock_getcpuclockid(3)).
    """
    if sys.platform != "linux":
        return None
    else:  # noqa: RET505 - mypy finds unreachable what follows a check without it
        # MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED) of the kernel's posix-timers.h.
        return partial(time.clock_gettime_ns, (~pid << 3) | 2)


def _out_of_wall_time(used_ms: float, wall_ms: float) -> Hung:
    """Return the fault of a call out of wall time, named by what it did most of that time."""
    if wall_ms - used_ms > used_ms:
        return Hung(Cause.SLEPT, f"no answer after {wall_ms} ms")
    message = f"no answer after {wall_ms} ms, {used_ms:.0f} ms of CPU time among them"
    return Hung(Cause.TIMEOUT, message)
