"""T4: the cost of the sandbox's layers, per call and per start of a worker."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from benchmarks.cores import one_core
from benchmarks.boards import board_at
from benchmarks.seats import WarmSeat, call_us, make_bot_config, make_spec
from benchmarks.table import Effort, Figure, Of, Target, figure, measure_interleaved
from engine.bots.launching import Launcher, new_launcher
from engine.bots.log import open_log
from engine.bots.process_start import Needs
from engine.bots.sandbox import Level

BOT = "player_idle"
BLOCK = 500
"""Calls of one worker before it is the other's turn."""
STARTS = 10
"""Starts of each kind per repeat: they are short, and vary."""


def measure(effort: Effort) -> list[Figure]:
    """Measure the layers; nothing on a machine that does not offer all of them."""
    with one_core(), closing(new_launcher()) as launcher, TemporaryDirectory() as folder:
        if launcher.failings:
            return []
        workers = Workers(launcher, Path(folder))
        starts = replace(effort, repeats=STARTS * effort.repeats)
        return [calls(workers, effort), whole_starts(workers, starts), forks(workers, starts)]


class Workers:
    """Workers of one bot, sandboxed or not, that share a core."""

    def __init__(self, launcher: Launcher, folder: Path) -> None:
        self._launcher = launcher
        self._entry = make_bot_config(BOT, make_spec(BOT, {}), 1, folder)
        self._board = board_at(1)
        self.slime = next(iter(self._board.slimes))

    @contextmanager
    def worker(self, level: Level) -> Iterator[WarmSeat]:
        """Start a worker and wait until it is ready."""
        with closing(WarmSeat(replace(self._entry, level=level), self._launcher)) as seat:
            seat.prepare(self._board)
            yield seat

    def start_ms(self, level: Level) -> float:
        """Return the time from before the fork until the bot is loaded, ms."""
        began = time.perf_counter()
        with self.worker(level) as seat:
            return (seat.ready_at - began) * 1e3

    def fork_ms(self) -> float:
        """Return the time until the new process exists, ms."""
        entry = self._entry
        with open_log() as log:
            began = time.perf_counter()
            process = self._launcher.launch(
                log.fileno(), Needs((entry.bot.parent,), entry.limits.memory_mb)
            )
            took = time.perf_counter() - began
        process.end()
        return took * 1e3


def calls(workers: Workers, effort: Effort) -> Figure:
    """Measure calls of two workers that live throughout, in turns."""
    block = min(BLOCK, effort.orders)
    with workers.worker(Level.DEFAULT) as on, workers.worker(Level.OFF) as off:
        pair = measure_interleaved(
            replace(effort, repeats=effort.orders // block),
            lambda: call_us(on, workers.slime, block),
            lambda: call_us(off, workers.slime, block),
        )
    return figure("T4", "us", pair, Target.at_most(1, Of.DIFFERENCE)).says(
        "a call of a bot that does nothing, all layers on; --sandbox off"
    )


def whole_starts(workers: Workers, effort: Effort) -> Figure:
    pair = measure_interleaved(
        effort,
        lambda: workers.start_ms(Level.DEFAULT),
        lambda: workers.start_ms(Level.OFF),
    )
    return figure("T4 start", "ms", pair, Target.at_most(3, Of.DIFFERENCE)).says(
        "from launching a worker to its being ready, all layers on; --sandbox off"
    )


def forks(workers: Workers, effort: Effort) -> Figure:
    return figure("T4 fork", "ms", median(workers.fork_ms() for _ in range(effort.repeats))).says(
        "the fork alone of such a start"
    )
