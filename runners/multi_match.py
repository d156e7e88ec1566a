"""Two bots, many matches: every map twice, with sides exchanged."""

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
from runners.intervals import wilson
from runners.observers import is_off
from runners.pool import Pool, words_of
from runners.processes import Processes
from runners.schedules import Fixture, mirrored_series

A, B = 0, 1
LONGEST_NAME = 60


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played: `spec` is the first map's, with A as team 1."""

    spec: MatchSpec
    contestants: tuple[Contestant, Contestant]
    matches: int
    seed: int
    keep_replays: bool = True
    in_process: bool = False
    sandbox: Level = Level.DEFAULT

    @property
    def name(self) -> str:
        """Who, and a key of all that decides it; fit for a file's name."""
        a, b = (contestant.name[:LONGEST_NAME] for contestant in self.contestants)
        return f"{a}-{b}-{self.spec.key}"

    def fixtures(self) -> list[Fixture]:
        return list(mirrored_series(self.matches, self.seed))

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

    def team(self, player: int) -> TeamResult:
        """The side of A or B."""
        return self.result.teams[self.fixture.seats.index(player)]

    def score(self, player: int) -> float:
        return self.team(player).score

    @property
    def points(self) -> float:
        """1, 0.5 or 0 for A."""
        return (self.score(A) > self.score(B)) + (self.score(A) == self.score(B)) / 2


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """Wins, draws and losses of A over some matches."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def rate(self) -> float:
        """Share of the points; draws are half."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the rate (Wilson)."""
        return wilson(self.wins + self.draws / 2, self.games)


class SeriesResult(msgspec.Struct, frozen=True, kw_only=True):
    """All matches played, in the order of the schedule, and those that could not be."""

    series: Series
    played: list[Played]
    failures: list[str]
    was_stopped: bool
    csv: Path | None = None

    def tally(self, side: int | None = None) -> Tally:
        """Of all matches, or of those in which A had this side (team 1 or 2)."""
        points = Counter(
            match.points
            for match in self.played
            if side is None or match.fixture.seats.index(A) + 1 == side
        )
        return Tally(wins=points[1.0], draws=points[0.5], losses=points[0.0])

    def mean_score(self, player: int) -> float:
        scores = [match.score(player) for match in self.played]
        return sum(scores) / len(scores) if scores else 0.0

    def faults(self, player: int) -> Counter[Cause]:
        """Decisions lost by A or B, by cause."""
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
                bar.set_postfix_str(_standing(played))
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


def _standing(played: list[Played]) -> str:
    points = Counter(match.points for match in played)
    return f"+{points[1.0]} ={points[0.5]} -{points[0.0]}"


Column = Callable[[Played], object]

COLUMNS: dict[str, Column] = {
    "match": lambda played: played.fixture.number + 1,
    "key": lambda played: played.result.key,
    "seed": lambda played: played.fixture.seed,
    "team_1": lambda played: played.result.teams[0].bot.name,
    "team_2": lambda played: played.result.teams[1].bot.name,
    "score_1": lambda played: played.result.teams[0].score,
    "score_2": lambda played: played.result.teams[1].score,
    "winner": lambda played: played.result.winner or 0,
    "reason": lambda played: played.result.reason,
    "turns": lambda played: played.result.turns,
    "lost_1": lambda played: sum(played.result.teams[0].faults.values()),
    "lost_2": lambda played: sum(played.result.teams[1].faults.values()),
    "cpu_ms_1": lambda played: played.result.teams[0].cpu.total_ms,
    "cpu_ms_2": lambda played: played.result.teams[1].cpu.total_ms,
    "fingerprint": lambda played: played.result.fingerprint,
}


def _write_csv(series: Series, played: list[Played], out: Path) -> Path:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([column(match) for column in COLUMNS.values()] for match in played)
    shelf = Shelf.IN_PROCESS if series.in_process else "series"
    path = out / shelf / f"{series.name}.csv"
    write_whole(path, text.getvalue().encode("utf-8", "surrogateescape"))
    return path
