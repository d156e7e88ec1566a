"""T9: the rules alone: whole matches of random orders, without processes or replay."""

import random
import time
from collections.abc import Callable

from benchmarks.cores import one_core
from benchmarks.boards import GAME, SEED, start_board
from benchmarks.ping_pong import round_trip_us
from benchmarks.table import Effort, Figure, Target, figure, measure_interleaved
from engine.simulation import Simulation

COMMANDS = (
    *("LEFT", "RIGHT", "UP", "DOWN", "SPLIT", "MERGE"),
    *("BITELEFT", "BITERIGHT", "BITEUP", "BITEDOWN"),
)
# The standard map and its plants, seeds and all, with two teams of 50.
NUMBERS = {"slime_pairs": 50}
TURNS = 20
"""The teams stay about that large for so long: random slimes bite their friends too."""


def measure(effort: Effort) -> list[Figure]:
    with one_core():
        pair = measure_interleaved(
            effort, lambda: order_us(effort.orders), lambda: round_trip_us(effort.orders)
        )
        simulated = measure_interleaved(
            effort, lambda: order_us(effort.orders, _simulate), lambda: order_us(effort.orders)
        )
    return [
        figure("T9", "us", pair, Target.at_most(0.5)).says(
            "the rules of an order, random orders, no process; a ping-pong"
        ),
        figure("T9", "us", simulated, Target.at_most(2.0)).says(
            "the same in a bot's simulation; the rules alone"
        ),
    ]


def order_us(orders: int, play: Callable[[list[str], int], int] | None = None) -> float:
    """Return the time per order, us, over as many matches as it takes."""
    answers = random.Random(SEED).choices(COMMANDS, k=orders)
    seconds, first, seed = 0.0, 0, SEED
    while first < orders:
        began = time.perf_counter()
        first += (play or _play)(answers[first:], seed)
        seconds += time.perf_counter() - began
        seed += 1
    return seconds / orders * 1e6


def _play(answers: list[str], seed: int) -> int:
    """Play a match with these answers; return how many it took."""
    state, streams = start_board(GAME, GAME.settings(**NUMBERS, max_turns=TURNS), seed)
    apply, asked = state.apply, 0
    for answer in answers:
        if GAME.outcome(state) is not None:
            break
        asked += 1
        ask = GAME.asks(state)[0]
        for event in GAME.play(state, (GAME.check(state, ask, answer),), streams):
            apply(event)
    return asked


def _simulate(answers: list[str], seed: int) -> int:
    """Play a match with these answers as a bot would; return how many it took."""
    state, _ = start_board(GAME, GAME.settings(**NUMBERS, max_turns=TURNS), seed)
    simulation, asked = Simulation(GAME, state, seed), 0
    for answer in answers:
        if simulation.outcome is not None:
            break
        simulation.play(answer)
        asked += 1
    return asked
