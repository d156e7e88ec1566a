"""Who meets whom, and from which seed; plays nothing."""

from collections.abc import Iterator

import msgspec

from engine.streams import derive_seed

# A seed that JSON readers without 64-bit integers keep exactly.
SEED_BITS = 53


class Fixture(msgspec.Struct, frozen=True):
    """A place in a series: the game's number, its map's seed, and who sits where."""

    number: int
    seed: int
    seats: tuple[int, int]
    """The players (0 for A, 1 for B) of team 1 and team 2."""


def mirrored_series(matches: int, seed: int) -> Iterator[Fixture]:
    """Every map twice with sides exchanged; of an odd number the last map is played once."""
    for number in range(matches):
        map_seed = derive_seed(seed, f"map/{number // 2}") >> (64 - SEED_BITS)
        yield Fixture(number, map_seed, (1, 0) if number % 2 else (0, 1))
