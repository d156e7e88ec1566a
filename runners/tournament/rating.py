"""The published rating of a tournament: of all its matches, in whatever order they were played."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from runners.meetings import Meetings
from runners.ratings import Ratings, rate
from runners.scores import MirroredSet, Score
from runners.tournament.ledger import Entry, Ledger


def ratings_of(ledger: Ledger) -> Ratings:
    """Of everybody who entered, from a ledger that is read through for it."""
    entrants = range(len(ledger.field.members))
    return rate(Meetings(mirrored_sets(ledger)), entrants)


def mirrored_sets(entries: Iterable[Entry]) -> Iterator[MirroredSet]:
    """The matches of each map of a pairing, as far as they were played; forfeits are none.

    A map's fixtures follow each other in a schedule.
    """
    by_map = groupby(entries, key=lambda entry: (entry.pairing.place, entry.fixture.seed))
    for (_, seed), matches in by_map:
        scores = tuple(
            Score(entry.fixture.seats, tuple(team.score for team in entry.result.teams))
            for entry in matches
            if entry.result is not None
        )
        if scores:
            yield MirroredSet(seed, scores)
