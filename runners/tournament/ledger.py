"""Folding results along the schedule: what every fixture came to, and what is still to play."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import chain, groupby, islice

import msgspec

from runners.formats.pairing import Pairing
from runners.schedules import Fixture
from runners.scores import shares_of
from runners.store import KeptResult
from runners.tournament.plan import MOST_EXTRA_MAPS, Field

Find = Callable[[Sequence[str]], Mapping[str, KeptResult]]
"""The results there are of some keys."""
BATCH = 500
"""So many are looked up at once."""


class State(StrEnum):
    """How it stands with a fixture."""

    PLAYED = "played"
    FORFEITED = "forfeited"
    OPEN = "open"


class Entry(msgspec.Struct, frozen=True):
    """A fixture and what came of it."""

    pairing: Pairing
    fixture: Fixture
    key: str
    state: State
    shares: tuple[float, ...] = ()
    """Of each seat: the share of the others it beat, draws half; () while it is open."""
    result: KeptResult | None = None
    broken: tuple[int, ...] = ()
    """The entrants that forfeited, or whose bots broke in it."""


class Placed(msgspec.Struct, frozen=True):
    """A fixture in its place, and the key of its match."""

    pairing: Pairing
    fixture: Fixture
    key: str


Read = tuple[Placed, KeptResult | None]


class Score:
    """What a pairing has come to so far."""

    def __init__(self, entrants: Sequence[int]) -> None:
        self.is_open = False
        self._won = dict.fromkeys(entrants, 0.0)
        self._games = 0

    def add(self, entry: Entry) -> None:
        self._games += 1
        self.is_open |= entry.state is State.OPEN
        for number, share in zip(entry.fixture.seats, entry.shares, strict=False):
            self._won[number] += share

    @property
    def is_level(self) -> bool:
        """Whether it is over, and nobody is ahead."""
        return not self.is_open and len(set(self._won.values())) == 1

    def shares(self) -> tuple[float, ...]:
        return tuple(won / self._games for won in self._won.values())


def _find_nothing(keys: Sequence[str]) -> Mapping[str, KeptResult]:
    return {}


class Ledger:
    """A tournament as it stands. Entries come in the schedule's order, whatever was played first.

    Read it by iterating: what is known of later rounds follows from the entries before. Results
    are read as they are needed, some hundred at a time, and not kept.
    """

    def __init__(self, field: Field, find: Find = _find_nothing) -> None:
        self.field = field
        self._find = find
        self.format = field.format()
        self.points: dict[tuple[int, int], tuple[float, ...]] = {}
        """Of the pairings that are over."""
        self.quarantined: dict[int, Fixture] = {}
        """The first fixture each of these entrants forfeited."""
        self._broke = dict.fromkeys(range(len(field.members)), 0)

    def __iter__(self) -> Iterator[Entry]:
        seen = set[tuple[int, int]]()
        is_new = True
        while is_new:  # results of one pairing may make others known
            is_new = False
            for _, played in groupby(self._read(self._planned(seen)), _place_of):
                is_new = True
                yield from self._play_through(played)

    def ranking(self) -> list[int]:
        """Entrants, the best first, after all that was iterated."""
        return self.format.ranking(self.points)

    def _planned(self, seen: set[tuple[int, int]]) -> Iterator[Placed]:
        """All maps of the pairings that are known by now, and were not seen before.

        Where results decide who meets next, those of one round: it is counted up before the
        next one is asked for, however many results are read at once.
        """
        for pairing in self._unseen(seen):
            seen.add(pairing.place)
            for map_number in range(self.field.plan.games):
                yield from self._map(pairing, map_number)

    def _unseen(self, seen: set[tuple[int, int]]) -> Iterator[Pairing]:
        rounds = set[int]()
        for pairing in self.format.pairings(self.points):
            if pairing.place not in seen and not pairing.is_bye:
                rounds.add(pairing.round)
                if self.format.follows_results and len(rounds) > 1:
                    return
                yield pairing

    def _map(self, pairing: Pairing, number: int) -> Iterator[Placed]:
        for fixture in self.field.fixtures(pairing, number):
            yield Placed(pairing, fixture, self.field.spec(fixture).key)

    def _read(self, placed: Iterator[Placed]) -> Iterator[Read]:
        """With their results, which are looked up together."""
        while batch := list(islice(placed, BATCH)):
            found = self._find([one.key for one in batch])
            yield from ((one, found.get(one.key)) for one in batch)

    def _play_through(self, planned: Iterator[Read]) -> Iterator[Entry]:
        """A pairing; a level one that must be decided has more maps than were planned."""
        first = next(planned)
        pairing, games = first[0].pairing, self.field.plan.games
        score = Score(pairing.entrants)
        yield from self._count(chain([first], planned), score)
        for number in range(games, games + MOST_EXTRA_MAPS):
            if pairing.is_decisive and score.is_level:
                yield from self._count(self._read(self._map(pairing, number)), score)
        if not score.is_open:
            self.points[pairing.place] = score.shares()

    def _count(self, played: Iterator[Read], score: Score) -> Iterator[Entry]:
        for placed, result in played:
            entry = self._entry(placed, result)
            score.add(entry)
            yield entry

    def _entry(self, placed: Placed, result: KeptResult | None) -> Entry:
        pairing, fixture, key = placed.pairing, placed.fixture, placed.key
        out = tuple(number for number in fixture.seats if number in self.quarantined)
        if out:
            shares = forfeit_shares(fixture.seats, out)
            return Entry(pairing, fixture, key, State.FORFEITED, shares, None, out)
        if result is None:
            return Entry(pairing, fixture, key, State.OPEN)
        broken = tuple(
            number
            for number, team in zip(fixture.seats, result.teams, strict=True)
            if team.out is not None
        )
        self._watch(fixture, broken)
        shares = shares_of(result.scores)
        return Entry(pairing, fixture, key, State.PLAYED, shares, result, broken)

    def _watch(self, fixture: Fixture, broken: Sequence[int]) -> None:
        """Count what breaks in a row."""
        for number in fixture.seats:
            self._broke[number] = self._broke[number] + 1 if number in broken else 0
            if self._broke[number] == self.field.plan.quarantine > 0:
                self.quarantined[number] = fixture


def forfeit_shares(seats: Sequence[int], out: Sequence[int]) -> tuple[float, ...]:
    """Those who are out lose to all who are not."""
    return shares_of([0.0 if number in out else 1.0 for number in seats])


def _place_of(read: Read) -> tuple[int, int]:
    return read[0].pairing.place
