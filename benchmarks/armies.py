"""death: turns of the Game of Death on the standard grid, and how much of one is recorded."""

import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from itertools import combinations, pairwise
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from benchmarks.cores import one_core
from benchmarks.boards import start_board
from benchmarks.seats import BOTS, WarmSeat, make_config, make_match
from benchmarks.ping_pong import round_trip_us
from benchmarks.table import Effort, Figure, Target, figure, measure_interleaved
from engine.bots.finding import TEMPLATE, find_bots
from engine.bots.clock import process_cpu_clock
from engine.bots.launching import Launcher, new_launcher
from engine.bots.lone_pieces import LonePiecesSeat, memory_mb
from engine.catalog import find_game
from engine.game import Event, Stage
from engine.games.game_of_death.shape_context import ShapeContext
from engine.games.game_of_death.pieces import piece_team
from engine.games.game_of_death.perception import TeamPerception
from engine.games.game_of_death.sight import compute_sight
from engine.match import play_match
from engine.observer import Observer
from engine.replays.writing import Contestant, Recorder
from engine.spec import MatchSpec
from engine.streams import Streams
from engine.settings import apply_changes, read_toml
from runners.configuration import HOME, preset_path

GAME = find_game("game_of_death")
MAX_SHAPES = 250
SIZES = (10, 50, MAX_SHAPES)
SMALL = preset_path(GAME, "small")
FIRST_TURNS = 3
"""Not timed: in the first each shape gets its copy of the bot's file."""
# The standard grid, with zones that meet, so that the fronts see each other; enough hp that all
# live on, and no gap between attacks, so that every turn is like the first.
NUMBERS = {"zone_width": 150, "hp_factor": 1_000, "attack_gap": 0}
SQUARE = {"width": 300, "height": 300, "home_v": 148}
"""A grid for two teams or for four, with zones as wide as usual."""
SHOOTING, LONE_TURNS = "player_four", 20
"""The starter army of 60 small shapes, and the turns of it that are timed."""
IDLE, BUSY = "player_standing", "player_shouting"


