"""Strengths with their uncertainty: a bootstrap over side-swapped sets.

By Bradley-Terry those strengths are fitted under which results are most likely, by Newton's method.
"""

from collections.abc import Iterable, Iterator
from math import log
from typing import Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from runners.statistics.comparisons import (
    Comparisons,
    Floats,
    PairwiseTable,
    Prior,
    Sides,
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
    """Strengths of entrants who are all linked by matches. Units: natural (see fit)."""

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


MAX_STEP = 2.0
"""Newton's method overshoots where nearly everything was won; natural units."""
CLOSE_ENOUGH = 1e-4
"""The longest step after which a fit is done: as each step squares the error, what is left is
about 1e-8."""
MAX_STEPS = 100
"""Limits Newton's method, which usually takes three to eight steps; 16 where results are few."""
GRADIENT_PRECISION = 1e-4
"""The part of the gradient that a step may leave: after one below 1e-4 what is left is about 1e-8,
and ratings are those of exact steps within 0.000001 Elo."""
MAX_SOLVER_ITERATIONS = 1_000
"""Limits conjugate gradients, which usually take 10 to 40 rounds."""


def fit(
    pairings: Comparisons, points: Floats, games: Floats, prior: Prior, start: Floats | None = None
) -> Floats:
    """Return the strengths of highest posterior density.

    Shape: points (of `first`) and games (fits, pairings); strengths, and where to start looking
    for them (fits, entrants).
    Units: natural: who is stronger by x wins exp(x) times as often.
    Source: R. A. Bradley, M. E. Terry, Rank analysis of incomplete block designs, Biometrika
    39 (1952); draws as half a win, which is the same likelihood equation; by Newton's method.
    """
    equations = Equations.from_pairings(pairings, points, games, prior)
    strengths = np.zeros(prior.won.shape) if start is None else start.copy()
    unfinished = np.arange(len(strengths))
    for _ in range(MAX_STEPS):
        step = equations.step(strengths[unfinished])
        longest = np.abs(step).max(axis=1, initial=0.0, keepdims=True)
        damping = np.minimum(1, MAX_STEP / np.maximum(longest, CLOSE_ENOUGH))
        strengths[unfinished] += damping * step
        is_unfinished = longest[:, 0] >= CLOSE_ENOUGH
        if not is_unfinished.any():
            break
        if not is_unfinished.all():  # a copy costs more than it saves where nothing is left out
            unfinished, equations = unfinished[is_unfinished], equations.select(is_unfinished)
    return strengths


class Curvature(msgspec.Struct, frozen=True):
    """The matrix of a step: how much a stronger entrant would win more than it did."""

    sides: Sides
    weights: Floats
    """What it has between two that met, with its sign changed. Shape: (sides, fits)."""
    diagonal: Floats
    """Shape: (entrants, fits)."""

    def multiply(self, vectors: Floats, scratch: Floats) -> Floats:
        """Return its product with a vector for each fit; scratch is as large as weights."""
        np.take(vectors, self.sides.other, axis=0, out=scratch, mode="clip")
        scratch *= self.weights
        product: Floats = self.diagonal * vectors
        product -= self.sides.sum_by_entrant(scratch)
        return product

    def solve(self, wanted: Floats) -> Floats:
        """Return what times this matrix is wanted, nearly.

        Source: M. R. Hestenes, E. Stiefel, Methods of conjugate gradients for solving linear
        systems, Journal of Research of the National Bureau of Standards 49 (1952);
        preconditioned by the diagonal. The prior makes the matrix positive definite.
        """
        scratch = np.empty_like(self.weights)
        found, remaining = np.zeros_like(wanted), wanted.copy()
        direction = remaining / self.diagonal
        size = _row_dot(remaining, direction)
        enough = GRADIENT_PRECISION**2 * size
        for _ in range(MAX_SOLVER_ITERATIONS):
            is_open = size > enough
            if not is_open.any():
                break
            product = self.multiply(direction, scratch)
            length = _safe_ratio(size, _row_dot(direction, product), is_open)
            found += length * direction
            remaining -= np.multiply(length, product, out=product)
            scaled = np.divide(remaining, self.diagonal, out=product)
            former, size = size, np.where(is_open, _row_dot(remaining, scaled), size)
            direction *= _safe_ratio(size, former, is_open)
            direction += scaled
        return found


class Equations(msgspec.Struct, frozen=True):
    """The likelihood equations of some fits: everybody wins as much as expected."""

    sides: Sides
    met: Floats
    """Matches. Shape: (sides, fits)."""
    won: Floats
    """The points of each, those of the prior among them. Shape: (entrants, fits)."""
    pseudo_games: Floats
    """Shape: (entrants, fits)."""

    @classmethod
    def from_pairings(
        cls, pairings: Comparisons, points: Floats, games: Floats, prior: Prior
    ) -> Self:
        """Shape: points (of `first`) and games (fits, pairings)."""
        sides = Sides.from_pairings(pairings)
        met, of_first = games.T[sides.pairing], points.T[sides.pairing]
        won = sides.sum_by_entrant(np.where(sides.is_second[:, None], met - of_first, of_first))
        return cls(
            sides=sides,
            met=met,
            won=won + prior.won.T[sides.order],
            pseudo_games=(prior.won + prior.lost).T[sides.order],
        )

    def select(self, fits: NDArray[np.bool]) -> Self:
        """Return the equations of these fits alone."""
        columns = (array[:, fits] for array in (self.met, self.won, self.pseudo_games))
        return type(self)(self.sides, *columns)

    def step(self, strengths: Floats) -> Floats:
        """Return the step to where the gradient would vanish if the curvature stayed as it is.

        Shape: (fits, entrants), as what is fitted has it.
        """
        strength = strengths.T[self.sides.order]
        share = strength[self.sides.own] - strength[self.sides.other]
        _to_share(share)
        expected = self.met * share
        own = _to_share(strength)
        gradient = self.won - self.sides.sum_by_entrant(expected) - self.pseudo_games * own
        weights = np.multiply(expected, np.subtract(1, share, out=share), out=expected)
        diagonal = self.sides.sum_by_entrant(weights) + self.pseudo_games * own * (1 - own)
        step = np.empty_like(strengths)
        step[:, self.sides.order] = Curvature(self.sides, weights, diagonal).solve(gradient).T
        return step


def _to_share(leads: Floats) -> Floats:
    """Overwrite leads with the shares of points that they give, and return these."""
    np.exp(np.negative(leads, out=leads), out=leads)
    leads += 1
    return np.divide(1, leads, out=leads)


def _row_dot(one: Floats, other: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->j", one, other))


def _safe_ratio(one: Floats, other: Floats, is_open: NDArray[np.bool]) -> Floats:
    """Return one / other of each fit, and 0 of those that are solved."""
    return np.divide(one, other, out=np.zeros_like(one), where=is_open)
