"""The same bots, many matches: every map once in every rotation of the seats."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

import msgspec
from tqdm import tqdm

from engine.bots.fault import Cause
from engine.bots.launching import require
from engine.bots.sandbox import Level
from engine.errors import EngineFailure
from engine.files import write_whole
from engine.record import Contestant
from engine.referee import Job, Referee
from engine.result import MatchResult, TeamResult
from engine.shelves import Shelf
from engine.spec import MatchSpec
from runners.crew import Result
from runners.observers import is_off
from runners.pool import Pool, words_of
from runners.processes import Processes
from runners.schedules import Fixture, rotated_series
from runners.scores import shares_of
from runners.tallies import Tally

A, B = 0, 1
LONGEST_NAMES = 120
"""All of them together, in the name of a file."""


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played: `spec` is the first map's, with the first contestant as team 1."""

    spec: MatchSpec
    contestants: tuple[Contestant, ...]
    """A player of the series is known by its place here."""
    maps: int
    """Each is played once in every rotation of the seats."""
    seed: int
    keep_replays: bool = True
    in_process: bool = False
    sandbox: Level = Level.DEFAULT

    @property
    def teams(self) -> int:
        return len(self.contestants)

    @property
    def matches(self) -> int:
        return self.maps * self.teams

    @property
    def name(self) -> str:
        """Who, and a key of all that decides it; fit for a file's name."""
        longest = LONGEST_NAMES // self.teams
        names = (contestant.name[:longest] for contestant in self.contestants)
        return "-".join([*names, self.spec.key])

    def fixtures(self) -> list[Fixture]:
        return list(rotated_series(self.teams, self.maps, self.seed))

    def job(self, fixture: Fixture) -> Job:
        """The match a fixture points to."""
        seated = tuple(self.contestants[player] for player in fixture.seats)
        digests = tuple(contestant.digest for contestant in seated)
        return Job(
            spec=msgspec.structs.replace(self.spec, bots=digests, seed=fixture.seed),
            contestants=seated,
            keep_replay=self.keep_replays,
            in_process=self.in_process,
            sandbox=self.sandbox,
        )


class Played(msgspec.Struct, frozen=True):
    """A fixture and what came of it."""

    fixture: Fixture
    result: MatchResult

    def seat(self, player: int) -> int:
        """Which team it was, from 1."""
        return self.fixture.seats.index(player) + 1

    @property
    def winner(self) -> int | None:
        """The player who won; None for a draw."""
        seat = self.result.winner
        return None if seat is None else self.fixture.seats[seat - 1]

    def team(self, player: int) -> TeamResult:
        """A player's side of it."""
        return self.result.teams[self.seat(player) - 1]

    def score(self, player: int) -> float:
        return self.team(player).score

    def share(self, player: int) -> float:
        """Of the others, how many it beat, draws half: 1, 0.5 or 0 where there is one other."""
        points = tuple(team.score for team in self.result.teams)
        return shares_of(points)[self.seat(player) - 1]


class SeriesResult(msgspec.Struct, frozen=True, kw_only=True):
    """All matches played, in the order of the schedule, and those that could not be."""

    series: Series
    played: list[Played]
    failures: list[str]
    was_stopped: bool
    csv: Path | None = None

    def tally(self, player: int, seat: int | None = None) -> Tally:
        """What a player came to, in all matches or in those in which it had this seat (from 1)."""
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
    def distinct(self) -> int:
        """How many matches were really different."""
        return len({match.result.fingerprint for match in self.played})


def play_series(series: Series, out: Path, *, workers: int, shows_progress: bool) -> SeriesResult:
    """Play all; Ctrl-C ends it with what is done by then. The matches go to a CSV file too."""
    played: list[Played] = []
    failures: list[str] = []
    was_stopped = False
    fixtures = series.fixtures()
    off = is_off(is_wanted=shows_progress)
    bar = tqdm(total=len(fixtures), unit="match", disable=off, dynamic_ncols=True)
    try:
        with bar, closing(_results(series, fixtures, out, workers)) as results:
            for number, result in results:
                if isinstance(result, MatchResult):
                    played.append(Played(fixtures[number], _sharing(result, series)))
                else:
                    failures.append(f"match {number + 1}: {words_of(result)}")
                bar.update()
                bar.set_postfix_str(_standing(series, played))
    except KeyboardInterrupt:
        was_stopped = True
    played.sort(key=lambda match: match.fixture.number)
    csv_path = None
    try:
        csv_path = _write_csv(series, played, out)
    except EngineFailure as failure:
        failures.append(str(failure))
    return SeriesResult(
        series=series, played=played, failures=failures, was_stopped=was_stopped, csv=csv_path
    )


def _results(
    series: Series, fixtures: list[Fixture], out: Path, workers: int
) -> Generator[tuple[int, Result], None, None]:
    jobs = (series.job(fixture) for fixture in fixtures)
    if series.in_process:
        with closing(Referee(out)) as referee:
            yield from enumerate(referee.play(job) for job in jobs)
    else:
        require(series.sandbox)
        with Pool(Processes(out, min(workers, len(fixtures)))) as pool:
            yield from pool.play_all(jobs)


def _sharing(result: MatchResult, series: Series) -> MatchResult:
    """The result with the series' own settings and limits, so that thousands fit in memory."""
    spec = msgspec.structs.replace(
        result.spec, settings=series.spec.settings, limits=series.spec.limits
    )
    return msgspec.structs.replace(result, spec=spec)


def _standing(series: Series, played: list[Played]) -> str:
    """Of two the first one's wins, draws and losses; of more the wins of each."""
    if series.teams == 2:
        shares = Counter(match.share(A) for match in played)
        return f"+{shares[1.0]} ={shares[0.5]} -{shares[0.0]}"
    winners = Counter(match.winner for match in played)
    return f"wins {'-'.join(str(winners[player]) for player in range(series.teams))}"


Column = Callable[[Played], object]


def columns(teams: int) -> dict[str, Column]:
    """Of the table of all matches, by their headings."""
    return {
        "match": lambda played: played.fixture.number + 1,
        "key": lambda played: played.result.key,
        "seed": lambda played: played.fixture.seed,
        **_of_each("team", teams, lambda team: team.bot.name),
        **_of_each("score", teams, lambda team: team.score),
        "winner": lambda played: played.result.winner or 0,
        "reason": lambda played: played.result.reason,
        "turns": lambda played: played.result.turns,
        **_of_each("lost", teams, lambda team: sum(team.faults.values())),
        **_of_each("cpu_ms", teams, lambda team: team.cpu.total_ms),
        "fingerprint": lambda played: played.result.fingerprint,
    }


def _of_each(name: str, teams: int, value: Callable[[TeamResult], object]) -> dict[str, Column]:
    def column(index: int) -> Column:
        return lambda played: value(played.result.teams[index])

    return {f"{name}_{index + 1}": column(index) for index in range(teams)}


def _write_csv(series: Series, played: list[Played], out: Path) -> Path:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    table = columns(series.teams)
    writer.writerow(table)
    writer.writerows([column(match) for column in table.values()] for match in played)
    shelf = Shelf.IN_PROCESS if series.in_process else "series"
    path = out / shelf / f"{series.name}.csv"
    write_whole(path, text.getvalue().encode("utf-8", "surrogateescape"))
    return path
