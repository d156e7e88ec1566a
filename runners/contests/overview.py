"""Standings, ratings and ratings over time, from reading a ledger once."""

from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec

from runners.contests.ledger import Ledger, LedgerEntry
from runners.contests.standings import Standings, StandingsTally
from runners.statistics.live_ratings import Histories
from runners.statistics.pairwise_results import PairwiseResults
from runners.statistics.ratings import Rating, rate
from runners.statistics.scores import Score, SideSwappedSet


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """How a tournament stands, and how strong its entrants are."""

    standings: Standings
    ratings: tuple[Rating, ...]
    """The ratings by the numbers of the entrants."""
    histories: Histories


def overview_of(ledger: Ledger) -> Overview:
    """Read a ledger through. What was forfeited says nothing of strength."""
    field = range(len(ledger.field.entrants))
    tally, pairwise_results, histories = StandingsTally(ledger), PairwiseResults(), Histories(field)
    for swapped in side_swapped_sets(_tallied(ledger, tally)):
        pairwise_results.add(swapped)
        for score in swapped.scores:
            histories.add(score)
    return Overview(
        standings=tally.standings(),
        ratings=rate(pairwise_results, field).ratings,
        histories=histories,
    )


def _tallied(entries: Iterable[LedgerEntry], tally: StandingsTally) -> Iterator[LedgerEntry]:
    for entry in entries:
        tally.add(entry)
        yield entry


def side_swapped_sets(entries: Iterable[LedgerEntry]) -> Iterator[SideSwappedSet]:
    """Yield the matches that were played, map by map: those of a map stand together."""
    for (_, seed), of_map in groupby(entries, lambda e: (e.pairing.place, e.fixture.seed)):
        scores = tuple(
            Score(entry.fixture.seats, entry.result.scores, entry.result.groups)
            for entry in of_map
            if entry.result is not None
        )
        if scores:
            yield SideSwappedSet(seed, scores)
