"""Published ratings with intervals, from results; pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import StrEnum

import msgspec

from engine.support.lazy_import import lazy_imports
from runners.graphs import connected_components
from runners.statistics.elo import ELO_PER_NATURAL_UNIT
from runners.statistics.scores import Pair, PairwiseResults, Total

with lazy_imports():  # it needs numpy, and who shows ratings has no need of that
    from runners.statistics import resampling

MEAN_RATING = 1500.0
"""What the rated have on average, where no bot is the anchor."""
ROUNDS = 1_000
"""Rounds of the bootstrap."""
RATING_DIGITS = 2
"""Ratings are rounded to so many digits: more say nothing, and may differ between machines."""
Z_95 = 1.959963984540054
"""Half the width of a 95 % interval of the normal distribution, in standard deviations."""


class RatingKind(StrEnum):
    """What a rating says."""

    RATED = "rated"
    WON_ALL = "won all"
    """It never dropped a point: results set it no upper limit."""
    LOST_ALL = "lost all"
    """It never took a point: results set it no lower limit."""
    NOT_COMPARABLE = "not yet comparable"
    """No matches link it to those who are rated."""


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """What the results say about an entrant."""

    entrant: int
    kind: RatingKind
    elo: float | None
    """None where it is not yet comparable."""
    low: float | None
    """The 95 % interval; None on a side that has no limit."""
    high: float | None
    points: float
    games: int
    """Matches; one with more than two teams counts once for each opponent."""


class Anchor(msgspec.Struct, frozen=True):
    """A bot that has a fixed figure."""

    entrant: int
    elo: float = MEAN_RATING


class Ratings(msgspec.Struct, frozen=True, kw_only=True):
    """The ratings of a field, by the numbers of the entrants."""

    ratings: tuple[Rating, ...]
    anchor: Anchor | None
    """None where the mean of those who can be compared is 1500: no anchor was wanted, or it
    is not one of them."""

    def ranking(self) -> list[Rating]:
        """Return all ratings, the highest first, those without a figure last; then by number."""
        return sorted(
            self.ratings,
            key=lambda rating: (rating.elo is None, -(rating.elo or 0.0), rating.entrant),
        )


def rate(
    pairwise_results: PairwiseResults,
    entrants: Iterable[int] = (),
    *,
    anchor: Anchor | None = None,
    rounds: int = ROUNDS,
    seed: int = 0,
) -> Ratings:
    """Rate all who met, and `entrants` whether they met anybody or not.

    Bradley-Terry over all matches, draws as half a win, with 95 % intervals from a bootstrap
    over side-swapped sets. The same results give the same figures, whatever order they came in.
    """
    totals = pairwise_results.totals()
    records, figures, used = _count_records(totals), dict[int, _Figure](), None
    if field := largest_linked_group(totals):
        strengths = resampling.fit_strengths(pairwise_results, field, rounds=rounds, seed=seed)
        if anchor is not None and anchor.entrant in field:
            used, strengths = anchor, strengths.relative_to(anchor.entrant)
        figures = _fit_figures(strengths, MEAN_RATING if used is None else used.elo)
    return Ratings(
        anchor=used,
        ratings=tuple(
            _make_rating(who, figures.get(who), records[who])
            for who in sorted({*records, *entrants})
        ),
    )


def largest_linked_group(met: Iterable[Pair]) -> tuple[int, ...]:
    """Return the largest group of entrants whom matches link, directly or by way of others.

    Of equally large ones the one with the lowest number in it; nobody where nobody met. Between
    such groups results say nothing.
    """
    pairs = sorted(set(met))
    field = sorted({entrant for pair in pairs for entrant in pair})
    groups = map(tuple, connected_components(field, pairs))
    return max(groups, key=lambda group: (len(group), -group[0]), default=())


class _Figure(msgspec.Struct, frozen=True):
    """A strength with its interval, Elo."""

    best: float
    low: float
    high: float


class _Record(msgspec.Struct):
    points: float = 0.0
    games: int = 0

    @property
    def kind(self) -> RatingKind:
        """Return what is known of an entrant that can be compared."""
        ends = {0.0: RatingKind.LOST_ALL, float(self.games): RatingKind.WON_ALL}
        return ends.get(self.points, RatingKind.RATED)


def _count_records(totals: Mapping[Pair, Total]) -> dict[int, _Record]:
    """Return what everybody won in how many matches."""
    records: dict[int, _Record] = defaultdict(_Record)
    for (one, other), total in totals.items():
        for who, points in ((one, total.points), (other, total.games - total.points)):
            records[who].points += points
            records[who].games += total.games
    return records


def _fit_figures(strengths: "resampling.Strengths", middle: float) -> dict[int, _Figure]:
    """Return the best fit, with 1.96 standard deviations of the rounds around it.

    Percentiles of the rounds would do for many matches; of few they held the truth in as
    little as 88 % of simulated tournaments.
    """
    import numpy as np  # not above: see there

    best = middle + ELO_PER_NATURAL_UNIT * strengths.best
    spread = ELO_PER_NATURAL_UNIT * np.maximum(Z_95 * strengths.rounds.std(axis=0), strengths.reach)
    columns = np.round([best, best - spread, best + spread], RATING_DIGITS).T.tolist()
    return {who: _Figure(*own) for who, own in zip(strengths.entrants, columns, strict=True)}


def _make_rating(entrant: int, figure: _Figure | None, record: _Record) -> Rating:
    kind = RatingKind.NOT_COMPARABLE if figure is None else record.kind
    return Rating(
        entrant=entrant,
        kind=kind,
        elo=None if figure is None else figure.best,
        low=None if figure is None or kind is RatingKind.LOST_ALL else figure.low,
        high=None if figure is None or kind is RatingKind.WON_ALL else figure.high,
        points=record.points,
        games=record.games,
    )
