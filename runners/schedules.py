"""Whose match is played on which map, and who sits where; plays nothing."""

from collections.abc import Iterator

import msgspec

from engine.streams import derive_seed

# A seed that JSON readers without 64-bit integers keep exactly.
SEED_BITS = 53


class Fixture(msgspec.Struct, frozen=True):
    """A place in a schedule: the game's number, its map's seed, and who sits where."""

    number: int
    seed: int
    seats: tuple[int, ...]
    """Who plays team 1, team 2 and so on: 0 for A, 1 for B, or entrants by their numbers."""


def mirrored_series(matches: int, seed: int) -> Iterator[Fixture]:
    """Every map twice with sides exchanged; of an odd number the last map is played once."""
    for number in range(matches):
        yield Fixture(number, map_seed(seed, f"map/{number // 2}"), (number % 2, 1 - number % 2))


def rotations(seats: tuple[int, ...], map_number: int, seed: int) -> Iterator[Fixture]:
    """One map, played once in every rotation of the seats: with two teams a mirrored pair."""
    for turn in range(len(seats)):
        seated = seats[turn:] + seats[:turn]
        yield Fixture(map_number * len(seats) + turn, seed, seated)


def map_seed(seed: int, name: str) -> int:
    """The seed of a map by its name."""
    return derive_seed(seed, name) >> (64 - SEED_BITS)
