"""What all formats share: pairings, and the points they brought."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import msgspec

MAX_ROUNDS = 10_000
FULL = 1.0
"""What can be won in a pairing: the share of its games' points. A bye brings it without a game."""


class Pairing(msgspec.Struct, frozen=True):
    """Who meets in a round; one alone has a bye. Entrants are numbered in the order of entry."""

    round: int
    number: int
    entrants: tuple[int, ...]
    label: str
    """What the round is called: `round 3`, `semi-final`."""
    is_decisive: bool = False
    """Somebody must win: level pairings are played on."""

    @property
    def place(self) -> tuple[int, int]:
        """Return what it is known by: round and number, both from 1."""
        return self.round, self.number

    @property
    def is_bye(self) -> bool:
        return len(self.entrants) == 1


SharesByPairing = Mapping[tuple[int, int], tuple[float, ...]]
"""Each entrant's share of the points, 0 to 1, of the pairings that are over, by place."""


class Seeding(msgspec.Struct, frozen=True):
    """A place in the field. Those who enter first are seeded first."""

    number: int
    joined: int = 1
    """The first round they can play in."""


class Format(ABC):
    """Who meets whom, as a function of the results so far. Plays nothing."""

    name: ClassVar[str]
    takes_newcomers: ClassVar[bool] = True
    """Whether somebody may enter while it runs."""
    takes_updates: ClassVar[bool] = False
    """Whether an entrant may be exchanged for another version of it: all it played is replayed."""
    meets_once: ClassVar[bool] = False
    """Whether nobody can meet anybody twice."""
    follows_results: ClassVar[bool] = True
    """Whether who meets in a round depends on results of earlier rounds."""
    opens_early: ClassVar[bool] = False
    """Whether a match of the next round may be known before this round is over."""
    takes_rounds: ClassVar[bool] = False
    """Whether it can be asked for a number of rounds: else that follows from the field."""
    takes_tables: ClassVar[bool] = True
    """Whether more than two may meet."""
    moves_ratings: ClassVar[bool] = False
    """Whether one watches live ratings move while it is played."""
    adds_up_points: ClassVar[bool] = False
    """Whether the points of all pairings decide; while some are open, the share of them."""
    ranks_by_strength: ClassVar[bool] = False
    """Whether it counts how strong those were whom one met: not where all meet all."""

    def __init__(self, entrants: Sequence[Seeding], *, table: int = 2, rounds: int | None = None):
        """Make a format: `table` is how many meet at once, `rounds` None for the usual number."""
        self.entrants = tuple(entrants)
        self.table = table
        self.wanted_rounds = rounds

    @property
    def rounds(self) -> int | None:
        """Return how many there are; None where that follows from the field."""
        return None

    @property
    def most_rounds(self) -> int:
        """Return how many can be asked for, where it takes rounds."""
        return MAX_ROUNDS

    @abstractmethod
    def pairings(self, points: SharesByPairing) -> Iterator[Pairing]:
        """Yield all that are known by now, those that are over too, round by round.

        It ends where a result is needed that is not there yet. What comes out never depends
        on results of later pairings: the same results, the same pairings.
        """

    @abstractmethod
    def ranking(self, points: SharesByPairing) -> list[int]:
        """Return the numbers of the entrants, the best first."""


def round_label(number: int) -> str:
    return f"round {number}"
