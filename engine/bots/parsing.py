"""Bots' sources are parsed in a confined child: what one of them costs, it costs the child."""

import gc
import multiprocessing
import os
import signal
import sys
import time
from contextlib import suppress
from hashlib import sha256
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Self

import msgspec

from engine.bots.clock import NS_PER_S, cpu_clock_of
from engine.bots.process_start import starting
from engine.bots.sandbox import Confinement, Layer, put_on, warm_up
from engine.bots.sandbox.process import lead_own_session
from engine.bots.source import Source, read_source
from engine.signals import signals_held

MEMORY_MB = 512
"""Memory beyond what the child has when it begins; a bot has as much by default to run in."""
CPU_S = 5
"""CPU time for one source. The slowest known one of 1 MB takes half of it on a slow machine."""
WALL_S = 60
"""Wall time for one source, on a machine that is busy with other things."""
CHILD_CPU_S = 120
"""CPU time for all sources of a child, after which the kernel ends it and another one follows."""
EXHAUSTED = 3
"""Exit code of a child for which a source was too much."""
ANSWER_BYTES = 1 << 16
UNPARSABLE = "its source"
"""How the flaws of sources begin that the parser did not survive."""
MOST_KNOWN = 1_000
"""How many answers are remembered."""
FIRST_AFTER_OUTPUT = 3
# A fork is ready in milliseconds, an interpreter in a tenth of a second.
if sys.platform == "win32":
    CONTEXT = multiprocessing.get_context("spawn")
else:
    CONTEXT = multiprocessing.get_context("fork")

_known: dict[bytes, Source] = {}
"""Earlier answers by the hash of the source: a tournament reads its bots twice."""

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Source).decode


class Parser:
    """A context in which sources are parsed; one child parses many of them.

    A child that a source was too much for is not used again, and no source pays for those before
    it: it is tried in a fresh child, too.
    """

    def __init__(self) -> None:
        self._child: _Child | None = None
        """Started when it is first needed."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end_child()

    def parse(self, source: bytes) -> Source:
        """Return what a source says of itself, or its flaw. Raises: EngineFailure."""
        key = sha256(source).digest()
        if key not in _known:
            found = self._parse(source)
            if len(_known) >= MOST_KNOWN:
                _known.clear()
            _known[key] = found
        return _known[key]

    def _parse(self, source: bytes) -> Source:
        is_fresh = self._child is None
        child = self._child = self._child or _Child()
        try:
            return child.parse(source)
        except TimeoutError as slow:
            self._end_child()
            return Source(flaw=f"{UNPARSABLE} cannot be parsed: {slow}")
        except EOFError:
            ended = self._end_child()
            return Source(flaw=_why(ended)) if is_fresh else self._parse(source)

    def _end_child(self) -> int:
        """End the child; return its exit code."""
        child, self._child = self._child, None
        return 0 if child is None else child.end()


class _Child:
    """A process that parses one source after the other."""

    def __init__(self) -> None:
        with starting(), signals_held():
            warm_up()
            self._link, theirs = CONTEXT.Pipe()
            self._process = CONTEXT.Process(target=_serve, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
        assert self._process.pid is not None
        self._cpu_clock = cpu_clock_of(self._process.pid)

    def parse(self, source: bytes) -> Source:
        """Return what a source says. Raises: TimeoutError; EOFError if it was too much."""
        try:
            cpu_before, deadline = self._cpu_s(), time.monotonic() + WALL_S
            self._link.send_bytes(source)
            while not self._link.poll(self._left_s(cpu_before, deadline)):
                pass
            return decode(self._link.recv_bytes(ANSWER_BYTES))
        except TimeoutError:
            raise
        except (OSError, msgspec.MsgspecError) as error:
            raise EOFError from error

    def end(self) -> int:
        """Return its exit code, or minus the signal's number; one that still runs is killed."""
        self._link.close()
        self._process.kill()
        self._process.join()
        code = self._process.exitcode
        self._process.close()
        return code or 0

    def _left_s(self, cpu_before: float, deadline: float) -> float:
        """Return how long to wait before the next look at the clocks. Raises: TimeoutError."""
        cpu_left = CPU_S - (self._cpu_s() - cpu_before)
        wall_left = deadline - time.monotonic()
        if cpu_left <= 0:
            raise TimeoutError(f"that takes more than {CPU_S} s of CPU time")
        if wall_left <= 0:
            raise TimeoutError(f"that takes more than {WALL_S} s")
        return min(cpu_left, wall_left)

    def _cpu_s(self) -> float:
        """Return the CPU time used so far; 0 where the system does not say."""
        return 0 if self._cpu_clock is None else self._cpu_clock() / NS_PER_S


def is_unparsable(flaw: str) -> bool:
    """Return whether a flaw says that a source was too much for Python's parser."""
    return flaw.startswith(UNPARSABLE)


def _why(ended: int) -> str:
    if ended < 0:
        return f"{UNPARSABLE} broke Python's parser ({signal.Signals(-ended).name})"
    return f"{UNPARSABLE} is nested too deeply, or takes more than {MEMORY_MB} MB to parse"


def _serve(link: Connection) -> None:
    """Be the child: confined, and of the engine's descriptors left with one."""
    with suppress(EOFError):  # the engine has what it wants, or is gone
        try:
            lead_own_session()
            _keep_only(link.fileno())
            _confine()
            gc.disable()  # nothing that is parsed refers to itself
            while True:
                link.send_bytes(encode(read_source(link.recv_bytes())))
        except (MemoryError, RecursionError):
            os._exit(EXHAUSTED)
    os._exit(0)


def _keep_only(descriptor: int) -> None:
    """Close all other descriptors: a fork has all that was open."""
    if os.name == "posix":
        nothing = os.open(os.devnull, os.O_RDWR)
        for target in range(FIRST_AFTER_OUTPUT):
            os.dup2(nothing, target)
        os.closerange(FIRST_AFTER_OUTPUT, descriptor)
        os.closerange(descriptor + 1, 65_536)


def _confine() -> None:
    """Put on all layers that hold here; no bot is run, so none is missed."""
    layers = tuple(Layer) if sys.platform == "linux" else (Layer.PROCESS, Layer.LIMITS)
    confinement = Confinement(layers=layers, memory_mb=MEMORY_MB, cpu_s=CHILD_CPU_S)
    for layer in layers:
        with suppress(ImportError, OSError):
            put_on(layer, confinement, Path(__file__).parent)
