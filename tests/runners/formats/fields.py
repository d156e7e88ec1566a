"""Fields of entrants, and tournaments played out by who is stronger."""

from collections.abc import Callable
from random import Random

from runners.formats.pairing import Format, Pairing, Seeding

Judge = Callable[[Pairing], tuple[float, ...]]


def a_field(count: int) -> list[Seeding]:
    return [Seeding(number) for number in range(count)]


def the_earlier_wins(pairing: Pairing) -> tuple[float, ...]:
    best = min(pairing.entrants)
    return tuple(1.0 if entrant == best else 0.0 for entrant in pairing.entrants)


def by_chance(seed: int) -> Judge:
    def judge(pairing: Pairing) -> tuple[float, ...]:
        dice = Random(f"{seed}/{pairing.place}")
        share = dice.choice([0.0, 0.25, 0.5, 0.75, 1.0])
        return share, 1 - share

    return judge


def in_order(pairing: Pairing) -> tuple[float, ...]:
    """Let the stronger finish above the weaker at a table of any size."""
    last = len(pairing.entrants) - 1
    places = {entrant: place for place, entrant in enumerate(sorted(pairing.entrants))}
    return tuple(1 - places[entrant] / last for entrant in pairing.entrants)


def any_order(seed: int) -> Judge:
    """Let chance decide at a table of any size."""

    def judge(pairing: Pairing) -> tuple[float, ...]:
        shares = list(in_order(pairing))
        Random(f"{seed}/{pairing.place}").shuffle(shares)
        return tuple(shares)

    return judge


def play_out(
    event: Format, judge: Judge = the_earlier_wins
) -> tuple[list[Pairing], dict[tuple[int, int], tuple[float, ...]]]:
    """Play whatever is known and not over, until nothing is left."""
    points: dict[tuple[int, int], tuple[float, ...]] = {}
    while True:
        pairings = list(event.pairings(points))
        open_ones = [p for p in pairings if not p.is_bye and p.place not in points]
        if not open_ones:
            return pairings, points
        points |= {pairing.place: judge(pairing) for pairing in open_ones}


def list_met(pairings: list[Pairing]) -> list[tuple[int, ...]]:
    return [tuple(sorted(pairing.entrants)) for pairing in pairings if not pairing.is_bye]
