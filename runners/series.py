"""A series: the same bots on many maps, each once in every rotation of the seats; its results."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from engine.fault import Cause
from engine.game import Groups
from engine.referee import Job
from engine.replays.writing import Contestant
from engine.result import MatchResult, TeamResult
from engine.spec import MatchSpec
from engine.streams import Streams, derive_seed, seed_text
from runners.lost_decisions import LossTally, LostDecisions
from runners.match_request import RunOptions
from runners.statistics.scores import compute_shares

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


A, B = 0, 1
MAX_NAMES_LENGTH = 120
"""All of them together, in the name of a file."""


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played."""

    spec: MatchSpec
    """The spec with the first contestant as team 1, and the seed of all maps together."""
    contestants: tuple[Contestant, ...]
    """A player of the series is known by its place here."""
    maps: int
    """Each is played once in every rotation of the seats."""
    secret: int
    """What the maps are drawn from; published when all of them were played."""
    is_secret_said: bool = False
    """It is that of whoever wants these maps, and need not be kept."""
    own_files: Mapping[Contestant, Path] = {}
    """Where authors keep their bots: in process those are played."""
    run: RunOptions

    @property
    def teams(self) -> int:
        return len(self.contestants)

    @property
    def matches(self) -> int:
        return self.maps * self.teams

    @property
    def seed(self) -> int:
        """The seed of all maps together, as it was given."""
        return self.spec.seed

    @property
    def name(self) -> str:
        """Return the players and the key of the first match, fit for a file's name."""
        longest = MAX_NAMES_LENGTH // self.teams
        names = (contestant.name[:longest] for contestant in self.contestants)
        return "-".join([*names, self.make_job(next(self._make_fixtures())).spec.key])

    def fixtures(self) -> list[Fixture]:
        return list(self._make_fixtures())

    def _make_fixtures(self) -> Iterator[Fixture]:
        return series_fixtures(self.teams, self.maps, seed=self.seed, secret=self.secret)

    def make_job(self, fixture: Fixture) -> Job:
        """The match a fixture points to."""
        seated = tuple(self.contestants[player] for player in fixture.seats)
        digests = tuple(contestant.digest for contestant in seated)
        return Job(
            spec=msgspec.structs.replace(self.spec, bots=digests, seed=fixture.seed),
            contestants=seated,
            play=self.run.play,
            own_files=self.own_files,
            once=not self.run.play.in_process,
        )


class Played(msgspec.Struct, frozen=True):
    """A fixture and what came of it."""

    fixture: Fixture
    result: MatchResult

    def seat(self, player: int) -> int:
        """Return which team a player was, from 1."""
        return self.fixture.seats.index(player) + 1

    @property
    def winners(self) -> tuple[int, ...]:
        """The player who won, or those who did together; none of a draw."""
        return tuple(self.fixture.seats[seat - 1] for seat in self.result.winners)

    def team(self, player: int) -> TeamResult:
        """A player's side of it."""
        return self.result.teams[self.seat(player) - 1]

    def score(self, player: int) -> float:
        return self.team(player).score

    def share(self, player: int) -> float:
        """Return how many of the others it beat, draws half: 1, 0.5 or 0 with one other."""
        points = tuple(team.score for team in self.result.teams)
        return compute_shares(points, self.result.groups)[self.seat(player) - 1]


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """One bot's matches, map by map: luck of a map strikes all that were played there."""

    teams: int
    """How many teams a match has."""
    maps: tuple[tuple[float, ...], ...]
    """The share of the others it beat, draws half, for each match of each map."""

    @property
    def games(self) -> int:
        return len(self._shares)

    @property
    def wins(self) -> int:
        """Return the matches in which it was ahead of all others."""
        return self._shares.count(1.0)

    @property
    def draws(self) -> int:
        """Return the matches in which it was neither first nor last (with two teams: tied)."""
        return self.games - self.wins - self.losses

    @property
    def losses(self) -> int:
        """Return the matches in which it was behind all others."""
        return self._shares.count(0.0)

    @property
    def rate(self) -> float:
        """Return the share of the points, which are the others it beat; draws are half."""
        return sum(self._shares) / self.games if self.games else 0.0

    @property
    def mean_place(self) -> float | None:
        """Return the mean place, from 1; who is tied shares places. None without a match."""
        return 1 + (1 - self.rate) * (self.teams - 1) if self.games else None

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the rate: empirical likelihood, over maps by matches."""
        from runners.statistics.likelihood import results_interval  # numpy takes a while to import

        return results_interval((sum(shares) / len(shares), len(shares)) for shares in self.maps)

    @property
    def _shares(self) -> list[float]:
        return [share for shares in self.maps for share in shares]


class SeriesResult(msgspec.Struct, frozen=True, kw_only=True):
    """All matches played, in the order of the schedule, and those that could not be."""

    series: Series
    played: list[Played]
    failures: list[str]
    was_stopped: bool
    known: int = 0
    """How many matches had been played before."""
    csv: Path | None = None

    @property
    def published_secret(self) -> int | None:
        """Return what the maps were drawn from; None while one of them is still to be played."""
        return published_secret(self.series, self.played)

    def count_results(self, player: int, seat: int | None = None) -> Tally:
        """Return a tally over all matches, or over those in which it had this seat (from 1)."""
        maps: dict[int, list[float]] = {}
        for match in self.played:
            if seat is None or match.seat(player) == seat:
                maps.setdefault(match.fixture.seed, []).append(match.share(player))
        return Tally(teams=self.series.teams, maps=tuple(map(tuple, maps.values())))

    def mean_score(self, player: int) -> float:
        scores = [match.score(player) for match in self.played]
        return sum(scores) / len(scores) if scores else 0.0

    def faults(self, player: int) -> Counter[Cause]:
        """Decisions lost by a player, by cause."""
        counts: Counter[Cause] = Counter()
        for match in self.played:
            counts.update(match.team(player).faults)
        return counts

    @property
    def lost_decisions(self) -> tuple[LostDecisions, ...]:
        """Return what each player lost, for those that lost any decision."""
        return self._losses.losses

    @property
    def hopeless(self) -> LostDecisions | None:
        """Return what a bot lost that loses nearly all its decisions: it was not played on."""
        return self._losses.hopeless

    @property
    def _losses(self) -> LossTally:
        tally = LossTally(keeps_going=self.series.run.keeps_going)
        for match in self.played:
            tally.add(match.result.key, match.fixture.seats, match.result.teams)
        return tally

    @property
    def distinct(self) -> int:
        """Return how many distinct games were played."""
        return len({match.result.fingerprint for match in self.played})


def published_secret(series: Series, played: Sequence[Played]) -> int | None:
    """Return the secret of a series of which all was played; else None."""
    return series.secret if len(played) == series.matches else None
