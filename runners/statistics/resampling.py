"""Strengths with their uncertainty: a bootstrap over side-swapped sets."""

from collections.abc import Iterable, Iterator
from math import log

import msgspec
import numpy as np
from numpy.typing import NDArray

from runners.statistics.bradley_terry import fit
from runners.statistics.comparisons import (
    Comparisons,
    Floats,
    PairwiseTable,
    Prior,
    make_pairwise_table,
)
from runners.statistics.scores import PairwiseResults

PRIOR_DRAWS = 0.5
"""Matches that everybody is held to have drawn with an average bot, beside all that was played.

Without them there would be no end to the strength of who never dropped a point. Programs that
rate chess engines and Go players do the same. A whole match would be too much where a few far
better bots won nearly all: intervals held the truth in 92 % of simulated tournaments.
Source: R. Coulom, bayeselo; Whole-history rating, Computers and Games (2008).
"""
SUPPOSED_SETS = 0.5
"""Sets of each entrant that a round supposes instead of drawing them from those that were played.

A few results that are equal by chance would make an interval of next to no width: two bots who
shared both of two pairs would be known to 15 Elo. A supposed set is swept by one side, which is
the most that a map can do to it. What it gives: `python3 -m benchmarks.audits interval_coverage`.
"""
TAIL_PROBABILITY = 0.025
"""What is beyond either end of a 95 % interval."""
HALVINGS = 40
BATCH_CELLS = 2**20
"""Numbers in the largest array of a batch of rounds: 8 MiB.

What is drawn depends on it: with another one the same results would have other intervals.
"""


class Strengths(msgspec.Struct, frozen=True, kw_only=True):
    """Strengths of entrants who are all linked by matches. Units: natural (bradley_terry.py)."""

    entrants: tuple[int, ...]
    best: Floats
    """The likeliest; the mean is 0. Shape: (entrants,)."""
    rounds: Floats
    """The strengths of each bootstrap round. Shape: (rounds, entrants)."""
    reach: Floats
    """How far the truth may be from `best` of who won all matches, or lost all; 0 of the others.

    Rounds drawn from such results cannot show it. Shape: (entrants,).
    """

    def relative_to(self, entrant: int) -> "Strengths":
        """Return the same with one of them at 0, in every round."""
        index, size = self.entrants.index(entrant), len(self.entrants)
        # The mean no longer moves along, and who is at 0 may be as far off as the other.
        reach = np.maximum(self.reach, self.reach[index]) * size / (size - 1)
        reach[index] = 0
        return Strengths(
            entrants=self.entrants,
            best=self.best - self.best[index],
            rounds=self.rounds - self.rounds[:, [index]],
            reach=reach,
        )


def fit_strengths(
    pairwise_results: PairwiseResults, group: tuple[int, ...], *, rounds: int, seed: int
) -> Strengths:
    """Fit the results of a group, and each round as many sets again, drawn with replacement.

    The prior of everybody has new weights in each round, too, so that
    rounds differ where results do not: who won all matches won the drawn ones, too. A few of a
    round's sets are supposed ones.
    Source: B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapter 6;
    E. Fong, S. Lyddon, C. Holmes, Scalable nonparametric sampling from multimodal posteriors
    with the posterior bootstrap, ICML 2019.
    """
    table = make_pairwise_table(pairwise_results, group)
    pairings = Comparisons(len(group), table.first, table.second)
    half = np.full((1, len(group)), PRIOR_DRAWS / 2)
    best = fit(pairings, *table.totals(table.counts[None]), Prior(half, half))
    supposed = _make_supposed(table, best[0])
    chance = np.random.default_rng(seed)
    fits = [np.empty((0, len(group)))]
    for points, games, *prior in _merge_small_batches(_fit_draws(table, supposed, rounds, chance)):
        fits.append(fit(pairings, points, games, Prior(*prior), np.tile(best, (len(points), 1))))
    return Strengths(
        entrants=table.entrants,
        best=_center_rows(best)[0],
        rounds=_center_rows(np.concatenate(fits)),
        reach=_compute_reach(table, best[0]),
    )


def _center_rows(strengths: Floats) -> Floats:
    return np.asarray(strengths - strengths.mean(axis=1, keepdims=True))


Draws = tuple[Floats, Floats, Floats, Floats]
"""Points and games of each pairing, what the prior won and what it lost; a row for each round."""


def _fit_draws(
    table: PairwiseTable, supposed: "Supposed", rounds: int, chance: np.random.Generator
) -> Iterator[Draws]:
    """Yield what rounds fit, in batches."""
    for batch in _batch_sizes(table, rounds):
        points, games = _draw_outcomes(table, supposed, batch, chance)
        won, lost = chance.exponential(PRIOR_DRAWS / 2, (2, batch, len(table.entrants)))
        yield points, games, won, lost


def _merge_small_batches(batches: Iterable[Draws]) -> Iterator[Draws]:
    """Yield batches together that are small to fit, as those of a large field are."""
    waiting: list[Draws] = []
    for batch in batches:
        waiting.append(batch)
        sides = 2 * batch[0].shape[1]
        if sum(len(points) for points, *_ in waiting) * sides >= BATCH_CELLS:
            yield _concatenate_draws(waiting)
            waiting = []
    if waiting:
        yield _concatenate_draws(waiting)


