"""A confined child of the engine: what a stranger's bytes cost, they cost the child."""

import gc
import multiprocessing
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from engine.bots.clock import NS_PER_S, process_cpu_clock
from engine.bots.process_start import as_engine_failure
from engine.bots.sandbox import Confinement, Layer, put_on, warm_up
from engine.bots.sandbox.process import FIRST_AFTER_STREAMS, close_all_but, lead_own_session
from engine.support.child_processes import allow_children
from engine.support.signals import deferring_signals
from engine.support.standard_streams import open_closed_streams

MEMORY_MB = 512
"""Memory beyond what the child has when it begins; a bot has as much by default to run in."""
CPU_S = 5
"""CPU time for one answer. The slowest known source of 1 MB takes half of it to be parsed on a slow
machine."""
WALL_S = 60
"""Wall time for one answer, on a machine that is busy with other things."""
CHILD_CPU_S = 120
"""CPU time for all answers of a child, after which the kernel ends it."""
EXHAUSTED_EXIT_CODE = 3
"""Exit code of a child for which a question was too much."""
# A fork is ready in milliseconds, an interpreter in a tenth of a second.
if sys.platform == "win32":
    CONTEXT = multiprocessing.get_context("spawn")
else:
    CONTEXT = multiprocessing.get_context("fork")

Answering = Callable[[bytes], bytes]


class ConfinedChild:
    """A process that answers one question after the other."""

    def __init__(self, answering: Answering, *, most_bytes: int) -> None:
        """`answering` makes an answer of a question; `most_bytes`: the longest answer."""
        self._most_bytes = most_bytes
        open_closed_streams()  # or our pipe would have the number of a stream
        with as_engine_failure(), deferring_signals(), allow_children():
            warm_up()
            self._link, child_end = CONTEXT.Pipe()
            self._process = CONTEXT.Process(target=_serve, args=(child_end, answering), daemon=True)
            self._process.start()
            child_end.close()
        assert self._process.pid is not None
        self._cpu_clock = process_cpu_clock(self._process.pid)

    def ask(self, question: bytes) -> bytes:
        """Return the answer. Raises: TimeoutError; EOFError if the question was too much."""
        try:
            cpu_before, deadline = self._cpu_s(), time.monotonic() + WALL_S
            self._link.send_bytes(question)
            while not self._link.poll(self._remaining_s(cpu_before, deadline)):
                pass
            return self._link.recv_bytes(self._most_bytes)
        except TimeoutError:
            raise
        except OSError as error:
            raise EOFError from error

    def end(self) -> int:
        """Return its exit code, or minus the signal's number; one that still runs is killed."""
        self._link.close()
        self._process.kill()
        self._process.join()
        code = self._process.exitcode
        self._process.close()
        return code or 0

    def _remaining_s(self, cpu_before: float, deadline: float) -> float:
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


def _serve(link: Connection, answering: Answering) -> None:
    """Be the child: confined, and of the engine's descriptors left with one."""
    with suppress(EOFError):  # the engine has what it wants, or is gone
        try:
            lead_own_session()
            _keep_only(link.fileno())
            _confine_this_process()
            gc.disable()  # nothing that is made refers to itself
            while True:
                link.send_bytes(answering(link.recv_bytes()))
        except (MemoryError, RecursionError):
            os._exit(EXHAUSTED_EXIT_CODE)
    os._exit(0)


def _keep_only(descriptor: int) -> None:
    """Close all other descriptors: a fork has all that was open."""
    if os.name == "posix":
        nothing = os.open(os.devnull, os.O_RDWR)
        for target in range(FIRST_AFTER_STREAMS):
            os.dup2(nothing, target)
        close_all_but([descriptor])


def _confine_this_process() -> None:
    """Put on all layers that hold here; no bot is run, so none is missed."""
    layers = tuple(Layer) if sys.platform == "linux" else (Layer.PROCESS, Layer.LIMITS)
    confinement = Confinement(layers=layers, memory_mb=MEMORY_MB, cpu_s=CHILD_CPU_S)
    for layer in layers:
        with suppress(ImportError, OSError):
            put_on(layer, confinement, Path(__file__).parent)
