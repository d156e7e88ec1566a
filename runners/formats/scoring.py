"""Points and tie-breaks of a field; draws are half."""

from collections import defaultdict
from collections.abc import Iterable

from runners.formats.pairing import FULL, Pairing, SharesByPairing

DIGITS = 9
"""Sums of shares are compared to so many: a third and a third and a third are one."""


class Scoresheet:
    """What everybody has won so far, and against whom."""

    def __init__(self, pairings: Iterable[Pairing], points: SharesByPairing) -> None:
        self.points: dict[int, float] = defaultdict(float)
        self.byes: dict[int, int] = defaultdict(int)
        self.pairwise_results: dict[int, list[tuple[int, float]]] = defaultdict(list)
        """The opponents of each entrant, and the share it took in meeting them."""
        self.is_over = True
        """Whether the points of all pairings are there."""
        self._over: dict[int, int] = defaultdict(int)
        """How many of each entrant's pairings are over, byes included."""
        for pairing in pairings:
            if pairing.is_bye:
                self.byes[pairing.entrants[0]] += 1
                self._over[pairing.entrants[0]] += 1
                self.points[pairing.entrants[0]] += FULL
            elif pairing.place in points:
                self._add(pairing.entrants, points[pairing.place])
            else:
                self.is_over = False

    def has_met(self, entrant: int, other: int) -> int:
        """Return how often they met."""
        return sum(opponent == other for opponent, _ in self.pairwise_results[entrant])

    def total(self, entrant: int) -> float:
        return round(self.points[entrant], DIGITS)

    def share(self, entrant: int) -> float:
        """Return the share of the points that it could have by now, 0 before its first result."""
        return round(self.points[entrant] / max(1, self._over[entrant]), DIGITS)

    def buchholz(self, entrant: int) -> float:
        """Return the points of all opponents: how strong those were whom one met."""
        return round(sum(self.points[other] for other, _ in self.pairwise_results[entrant]), DIGITS)

    def sonneborn_berger(self, entrant: int) -> float:
        """Return the points of each opponent, as far as one took theirs."""
        pairwise_results = self.pairwise_results[entrant]
        return round(sum(self.points[other] * share for other, share in pairwise_results), DIGITS)

    def head_to_head(self, entrant: int, tied: set[int]) -> float:
        """Return the points against those with whom one is tied."""
        own = (share for other, share in self.pairwise_results[entrant] if other in tied)
        return round(sum(own), DIGITS)

    def ranking(self, entrants: Iterable[int], *, by_strength: bool) -> list[int]:
        """Return entrants by points, then by tie-breaks, then by registration.

        While pairings are open they are compared by their shares of the points that they could
        have by now: who happened to play first is not ahead.
        The tie-breaks: `by_strength` of those met (Swiss, where all meet others) Buchholz
        first; then head-to-head, then Sonneborn-Berger.
        """
        field = list(entrants)
        compared = self.total if self.is_over else self.share
        tied: dict[float, set[int]] = defaultdict(set)
        for entrant in field:
            tied[compared(entrant)].add(entrant)

        def key(entrant: int) -> tuple[float, ...]:
            first = compared(entrant)
            return (
                -first,
                -self.buchholz(entrant) if by_strength else 0.0,
                -self.head_to_head(entrant, tied[first]),
                -self.sonneborn_berger(entrant),
                entrant,
            )

        return sorted(field, key=key)

    def _add(self, entrants: tuple[int, ...], shares: tuple[float, ...]) -> None:
        met = list(zip(entrants, shares, strict=True))
        for entrant, share in met:
            self.points[entrant] += share
            self._over[entrant] += 1
            for other, others in met:
                if other != entrant:
                    # Between two it is the share itself; at a table, how far one finished above.
                    self.pairwise_results[entrant].append((other, (1 + share - others) / 2))
