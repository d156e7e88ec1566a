"""Strengths with their uncertainty: a bootstrap over mirrored sets."""

from collections.abc import Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from runners.bradley_terry import Floats, Pairings, Prior, fit
from runners.meetings import Meetings, Table, table_of

DRAWN = 0.5
"""Matches that everybody is held to have drawn with an average bot, beside all that was played.

Without them there would be no end to the strength of who never dropped a point, and equal
results would make an interval without width. Programs that rate chess engines and Go players
do the same. In simulated tournaments of four bots or more intervals then held the truth in 94
to 98 %, of two bots and two mirrored pairs in 84 %; a whole match made that 89 %, but only 92 %
where a few far better bots had won nearly all.
Source: R. Coulom, bayeselo; Whole-history rating, Computers and Games (2008).
"""
BATCH_CELLS = 2**20
"""Numbers in the largest array of a batch of fits: 8 MiB."""


class Strengths(msgspec.Struct, frozen=True, kw_only=True):
    """Of entrants who are all linked by matches. Units: natural (see bradley_terry.py)."""

    entrants: tuple[int, ...]
    best: Floats
    """The likeliest; the mean is 0. Shape: (entrants,)."""
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


def strengths_of(
    meetings: Meetings, group: tuple[int, ...], *, rounds: int, seed: int
) -> Strengths:
    """Fit the results of a group, and each round as many sets again, drawn with replacement.

    What is held of everybody before any result is weighed anew in each round, too, so that
    rounds differ where results do not: who won all matches won the drawn ones, too.
    Source: B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapter 6;
    E. Fong, S. Lyddon, C. Holmes, Scalable nonparametric sampling from multimodal posteriors
    with the posterior bootstrap, ICML 2019.
    """
    table = table_of(meetings, group)
    pairings = Pairings(len(group), table.first, table.second)
    half = np.full((1, len(group)), DRAWN / 2)
    best = fit(pairings, *table.totals(table.counts[None]), Prior(half, half))
    chance = np.random.default_rng(seed)
    fits = [np.empty((0, len(group)))]
    for batch in _batches(table, rounds):
        drawn = table.totals(_drawn(table, batch, chance))
        prior = Prior(*chance.exponential(DRAWN / 2, (2, batch, len(group))))
        fits.append(fit(pairings, *drawn, prior, np.tile(best, (batch, 1))))
    return Strengths(
        entrants=table.entrants, best=_centred(best)[0], rounds=_centred(np.concatenate(fits))
    )


def _centred(strengths: Floats) -> Floats:
    return np.asarray(strengths - strengths.mean(axis=1, keepdims=True))


def _batches(table: Table, rounds: int) -> Iterator[int]:
    largest = max(len(table.entrants) ** 2, len(table.outcome), int(table.counts.sum()))
    size = max(1, BATCH_CELLS // largest)
    for first in range(0, rounds, size):
        yield min(size, rounds - first)


def _drawn(table: Table, batch: int, chance: np.random.Generator) -> NDArray[np.intp]:
    """How often each outcome comes in each round. Shape: (batch, outcomes)."""
    outcomes = len(table.counts)
    of_set = np.repeat(np.arange(outcomes), table.counts)
    drawn = of_set[chance.integers(0, len(of_set), size=(batch, len(of_set)), dtype=np.uint32)]
    drawn += np.arange(batch)[:, None] * outcomes
    return np.bincount(drawn.ravel(), minlength=batch * outcomes).reshape(batch, outcomes)