def _concatenate_draws(batches: list[Draws]) -> Draws:
    points, games, won, lost = (np.concatenate(each) for each in zip(*batches, strict=True))
    return points, games, won, lost


def _batch_sizes(table: PairwiseTable, rounds: int) -> Iterator[int]:
    largest = max(len(table.entrants) ** 2, len(table.outcome), int(table.counts.sum()))
    size = max(1, BATCH_CELLS // largest)
    for first in range(0, rounds, size):
        yield min(size, rounds - first)


class Supposed(msgspec.Struct, frozen=True):
    """Sets that rounds suppose: each of a pairing, and swept by one side."""

    share: float
    """How many of the sets of a round."""
    pairings: float
    """Supposed for each played set that is left out: as many as such a set tells about."""
    up_to: Floats
    """How often it is this pairing or one before. Shape: (pairings,)."""
    won: Floats
    """How often `first` sweeps it. Shape: (pairings,)."""
    games: Floats
    """Matches in it. Shape: (pairings,)."""


def _make_supposed(table: PairwiseTable, best: Floats) -> Supposed:
    """Return SUPPOSED sets of each entrant, with those it met, as the fit expects them."""
    sets, played = table.sets, table.sets_per_entrant
    weights = SUPPOSED_SETS * sets * (1 / played[table.first] + 1 / played[table.second]) / 2
    per_set = float(sets.sum() / table.counts.sum())
    added = float(weights.sum()) / per_set
    _, games = table.totals(table.counts)
    return Supposed(
        share=added / (added + float(table.counts.sum())),
        pairings=per_set,
        up_to=weights.cumsum() / weights.sum(),
        won=1 / (1 + np.exp(best[table.second] - best[table.first])),
        games=games / sets,
    )


def _draw_outcomes(
    table: PairwiseTable, supposed: Supposed, batch: int, chance: np.random.Generator
) -> tuple[Floats, Floats]:
    """Return points of `first` and games of each pairing in each round: (batch, pairings)."""
    outcomes, sets = len(table.counts), int(table.counts.sum())
    left_out = chance.binomial(sets, supposed.share, size=batch)
    of_set = np.repeat(np.arange(outcomes), table.counts)
    drawn = of_set[chance.integers(0, sets, size=(batch, sets), dtype=np.uint32)]
    drawn[np.arange(sets) < left_out[:, None]] = outcomes  # an outcome that counts for nothing
    drawn += np.arange(batch)[:, None] * (outcomes + 1)
    often = np.bincount(drawn.ravel(), minlength=batch * (outcomes + 1))
    points, games = table.totals(often.reshape(batch, outcomes + 1)[:, :-1])
    _add_supposed_sets(supposed, left_out, points, games, chance)
    return points, games


def _add_supposed_sets(
    supposed: Supposed,
    left_out: NDArray[np.intp],
    points: Floats,
    games: Floats,
    chance: np.random.Generator,
) -> None:
    """Add supposed sets for those that each round has left out."""
    rounds = np.repeat(np.arange(len(left_out)), np.rint(left_out * supposed.pairings).astype(int))
    pairings = np.searchsorted(supposed.up_to, chance.random(len(rounds)), side="right")
    pairings = np.minimum(pairings, len(supposed.up_to) - 1)
    is_won = chance.random(len(rounds)) < supposed.won[pairings]
    np.add.at(games, (rounds, pairings), supposed.games[pairings])
    np.add.at(points, (rounds, pairings), supposed.games[pairings] * is_won)


def _compute_reach(table: PairwiseTable, best: Floats) -> Floats:
    """Return by how much each who won all (lost all) may be weaker (stronger) than it seems.

    So much that all its sets would have come out so in UNLIKELY of all cases. As a map may
    decide a whole set, that is the trial: the strength p^n = UNLIKELY of Clopper and Pearson.
    """
    points, games = table.totals(table.counts)
    size = len(table.entrants)
    won = np.bincount(table.first, points, size) + np.bincount(table.second, games - points, size)
    all_of = np.bincount(table.first, games, size) + np.bincount(table.second, games, size)
    sets, played, reach = table.sets, table.sets_per_entrant, np.zeros(size)
    for index in np.flatnonzero((won == 0) | (won == all_of)):
        is_own = (table.first == index) | (table.second == index)
        others = (table.first + table.second - index)[is_own]
        leads = (best[index] - best[others]) * (1 if won[index] else -1)
        weights = sets[is_own] * played[index] / sets[is_own].sum()
        # The mean of all moves along with one of them.
        reach[index] = _spare_lead(leads, weights) * (size - 1) / size
    return reach


def _spare_lead(leads: Floats, sets: Floats) -> float:
    """Return how much smaller leads make it UNLIKELY that all these sets were won.

    Shape: both (opponents,).
    """
    low, high = 0.0, 1.0
    while _log_chance(leads - high, sets) > log(TAIL_PROBABILITY):
        low, high = high, 2 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_likely = _log_chance(leads - middle, sets) > log(TAIL_PROBABILITY)
        low, high = (middle, high) if is_likely else (low, middle)
    return low


def _log_chance(leads: Floats, sets: Floats) -> float:
    """Return the log-probability of winning all sets with these leads."""
    return -float(sets @ np.logaddexp(0, -leads))
