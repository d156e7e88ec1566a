"""What a bot is charged for: processor time, and wall time that it did not stand in line."""

import os
import sys
import time
from array import array
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol

from engine.bots.fault import Cause, Fault
from engine.bots.limits import Limits
from engine.errors import HostStarved

Nanoseconds = int
CpuClock = Callable[[], Nanoseconds]

NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000
UNREAD_NS = NS_PER_MS
STARVED = 10
"""So many times its wall budget may pass while a bot stands in line: then the host is to blame."""

IS_LINE_SEEN = Path("/proc/self/schedstat").exists()
"""Whether a sleeper can be told from one that stands in line (Linux)."""


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


class Judge:
    """The budgets of one bot in one match, and what it has used of them.

    Processor time is read off the worker's own clock; where there is none, the wall time of its
    calls stands in, and nobody is seen to ponder. Wall time counts against sleepers alone, in each
    call and off the bank: time in which worker or engine stood in line for a processor is the
    host's doing, and not charged.
    """

    def __init__(self, name: str, limits: Limits) -> None:
        self.call_us = array("I")
        """CPU time of each call, microseconds; of short ones what they took, which is no less."""
        self._name = name
        self._limits = limits
        self._bank_ns = limits.bank_s * NS_PER_S
        self._slept_ns = 0
        self._ponder_ns = limits.ponder_ms * NS_PER_MS
        self._process: Timed | None = None
        self._cpu_clock: CpuClock | None = None
        self._read_at = 0
        """The worker's CPU clock when it was last read."""
        self._unread_ns = 0
        """What calls took since then, wall time."""
        self._asked_at = 0
        self._in_line_ns: Nanoseconds | None = None
        self._last_in_line_ns = 0
        """When sleep was last looked for."""

    def watch(self, process: Timed) -> None:
        """From now on this process is the bot's."""
        self._process = process
        self._cpu_clock = process.cpu_clock
        self._read_at = self._unread_ns = 0
        self._last_in_line_ns = self._time_in_line()

    def ask(self) -> None:
        """The bot is asked now."""
        self._asked_at = time.perf_counter_ns()
        self._in_line_ns = None

    def forgive(self) -> None:
        """Charge nobody for what was used so far: loading has a budget of its own."""
        self._read_at += self._used_since_reading(self._since_ask())
        self._unread_ns = 0

    def charge(self) -> Fault | None:
        """The call is over: take what it used off the bank. A Fault if it was too much.

        Reading another process's clock is a twentieth of an order, and on one core a call
        cannot have used more CPU time than it took. So short calls are charged the time they
        took, and the clock sets that right once they took a millisecond together.
        """
        took = self._since_ask()
        if self._unread_ns + took > UNREAD_NS:
            return self._settle(took)
        self._unread_ns += took
        self._bank_ns -= took
        self.call_us.append(took // 1_000)
        return None

    def _settle(self, took: Nanoseconds) -> Fault | None:
        """Read the clock. What the calls cannot have used was used between them."""
        since_reading = self._used_since_reading(took)
        used = max(0, since_reading - self._unread_ns)
        pondered = used - took
        self._read_at += since_reading
        self._unread_ns = 0
        self._bank_ns -= used + self._slept(_waited_for(self._asked_at, took) - used)
        self.call_us.append(used // 1_000)
        if self._bank_ns < 0:
            return Fault(Cause.BANK_EMPTY, self._how_it_was_emptied())
        if pondered > self._ponder_ns:
            words = f"used {pondered // NS_PER_MS} ms of CPU time between its orders"
            return Fault(Cause.PONDERED, words)
        if used > self._limits.cpu_ms * NS_PER_MS:
            words = f"answered after {used // NS_PER_MS} ms of CPU time"
            return Fault(Cause.TIMEOUT, words)
        return None

    def _slept(self, idle: Nanoseconds) -> Nanoseconds:
        """Of the time in which a call used no processor, that in which it did not want any."""
        if idle < UNREAD_NS or not IS_LINE_SEEN:
            return 0
        in_line = self._time_in_line()
        stood, self._last_in_line_ns = in_line - self._last_in_line_ns, in_line
        slept = max(0, idle - max(0, stood))
        self._slept_ns += slept
        return slept

    def _how_it_was_emptied(self) -> str:
        whole, slept = self._limits.bank_s, self._slept_ns // NS_PER_S
        return f"used its {whole} s of CPU time" + (f", {slept} s of them asleep" if slept else "")

    def left_ms(self, cpu_ms: float, wall_ms: float) -> float:
        """How long to wait before looking at the clocks again. Raises: Hung, HostStarved."""
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
            raise Hung(Cause.SLEPT, f"no answer after {wall_ms} ms")
        return min(cpu_left, wall_left)

    def used_ms(self) -> float:
        """CPU time of this call so far, with what was used before it and not found out yet."""
        return (self._used_since_reading(self._since_ask()) - self._unread_ns) / NS_PER_MS

    def thinking_ms(self) -> float:
        """Wall time since the ask, less what worker and engine stood in line meanwhile.

        The line is first looked at when the answer is overdue; what was before is charged, a
        few milliseconds of a second. Raises: HostStarved.
        """
        wall = self._since_ask() / NS_PER_MS
        in_line = self._time_in_line()
        if self._in_line_ns is None:
            self._in_line_ns = in_line
        if wall > STARVED * max(self._limits.wall_ms, self._limits.load_ms):
            raise HostStarved(
                f"{self._name} stood in line for a processor for most of {wall / 1_000:.0f} s: "
                "the machine is overloaded"
            )
        return wall - (in_line - self._in_line_ns) / NS_PER_MS

    def _time_in_line(self) -> Nanoseconds:
        """Of worker and engine, since they began."""
        assert self._process is not None
        return time_in_line_ns(self._process.pid) + time_in_line_ns(os.getpid())

    def _since_ask(self) -> Nanoseconds:
        """Wall time."""
        return time.perf_counter_ns() - self._asked_at

    def _used_since_reading(self, took: Nanoseconds) -> Nanoseconds:
        """CPU time since the last reading; `took` is the wall time of the present call."""
        if self._cpu_clock is None:
            return self._unread_ns + took
        return self._cpu_clock() - self._read_at


class _Engine:
    """It listens to one worker after the other."""

    done_at: Nanoseconds = 0
    """When it last had an answer that took long."""


_engine = _Engine()


def _waited_for(asked_at: Nanoseconds, took: Nanoseconds) -> Nanoseconds:
    """How long the engine has waited for this answer: it may have had others to listen to."""
    now = asked_at + took
    waited, _engine.done_at = min(took, now - _engine.done_at), now
    return waited


def cpu_clock_of(pid: int) -> CpuClock | None:
    """A clock of the CPU time of another process, where the system has such a thing.

    Source: Linux makes a clock id of a pid (clock_getcpuclockid(3)).
    """
    if sys.platform != "linux":
        return None
    return partial(time.clock_gettime_ns, (~pid << 3) | 2)


def time_in_line_ns(pid: int) -> Nanoseconds:
    """How long a process has stood in line for a processor, since it began (Linux; else 0).

    Source: the second number of /proc/PID/schedstat.
    """
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1])
    except (OSError, IndexError):  # another system; it has ended; a kernel without the figures
        return 0
