"""The batched simulator of SMAC against the engine's rules: the same matches of random players."""

import time
from collections.abc import Callable

import numpy as np

from benchmarks.boards import SEED, apply_all, begun
from benchmarks.cores import one_core
from benchmarks.table import Effort, Figure, Target, figure, interleaved
from engine.games.smac.game import Smac
from engine.games.smac.orders import Order
from engine.games.smac.settings import Settings
from learning.smac.matches import Matches
from learning.smac.orders import order_of
from learning.smac.play_out import MOST, play_out

GAME, SETTINGS = Smac(), Settings()
MATCHES = 40
"""As many matches of the simulator are played, for a match of the engine."""
ORDERS_OF_A_DECISION = 100
"""A turn of SMAC takes the engine as long as so many orders of Slime Mind."""


def measure(effort: Effort) -> list[Figure]:
    decisions = max(2, effort.orders // ORDERS_OF_A_DECISION)
    play_out(Matches(SETTINGS, [SEED]))  # compiled before
    with one_core():
        pair = interleaved(effort, _rate(decisions), _engine_rate(decisions))
    shown = figure("simulator smac", "turns/s", pair, Target.at_least(10)).says(
        "turns a second in the simulator of SMAC, random players with it; the engine's rules"
    )
    return [shown]


def _rate(decisions: int) -> Callable[[], float]:
    """Return what measures turns a second of whole matches, with the players that give orders."""

    def rate() -> float:
        count = max(1, MATCHES * decisions // SETTINGS.last_turn)
        matches = Matches(SETTINGS, range(SEED, SEED + count))
        began = time.perf_counter()
        played = play_out(matches)
        return played / (time.perf_counter() - began)

    return rate


def _engine_rate(decisions: int) -> Callable[[], float]:
    """Return what measures turns a second of the engine's rules, with the same orders."""
    recorded = _recorded(decisions)

    def rate() -> float:
        seconds, played = 0.0, 0
        for number, match in enumerate(recorded):
            state, streams = begun(GAME, SETTINGS, SEED + number)
            began = time.perf_counter()
            for orders in match:
                apply_all(state, GAME.play(state, orders, streams))
            seconds += time.perf_counter() - began
            played += len(match)
        return played / seconds

    return rate


def _recorded(decisions: int) -> list[list[list[Order]]]:
    """Return what random players order, by match and decision, so many decisions in all."""
    recorded: list[list[list[Order]]] = []
    while decisions > 0:
        number = len(recorded)
        matches, chance = Matches(SETTINGS, [SEED + number]), np.array([[number + 1]])
        recorded.append([])
        while decisions > 0 and not matches.is_over[0]:
            numbers = matches.random_orders(chance, MOST)
            is_placement = bool(matches.is_placement[0])
            given = (
                order_of(row, matches.side, is_placement=is_placement)
                for row in numbers[0].tolist()
            )
            recorded[-1].append([order for order in given if order is not None])
            matches.play(numbers)
            decisions -= 1
    return recorded
