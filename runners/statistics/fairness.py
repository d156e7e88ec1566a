"""An audit of whether seats are favored, from side-swapped sets.

What is played on one map shares its luck: a map, with all sets on it, counts as one trial.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from math import erfc, exp, gamma, isfinite, sqrt

import msgspec
import numpy as np

from engine.streams import seed_text
from runners.statistics.elo import elo_from_share
from runners.statistics.likelihood import Floats, log_likelihood_of_one, mean_interval
from runners.statistics.scores import SideSwappedSet

EVEN = 0.5
SIGNIFICANCE_LEVEL = 0.05
ROUNDED_DIGITS = 12
"""Shares are rounded to so many, as equal ones may differ in their last digits."""
MAX_NAMED_SEEDS = 10
"""Seeds that are named."""

Shares = tuple[float, ...]
"""What each seat took of the points of a set, or of all sets on a map."""


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat is worth. A share of the points of 0.5 is fair."""

    number: int
    """The team's number, from 1."""
    share: float
    """The mean over the maps."""
    low: float
    """The 95 % interval of the share."""
    high: float
    swept: int
    """Sets in which this seat won every match, whoever sat there."""

    @property
    def elo(self) -> float | None:
        """Return the advantage of this seat; None beyond all limits."""
        elo = elo_from_share(self.share)
        return elo if isfinite(elo) else None

    @property
    def elo_interval(self) -> tuple[float | None, float | None]:
        low, high = elo_from_share(self.low), elo_from_share(self.high)
        return low if isfinite(low) else None, high if isfinite(high) else None


class BiasedMap(msgspec.Struct, frozen=True, kw_only=True):
    """A map that favors a seat."""

    seed: str
    seat: int
    """The favored team, from 1."""
    share: float
    """What it took of the points."""
    sets: int
    """How many were played there."""


