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
    """Who plays team 1, team 2 and so on: players of a series, or entrants, by their numbers."""


def rotated_series(players: int, maps: int, seed: int) -> Iterator[Fixture]:
    """Every map once in every rotation of the seats: with two players twice, sides exchanged."""
    seats = tuple(range(players))
    for number in range(maps):
        yield from rotations(seats, number, map_seed(seed, f"map/{number}"))


def maps_for(matches: int, players: int) -> int:
    """So many make as many matches, or as few more as whole rotations take."""
    return -(-matches // players)


def rotations(seats: tuple[int, ...], map_number: int, seed: int) -> Iterator[Fixture]:
    """One map, played once in every rotation of the seats: with two teams a mirrored pair."""
    for turn in range(len(seats)):
        seated = seats[turn:] + seats[:turn]
        yield Fixture(map_number * len(seats) + turn, seed, seated)


def map_seed(seed: int, name: str) -> int:
    """The seed of a map by its name."""
    return derive_seed(seed, name) >> (64 - SEED_BITS)
