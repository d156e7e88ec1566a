"""What a bot is charged for: processor time, and wall time but for waiting for a processor."""

import os
import sys
import time
from array import array
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol

from engine.errors import HostStarved
from engine.fault import Cause, Fault
from engine.limits import Limits

Nanoseconds = int
CpuClock = Callable[[], Nanoseconds]

NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000
UNREAD_NS = NS_PER_MS
SHOWN_SLEEP_NS = NS_PER_S // 20
"""The least sleep of a match that is reported: less would be rounded to 0.0 s."""
STARVED = 10
"""The host is to blame after so many wall budgets spent waiting for a processor."""

IS_QUEUE_WAIT_KNOWN = Path("/proc/self/schedstat").exists()
"""Whether sleeping and waiting for a processor can be told apart (Linux)."""


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

    __slots__ = ("left_ns", "slept_ns")

    def __init__(self, limits: Limits) -> None:
        self.left_ns: Nanoseconds = limits.bank_s * NS_PER_S
        self.slept_ns: Nanoseconds = 0


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
        self._bank = Bank(limits) if bank is None else bank
        self._ponder_ns = limits.ponder_ms * NS_PER_MS
        self._process: Timed | None = None
        self._cpu_clock: CpuClock | None = None
        self._read_at = 0
        """The worker's CPU clock when it was last read."""
        self._unread_ns = 0
        """Wall time that calls took since then."""
        self._asked_at = 0
        self._queued_at_ask_ns: Nanoseconds | None = None
        self._last_queued_ns = 0
        """When sleep was last looked for."""

    def watch(self, process: Timed) -> None:
        """Judge this process from now on."""
        self._process = process
        self._cpu_clock = process.cpu_clock
        self._read_at = self._unread_ns = 0
        self._last_queued_ns = self._queue_wait()

    def ask(self) -> None:
        """Note that the bot is asked now."""
        self._asked_at = time.perf_counter_ns()
        self._queued_at_ask_ns = None

    def forgive(self) -> None:
        """Charge nobody for what was used so far: loading has a budget of its own."""
        self._read_at += self._used_since_reading(self._since_ask())
        self._unread_ns = 0

    def charge(self) -> Fault | None:
        """Take what the call used off the bank; return a Fault if it was too much.

        Reading another process's clock is a twentieth of an order, and on one core a call
        cannot have used more CPU time than it took. So short calls are charged the time they
        took, and the clock sets that right once they took a millisecond together.
        """
        took = self._since_ask()
        if self._unread_ns + took > UNREAD_NS:
            return self._settle(took)
        self._unread_ns += took
        self._bank.left_ns -= took
        self.call_us.append(took // 1_000)
        return None

    def _settle(self, took: Nanoseconds) -> Fault | None:
        """Read the clock. What the calls cannot have used was used between them."""
        since_reading = self._used_since_reading(took)
        used = max(0, since_reading - self._unread_ns)
        pondered = used - took
        self._read_at += since_reading
        self._unread_ns = 0
        self._bank.left_ns -= used + self._slept(_waited_for(self._asked_at, took) - used)
        self.call_us.append(used // 1_000)
        if self._bank.left_ns < 0:
            return Fault(Cause.BANK_EMPTY, self._how_it_was_emptied())
        if pondered > self._ponder_ns:
            words = f"used {pondered // NS_PER_MS} ms of CPU time between its orders"
            return Fault(Cause.PONDERED, words)
        if used > self._limits.cpu_ms * NS_PER_MS:
            words = f"answered after {used // NS_PER_MS} ms of CPU time"
            return Fault(Cause.TIMEOUT, words)
        return None

    def _slept(self, idle: Nanoseconds) -> Nanoseconds:
        """Return how much of the time without a processor the call did not want one."""
        if idle < UNREAD_NS or not IS_QUEUE_WAIT_KNOWN:
            return 0
        queued = self._queue_wait()
        waited, self._last_queued_ns = queued - self._last_queued_ns, queued
        slept = max(0, idle - max(0, waited))
        self._bank.slept_ns += slept
        return slept

    def _how_it_was_emptied(self) -> str:
        whole = self._limits.bank_s
        if self._bank.slept_ns < SHOWN_SLEEP_NS:
            return f"used its {whole} s of CPU time"
        used_ns = whole * NS_PER_S - self._bank.left_ns - self._bank.slept_ns
        slept_s, used_s = self._bank.slept_ns / NS_PER_S, used_ns / NS_PER_S
        return f"used its {whole} s: {slept_s:.1f} s asleep, {used_s:.1f} s of CPU time"

    def left_ms(self, cpu_ms: float, wall_ms: float) -> float:
        """Return how long to wait before the next look at the clocks. Raises: Hung, HostStarved."""
        used, thinking = self.used_ms(), self.thinking_ms()
        cpu_left, wall_left = cpu_ms - used, wall_ms - thinking
        if cpu_left <= 0:
            pondered = used - self._since_ask() / NS_PER_MS
            if pondered * NS_PER_MS > self._ponder_ns:
                raise Hung(
                    Cause.PONDERED, f"used {pondered:.0f} ms of CPU time before it was asked"
                )
            raise Hung(Cause.TIMEOUT, f"no answer after {cpu_ms} ms of CPU time")
        if wall_left <= 0:
            raise self._out_of_wall_time(used, wall_ms)
        return min(cpu_left, wall_left)

    def _out_of_wall_time(self, used_ms: float, wall_ms: float) -> Hung:
        """Return the fault of a call out of wall time, named by what it did most of that time.

        Of the time before the first look, that in the queue is known no closer than since sleep was
        last looked for.
        """
        assert self._queued_at_ask_ns is not None
        queued_ms = (self._queued_at_ask_ns - self._last_queued_ns) / NS_PER_MS
        slept_ms = wall_ms - used_ms - min(queued_ms, wall_ms / 2)
        if slept_ms > used_ms:
            return Hung(Cause.SLEPT, f"no answer after {wall_ms} ms")
        words = f"no answer after {wall_ms} ms, {used_ms:.0f} ms of CPU time among them"
        return Hung(Cause.TIMEOUT, words)

    def used_ms(self) -> float:
        """Return the CPU time of this call so far, and what was used before it unseen."""
        return (self._used_since_reading(self._since_ask()) - self._unread_ns) / NS_PER_MS

    def thinking_ms(self) -> float:
        """Return the wall time since the ask, less what worker and engine waited for a processor.

        The queue is first looked at when the answer is overdue; what was before is charged, a
        few milliseconds of a second. Raises: HostStarved.
        """
        wall = self._since_ask() / NS_PER_MS
        queued = self._queue_wait()
        if self._queued_at_ask_ns is None:
            self._queued_at_ask_ns = queued
        if wall > STARVED * max(self._limits.wall_ms, self._limits.load_ms):
            raise HostStarved(
                f"{self._name} waited for a processor for most of {wall / 1_000:.0f} s: "
                "the machine is overloaded"
            )
        return wall - (queued - self._queued_at_ask_ns) / NS_PER_MS

    def _queue_wait(self) -> Nanoseconds:
        """Return how long worker and engine have waited for a processor since they began."""
        assert self._process is not None
        return run_queue_wait_ns(self._process.pid) + run_queue_wait_ns(os.getpid())

    def _since_ask(self) -> Nanoseconds:
        """Return the wall time since the ask."""
        return time.perf_counter_ns() - self._asked_at

    def _used_since_reading(self, took: Nanoseconds) -> Nanoseconds:
        """Return the CPU time since the last reading; `took` is the wall time of this call."""
        if self._cpu_clock is None:
            return self._unread_ns + took
        return self._cpu_clock() - self._read_at


class _Engine:
    """When the engine of this process was last free: it reads one answer after the other."""

    done_at: Nanoseconds = 0
    """When it last had an answer that took long."""


_engine = _Engine()


def _waited_for(asked_at: Nanoseconds, took: Nanoseconds) -> Nanoseconds:
    """Return how long the engine has waited for this answer: it may have had others to wait for."""
    now = asked_at + took
    waited, _engine.done_at = min(took, now - _engine.done_at), now
    return waited


def cpu_clock_of(pid: int) -> CpuClock | None:
    """Return a clock of the CPU time of another process, where the system has one.

    Source: Linux makes a clock id of a pid (clock_getcpuclockid(3)).
    """
    if sys.platform != "linux":
        return None
    # MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED) of the kernel's posix-timers.h.
    return partial(time.clock_gettime_ns, (~pid << 3) | 2)


def run_queue_wait_ns(pid: int) -> Nanoseconds:
    """Return how long a process has waited for a processor since it began (Linux; else 0).

    Source: the second number of /proc/PID/schedstat.
    """
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1])
    except (OSError, IndexError):  # another system; it has ended; a kernel without the figures
        return 0
