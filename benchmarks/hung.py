"""T5: how long after its deadline a bot that hangs is replaced and answers again."""

import time
from contextlib import closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.cores import one_core
from benchmarks.boards import FIFTY, board_at
from benchmarks.seats import ask_seat, make_bot_config, make_spec
from benchmarks.table import Effort, Figure, Target, figure
from engine.fault import Fault
from engine.bots.launching import Launcher, new_launcher
from engine.bots.process_seat import ProcessSeat

BOT = "player_hanging"
SPEC = make_spec(BOT, FIFTY)
LATE_TURN = 500
"""A turn by which the plants have filled the map."""


def measure(effort: Effort) -> list[Figure]:
    with one_core(), closing(new_launcher()) as launcher, TemporaryDirectory() as folder:
        return [
            figure(
                name,
                "ms",
                median(
                    measure_replacement_ms(launcher, Path(folder), board)
                    for _ in range(effort.repeats)
                ),
                Target.at_most(10),
            ).says(f"from a hung bot's deadline to the next answer, {when}")
            for name, when, board in (
                ("T5", "first turn", board_at(1)),
                ("T5 late", "late in a match, map full", board_at(LATE_TURN)),
            )
        ]


def measure_replacement_ms(launcher: Launcher, folder: Path, board: Any) -> float:
    """Return the time from a hung bot's deadline to the next answer, ms."""
    hangs, answers = [slime.id for slime in board.slimes.values() if slime.team == 1][:2]
    with closing(ProcessSeat(make_bot_config(BOT, SPEC, 1, folder), launcher)) as seat:
        seat.prepare(board)
        assert not isinstance(ask_seat(seat, answers), Fault)
        began = time.perf_counter()
        assert isinstance(ask_seat(seat, hangs), Fault)
        assert not isinstance(ask_seat(seat, answers), Fault)
        assert seat.restarts == 1
        return (time.perf_counter() - began) * 1e3 - SPEC.limits.cpu_ms
