"""T1: the cost of an order in a whole match, with its replay."""

import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path

from benchmarks.command_line import HOME
from benchmarks.cores import one_core
from benchmarks.boards import GAME
from benchmarks.instant import play_at_once
from benchmarks.ping_pong import round_trip_us
from benchmarks.seats import BOTS, WarmSeat, make_config, make_match, make_spec
from benchmarks.table import Effort, Figure, Target, figure, measure_interleaved
from engine.bots.launching import Launcher, new_launcher
from engine.match import play_match
from engine.replays.writing import Contestant, Recorder
from engine.spec import MatchSpec

SLIMES = 100
STARTERS = "player_three", "player_five"
STARTERS_TURNS = 300

# The standard map with two teams of 50. Its plants grow for ever and never seed, so that the
# last turn is as busy as the first.
IDLE = {"slime_pairs": 50, "plant_seed_chance_pct": 0, "plant_max_level": 1_000}
# Plants that no amount of biting empties, so that there is food to the end.
EATING = {**IDLE, "plant_hp_per_level": 10_000, "plant_start_hp": 10_000}


def measure(effort: Effort) -> list[Figure]:
    """Measure bots that do nothing, which have a target, and bots that think."""
    with one_core(), closing(new_launcher()) as launcher, tempfile.TemporaryDirectory() as folder:
        match = MatchLoop(launcher, Path(folder), effort.orders)
        idle = measure_interleaved(
            effort,
            lambda: match.order_us("player_idle", IDLE),
            lambda: round_trip_us(effort.orders),
        )
        eating = measure_interleaved(
            effort,
            lambda: match.order_us("player_eater", EATING),
            lambda: round_trip_us(effort.orders),
        )
        engine = measure_interleaved(
            effort, match.engine_us, lambda: match.engine_us(has_replay=False)
        )
        starters = measure_interleaved(
            effort, match.starters_us, lambda: round_trip_us(effort.orders)
        )
    return [
        figure("T1", "us", idle, Target.at_most(1.9)).says(
            "an order in a whole match, bots that do nothing; a ping-pong"
        ),
        figure("T1 eating", "us", eating).says("the same, bots that look for food, bite and walk"),
        figure("T1 engine", "us", engine).says(
            "the engine's part of T1, workers that answer at once; without the replay"
        ),
        figure("T1 starters", "us", starters).says(
            "CPU time of an order of two starter bots, standard map, theirs too; a ping-pong"
        ),
    ]


class MatchLoop:
    """Matches of a bot against itself, timed from when both are ready to the replay's last byte."""

    def __init__(self, launcher: Launcher, folder: Path, orders: int) -> None:
        self._launcher = launcher
        self._folder = folder
        self._turns = max(1, orders // SLIMES)

    def order_us(self, bot: str, numbers: dict[str, int]) -> float:
        """Return the time per order, us."""
        spec = make_spec(bot, {**numbers, "max_turns": self._turns})
        with ExitStack() as stack:
            seats = [self._seat(stack, BOTS / f"{bot}.py", spec, team) for team in (1, 2)]
            contestants = (Contestant(name=bot, digest=bot),) * 2
            replay = self._folder / f"{bot}.jsonl.gz"
            recorder = Recorder(GAME, spec, contestants, replay, seats)
            play_match(GAME, spec, seats, (recorder,))
            recorder.close()
            seconds = time.perf_counter() - max(seat.ready_at for seat in seats)
            return seconds / sum(len(seat.call_us) for seat in seats) * 1e6

    def engine_us(self, *, has_replay: bool = True) -> float:
        """Return the time of an order of which no process is asked, us."""
        numbers = {**IDLE, "max_turns": self._turns}
        began = time.perf_counter()
        orders = play_at_once("player_idle", numbers, self._folder, has_replay=has_replay)
        return (time.perf_counter() - began) / orders * 1e6

    def starters_us(self) -> float:
        """Return the CPU time of an order of two starter bots, theirs and the engine's, us."""
        turns = min(STARTERS_TURNS, self._turns)
        spec = make_match(GAME, GAME.settings(max_turns=turns), *STARTERS)
        with ExitStack() as stack:
            seats = [
                self._seat(stack, HOME / "playerCode" / f"{bot}.py", spec, team)
                for team, bot in enumerate(STARTERS, 1)
            ]
            began = time.process_time_ns()
            play_match(GAME, spec, seats)
            engine_us = (time.process_time_ns() - began) / 1e3
            calls = [us for seat in seats for us in seat.call_us]
            return (engine_us + sum(calls)) / len(calls)

    def _seat(self, stack: ExitStack, bot: Path, spec: MatchSpec, team: int) -> WarmSeat:
        seat = WarmSeat(make_config(bot, spec, team, self._folder), self._launcher)
        stack.callback(seat.close)
        return seat
