"""Reads results in the order of the schedule: what is known of every fixture, and what is open."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import chain, groupby, islice

import msgspec

from engine.support.lazy_import import lazy_imports
from runners.contests.plan import MAX_EXTRA_MAPS, Field
from runners.formats.pairing import Pairing
from runners.series import Fixture
from runners.statistics.scores import compute_shares
from runners.storage.store import StoredResult, StoredTeam

with lazy_imports():  # it needs numpy, which takes a while to import, and memory
    from runners.statistics import sequential

Find = Callable[[Sequence[str]], Mapping[str, StoredResult]]
"""Returns the results that there are of some keys."""
BATCH_SIZE = 500
"""How many results are looked up at once."""


class State(StrEnum):
    """Whether a fixture was played."""

    PLAYED = "played"
    FORFEITED = "forfeited"
    OPEN = "open"


class LedgerEntry(msgspec.Struct, frozen=True):
    """A fixture, and its result if there is one."""

    pairing: Pairing
    fixture: Fixture
    key: str
    state: State
    shares: tuple[float, ...] = ()
    """The share of the others that each seat beat, draws half; () while it is open."""
    result: StoredResult | None = None
    broken: tuple[int, ...] = ()
    """The entrants that forfeited, or whose bots broke in it."""

    @property
    def teams(self) -> list[tuple[int, StoredTeam]]:
        """Return the entrants with what they came to, by seat; empty without a result."""
        if self.result is None:
            return []
        return list(zip(self.fixture.seats, self.result.teams, strict=True))

    @property
    def faults(self) -> int:
        """Return how many faults all bots had together."""
        return sum(sum(team.faults.values()) for _, team in self.teams)


class PlannedFixture(msgspec.Struct, frozen=True):
    """A fixture in its place, and the key of its match."""

    pairing: Pairing
    fixture: Fixture
    key: str


Found = tuple[PlannedFixture, StoredResult | None]


class PairingScore:
    """The sum of a pairing's matches so far."""

    def __init__(self, entrants: Sequence[int]) -> None:
        self.is_open = False
        self._won = dict.fromkeys(entrants, 0.0)
        self._games = 0

    def add(self, entry: LedgerEntry) -> None:
        self._games += 1
        self.is_open |= entry.state is State.OPEN
        for number, share in zip(entry.fixture.seats, entry.shares, strict=False):
            self._won[number] += share

    @property
    def is_tied(self) -> bool:
        """Return whether it is over, and nobody is ahead."""
        return not self.is_open and len(set(self._won.values())) == 1

    def shares(self) -> tuple[float, ...]:
        return tuple(won / self._games for won in self._won.values())


class Duel:
    """Two who meet map by map, until it is known which of them is better."""

    def __init__(self) -> None:
        self._test = sequential.RunningTest(sequential.SequentialTest())
        self._is_open = True
        """Whether all maps so far were played: what was forfeited says nothing of strength."""

    def is_decided_by(self, of_map: Sequence[LedgerEntry]) -> bool:
        """Return whether it is decided with the matches of the next map."""
        played = [entry for entry in of_map if entry.result is not None]
        self._is_open &= len(played) == len(of_map)
        if not self._is_open:
            return False
        first = min(of_map[0].fixture.seats)
        shares = [entry.shares[entry.fixture.seats.index(first)] for entry in played]
        games = tuple(entry.result.fingerprint for entry in played if entry.result is not None)
        self._test.add(sequential.Pair(sum(shares) / len(shares), games))
        return self._test.is_order_known


