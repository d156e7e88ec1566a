"""Matches worth watching: finals, upsets, the closest ones, and faults."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from heapq import heappush, heappushpop
from itertools import zip_longest
from math import inf

import msgspec

from engine.fault import Cause
from runners.contests.ledger import LedgerEntry
from runners.formats.bracket import is_late
from runners.storage.store import StoredResult

TOP_ENTRANTS = 3
"""How many entrants are the top, whose matches among each other are worth watching."""
UPSET_ELO = 100
"""Elo by which a winner is rated lower: it had been expected to win one in three at most."""
CLOSE_MATCH_SHARE = 0.1
"""The share of the winner's score by which it led in a close match, at most."""


class HighlightKind(StrEnum):
    """Why a match is worth watching; of several reasons the first one is told."""

    FINAL = "final"
    UPSET = "upset"
    CLOSE = "close"
    TOP = "top"
    FAULT = "fault"


class Highlight(msgspec.Struct, frozen=True):
    """A match, and why it is worth watching."""

    kind: HighlightKind
    words: str
    entry: LedgerEntry


class HighlightFinder:
    """Looks at all entries, and keeps the most interesting. Add each once."""

    def __init__(self, ranking: Sequence[int], elo: Mapping[int, float | None], most: int) -> None:
        """Rate interest by `ranking` (entrants, the best first) and their ratings; keep `most`."""
        self._most = most
        self._rank = {number: rank for rank, number in enumerate(ranking, 1)}
        self._elo = elo
        self._bests = {kind: _Best(most) for kind in HighlightKind}
        self._fault_kinds = set[tuple[int, Cause]]()

    def add(self, entry: LedgerEntry) -> None:
        if entry.result is None:
            return
        self._add_late(entry)
        self._add_upset(entry)
        self._add_close(entry, entry.result)
        self._add_faults(entry, entry.result)

    def top_highlights(self) -> list[Highlight]:
        """Return one of each kind after the other, the most interesting first; no match twice."""
        kinds: list[list[Highlight]] = []
        known = set[str]()
        for best in self._bests.values():
            kinds.append([each for each in best.best_first() if each.entry.key not in known])
            known.update(each.entry.key for each in kinds[-1])
        found = [each for row in zip_longest(*kinds) for each in row if each is not None]
        return found[: self._most]

    def _add(self, value: float, kind: HighlightKind, text: str, entry: LedgerEntry) -> None:
        self._bests[kind].add(value, Highlight(kind, text, entry))

    def _add_late(self, entry: LedgerEntry) -> None:
        pairing = entry.pairing
        if pairing.is_decisive:
            if is_late(pairing.label):
                self._add(pairing.round, HighlightKind.FINAL, pairing.label, entry)
            return
        ranks = sorted(self._rank[number] for number in pairing.entrants)
        if ranks[-1] <= max(TOP_ENTRANTS, len(ranks)):
            text = " against ".join(f"number {rank}" for rank in ranks)
            self._add(-sum(ranks), HighlightKind.TOP, text, entry)

    def _add_upset(self, entry: LedgerEntry) -> None:
        winner, others = _winner_and_losers(entry)
        ratings = [self._elo.get(number) for number in others]
        own = None if winner is None else self._elo.get(winner)
        known = [rating for rating in ratings if rating is not None]
        lead = max(known, default=-inf) - (inf if own is None else own)
        if lead >= UPSET_ELO:
            self._add(lead, HighlightKind.UPSET, f"the winner is rated {lead:.0f} lower", entry)

    def _add_close(self, entry: LedgerEntry, result: StoredResult) -> None:
        best, second = sorted((team.score for team in result.teams), reverse=True)[:2]
        apart = best - second
        if best > 0 and apart <= CLOSE_MATCH_SHARE * best and not entry.broken:
            text = f"won by {apart:.1f}" if apart else "tied"
            self._add(-apart / best, HighlightKind.CLOSE, text, entry)

    def _add_faults(self, entry: LedgerEntry, result: StoredResult) -> None:
        """Keep the first match of each bot with each cause."""
        for number, team in zip(entry.fixture.seats, result.teams, strict=True):
            for cause, rounds in team.faults.items():
                if (number, cause) not in self._fault_kinds:
                    self._fault_kinds.add((number, cause))
                    message = f"{rounds} forfeited turn{'s' * (rounds != 1)}, {cause}"
                    self._add(rounds, HighlightKind.FAULT, message, entry)


class _Best:
    """The so many with the highest values; of equals the earlier ones."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._count = 0
        self._heap: list[tuple[float, int, Highlight]] = []

    def add(self, value: float, interesting: Highlight) -> None:
        self._count -= 1  # so that no two are equal, and the earlier is the better
        item = value, self._count, interesting
        if len(self._heap) < self._most:
            heappush(self._heap, item)
        elif self._heap:
            heappushpop(self._heap, item)

    def best_first(self) -> Iterator[Highlight]:
        for _, _, interesting in sorted(self._heap, reverse=True, key=lambda item: item[:2]):
            yield interesting


def one_of_each_pairing(highlights: Iterable[Highlight], most: int) -> list[Highlight]:
    """Return the first one between the same entrants, and at most so many."""
    firsts: dict[frozenset[int], Highlight] = {}
    for highlight in highlights:
        firsts.setdefault(frozenset(highlight.entry.pairing.entrants), highlight)
    return list(firsts.values())[:most]


def find_highlights(
    entries: Iterable[LedgerEntry],
    ranking: Sequence[int],
    elo: Mapping[int, float | None],
    most: int,
) -> list[Highlight]:
    """Look through all entries."""
    interest = HighlightFinder(ranking, elo, most)
    for entry in entries:
        interest.add(entry)
    return interest.top_highlights()


def _winner_and_losers(entry: LedgerEntry) -> tuple[int | None, list[int]]:
    """Return who beat all others, and the others."""
    seats, shares = entry.fixture.seats, entry.shares
    winner = next((who for who, share in zip(seats, shares, strict=True) if share == 1.0), None)
    return winner, [number for number in seats if number != winner]
