"""A bot's record, folded from its matches: by opponent, by side, faults, CPU time."""

from array import array
from collections.abc import Iterator
from statistics import median

import msgspec

from visualizer.site.report import Match, Team

WON, LOST = 1.0, 0.0
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
        """Of the points there were; None without a match."""
        return self.points / self.games if self.games else None

    def add(self, share: float) -> None:
        self.wins += share == WON
        self.losses += share == LOST
        self.draws += LOST < share < WON
        self.points += share


class Meetings(Record):
    """A record against one opponent."""

    links: dict[tuple[int, int], str] = {}
    """Where the matches of each of their pairings are listed."""


class Side(Record):
    """A record on one side of the board."""

    score: float = 0.0
    played: int = 0

    @property
    def mean_score(self) -> float | None:
        return self.score / self.played if self.played else None


class Faults(msgspec.Struct):
    """Decisions lost for one cause."""

    rounds: int = 0
    matches: int = 0
    words: str = ""
    """Of the first one."""


class Faulty(msgspec.Struct, frozen=True):
    """A match in which a bot lost rounds, or was out."""

    link: str
    match: Match
    team: Team


class Spread(msgspec.Struct, frozen=True):
    """A figure over all matches."""

    usual: float
    high: int
    """Nearest rank: in 95 % of the matches it was no higher."""
    highest: int


class Dossier:
    """What is known of one bot. Its matches are added once each, in the schedule's order."""

    def __init__(self) -> None:
        self.opponents: dict[int, Meetings] = {}
        self.sides: dict[int, Side] = {}
        self.faults: dict[str, Faults] = {}
        self.faulty: list[Faulty] = []
        self.faulty_count = 0
        self.calls = 0
        self._medians, self._p95s, self._maxima = array("Q"), array("Q"), array("Q")

    def add(self, match: Match, seat: int, link: str) -> None:
        """`seat` from 0; `link` is where the match is listed."""
        team = match.teams[seat]
        if team.share is None:
            return
        self._add_opponents(match, seat, team.share, link)
        side = self.sides.setdefault(seat + 1, Side())
        side.add(team.share)
        if team.score is not None:
            side.score += team.score
            side.played += 1
        if team.calls:
            self._add_calls(team)
        if team.faults or team.out:
            self._add_faults(Faulty(link, match, team))

    def cpu(self) -> Iterator[tuple[str, Spread]]:
        """Of calls, in microseconds; nothing where no call was made."""
        figures = {
            "the median call": self._medians,
            "95 % of the calls within": self._p95s,
            "the slowest call": self._maxima,
        }
        for name, values in figures.items():
            if values:
                yield name, _spread(values)

    def _add_opponents(self, match: Match, seat: int, share: float, link: str) -> None:
        for other, opponent in enumerate(match.teams):
            if other != seat and opponent.share is not None:
                meetings = self.opponents.setdefault(opponent.bot, Meetings())
                meetings.add((share > opponent.share) + (share == opponent.share) / 2)
                meetings.links.setdefault(match.place, link)

    def _add_calls(self, team: Team) -> None:
        self.calls += team.calls
        self._medians.append(team.median_us)
        self._p95s.append(team.p95_us)
        self._maxima.append(team.max_us)

    def _add_faults(self, faulty: Faulty) -> None:
        self.faulty_count += 1
        if len(self.faulty) < FAULTY_LISTED:
            self.faulty.append(faulty)
        for cause, rounds in faulty.team.faults.items():
            faults = self.faults.setdefault(cause, Faults())
            faults.rounds += rounds
            faults.matches += 1
            faults.words = faults.words or faulty.team.details.get(cause, "")


def _spread(values: "array[int]") -> Spread:
    ordered = sorted(values)
    return Spread(median(ordered), ordered[-(-len(ordered) * 95 // 100) - 1], ordered[-1])
