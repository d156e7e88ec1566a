"""The time to rate a field in which everybody met everybody, with intervals."""

import time
from collections.abc import Callable
from itertools import combinations
from typing import TypeVar

import numpy as np

from benchmarks.cores import one_core
from benchmarks.table import Effort, Figure, Target
from runners.statistics.pairwise_results import PairwiseResults
from runners.statistics.ratings import RatingKind, rate
from runners.statistics.scores import SideSwappedSet, Score

T = TypeVar("T")
BOTS = 200
PAIRS = 5
"""Mirrored pairs of each two bots."""
ROUNDS = 1_000
SEED = 1


def measure(effort: Effort) -> list[Figure]:
    """Measure ratings, of a smaller field in a quick run."""
    part = min(1.0, effort.calls / 100)
    bots, rounds = max(4, round(BOTS * part)), max(10, round(ROUNDS * part))
    matches = bots * (bots - 1) * PAIRS
    with one_core():
        pairwise_results, counting_s = _timed(lambda: round_robin(bots))
        ratings, rating_s = _timed(lambda: rate(pairwise_results, rounds=rounds))
        _, drawing_s = _timed(lambda: draw(matches // 2, rounds))
    assert any(rating.kind is RatingKind.RATED for rating in ratings.ratings)
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
            what="to make a side-swapped pair and count it",
            unit="us",
            ours=counting_s / (matches / 2) * 1e6,
        ),
    ]


def draw(sets: int, rounds: int) -> None:
    """Draw as a bootstrap must: its lower bound."""
    chance = np.random.default_rng(SEED)
    for _ in range(rounds):
        np.bincount(chance.integers(0, sets, size=sets), minlength=sets)


def round_robin(bots: int) -> PairwiseResults:
    """Return the results of bots of known strengths; matches are independent, without draws."""
    chance = np.random.default_rng(SEED)
    strengths = chance.normal(size=bots)
    pairwise_results = PairwiseResults()
    for one, other in combinations(range(bots), 2):
        share = 1 / (1 + np.exp(strengths[other] - strengths[one]))
        for seed, (first, second) in enumerate((chance.random((PAIRS, 2)) < share).tolist()):
            pairwise_results.add(
                SideSwappedSet(
                    seed,
                    (
                        Score((one, other), (first, not first)),
                        Score((other, one), (not second, second)),
                    ),
                )
            )
    return pairwise_results


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return a function's result and its CPU time, s."""
    began = time.process_time()
    return work(), time.process_time() - began
