"""A ladder: neighbors meet, and stand then on their rungs in the order in which they finished."""

from collections.abc import Iterator

from runners.formats.pairing import Format, Pairing, SharesByPairing, round_label


class Ladder(Format):
    """Odd rounds pair rungs 1 and 2, 3 and 4; even rounds 2 and 3, 4 and 5.

    At larger tables even rounds end on the lowest rung, so that everybody plays in one of two.
    """

    name = "ladder"
    moves_ratings = True
    takes_rounds = True

    @property
    def rounds(self) -> int:
        """Return their number; by default so many that the lowest can climb to the top."""
        return self.wanted_rounds or len(self.entrants)

    def pairings(self, points: SharesByPairing) -> Iterator[Pairing]:
        for pairings, _ in self._known_rounds(points):
            yield from pairings

    def ranking(self, points: SharesByPairing) -> list[int]:
        """Return the rungs from the top, after the last round that is over."""
        *_, (_, rungs) = self._known_rounds(points)
        return rungs + [other.number for other in self.entrants if other.number not in rungs]

    def _known_rounds(self, points: SharesByPairing) -> Iterator[tuple[list[Pairing], list[int]]]:
        """Yield the rounds known by now, each with the rungs after it."""
        rungs: list[int] = []
        for number in range(1, self.rounds + 1):
            pairings = self._make_round(number, rungs)
            is_over = all(pairing.place in points for pairing in pairings)
            if is_over:
                _reorder_rungs(rungs, pairings, points)
            yield pairings, list(rungs)
            if not is_over:
                return

    def _make_round(self, number: int, rungs: list[int]) -> list[Pairing]:
        """Return the pairings of a round, after newcomers were added on the lowest rungs."""
        rungs += [
            entrant.number
            for entrant in self.entrants
            if entrant.joined <= number and entrant.number not in rungs
        ]
        size, first = self.table, 0
        if number % 2 == 0:
            first = len(rungs) % size or size // 2
        tables = (rungs[top : top + size] for top in range(first, len(rungs) - size + 1, size))
        label = round_label(number)
        return [Pairing(number, place, tuple(met), label) for place, met in enumerate(tables, 1)]


def _reorder_rungs(rungs: list[int], pairings: list[Pairing], points: SharesByPairing) -> None:
    """Order the rungs by the results of a round; who is tied stays above whoever was below."""
    for pairing in pairings:
        top = rungs.index(pairing.entrants[0])
        met = zip(points[pairing.place], pairing.entrants, strict=True)
        rungs[top : top + len(pairing.entrants)] = [
            entrant for _, entrant in sorted(met, key=lambda one: -one[0])
        ]