class Fairness(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit found."""

    sets: int
    maps: int
    matches: int
    left_out: int
    """Sets that lack a match, so that their seats cannot be told from their bots."""
    seats: tuple[Seat, ...]
    p_value: float
    """How often fair seats would differ at least so much by chance."""
    offenders: tuple[BiasedMap, ...]
    """The maps that favor a seat most, the worst first."""

    @property
    def is_fair(self) -> bool:
        """Return whether chance alone explains it. Of few maps it explains nearly everything."""
        return self.p_value >= SIGNIFICANCE_LEVEL

    @property
    def decided_by_side(self) -> int:
        """Return the number of sets in which the same seat won every match."""
        return sum(seat.swept for seat in self.seats)

    def describe(self) -> str:
        """Return the verdict as a sentence."""
        if not self.seats:
            return "nothing is known of the seats: no complete set was played"
        best = max(self.seats, key=lambda seat: seat.share)
        favor = "no team is favored beyond chance" if self.is_fair else "one team is favored"
        return (
            f"{favor}: team {best.number} took {best.share:.1%} of the points "
            f"({best.low:.1%} to {best.high:.1%}) in {self.sets} sets on {self.maps} maps, "
            f"p = {self.p_value:.2g}"
        )


class _Trials(msgspec.Struct, frozen=True):
    """What the seats took on each map."""

    shares: Floats
    """Shape: (outcomes, seats)."""
    counts: Floats
    """The number of maps on which each outcome came. Shape: (outcomes,)."""

    @property
    def seats(self) -> int:
        return int(self.shares.shape[1])

    def share(self, seat: int) -> float:
        """Return the mean over the maps."""
        return float(self.shares[:, seat] @ self.counts / self.counts.sum())


def audit_fairness(sets: Iterable[SideSwappedSet]) -> Fairness:
    """Audit side-swapped sets, or matches of bots against themselves: not both at once.

    All sets have the same number of seats. Memory grows with the seeds and with the different
    outcomes, not with the sets.
    """
    by_seed: dict[int, Counter[Shares]] = defaultdict(Counter)
    matches = left_out = 0
    for swapped in sets:
        if swapped.is_balanced:
            by_seed[swapped.seed][swapped.share_of_seats()] += 1
            matches += len(swapped.scores)
        else:
            left_out += 1
    found = sum(by_seed.values(), Counter[Shares]())
    trials = _Trials(
        *_outcome_arrays(Counter(tuple(_seat_means(of).tolist()) for of in by_seed.values()))
    )
    return Fairness(
        sets=found.total(),
        maps=len(by_seed),
        matches=matches,
        left_out=left_out,
        seats=tuple(_make_seat(index, trials, found) for index in range(trials.seats)),
        p_value=_p_value(trials),
        offenders=_biased_maps(by_seed),
    )


def _seat_means(found: Mapping[Shares, int]) -> Floats:
    """Return what each seat took of all sets together."""
    shares, counts = _outcome_arrays(found)
    return np.asarray(counts @ shares / counts.sum())


def _outcome_arrays(found: Mapping[Shares, int]) -> tuple[Floats, Floats]:
    """Return the distinct outcomes (outcomes, seats), and how often each came (outcomes,)."""
    ordered = sorted(found.items())
    seats = len(ordered[0][0]) if ordered else 0
    shares = np.array([shares for shares, _ in ordered]).reshape(len(ordered), seats)
    return shares, np.array([count for _, count in ordered], dtype=np.float64)


def _make_seat(seat: int, trials: _Trials, found: Mapping[Shares, int]) -> Seat:
    reach = _max_deviation(seat, trials)
    low, high = mean_interval(*_counts_by_value(seat, trials, reach))
    share = trials.share(seat)
    return Seat(
        number=seat + 1,
        share=share,
        # Going to the scale of the reach and back may cost the last digit.
        low=min(share, EVEN + 2 * reach * (low - EVEN)),
        high=max(share, EVEN + 2 * reach * (high - EVEN)),
        swept=sum(often for shares, often in found.items() if shares[seat] == 1),
    )


def _max_deviation(seat: int, trials: _Trials) -> float:
    """Return how far from fair a map can be: as far as one was, to either side.

    A map that is told by many sets is hardly ever swept by a seat; if that were held to be
    possible, it would explain too much.
    """
    return float(np.abs(trials.shares[:, seat] - EVEN).max()) or EVEN


def _counts_by_value(seat: int, trials: _Trials, reach: float) -> tuple[Floats, Floats]:
    """Return the values, scaled to the range that can be, with both ends; and their counts."""
    shares = EVEN + (trials.shares[:, seat] - EVEN) / (2 * reach)
    shares = shares.round(ROUNDED_DIGITS)
    values, own = np.unique(np.concatenate([shares, [0.0, 1.0]]), return_inverse=True)
    often = np.bincount(own, weights=np.concatenate([trials.counts, [0.0, 0.0]]))
    return values, often.astype(np.float64)


def _p_value(trials: _Trials) -> float:
    """Return that of no seat being favored; for two seats it agrees with their interval."""
    if trials.seats == 2:
        fair = log_likelihood_of_one(*_counts_by_value(0, trials, _max_deviation(0, trials)), EVEN)
        return chi_square_tail(max(0.0, -2 * fair), 1)
    return friedman_test(trials.shares, trials.counts)


def friedman_test(shares: Floats, counts: Floats) -> float:
    """Return how often shares, permuted over the seats of each map, would differ so much in sum.

    Shape: shares (outcomes, seats), counts (outcomes,).
    Source: M. Friedman, The use of ranks to avoid the assumption of normality implicit in the
    analysis of variance, JASA 32 (1937); with points instead of ranks, its limit for many maps.
    """
    away = shares - EVEN
    scatter = float(counts @ (away**2).sum(axis=1))
    if scatter == 0:
        return 1.0
    freedom = shares.shape[1] - 1
    return chi_square_tail(freedom * float(((counts @ away) ** 2).sum()) / scatter, freedom)


def chi_square_tail(value: float, freedom: int) -> float:
    """Return how often chi-square is at least so large.

    Source: M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, 26.4.4 and 26.4.5.
    """
    half = value / 2
    tail, lower = (erfc(sqrt(half)), 1) if freedom % 2 else (exp(-half), 2)
    for below in range(lower, freedom, 2):
        tail += exp(-half) * half ** (below / 2) / gamma(below / 2 + 1)
    return tail


def _biased_maps(by_seed: Mapping[int, Counter[Shares]]) -> tuple[BiasedMap, ...]:
    """Return the maps on which the favored seat took most beyond its due, in all sets together."""
    offenders = [_biased_map(seed, found) for seed, found in by_seed.items()]
    offenders.sort(key=lambda one: (-one.sets * (one.share - EVEN), one.seed))
    return tuple(one for one in offenders[:MAX_NAMED_SEEDS] if one.share > EVEN)


def _biased_map(seed: int, found: Mapping[Shares, int]) -> BiasedMap:
    means = _seat_means(found)
    seat = int(means.argmax())
    return BiasedMap(
        seed=seed_text(seed), seat=seat + 1, share=float(means[seat]), sets=sum(found.values())
    )
