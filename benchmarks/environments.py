"""The environment of Smack!, which has the most actions, against the rules on their own."""

import random
import time
from collections.abc import Callable

import numpy as np

from benchmarks.cores import one_core
from benchmarks.boards import SEED, apply_all, start_board
from benchmarks.table import Effort, Figure, Of, Target, figure, measure_interleaved
from engine.games.smack.game import Smack
from engine.games.smack.settings import Settings
from learning.match_env import MatchEnv

GAME = Smack()


def measure(effort: Effort) -> list[Figure]:
    steps = max(1_000, effort.orders // 10)
    with one_core():
        pair = measure_interleaved(effort, lambda: _steps_a_second(steps), _rules(steps))
    return [
        figure("environment smack", "steps/s", pair, Target.at_least(5_400, Of.OURS)).says(
            "steps a CPU second, random moves; the rules alone with the orders they list"
        )
    ]


def _steps_a_second(steps: int) -> float:
    """Return how fast an observation, a mask and a move follow each other."""
    env, chance = MatchEnv("smack"), np.random.default_rng(SEED)
    env.reset(seed=SEED)
    began = time.process_time()
    for seed in range(steps):
        if env.match.is_over:
            env.reset(seed=seed)
        env.last()
        env.step(chance.choice(env.legal_actions))
    return steps / (time.process_time() - began)


def _rules(steps: int) -> Callable[[], float]:
    def rate() -> float:
        chance, played, seed = random.Random(SEED), 0, SEED
        began = time.process_time()
        while played < steps:
            state, streams = start_board(GAME, Settings(), seed)
            seed += 1
            while state.ending is None and played < steps:
                listed = [GAME.legal_orders(state, ask) for ask in GAME.asks(state)]
                # The first half of what is listed: without an offer to end.
                orders = [chance.choice(orders[: len(orders) // 2]) for orders in listed]
                apply_all(state, GAME.play(state, orders, streams))
                played += len(orders)
        return played / (time.process_time() - began)

    return rate
