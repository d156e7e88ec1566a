"""Strengths with their uncertainty: a bootstrap over mirrored sets."""

from collections.abc import Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from runners.bradley_terry import Floats, Pairings, Prior, fit
from runners.elo import NATURAL
from runners.meetings import Meetings, Table, table_of

PRIOR_ELO = 500.0
"""Standard deviation of what was possible before any result, around what came out.

Without it a round that makes somebody unbeaten would have no end, and equal results would make
an interval without width. It weighs as much as half a match.
"""
PRECISION = (NATURAL / PRIOR_ELO) ** 2
BATCH_CELLS = 2**20
"""Numbers in the largest array of a batch of fits: 8 MiB."""


class Strengths(msgspec.Struct, frozen=True, kw_only=True):
    """Of entrants who are all linked by points taken. Units: natural (see bradley_terry.py)."""

    entrants: tuple[int, ...]
    best: Floats
    """Of highest likelihood; the mean is 0. Shape: (entrants,)."""
    rounds: Floats
    """As they might have come out too. Shape: (rounds, entrants)."""

    def seen_from(self, entrant: int) -> "Strengths":
        """The same with one of them at 0, in every round."""
        place = self.entrants.index(entrant)
        return Strengths(
            entrants=self.entrants,
            best=self.best - self.best[place],
            rounds=self.rounds - self.rounds[:, [place]],
        )

    def of_each(self) -> dict[int, float]:
        return dict(zip(self.entrants, self.best.tolist(), strict=True))


def strengths_of(
    meetings: Meetings, group: tuple[int, ...], *, rounds: int, seed: int
) -> Strengths:
    """Fit the results of a group, and each round as many sets again, drawn with replacement.

    Each round also draws where its prior has its centre ("randomize, then optimize"), which
    for normal laws is a draw from the posterior.
    Source: B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapter 6;
    J. M. Bardsley et al., Randomize-then-optimize, SIAM J. Sci. Comput. 36 (2014).
    """
    if len(group) == 1:
        return Strengths(entrants=group, best=np.zeros(1), rounds=np.zeros((rounds, 1)))
    table = table_of(meetings, group)
    pairings = Pairings(len(group), table.first, table.second)
    best = fit(pairings, *table.totals(table.counts[None]))
    chance = np.random.default_rng(seed)
    fits = [np.empty((0, len(group)))]
    for batch in _batches(table, rounds):
        drawn = table.totals(_drawn(table, batch, chance))
        fits.append(fit(pairings, *drawn, _prior(best, batch, chance)))
    return Strengths(entrants=table.entrants, best=best[0], rounds=np.concatenate(fits))


def _batches(table: Table, rounds: int) -> Iterator[int]:
    largest = max(len(table.entrants) ** 2, len(table.outcome), int(table.counts.sum()))
    size = max(1, BATCH_CELLS // largest)
    for first in range(0, rounds, size):
        yield min(size, rounds - first)


def _drawn(table: Table, batch: int, chance: np.random.Generator) -> NDArray[np.intp]:
    """How often each outcome comes in each round. Shape: (batch, outcomes)."""
    outcomes = len(table.counts)
    of_set = np.repeat(np.arange(outcomes), table.counts)
    drawn = of_set[chance.integers(0, len(of_set), size=(batch, len(of_set)))]
    drawn += np.arange(batch)[:, None] * outcomes
    return np.bincount(drawn.ravel(), minlength=batch * outcomes).reshape(batch, outcomes)


def _prior(best: Floats, batch: int, chance: np.random.Generator) -> Prior:
    noise = chance.standard_normal((batch, best.size)) / np.sqrt(PRECISION)
    return Prior(best + noise - noise.mean(axis=1, keepdims=True), PRECISION)
