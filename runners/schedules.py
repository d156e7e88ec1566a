"""Whose match is played on which map, and who sits where; plays nothing."""

from collections.abc import Iterator

import msgspec

from engine.game import Groups
from engine.streams import Streams, derive_seed, seed_text

USUAL_SEED = 0
"""The seed of many matches where none was said: it is the secret that nobody foresees."""


class Fixture(msgspec.Struct, frozen=True):
    """A place in a schedule: the game's number, its map's seed, and who sits where."""

    number: int
    seed: int
    seats: tuple[int, ...]
    """Who plays team 1, team 2 and so on: players of a series, or entrants, by their numbers."""

    @property
    def map_number(self) -> int:
        """Return the number of its map, from 0: each is played once from every seat."""
        return self.number // len(self.seats)


def series_fixtures(players: int, maps: int, *, seed: int, secret: int) -> Iterator[Fixture]:
    """Every map once in every rotation of the seats: with two players twice, sides exchanged."""
    seats = tuple(range(players))
    for number in range(maps):
        yield from rotations(seats, number, map_seed(secret, map_name(seed, number)))


def maps_for(matches: int, players: int) -> int:
    """Return how many maps make so many matches, or as few more as whole rotations take."""
    return -(-matches // players)


def rotations(seats: tuple[int, ...], map_number: int, seed: int) -> Iterator[Fixture]:
    """One map, played once in every rotation of the seats: with two teams a side-swapped pair."""
    for turn in range(len(seats)):
        seated = seats[turn:] + seats[:turn]
        yield Fixture(map_number * len(seats) + turn, seed, seated)


def draw_partners(seats: tuple[int, ...], seed: int, groups: Groups) -> tuple[int, ...]:
    """Return seats in an order in which the map's seed decides who plays together.

    Without groups they stay as they are: the rotations have everybody sit everywhere.
    """
    if not groups:
        return seats
    stream, left, drawn = Streams(seed)["partners"], list(seats), list[int]()
    while left:
        drawn.append(stream.choice(left))
        left.remove(drawn[-1])
    return tuple(drawn)


def map_name(seed: int, number: int, who: str = "") -> str:
    """Return what a map is called: `7/map/0`, or `7/player_one|player_two|map/0` of a pairing.

    `seed` is that of all maps together, which somebody may have typed.
    """
    return f"{seed_text(seed)}/{who}map/{number}"


def map_seed(secret: int, name: str) -> int:
    """Return the seed of a map, which nobody can compute who does not know the secret.

    Source: docs/tournaments.md has the same in four lines, for whoever verifies maps.
    """
    return derive_seed(secret, name)
