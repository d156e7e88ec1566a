"""How long a field waits for its ratings: everybody against everybody, intervals and all."""

import time
from collections.abc import Callable
from itertools import combinations
from typing import TypeVar

import numpy as np

from benchmarks.cores import one_core
from benchmarks.table import Effort, Figure, Target
from runners.meetings import Meetings
from runners.ratings import Kind, rate
from runners.scores import MirroredSet, Score

T = TypeVar("T")
BOTS = 200
PAIRS = 5
"""Mirrored pairs of each two bots."""
ROUNDS = 1_000
SEED = 1


def measure(effort: Effort) -> list[Figure]:
    """Of a smaller field where calls are few."""
    part = min(1.0, effort.calls / 100)
    bots, rounds = max(4, round(BOTS * part)), max(10, round(ROUNDS * part))
    matches = bots * (bots - 1) * PAIRS
    with one_core():
        meetings, counting_s = _timed(lambda: round_robin(bots))
        ratings, rating_s = _timed(lambda: rate(meetings, rounds=rounds))
        _, drawing_s = _timed(lambda: draw(matches // 2, rounds))
    assert any(rating.kind is Kind.RATED for rating in ratings.ratings)
    return [
        Figure(
            name="ratings",
            what=f"{bots} bots rated by {matches} matches, {rounds} rounds; only to draw them",
            unit="s",
            ours=rating_s,
            reference=drawing_s,
            target=Target.at_most(60),
        ),
        Figure(
            name="ratings count",
            what="to make a mirrored pair and count it",
            unit="us",
            ours=counting_s / (matches / 2) * 1e6,
        ),
    ]


def draw(sets: int, rounds: int) -> None:
    """What a bootstrap costs at the very least."""
    chance = np.random.default_rng(SEED)
    for _ in range(rounds):
        np.bincount(chance.integers(0, sets, size=sets), minlength=sets)


def round_robin(bots: int) -> Meetings:
    """Of bots of known strengths; matches of a pair are independent, and none is drawn."""
    chance = np.random.default_rng(SEED)
    strengths = chance.normal(size=bots)
    meetings = Meetings()
    for one, other in combinations(range(bots), 2):
        share = 1 / (1 + np.exp(strengths[other] - strengths[one]))
        for seed, (first, second) in enumerate((chance.random((PAIRS, 2)) < share).tolist()):
            meetings.add(
                MirroredSet(
                    seed,
                    (
                        Score((one, other), (first, not first)),
                        Score((other, one), (not second, second)),
                    ),
                )
            )
    return meetings


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    """What comes out, and its CPU seconds."""
    began = time.process_time()
    return work(), time.process_time() - began
