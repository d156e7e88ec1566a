"""A sampling profiler: every half millisecond it notes where in a bot's code we are.

It samples in wall time, as that timer alone is fine enough; a bot in our process does not wait.
"""

import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import msgspec

from engine.bot_modules import is_own_file
from engine.errors import UsageError
from engine.fault import Fault
from engine.game import Ask, State
from engine.seat import Seat

EVERY_S = 0.0005
MAX_FRAMES = 60
"""The innermost frames that are kept of a deeper recursion."""


class Function(msgspec.Struct, frozen=True):
    """A function in a stack."""

    name: str
    file: str
    line: int
    is_own: bool
    """Whether it is in the bot's own files."""


Stack = tuple[Function, ...]
"""The functions that are being called, the outermost first."""


class Sampler:
    """Counts the stacks of a bot's calls."""

    def __init__(self, entry: Path) -> None:
        """`entry` is the bot's file that is loaded."""
        self.stacks: Counter[Stack] = Counter()
        self.is_inside = False
        self._is_sampling = False
        self._entry = entry
        self._known: dict[object, Function] = {}

    @contextmanager
    def sample_during(self) -> Iterator[None]:
        """Sample while the context is open; a timer of somebody else goes on afterwards.

        Raises: UsageError where there is no such timer.
        """
        if sys.platform == "win32":
            raise UsageError("profile needs a timer that this system does not have (setitimer)")
        else:
            handler = signal.signal(signal.SIGALRM, self._sample)
            remaining, interval = signal.setitimer(signal.ITIMER_REAL, EVERY_S, EVERY_S)
            try:
                yield
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, handler)
                signal.setitimer(signal.ITIMER_REAL, remaining, interval)

    def _sample(self, signum: int, frame: FrameType | None) -> None:
        if not self.is_inside or self._is_sampling:  # the last sample is still being taken
            return
        self._is_sampling = True
        try:
            self._count_stack(frame)
        finally:
            self._is_sampling = False

    def _count_stack(self, frame: FrameType | None) -> None:
        """Count the stack of the bot's own code, and of what it calls."""
        stack: list[Function] = []
        outermost_own = 0
        while frame is not None:
            function = self._function_in_frame(frame)
            stack.append(function)
            if function.is_own:
                outermost_own = len(stack)
            frame = frame.f_back
        if outermost_own:
            self.stacks[tuple(stack[:outermost_own][:MAX_FRAMES][::-1])] += 1

    def _function_in_frame(self, frame: FrameType) -> Function:
        code = frame.f_code
        known = self._known.get(code)
        if known is None:
            path = code.co_filename
            known = self._known[code] = Function(
                name=code.co_qualname,
                file=Path(path).name,
                line=code.co_firstlineno,
                is_own=is_own_file(path, self._entry),
            )
        return known


class SampledSeat(Seat):
    """A seat whose calls are sampled."""

    def __init__(self, seat: Seat, sampler: Sampler) -> None:
        self._seat = seat
        self._sampler = sampler
        self.notify = seat.notify
        self.call_us = seat.call_us

    def prepare(self, state: State) -> None:
        self._seat.prepare(state)

    def start(self) -> Fault | None:
        return self._seat.start()

    def put(self, ask: Ask, view: object) -> None:
        self._seat.put(ask, view)

    def take(self) -> object:
        self._sampler.is_inside = True
        try:
            return self._seat.take()
        finally:
            self._sampler.is_inside = False
