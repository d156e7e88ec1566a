"""The batched simulator of Smack! against the engine's rules, whole matches of each."""

import random
import time

import numpy as np

from benchmarks.boards import SEED, apply_all, begun
from benchmarks.cores import one_core
from benchmarks.table import Effort, Figure, Target, figure, interleaved
from engine.games.smack.game import Smack
from engine.games.smack.orders import Order
from engine.games.smack.settings import Settings
from learning.encodings.smack import action_of
from learning.smack.layout import NO_ORDER
from learning.smack.matches import Matches
from learning.smack.play_out import play_out
from learning.smack.players import Player

GAME = Smack()
SETTINGS = Settings()
MATCHES = 40
"""As many matches of the simulator are played, for a match of the engine."""
Rounds = list[dict[int, Order]]
"""The orders of a match: by board, in each round."""


def measure(effort: Effort) -> list[Figure]:
    count = min(MATCHES, max(2, effort.orders // 500))
    rounds, _ = _drawn(effort.orders)
    play_out(Matches(SETTINGS, [SEED]), Player.RANDOM, Player.RANDOM)  # compiled before
    _replayed_in_arrays(rounds[:1], 1)
    with one_core():
        drawn = interleaved(
            effort, lambda: _drawn_in_arrays(count), lambda: _drawn(effort.orders)[1]
        )
        replayed = interleaved(
            effort, lambda: _replayed_in_arrays(rounds, count), lambda: _replayed(rounds)
        )
    return [
        figure("simulator smack", "orders/s", drawn, Target.at_least(10)).says(
            "orders a second in the simulator of Smack!, drawn from all moves; the engine's rules"
        ),
        figure("simulator replayed", "orders/s", replayed, Target.at_least(10)).says(
            "the same with orders that are given, so that nothing lists moves"
        ),
    ]


def _drawn_in_arrays(count: int) -> float:
    """Return the orders a second of whole matches, drawn from all legal ones."""
    matches = Matches(SETTINGS, range(SEED, SEED + count))
    began = time.perf_counter()
    orders = play_out(matches, Player.RANDOM, Player.RANDOM)
    return orders / (time.perf_counter() - began)


def _drawn(most: int) -> tuple[Rounds, float]:
    """Draw the orders of a match by the engine; return them, and how many it were a second."""
    dice, rounds, played = random.Random(SEED), Rounds(), 0
    state, streams = begun(GAME, SETTINGS)
    began = time.perf_counter()
    while state.ending is None and played < most:
        orders = {
            half.number: Order(str(dice.choice(half.position.moves())))
            for half in state.open_halves
        }
        apply_all(state, GAME.play(state, [*orders.values()], streams))
        rounds.append(orders)
        played += len(orders)
    return rounds, played / (time.perf_counter() - began)


def _replayed_in_arrays(rounds: Rounds, count: int) -> float:
    """Return the orders a second when so many matches are given the same ones."""
    given = [np.tile(_numbers_of(orders), (count, 1)) for orders in rounds]
    matches = Matches(SETTINGS, range(SEED, SEED + count))
    began = time.perf_counter()
    for orders in given:
        matches.play(orders)
    return count * sum(map(len, rounds)) / (time.perf_counter() - began)


def _numbers_of(orders: dict[int, Order]) -> list[int]:
    return [action_of(orders[board]) if board in orders else NO_ORDER for board in (1, 2)]


def _replayed(rounds: Rounds) -> float:
    """Return the orders a second of the engine's rules for a match with these."""
    state, streams = begun(GAME, SETTINGS)
    began = time.perf_counter()
    for orders in rounds:
        apply_all(state, GAME.play(state, [*orders.values()], streams))
    return sum(map(len, rounds)) / (time.perf_counter() - began)
