"""A bot's record over its matches: by opponent, by side, faults, CPU time."""

from array import array
from collections.abc import Iterator
from statistics import median

import msgspec

from engine.fault import Cause
from engine.result import CpuUse
from engine.support.lazy_import import lazy_imports
from runners.contests.ledger import LedgerEntry
from runners.statistics.scores import duel_points
from runners.storage.store import StoredTeam

with lazy_imports():  # it needs numpy, which takes a while to import, and memory
    from runners.statistics import sequential

WON, LOST = 1.0, 0.0
PAIR_SEATS = 2
FAULTY_LISTED = 100
"""Matches with faults that a bot's page names, the first of them."""


class Record(msgspec.Struct):
    """How matches came out, draws half."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float | None:
        """Return the share of the points; None without a match."""
        return self.points / self.games if self.games else None

    def add(self, share: float) -> None:
        self.wins += share == WON
        self.losses += share == LOST
        self.draws += LOST < share < WON
        self.points += share


class OpponentRecord(Record):
    """A record against one opponent."""

    links: dict[tuple[int, int], str] = {}
    """Where the matches of each of their pairings are listed."""
    test: "sequential.RunningTest" = msgspec.field(
        default_factory=lambda: sequential.RunningTest(sequential.SequentialTest())
    )
    """Which of the two is better, from their side-swapped pairs of matches of two."""
    _halves: dict[tuple[tuple[int, int], int], tuple[float, str]] = {}

    def add_half(self, entry: LedgerEntry, share: float) -> None:
        """Add a match of two, which has a result: with the other one of its map it is a pair."""
        assert entry.result is not None
        place = entry.pairing.place, entry.fixture.seed
        other = self._halves.pop(place, None)
        if other is None:
            self._halves[place] = share, entry.result.fingerprint
        else:
            self.test.add(
                sequential.Pair((share + other[0]) / 2, (other[1], entry.result.fingerprint))
            )


class Side(Record):
    """A record on one side of the board."""

    score: float = 0.0
    played: int = 0

    @property
    def mean_score(self) -> float | None:
        return self.score / self.played if self.played else None


class Faults(msgspec.Struct):
    """The faults of one cause."""

    rounds: int = 0
    matches: int = 0
    words: str = ""
    """What the first one said."""


class Faulty(msgspec.Struct, frozen=True):
    """A match in which a bot had faults, or dropped out."""

    link: str
    entry: LedgerEntry
    team: StoredTeam


class Spread(msgspec.Struct, frozen=True):
    """A figure over all matches."""

    usual: float
    high: int
    """The 95th percentile, by nearest rank."""
    highest: int


class Dossier:
    """What a bot did in its matches, which are added once each, in the schedule's order."""

    def __init__(self) -> None:
        self.opponents: dict[int, OpponentRecord] = {}
        self.sides: dict[int, Side] = {}
        self.faults: dict[Cause, Faults] = {}
        self.faulty: list[Faulty] = []
        self.faulty_count = 0
        self.calls = 0
        self._medians, self._p95s, self._maxima = array("Q"), array("Q"), array("Q")

    def add(self, entry: LedgerEntry, seat: int, link: str) -> None:
        """Add a match; `seat` counts from 0, `link` is where the match is listed."""
        if not entry.shares:
            return
        self._add_opponents(entry, seat, link)
        side = self.sides.setdefault(seat + 1, Side())
        side.add(entry.shares[seat])
        if entry.result is not None:
            team = entry.result.teams[seat]
            side.score += team.score
            side.played += 1
            self._add_calls(team.cpu)
            if team.faults or team.out:
                self._add_faults(Faulty(link, entry, team))

    def cpu_figures(self) -> Iterator[tuple[str, Spread]]:
        """Yield figures of the CPU time of calls, in microseconds; none where no call was made."""
        figures = {
            "median call": self._medians,
            "p95 call": self._p95s,
            "max call": self._maxima,
        }
        for name, values in figures.items():
            if values:
                yield name, _compute_spread(values)

    def _add_opponents(self, entry: LedgerEntry, seat: int, link: str) -> None:
        for other, opponent in enumerate(entry.fixture.seats):
            if other != seat:
                record = self.opponents.setdefault(opponent, OpponentRecord())
                record.add(duel_points(entry.shares[seat], entry.shares[other]))
                record.links.setdefault(entry.pairing.place, link)
                if entry.result is not None and len(entry.shares) == PAIR_SEATS:
                    record.add_half(entry, entry.shares[seat])

    def _add_calls(self, cpu: CpuUse) -> None:
        if cpu.calls:
            self.calls += cpu.calls
            self._medians.append(cpu.median_us)
            self._p95s.append(cpu.p95_us)
            self._maxima.append(cpu.max_us)

    def _add_faults(self, faulty: Faulty) -> None:
        self.faulty_count += 1
        if len(self.faulty) < FAULTY_LISTED:
            self.faulty.append(faulty)
        for cause, rounds in faulty.team.faults.items():
            faults = self.faults.setdefault(cause, Faults())
            faults.rounds += rounds
            faults.matches += 1
            faults.words = faults.words or faulty.team.details.get(cause, "")


def _compute_spread(values: "array[int]") -> Spread:
    ordered = sorted(values)
    return Spread(median(ordered), ordered[-(-len(ordered) * 95 // 100) - 1], ordered[-1])
