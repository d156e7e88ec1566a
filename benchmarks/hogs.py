"""T6: whether a bot within its budget is ever called late because its core is busy."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.cores import one_core
from benchmarks.hung import board_at
from benchmarks.match_loop import entry_of, spec_of
from benchmarks.table import Effort, Figure, Of, Target
from engine.bots.fault import Fault
from engine.bots.launching import new_launcher
from engine.bots.sandbox.process import lead_own_session
from engine.bots.seat import ProcessSeat
from engine.game import Ask

BOT = "player_busy"
HOGS = 8


def measure(effort: Effort) -> list[Figure]:
    with one_core(), TemporaryDirectory() as folder, hogs(HOGS):
        lost = rounds_lost(Path(folder), effort.calls)
    return [
        Figure(
            name="T6",
            what=f"rounds lost in {effort.calls} calls of half the budget, {HOGS} hogs beside",
            unit="rounds",
            ours=lost,
            target=Target.at_most(0, Of.OURS),
        )
    ]


def rounds_lost(folder: Path, calls: int) -> int:
    """Faults among so many answers."""
    entry = entry_of(BOT, spec_of(BOT, {}), 1, folder)
    with closing(new_launcher()) as launcher, closing(ProcessSeat(entry, launcher)) as seat:
        board = board_at(1)
        seat.begin(board)
        slime = next(iter(board.slimes))
        return sum(_is_lost(seat, slime) for _ in range(calls))


@contextmanager
def hogs(number: int) -> Iterator[None]:
    """Processes that keep this one's core busy."""
    pids = [_hog() for _ in range(number)]
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _hog() -> int:
    """In a session of its own, as workers are: Linux gives each session an equal share."""
    pid = os.fork()
    if pid == 0:
        lead_own_session()
    while pid == 0:
        pass
    return pid


def _is_lost(seat: ProcessSeat, about: int) -> bool:
    seat.put(Ask(1, about), None)
    return isinstance(seat.take(), Fault)
