"""T6: whether a bot within its CPU limit is ever timed out because its core is busy."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.cores import one_core
from benchmarks.boards import board_at
from benchmarks.seats import ask_seat, make_bot_config, make_spec
from benchmarks.table import Effort, Figure, Target, figure
from engine.fault import Fault
from engine.bots.launching import new_launcher
from engine.bots.sandbox.process import die_with_parent, lead_own_session
from engine.bots.process_seat import ProcessSeat
from engine.support.signals import deferring_signals

BOT = "player_busy"
HOGS = 8


def measure(effort: Effort) -> list[Figure]:
    with one_core(), TemporaryDirectory() as folder, hogs(HOGS):
        lost = count_faults(Path(folder), effort.calls)
    return [
        figure("T6", "turns", lost, Target.at_most(0)).says(
            f"forfeits in {effort.calls} calls of half the limit, {HOGS} busy processes"
        )
    ]


def count_faults(folder: Path, calls: int) -> int:
    """Return the number of faults among this many answers."""
    entry = make_bot_config(BOT, make_spec(BOT, {}), 1, folder)
    with closing(new_launcher()) as launcher, closing(ProcessSeat(entry, launcher)) as seat:
        board = board_at(1)
        seat.prepare(board)
        slime = next(iter(board.slimes))
        return sum(isinstance(ask_seat(seat, slime), Fault) for _ in range(calls))


@contextmanager
def hogs(number: int) -> Iterator[None]:
    """Run processes that keep this core busy."""
    pids: list[int] = []
    try:
        with deferring_signals():  # Python swallows what a handler raises while it forks
            pids += [_hog() for _ in range(number)]
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _hog() -> int:
    """Start a process in a session of its own, as workers are: Linux gives sessions equal shares.

    It ends with us, however we end.
    """
    pid = os.fork()
    if pid == 0:
        die_with_parent()
        lead_own_session()
    while pid == 0:
        pass
    return pid