class Ledger:
    """A tournament as it stands. Entries come in the schedule's order, whatever was played first.

    Read it by iterating: what is known of later rounds follows from the entries before. Results
    are read as they are needed, some hundred at a time, and not kept.
    """

    def __init__(self, field: Field, find: Find = lambda keys: {}) -> None:
        self.field = field
        self._find = find
        self.format = field.make_format()
        self.points: dict[tuple[int, int], tuple[float, ...]] = {}
        """The shares of the pairings that are over."""
        self.quarantined: dict[int, Fixture] = {}
        """The first fixture each of these entrants forfeited."""
        self.decided: dict[Pairing, int] = {}
        """The pairings that ended before all maps were played, with how many were."""
        self._broke = dict.fromkeys(range(len(field.entrants)), 0)

    def __iter__(self) -> Iterator[LedgerEntry]:
        seen = set[tuple[int, int]]()
        is_new = True
        while is_new:  # results of one pairing may make others known
            is_new = False
            found = self._read(self._plan_fixtures(seen))
            for _, played in groupby(found, lambda read: read[0].pairing.place):
                is_new = True
                yield from self._play_through(played)

    def is_decided(self, pairing: Pairing) -> bool:
        """Return whether a pairing has ended before all its maps were played."""
        maps = chain.from_iterable(
            self._fixtures_of_map(pairing, n) for n in range(self.field.plan.games)
        )
        entries = self._play_through(self._read(maps))
        return all(entry.state is not State.OPEN for entry in entries) and pairing in self.decided

    def ranking(self) -> list[int]:
        """Return the entrants, the best first, after all that was iterated."""
        return self.format.ranking(self.points)

    def _plan_fixtures(self, seen: set[tuple[int, int]]) -> Iterator[PlannedFixture]:
        """Yield all maps of the pairings that are known by now, and were not seen before.

        Where results decide who meets next, those of one round: it is counted up before the
        next one is asked for, however many results are read at once.
        """
        for pairing in self._unseen_pairings(seen):
            seen.add(pairing.place)
            for map_number in range(self.field.plan.games):
                yield from self._fixtures_of_map(pairing, map_number)

    def _unseen_pairings(self, seen: set[tuple[int, int]]) -> Iterator[Pairing]:
        rounds = set[int]()
        for pairing in self.format.pairings(self.points):
            if pairing.place not in seen and not pairing.is_bye:
                rounds.add(pairing.round)
                if self.format.follows_results and len(rounds) > 1:
                    return
                yield pairing

    def _fixtures_of_map(self, pairing: Pairing, number: int) -> Iterator[PlannedFixture]:
        for fixture in self.field.fixtures(pairing, number):
            yield PlannedFixture(pairing, fixture, self.field.spec(fixture).key)

    def _read(self, placed: Iterator[PlannedFixture]) -> Iterator[Found]:
        """Yield fixtures with their results, which are looked up together."""
        while batch := list(islice(placed, BATCH_SIZE)):
            found = self._find([one.key for one in batch])
            yield from ((one, found.get(one.key)) for one in batch)

    def _play_through(self, planned: Iterator[Found]) -> Iterator[LedgerEntry]:
        """Yield the entries of a pairing; a tied one that must be decided has extra maps."""
        first = next(planned)
        pairing, games = first[0].pairing, self.field.plan.games
        score = PairingScore(pairing.entrants)
        duel = Duel()
        for number, of_map in groupby(
            chain([first], planned), lambda read: read[0].fixture.map_number
        ):
            entries = list(self._count(of_map, score))
            yield from entries
            if self.field.plan.decides and number + 1 < games and duel.is_decided_by(entries):
                self.decided[pairing] = number + 1
                break
        for number in range(games, games + MAX_EXTRA_MAPS):
            if pairing.is_decisive and score.is_tied:
                yield from self._count(self._read(self._fixtures_of_map(pairing, number)), score)
        if not score.is_open:
            self.points[pairing.place] = score.shares()

    def _count(self, played: Iterator[Found], score: PairingScore) -> Iterator[LedgerEntry]:
        for placed, result in played:
            entry = self._make_entry(placed, result)
            score.add(entry)
            yield entry

    def _make_entry(self, placed: PlannedFixture, result: StoredResult | None) -> LedgerEntry:
        pairing, fixture, key = placed.pairing, placed.fixture, placed.key
        out = tuple(number for number in fixture.seats if number in self.quarantined)
        if out:
            shares = forfeit_shares(fixture.seats, out)
            return LedgerEntry(pairing, fixture, key, State.FORFEITED, shares, None, out)
        if result is None:
            return LedgerEntry(pairing, fixture, key, State.OPEN)
        broken = tuple(
            number
            for number, team in zip(fixture.seats, result.teams, strict=True)
            if team.out is not None
        )
        self._watch(fixture, broken)
        shares = compute_shares(result.scores, result.groups)
        return LedgerEntry(pairing, fixture, key, State.PLAYED, shares, result, broken)

    def _watch(self, fixture: Fixture, broken: Sequence[int]) -> None:
        """Count what breaks in a row."""
        for number in fixture.seats:
            self._broke[number] = self._broke[number] + 1 if number in broken else 0
            if self._broke[number] == self.field.plan.quarantine > 0:
                self.quarantined[number] = fixture


def forfeit_shares(seats: Sequence[int], out: Sequence[int]) -> tuple[float, ...]:
    """Return the shares of a forfeit: those who are out lose to all who are not."""
    return compute_shares([0.0 if number in out else 1.0 for number in seats])
