"""The time to rate a field in which everybody met everybody, and a ladder, with intervals."""

import time
from collections.abc import Callable, Iterable
from itertools import combinations
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.cores import one_core
from benchmarks.table import Effort, Figure, Pair, Target, figure
from runners.statistics.scores import PairwiseResults
from runners.statistics.ratings import RatingKind, rate
from runners.statistics.scores import SideSwappedSet, Score
from runners.contests.ladder_ratings import MIN_ROUNDS

T = TypeVar("T")
BOTS = 200
PAIRS = 5
"""Mirrored pairs of each two bots."""
ROUNDS = 1_000
SEED = 1
LADDER_BOTS, LADDER_SETS = 1_000, 5
"""A ladder: each bot asks so many others to a side-swapped pair, as its placement does."""
LADDER_ROUNDS = MIN_ROUNDS
SOLVED = 5
"""Matrices that are solved to tell the time of one."""


def measure(effort: Effort) -> list[Figure]:
    """Measure ratings, of smaller fields in a quick run."""
    part = min(1.0, effort.calls / 100)
    bots, rounds = max(4, round(BOTS * part)), max(10, round(ROUNDS * part))
    matches = bots * (bots - 1) * PAIRS
    with one_core():
        pairwise_results, counting_s = _measure(lambda: round_robin(bots))
        ratings, rating_s = _measure(lambda: rate(pairwise_results, rounds=rounds))
        _, drawing_s = _measure(lambda: draw(matches // 2, rounds))
    assert any(rating.kind is RatingKind.RATED for rating in ratings.ratings)
    return [
        figure("ratings", "s", Pair(rating_s, drawing_s), Target.at_most(60)).says(
            f"{bots} bots rated by {matches} matches, {rounds} rounds; only to draw them"
        ),
        figure("ratings count", "us", counting_s / (matches / 2) * 1e6).says(
            "to make a side-swapped pair and count it"
        ),
        measure_ladder(max(20, round(LADDER_BOTS * part))),
    ]


def measure_ladder(bots: int) -> Figure:
    """Return the time to rate a ladder, of whose bots few met."""
    with one_core():
        pairwise_results = ladder(bots)
        ratings, rating_s = _measure(lambda: rate(pairwise_results, rounds=LADDER_ROUNDS))
        _, solving_s = _measure(lambda: solve(bots))
    assert len(ratings.ratings) == bots
    return figure(
        "ratings ladder", "s", Pair(rating_s, solving_s / SOLVED * LADDER_ROUNDS), Target.at_most(1)
    ).says(
        f"{bots} bots rated by {2 * LADDER_SETS * bots} matches, {LADDER_ROUNDS} rounds; "
        "to solve a matrix of their size for each round"
    )


def solve(size: int) -> None:
    """Solve matrices as Newton's method does that fits whole ones, a few for each round."""
    chance = np.random.default_rng(SEED)
    matrix, wanted = chance.random((size, size)) + size * np.eye(size), chance.random(size)
    for _ in range(SOLVED):
        np.linalg.solve(matrix, wanted)


def draw(sets: int, rounds: int) -> None:
    """Draw as a bootstrap must: its lower bound."""
    chance = np.random.default_rng(SEED)
    for _ in range(rounds):
        np.bincount(chance.integers(0, sets, size=sets), minlength=sets)


def round_robin(bots: int) -> PairwiseResults:
    """Return the results of bots of known strengths; matches are independent, without draws."""
    chance = np.random.default_rng(SEED)
    met = [pair for pair in combinations(range(bots), 2) for _ in range(PAIRS)]
    return _play_pairs(met, chance.normal(size=bots), chance)


def ladder(bots: int) -> PairwiseResults:
    """Return the same of bots who met few others each: here any, on a ladder some of each rank."""
    chance = np.random.default_rng(SEED)
    strengths = chance.normal(size=bots)
    away = chance.integers(1, bots, size=(bots, LADDER_SETS))
    met = [(one, (one + other) % bots) for one in range(bots) for other in away[one].tolist()]
    return _play_pairs(met, strengths, chance)


def _play_pairs(
    met: Iterable[tuple[int, int]], strengths: NDArray[np.float64], chance: np.random.Generator
) -> PairwiseResults:
    """Return the results of a side-swapped pair of each two."""
    pairwise_results = PairwiseResults()
    for seed, (one, other) in enumerate(met):
        share = 1 / (1 + np.exp(strengths[other] - strengths[one]))
        first, second = (chance.random(2) < share).tolist()
        scores = (
            Score((one, other), (first, not first)),
            Score((other, one), (not second, second)),
        )
        pairwise_results.add(SideSwappedSet(seed, scores))
    return pairwise_results


def _measure(work: Callable[[], T]) -> tuple[T, float]:
    """Return a function's result and its CPU time, s."""
    began = time.process_time()
    return work(), time.process_time() - began
