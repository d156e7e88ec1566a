"""Matches worth watching: finals, upsets, the closest ones, and faults."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from heapq import heappush, heappushpop
from itertools import zip_longest
from math import inf

import msgspec

from engine.bots.fault import Cause
from runners.formats.bracket import is_late
from runners.store import KeptResult
from runners.tournament.ledger import Entry

BEST = 3
"""So many of the table's top, whose matches among each other are worth watching."""
UPSET = 100
"""Elo by which a winner is rated lower: it had been expected to win one in three at most."""
CLOSE = 0.1
"""Of the winner's score: so near the next one was in a close match."""


class Kind(StrEnum):
    """Why a match is worth watching."""

    FINAL = "final"
    TOP = "top"
    UPSET = "upset"
    CLOSE = "close"
    FAULT = "fault"


class Interesting(msgspec.Struct, frozen=True):
    """A match, and why it is worth watching."""

    kind: Kind
    words: str
    entry: Entry


class Interest:
    """Looks at all entries, and keeps the most interesting. Add each once."""

    def __init__(self, ranking: Sequence[int], elo: Mapping[int, float | None], most: int) -> None:
        """`ranking`: entrants, the best first; `elo`: their ratings."""
        self._most = most
        self._rank = {number: rank for rank, number in enumerate(ranking, 1)}
        self._elo = elo
        self._bests = {kind: _Best(most) for kind in Kind}
        self._fault_kinds = set[tuple[int, Cause]]()

    def add(self, entry: Entry) -> None:
        if entry.result is None:
            return
        self._add_late(entry)
        self._add_upset(entry)
        self._add_close(entry, entry.result)
        self._add_faults(entry, entry.result)

    def found(self) -> list[Interesting]:
        """Of each kind one after the other, the most interesting first; no match twice."""
        kinds = [best.found() for best in self._bests.values()]
        found: dict[str, Interesting] = {}
        for row in zip_longest(*kinds):
            for interesting in filter(None, row):
                found.setdefault(interesting.entry.key, interesting)
        return list(found.values())[: self._most]

    def _keep(self, value: float, kind: Kind, words: str, entry: Entry) -> None:
        self._bests[kind].add(value, Interesting(kind, words, entry))

    def _add_late(self, entry: Entry) -> None:
        pairing = entry.pairing
        if pairing.is_decisive:
            if is_late(pairing.label):
                self._keep(pairing.round, Kind.FINAL, pairing.label, entry)
            return
        ranks = sorted(self._rank[number] for number in pairing.entrants)
        if ranks[-1] <= max(BEST, len(ranks)):
            words = " against ".join(f"number {rank}" for rank in ranks)
            self._keep(-sum(ranks), Kind.TOP, words, entry)

    def _add_upset(self, entry: Entry) -> None:
        winner, others = _winner(entry)
        ratings = [self._elo.get(number) for number in others]
        own = None if winner is None else self._elo.get(winner)
        known = [rating for rating in ratings if rating is not None]
        lead = max(known, default=-inf) - (inf if own is None else own)
        if lead >= UPSET:
            self._keep(lead, Kind.UPSET, f"the winner is rated {lead:.0f} lower", entry)

    def _add_close(self, entry: Entry, result: KeptResult) -> None:
        best, second = sorted((team.score for team in result.teams), reverse=True)[:2]
        apart = best - second
        if best > 0 and apart <= CLOSE * best and not entry.broken:
            words = f"{apart:.1f} apart" if apart else "level"
            self._keep(-apart / best, Kind.CLOSE, words, entry)

    def _add_faults(self, entry: Entry, result: KeptResult) -> None:
        """The first match of each bot with each cause."""
        for number, team in zip(entry.fixture.seats, result.teams, strict=True):
            for cause, rounds in team.faults.items():
                if (number, cause) not in self._fault_kinds:
                    self._fault_kinds.add((number, cause))
                    words = f"{rounds} rounds lost, {cause}"
                    self._keep(rounds, Kind.FAULT, words, entry)


class _Best:
    """The so many with the highest values; of equals the earlier ones."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._count = 0
        self._heap: list[tuple[float, int, Interesting]] = []

    def add(self, value: float, interesting: Interesting) -> None:
        self._count -= 1  # so that no two are equal, and the earlier is the better
        item = value, self._count, interesting
        if len(self._heap) < self._most:
            heappush(self._heap, item)
        elif self._heap:
            heappushpop(self._heap, item)

    def found(self) -> Iterator[Interesting]:
        for _, _, interesting in sorted(self._heap, reverse=True, key=lambda item: item[:2]):
            yield interesting


def most_interesting(
    entries: Iterable[Entry],
    ranking: Sequence[int],
    elo: Mapping[int, float | None],
    most: int,
) -> list[Interesting]:
    """Look through all entries."""
    interest = Interest(ranking, elo, most)
    for entry in entries:
        interest.add(entry)
    return interest.found()


def _winner(entry: Entry) -> tuple[int | None, list[int]]:
    """Who beat all others, and the others."""
    seats, shares = entry.fixture.seats, entry.shares
    winner = next((who for who, share in zip(seats, shares, strict=True) if share == 1.0), None)
    return winner, [number for number in seats if number != winner]