def measure(effort: Effort) -> list[Figure]:
    """Measure turns of the engine alone, turns with both processes, and a recorded action."""
    turns = max(2, effort.orders // 2_000)
    with one_core(), closing(new_launcher()) as launcher, tempfile.TemporaryDirectory() as folder:
        armies = Armies(launcher, Path(folder), turns)
        growth = measure_interleaved(
            effort, lambda: engine_us(MAX_SHAPES, turns), lambda: engine_us(MAX_SHAPES // 2, turns)
        )
        idle = measure_interleaved(
            effort, lambda: armies.turn_us(IDLE), lambda: round_trip_us(effort.orders)
        )
        busy = measure_interleaved(
            effort, lambda: armies.turn_cpu_us(BUSY), lambda: armies.turn_cpu_us(IDLE)
        )
        recorded = armies.bytes_per_action(most_turns=effort.orders // 10)
        four = measure_interleaved(
            effort,
            lambda: armies.square_turn_us(4, MAX_SHAPES),
            lambda: armies.square_turn_us(2, 2 * MAX_SHAPES),
        )
        lone = measure_interleaved(
            effort,
            lambda: armies.lone_turn_us(is_lone=True),
            lambda: armies.lone_turn_us(is_lone=False),
        )
    return [
        *(engine_figure(shapes, turns) for shapes in SIZES),
        figure("death grows", "us", growth, Target.at_most(2.2)).says(
            "the engine's part of a turn, 250 shapes a side that do nothing; 125"
        ),
        figure("death idle", "us", idle, Target.at_most(6_000)).says(
            "a whole turn of 250 shapes a side that do nothing; a ping-pong"
        ),
        figure("death busy", "us", busy, Target.at_most(3)).says(
            "CPU time of a turn in which all shapes attack and broadcast; of an idle turn"
        ),
        figure("death four", "us", four, Target.at_most(1.15)).says(
            "CPU time of a turn of four times 125 shapes that do nothing; of two times 250"
        ),
        # Its floor is some 2: each shape is asked in its own process, which folds all events.
        figure("death alone", "us", lone, Target.at_most(2.8)).says(
            "CPU time of a turn of 60 shapes a side, each in its own process; in one"
        ),
        figure("death memory", "MB", armies.lone_mb).says("memory of the 60 processes of an army"),
        looking_figure(effort),
        figure("death replay", "bytes", recorded, Target.at_most(3)).says(
            "a recorded action, every two starter armies once, preset small"
        ),
    ]


def looking_figure(effort: Effort) -> Figure:
    """Return the row on seeing everything in one call, against a call for each cell."""
    contexts = make_contexts(MAX_SHAPES)
    looking = measure_interleaved(
        effort, lambda: look_us(make_contexts(MAX_SHAPES)), lambda: see_us(contexts)
    )
    return figure("death look", "us", looking, Target.at_most(0.05)).says(
        "everything that a shape sees, at once; cell by cell"
    )


def engine_figure(shapes: int, turns: int) -> Figure:
    return figure(f"death {shapes}", "us", engine_us(shapes, turns)).says(
        f"the engine's part of a turn, {shapes} shapes a side that do nothing"
    )


def engine_us(shapes: int, turns: int) -> float:
    """Return the CPU time of a turn, us: checking orders, the rules, and what teams observe."""
    state, streams = _deploy_armies(shapes)
    began = time.process_time()
    for _ in range(turns):
        _play(state, None, streams)
    return (time.process_time() - began) / turns * 1e6


def _deploy_armies(shapes: int) -> tuple[Any, Streams]:
    """Return two armies of dominoes whose fronts see each other, before the first turn."""
    state, streams = start_board(GAME, GAME.settings(**NUMBERS, max_cells=2 * shapes))
    placements = [[0, 148 - 3 * (n % 25), 5 + 15 * (n // 25)] for n in range(shapes)]
    _play(state, {"types": [["Domino", ["##"]]], "placements": placements}, streams)
    return state, streams


def make_contexts(shapes: int) -> list[ShapeContext]:
    """Return the contexts of team 1's shapes, in the first turn."""
    state, _ = _deploy_armies(shapes)
    state.apply(compute_sight(state, 1))
    perception = TeamPerception(state, 1, GAME.limits)
    perception.update()
    return [
        ShapeContext(perception, shape_id)
        for shape_id in state.shapes
        if piece_team(shape_id, 2) == 1
    ]


def look_us(contexts: Sequence[ShapeContext]) -> float:
    """Return the CPU time of a shape's first look at everything, us."""
    began = time.process_time()
    for context in contexts:
        context.start_turn(context.shape)
        context.look()
    return (time.process_time() - began) / len(contexts) * 1e6


def see_us(contexts: Sequence[ShapeContext]) -> float:
    """Return the CPU time of a shape that asks for each cell around it, us, by a sample."""
    some, far = contexts[:: len(contexts) // 5], contexts[0].settings.sight
    around = range(-far, far + 1)
    began = time.process_time()
    for context in some:
        context.start_turn(context.shape)
        au, av = context.anchor
        for dv in around:
            for du in around:
                context.see(au + du, av + dv)
    return (time.process_time() - began) / len(some) * 1e6


def _play(state: Any, answer: object, streams: Streams) -> None:
    """Play a turn with the same answer for every ask."""
    orders = [GAME.check(state, ask, answer) for ask in GAME.asks(state)]
    for event in GAME.play(state, orders, streams):
        state.apply(event)
        for team in (1, 2):
            GAME.observed_event(state, event, team)


class Armies:
    """Matches between two armies of one kind, in processes and recorded."""

    def __init__(self, launcher: Launcher, folder: Path, turns: int) -> None:
        self._launcher = launcher
        self._folder = folder
        self._turns = turns + FIRST_TURNS
        self.lone_mb = 0.0
        """What an army's processes had together at last."""

    def square_turn_us(self, teams: int, cells: int) -> float:
        """Return the median CPU time of a turn on a square, us; armies have so many cells."""
        turns = TurnClock(cpu_ns)
        numbers = {**NUMBERS, **SQUARE, "zone_width": 100, "max_cells": cells}
        settings = GAME.settings(**numbers, max_turns=self._turns)
        self._play((BOTS / f"{IDLE}.py",) * teams, settings, turns)
        return turns.median_us

    def lone_turn_us(self, *, is_lone: bool) -> float:
        """Return the median CPU time of a turn of a starter army against itself, us."""
        turns = TurnClock(cpu_ns)
        small = apply_changes(GAME.settings(), read_toml(SMALL), source=str(SMALL))
        settings = msgspec.structs.replace(
            small, isolated_shapes=is_lone, max_turns=FIRST_TURNS + LONE_TURNS
        )
        army = HOME / "playerCode" / GAME.bots / f"{SHOOTING}.py"
        self._play((army, army), settings, turns)
        return turns.median_us

    def turn_us(self, army: str) -> float:
        """Return the median time of a turn, us."""
        return self._turn(army, lambda seats: time.perf_counter_ns())

    def turn_cpu_us(self, army: str) -> float:
        """Return the median CPU time of a turn, us: engine and both processes together."""
        return self._turn(army, cpu_ns)

    def _turn(self, army: str, clock: "Clock") -> float:
        turns = TurnClock(clock)
        settings = GAME.settings(**NUMBERS, max_turns=self._turns)
        self._play((BOTS / f"{army}.py",) * 2, settings, turns)
        return turns.median_us

    def bytes_per_action(self, *, most_turns: int) -> float:
        """Return the bytes of whole replay files per order in them."""
        found = find_bots(HOME / "playerCode" / GAME.bots)
        armies = [bot.path for bot in found if bot.name != TEMPLATE]
        settings: Any = apply_changes(GAME.settings(), read_toml(SMALL), source=str(SMALL))
        turns = min(most_turns, settings.max_turns)
        settings = msgspec.structs.replace(settings, max_turns=turns)
        counter = Counter()
        written = sum(self._play(pair, settings, counter) for pair in combinations(armies, 2))
        return written / counter.orders

    def _play(self, armies: Sequence[Path], settings: Any, watcher: "Onlooker") -> int:
        """Play a match, and return the bytes of its replay."""
        spec = make_match(GAME, settings, *(army.stem for army in armies))
        replay = self._folder / "match.jsonl.gz"
        with ExitStack() as stack:
            seats = watcher.seats = [
                self._seat(stack, army, spec, team) for team, army in enumerate(armies, 1)
            ]
            contestants = [Contestant(name=army.stem, digest=army.stem) for army in armies]
            recorder = Recorder(GAME, spec, contestants, replay, seats)
            play_match(GAME, spec, seats, (recorder, watcher))
            recorder.close()
            self.lone_mb = max(seat.memory_mb() for seat in seats) or self.lone_mb
        return replay.stat().st_size

    def _seat(self, stack: ExitStack, army: Path, spec: MatchSpec, team: int) -> "Clocked":
        entry = make_config(army, spec, team, self._folder)
        seat: Clocked = (
            LoneClockedSeat(entry, self._launcher, GAME)
            if spec.settings.isolated_shapes
            else ClockedSeat(entry, self._launcher)
        )
        stack.callback(seat.close)
        return seat


class ClockedSeat(WarmSeat):
    """A seat that says how much CPU time its process has used."""

    def cpu_ns(self) -> int:
        clock = None if self._process is None else self._process.cpu_clock
        return 0 if clock is None else clock()

    def memory_mb(self) -> float:
        """Return nothing: only armies of many processes are measured."""
        return 0.0


class LoneClockedSeat(LonePiecesSeat):
    """The same for an army whose shapes have processes of their own."""

    def __init__(self, *config: Any) -> None:
        super().__init__(*config)
        self._used: dict[int, int] = {}
        """What the process of each shape had used when it was last looked at, ns."""

    def cpu_ns(self) -> int:
        for piece_id, seat in self._seats.items():
            clock = None if seat.pid is None else process_cpu_clock(seat.pid)
            self._used[piece_id] = 0 if clock is None else clock()
        return sum(self._used.values())

    def memory_mb(self) -> float:
        return sum(memory_mb(seat.pid) for seat in self._seats.values() if seat.pid is not None)


Clocked = ClockedSeat | LoneClockedSeat
Clock = Callable[[Sequence[Clocked]], int]
"""A clock: nanoseconds so far."""


def cpu_ns(seats: Sequence[Clocked]) -> int:
    """Return the CPU time of this process and of both bots' so far, ns."""
    return time.process_time_ns() + sum(seat.cpu_ns() for seat in seats)


class Onlooker(Observer):
    """Watches a match between these."""

    seats: Sequence[Clocked] = ()


class TurnClock(Onlooker):
    """An observer that notes when each turn began, by a clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._begun: list[int] = []

    def on_event(self, event: Event) -> None:
        if type(event) is Stage and event.name == "decide":
            self._begun.append(self._clock(self.seats))

    @property
    def median_us(self) -> float:
        """The median time of the turns after the first ones, us."""
        return median(b - a for a, b in pairwise(self._begun[FIRST_TURNS:])) / 1e3


class Counter(Onlooker):
    """An observer that counts orders."""

    orders = 0

    def on_decision(self, asks: Any, orders: Any) -> None:
        self.orders += len(orders)
