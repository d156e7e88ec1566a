"""Bots in other languages: a decision and a start, beside those of a bot in Python."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from benchmarks.cores import one_core
from benchmarks.boards import board_at
from benchmarks.seats import BOTS, WarmSeat, call_us, make_bot_config, make_spec
from benchmarks.table import Effort, Figure, Of, Target, figure, measure_interleaved
from engine.bots.finding import Copies, read_bot
from engine.bots.launching import Launcher, new_launcher
from engine.bots.process_seat import ProcessSeat
from engine.bots.programs.builds import Builds
from engine.bots.programs.seat import ProgramSeat

PYTHON = "player_idle"
COMPILED = "idle_cpp"
LANGUAGES = {
    COMPILED: ("C++", "g++"),
    "idle_node": ("Node", "node"),
    "idle_java": ("Java", "javac"),
}
"""Bot -> its language, and the tool without which it cannot be measured."""
BLOCK = 500
"""Calls of one bot before it is the other's turn."""
MAX_RATIO = 1.2
"""A decision of a compiled program, in decisions of Python's worker."""
START_MS = 20


def measure(effort: Effort) -> list[Figure]:
    """Measure the languages that are installed."""
    with one_core(), closing(new_launcher()) as launcher, TemporaryDirectory() as folder:
        bots = Bots(launcher, Path(folder))
        here = [name for name, (_, tool) in LANGUAGES.items() if which(tool)]
        return [
            *(bots.decision(name, effort) for name in here),
            *(bots.start(name, effort) for name in here),
        ]


class WarmProgramSeat(ProgramSeat):
    """A seat that starts its program as the match begins."""

    def prepare(self, state: object) -> None:
        super().prepare(state)  # type: ignore[arg-type]
        self._start()


class Bots:
    """Bots that do nothing, in several languages, on one board."""

    def __init__(self, launcher: Launcher, folder: Path) -> None:
        self._launcher = launcher
        self._copies = Copies(folder / "bots")
        self._builds = Builds(folder / "built")
        self._kept: dict[str, Path] = {}
        self._entry = make_bot_config(PYTHON, make_spec(PYTHON, {}), 1, folder)
        self._board = board_at(1)
        self._slime = next(iter(self._board.slimes))

    def decision(self, name: str, effort: Effort) -> Figure:
        """Measure decisions of two bots that live throughout, in turns."""
        block = min(BLOCK, effort.orders)
        with ExitStack() as stack:
            ours, python = (stack.enter_context(self._seat(bot)) for bot in (name, PYTHON))
            pair = measure_interleaved(
                replace(effort, repeats=max(1, effort.orders // block)),
                lambda: call_us(ours, self._slime, block),
                lambda: call_us(python, self._slime, block),
            )
        language = LANGUAGES[name][0]
        return figure(
            f"{language} decision",
            "us",
            pair,
            Target.at_most(MAX_RATIO) if name == COMPILED else None,
        ).says(f"a decision of a bot in {language} that does nothing; of one in Python")

    def start(self, name: str, effort: Effort) -> Figure:
        """Measure starts of what was built before."""
        with self._seat(name):
            pass
        pair = measure_interleaved(
            effort, lambda: self._start_ms(name), lambda: self._start_ms(PYTHON)
        )
        language = LANGUAGES[name][0]
        return figure(
            f"{language} start",
            "ms",
            pair,
            Target.at_most(START_MS, Of.OURS) if name == COMPILED else None,
        ).says(f"from launching a bot in {language} to its being ready; one in Python")

    def _find_copy(self, name: str) -> Path:
        if name not in self._kept:
            self._kept[name] = self._copies.save(read_bot(BOTS / name))
        return self._kept[name]

    @contextmanager
    def _seat(self, name: str) -> Iterator[ProcessSeat]:
        """Start a bot, and wait until it is ready."""
        if name == PYTHON:
            seat: ProcessSeat = WarmSeat(self._entry, self._launcher)
        else:
            config = replace(self._entry, name=name, bot=self._find_copy(name))
            seat = WarmProgramSeat(config, self._launcher, self._builds)
        with closing(seat):
            seat.prepare(self._board)
            assert seat.out is None, seat.out
            yield seat

    def _start_ms(self, name: str) -> float:
        began = time.perf_counter()
        with self._seat(name):
            return (time.perf_counter() - began) * 1e3
