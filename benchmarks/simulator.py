"""The batched simulator of Slime Mind against the engine's rules, whole matches of each."""

import random
import time
from collections.abc import Callable

from benchmarks.cores import one_core
from benchmarks.boards import SEED, apply_all, start_board
from benchmarks.table import Effort, Figure, Of, Target, figure, measure_interleaved
from engine.games.slime_mind.game import SlimeMind
from engine.games.slime_mind.orders import Command
from engine.games.slime_mind.settings import Settings
from learning.slime_mind.matches import Matches
from learning.slime_mind.players import Player
from learning.slime_mind.matches import play_out

GAME = SlimeMind()
SETTINGS = Settings()
TARGETS = {Player.GLUTTON: Target.at_least(2e6, Of.OURS)}
"""Random players let the map grow full of plants, of which each draws its chance in each turn."""
MATCHES = 40
"""As many matches of the simulator are played, for a match of the engine."""


def measure(effort: Effort) -> list[Figure]:
    matches = min(MATCHES, max(2, effort.orders // 500))
    play_out(Matches(SETTINGS, [SEED]), Player.RANDOM, Player.RANDOM)  # compiled before
    figures = []
    for who in (Player.GLUTTON, Player.RANDOM):
        with one_core():
            pair = measure_interleaved(effort, _rate(who, matches), _engine_rate(effort.orders))
        figures.append(
            figure(f"simulator {who.name.lower()}", "orders/s", pair, TARGETS.get(who)).says(
                "orders a second in the simulator, one match at a time; the engine's rules"
            )
        )
    both = measure_interleaved(
        effort,
        _rate(Player.GLUTTON, matches, threads=2),
        _rate(Player.GLUTTON, matches),
    )
    figures.append(
        figure("simulator cores", "orders/s", both, Target.at_least(5e6, Of.OURS)).says(
            "the same on two cores; on one"
        )
    )
    return figures


def _rate(who: Player, count: int, *, threads: int = 1) -> Callable[[], float]:
    """Return what measures orders a second of whole matches, their maps not counted."""

    def rate() -> float:
        matches = Matches(SETTINGS, range(SEED, SEED + count))
        began = time.perf_counter()
        orders = play_out(matches, who, who, threads=threads)
        return orders / (time.perf_counter() - began)

    return rate


def _engine_rate(orders: int) -> Callable[[], float]:
    """Return what measures orders a second of the engine's rules, random orders."""

    def rate() -> float:
        commands = random.Random(SEED).choices([*Command], k=orders)
        state, streams = start_board(GAME, SETTINGS)
        played, began = 0, time.perf_counter()
        for command in commands:
            if state.ending is not None:
                break
            apply_all(state, GAME.play(state, (command,), streams))
            played += 1
        return played / (time.perf_counter() - began)

    return rate
