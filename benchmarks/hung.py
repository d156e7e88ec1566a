"""T5: how long after its deadline a bot that hangs is replaced and answers again."""

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace

from benchmarks.cores import one_core
from benchmarks.match_loop import GAME, entry_of, spec_of
from benchmarks.table import Effort, Figure, Of, Target
from engine.fault import Fault
from engine.bots.launching import Launcher, new_launcher
from engine.bots.process_seat import ProcessSeat
from engine.game import Ask
from engine.streams import Streams

BOT = "player_hanging"
SPEC = spec_of(BOT, {"slime_pairs": 50, "plant_level_chance_pct": 100, "max_turns": 1_000})
LATE_TURN = 500
"""A turn by which the plants have filled the map."""


def measure(effort: Effort) -> list[Figure]:
    with one_core(), closing(new_launcher()) as launcher, TemporaryDirectory() as folder:
        return [
            Figure(
                name=name,
                what=f"from a hung bot's deadline to the next answer, {when}",
                unit="ms",
                ours=median(
                    replaced_ms(launcher, Path(folder), board) for _ in range(effort.repeats)
                ),
                target=Target.at_most(10, Of.OURS),
            )
            for name, when, board in (
                ("T5", "first turn", board_at(1)),
                ("T5 late", "late in a match, map full", board_at(LATE_TURN)),
            )
        ]


def replaced_ms(launcher: Launcher, folder: Path, board: Any) -> float:
    """Return the time from a hung bot's deadline to the next answer, ms."""
    hangs, answers = [slime.id for slime in board.slimes.values() if slime.team == 1][:2]
    entry = replace(entry_of(BOT, SPEC, 1, folder), limits=SPEC.limits)
    with closing(ProcessSeat(entry, launcher)) as seat:
        seat.begin(board)
        assert not isinstance(_answer(seat, answers), Fault)
        began = time.perf_counter()
        assert isinstance(_answer(seat, hangs), Fault)
        assert not isinstance(_answer(seat, answers), Fault)
        assert seat.restarts == 1
        return (time.perf_counter() - began) * 1e3 - SPEC.limits.cpu_ms


def board_at(turn: int) -> Any:
    """Return a board of this turn, on which all slimes have walked up."""
    state, streams = GAME.new(SPEC.settings, 2), Streams(SPEC.seed)
    _apply_all(state.apply, GAME.start(state, streams))
    while state.turn < turn:
        order = GAME.check(state, GAME.asks(state)[0], "UP")
        _apply_all(state.apply, GAME.play(state, (order,), streams))
    return state


def _apply_all(apply: Callable[[Any], None], events: Any) -> None:
    for event in events:
        apply(event)


def _answer(seat: ProcessSeat, piece_id: int) -> Any:
    seat.put(Ask(1, piece_id), None)
    return seat.take()
