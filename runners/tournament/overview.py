"""All that follows from a ledger, read once: standings, ratings, and ratings over time."""

from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec

from runners.histories import Histories
from runners.meetings import Meetings
from runners.ratings import Rating, rate
from runners.scores import MirroredSet, Score
from runners.tournament.ledger import Entry, Ledger
from runners.tournament.standings import Standings, Tally


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """How a tournament stands, and how strong its entrants are."""

    standings: Standings
    ratings: tuple[Rating, ...]
    """By the numbers of the entrants."""
    histories: Histories


def overview_of(ledger: Ledger) -> Overview:
    """Read a ledger through. What was forfeited says nothing of strength."""
    field = range(len(ledger.field.members))
    tally, meetings, histories = Tally(ledger), Meetings(), Histories(field)
    for mirrored in mirrored_sets(_tallied(ledger, tally)):
        meetings.add(mirrored)
        for score in mirrored.scores:
            histories.add(score)
    return Overview(
        standings=tally.standings(), ratings=rate(meetings, field).ratings, histories=histories
    )


def _tallied(entries: Iterable[Entry], tally: Tally) -> Iterator[Entry]:
    for entry in entries:
        tally.add(entry)
        yield entry


def mirrored_sets(entries: Iterable[Entry]) -> Iterator[MirroredSet]:
    """The matches that were played, map by map: those of a map stand together."""
    for (_, seed), of_map in groupby(entries, lambda e: (e.pairing.place, e.fixture.seed)):
        scores = tuple(
            Score(entry.fixture.seats, entry.result.scores)
            for entry in of_map
            if entry.result is not None
        )
        if scores:
            yield MirroredSet(seed, scores)
