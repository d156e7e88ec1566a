"""The standings of a tournament: everybody's place, points, record and ratings."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import msgspec

from engine.bots.sandbox import Layer
from engine.fault import Cause
from engine.replays.writing import Contestant
from runners.contests.ledger import Ledger, LedgerEntry, State
from runners.contests.plan import Entrant
from runners.formats.pairing import Pairing
from runners.formats.scoring import Scoresheet
from runners.lost_decisions import NEARLY_ALL_SHARE, count_decisions
from runners.statistics.live_ratings import Histories, LiveRatings
from runners.statistics.ratings import Rating, rate
from runners.statistics.scores import PairwiseResults, Score, SideSwappedSet


class StandingsRow(msgspec.Struct, kw_only=True):
    """One entrant's line."""

    rank: int
    number: int
    entrant: Entrant
    points: float = 0.0
    """Shares of pairings won, a bye counting as one."""
    share: float = 0.0
    """The points by those that it could have by now: of the pairings that are over."""
    byes: int = 0
    buchholz: float = 0.0
    sonneborn_berger: float = 0.0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    mean_score: float = 0.0
    """The mean over the matches played, in the game's own points."""
    faults: Counter[Cause] = msgspec.field(default_factory=Counter)
    decisions: int = 0
    """What it was asked for, lost decisions included."""
    is_quarantined: bool = False
    live: float | None = None
    """The rating by openskill, Elo, where the format moves ratings."""

    mean_place: float | None = None
    """The mean place in a match, from 1; who is tied shares places. None without a match."""

    @property
    def bot(self) -> Contestant:
        return self.entrant.bot

    @property
    def loses_nearly_all(self) -> bool:
        """Return whether it loses so many decisions that its results say nothing of its play."""
        return 0 < NEARLY_ALL_SHARE * self.decisions <= self.faults.total()

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


class DecidedPairing(msgspec.Struct, frozen=True, kw_only=True):
    """A pairing that ended early."""

    bots: tuple[str, ...]
    map_pairs: int
    """How many were played."""


class Standings(msgspec.Struct, kw_only=True):
    """The table, best first, and how far things are."""

    rows: list[StandingsRow]
    played: int
    forfeited: int
    open: int
    """Fixtures known to be open now; later rounds may bring more."""
    gaps: Counter[tuple[str, tuple[Layer, ...]]] = msgspec.field(default_factory=Counter)
    """Matches by machine and by the layers of the sandbox that did not hold there."""
    void: int = 0
    """Matches that were begun again, because a bot waited too long for a processor."""
    decided: Sequence[DecidedPairing] = ()
    """Those that ended before all their maps were played: it was known who is better."""
    is_by_share: bool = False
    """Whether `share` decides who is ahead, as long as not all pairings are over."""

    @property
    def is_over(self) -> bool:
        return not self.open


class StandingsTally:
    """Sums up entries; each is added once, in the order of the schedule."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        entrants = ledger.field.entrants
        self._rows = [
            StandingsRow(rank=0, number=n, entrant=entrant) for n, entrant in enumerate(entrants)
        ]
        self._scores = [0.0] * len(entrants)
        self._played = [0] * len(entrants)
        self._shares = [0.0] * len(entrants)
        self._states: Counter[State] = Counter()
        self._live = LiveRatings(range(len(entrants)))
        self._gaps: Counter[tuple[str, tuple[Layer, ...]]] = Counter()
        self._void = 0

    def add(self, entry: LedgerEntry) -> None:
        self._states[entry.state] += 1
        if entry.state is State.OPEN:
            return
        if entry.result is not None and entry.result.gaps:
            self._gaps[entry.result.host, entry.result.gaps] += 1
        self._void += entry.result is not None and bool(entry.result.void_tries)
        if entry.result is not None and self._ledger.format.moves_ratings:
            self._live.add(Score(entry.fixture.seats, entry.result.scores, entry.result.groups))
        for seat, (number, share) in enumerate(zip(entry.fixture.seats, entry.shares, strict=True)):
            row = self._rows[number]
            row.wins += share == 1.0
            row.losses += share == 0.0
            row.draws += 0.0 < share < 1.0
            self._shares[number] += share
            if entry.result is None:
                row.forfeits += number in entry.broken
            else:
                team = entry.result.teams[seat]
                row.faults.update(team.faults)
                row.decisions += count_decisions(team)
                self._scores[number] += team.score
                self._played[number] += 1

    def standings(self) -> Standings:
        """Return the table, after all entries."""
        ledger = self._ledger
        pairings: list[Pairing] = list(ledger.format.pairings(ledger.points))
        sheet = Scoresheet(pairings, ledger.points)
        for rank, number in enumerate(ledger.ranking(), 1):
            row = self._rows[number]
            row.rank = rank
            row.points, row.byes = sheet.total(number), sheet.byes[number]
            row.share = sheet.share(number)
            row.buchholz = sheet.buchholz(number)
            row.sonneborn_berger = sheet.sonneborn_berger(number)
            row.mean_score = self._scores[number] / max(1, self._played[number])
            row.is_quarantined = number in ledger.quarantined
            if row.games:
                behind = 1 - self._shares[number] / row.games
                row.mean_place = 1 + behind * (ledger.field.plan.table - 1)
            if ledger.format.moves_ratings:
                row.live = self._live.get_rating(number).elo
        return Standings(
            rows=sorted(self._rows, key=lambda row: row.rank),
            played=self._states[State.PLAYED],
            forfeited=self._states[State.FORFEITED],
            open=self._states[State.OPEN],
            gaps=self._gaps,
            void=self._void,
            decided=[
                DecidedPairing(
                    bots=tuple(ledger.field.entrants[n].bot.name for n in pairing.entrants),
                    map_pairs=maps,
                )
                for pairing, maps in ledger.decided.items()
            ],
            is_by_share=ledger.format.adds_up_points and not sheet.is_over,
        )


def compute_standings(ledger: Ledger) -> Standings:
    """Read a ledger through."""
    tally = StandingsTally(ledger)
    for entry in ledger:
        tally.add(entry)
    return tally.standings()


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """How a tournament stands, and how strong its entrants are."""

    standings: Standings
    ratings: tuple[Rating, ...]
    """The ratings by the numbers of the entrants."""
    histories: Histories


def overview_of(ledger: Ledger) -> Overview:
    """Read a ledger through. What was forfeited says nothing of strength."""
    field = range(len(ledger.field.entrants))
    tally, pairwise_results, histories = StandingsTally(ledger), PairwiseResults(), Histories(field)
    for swapped in side_swapped_sets(_tally_entries(ledger, tally)):
        pairwise_results.add(swapped)
        for score in swapped.scores:
            histories.add(score)
    return Overview(
        standings=tally.standings(),
        ratings=rate(pairwise_results, field).ratings,
        histories=histories,
    )


def _tally_entries(entries: Iterable[LedgerEntry], tally: StandingsTally) -> Iterator[LedgerEntry]:
    for entry in entries:
        tally.add(entry)
        yield entry


def side_swapped_sets(entries: Iterable[LedgerEntry]) -> Iterator[SideSwappedSet]:
    """Yield the matches that were played, map by map: those of a map stand together."""
    for (_, seed), of_map in groupby(entries, lambda e: (e.pairing.place, e.fixture.seed)):
        scores = tuple(
            Score(entry.fixture.seats, entry.result.scores, entry.result.groups)
            for entry in of_map
            if entry.result is not None
        )
        if scores:
            yield SideSwappedSet(seed, scores)
