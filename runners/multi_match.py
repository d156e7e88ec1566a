"""The same bots, many matches: every map once in every rotation of the seats."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path

import msgspec
from tqdm import tqdm

from engine.archive import Archive
from engine.bots.launching import require
from engine.errors import BadResult, EngineFailure
from engine.fault import Cause
from engine.files import write_whole
from engine.record import Contestant
from engine.referee import Job, Referee
from engine.result import MatchResult, TeamResult
from engine.result_folder import ResultFolder
from engine.spec import MatchSpec
from engine.spreadsheets import harmless
from engine.streams import seed_text
from runners.execution.executor import Result
from runners.execution.local_executor import Processes
from runners.execution.pool import Pool, words_of
from runners.lost_decisions import LossTally, LostDecisions
from runners.observers import Forecast, is_off
from runners.run_options import RunOptions
from runners.schedules import Fixture, map_name, rotated_series
from runners.statistics.scores import shares_of
from runners.statistics.tallies import Tally

A, B = 0, 1
LONGEST_NAMES = 120
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
        longest = LONGEST_NAMES // self.teams
        names = (contestant.name[:longest] for contestant in self.contestants)
        return "-".join([*names, self.job(next(self._fixtures())).spec.key])

    def fixtures(self) -> list[Fixture]:
        return list(self._fixtures())

    def _fixtures(self) -> Iterator[Fixture]:
        return rotated_series(self.teams, self.maps, seed=self.seed, secret=self.secret)

    def job(self, fixture: Fixture) -> Job:
        """The match a fixture points to."""
        seated = tuple(self.contestants[player] for player in fixture.seats)
        digests = tuple(contestant.digest for contestant in seated)
        return Job(
            spec=msgspec.structs.replace(self.spec, bots=digests, seed=fixture.seed),
            contestants=seated,
            keep_replay=self.run.keep_replays,
            keep_notes=bool(self.run.keep_notes),
            in_process=self.run.in_process,
            own_files=self.own_files,
            sandbox=self.run.sandbox,
            once=not self.run.in_process,
        )


class Played(msgspec.Struct, frozen=True):
    """A fixture and what came of it."""

    fixture: Fixture
    result: MatchResult

    def seat(self, player: int) -> int:
        """Return which team a player was, from 1."""
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
        """Return how many of the others it beat, draws half: 1, 0.5 or 0 with one other."""
        points = tuple(team.score for team in self.result.teams)
        return shares_of(points)[self.seat(player) - 1]


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

    def tally(self, player: int, seat: int | None = None) -> Tally:
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


def play_series(series: Series, *, shows_progress: bool) -> SeriesResult:
    """Play what has no result yet; Ctrl-C ends it with what is done by then.

    So does a bot that loses nearly all its decisions: what it plays says nothing of it.
    The matches go to a CSV file too.
    """
    playing = _Playing(series)
    was_stopped = False
    try:
        playing.take_known()
        playing.play_missing(shows_progress=shows_progress)
    except KeyboardInterrupt:
        was_stopped = True
    played = sorted(playing.played, key=lambda match: match.fixture.number)
    csv_path = None
    try:
        csv_path = _write_csv(series, played)
    except EngineFailure as failure:
        playing.failures.append(str(failure))
    return SeriesResult(
        series=series,
        played=played,
        failures=playing.failures,
        was_stopped=was_stopped,
        known=playing.known,
        csv=csv_path,
    )


class _Playing:
    """A series while it is played."""

    def __init__(self, series: Series) -> None:
        self._series = series
        self.played: list[Played] = []
        self.failures: list[str] = []
        self.known = 0
        """How many matches had been played before."""
        self._losses = LossTally(keeps_going=series.run.keeps_going)

    def take_known(self) -> None:
        """Take the results that are there. One that cannot be read is left to be played."""
        if self._series.run.in_process:
            return  # nobody judged those: they are no results
        archive = Archive(self._series.run.out)
        for fixture in self._series.fixtures():
            with suppress(BadResult):
                result = archive.filed(self._series.job(fixture).spec.key)
                if result is not None:
                    self._add(fixture, result)
        self.known = len(self.played)

    def play_missing(self, *, shows_progress: bool) -> None:
        done = {match.fixture for match in self.played}
        fixtures = [fixture for fixture in self._series.fixtures() if fixture not in done]
        if not fixtures or self._is_given_up():
            return
        run = self._series.run
        bar = tqdm(
            total=self._series.matches,
            initial=len(done),
            unit="match",
            disable=is_off(is_wanted=shows_progress),
            dynamic_ncols=True,
        )
        forecast = Forecast(
            len(fixtures), 1 if run.in_process else run.workers, is_wanted=shows_progress
        )
        with bar, closing(_results(self._series, fixtures)) as results:
            for number, result in results:
                self._take(fixtures[number], result)
                if isinstance(result, MatchResult):
                    forecast.heard(result.teams)
                bar.update()
                bar.set_postfix_str(_standing(self._series, self.played))
                if self._is_given_up():
                    return

    def _is_given_up(self) -> bool:
        return self._losses.hopeless is not None

    def _take(self, fixture: Fixture, result: Result) -> None:
        if isinstance(result, MatchResult):
            self._add(fixture, result)
        else:
            self.failures.append(f"match {fixture.number + 1}: {words_of(result)}")

    def _add(self, fixture: Fixture, result: MatchResult) -> None:
        self.played.append(Played(fixture, _sharing(result, self._series)))
        self._losses.add(result.key, fixture.seats, result.teams)


def _results(series: Series, fixtures: list[Fixture]) -> Generator[tuple[int, Result], None, None]:
    jobs, run = (series.job(fixture) for fixture in fixtures), series.run
    if run.in_process:
        with closing(Referee(run.out)) as referee:
            yield from enumerate(referee.play(job) for job in jobs)
    else:
        require(run.sandbox)
        with Pool(Processes(run.out, min(run.workers, len(fixtures)))) as pool:
            yield from pool.play_all(jobs)


def _sharing(result: MatchResult, series: Series) -> MatchResult:
    """The result with the series' own settings and limits, so that thousands fit in memory."""
    spec = msgspec.structs.replace(
        result.spec, settings=series.spec.settings, limits=series.spec.limits
    )
    return msgspec.structs.replace(result, spec=spec)


def _standing(series: Series, played: list[Played]) -> str:
    """The first player's wins, draws and losses; of more than two players the wins of each."""
    if series.teams == 2:
        shares = Counter(match.share(A) for match in played)
        return f"+{shares[1.0]} ={shares[0.5]} -{shares[0.0]}"
    winners = Counter(match.winner for match in played)
    return f"wins {'-'.join(str(winners[player]) for player in range(series.teams))}"


Column = Callable[[Played], object]


def columns(series: Series, secret: int | None) -> dict[str, Column]:
    """Return what stands in each column of the table of all matches, by its heading."""
    teams, published = series.teams, "" if secret is None else seed_text(secret)
    return {
        "match": lambda played: played.fixture.number + 1,
        "key": lambda played: played.result.key,
        "map": lambda played: map_name(series.seed, played.fixture.map_number),
        "secret": lambda played: published,
        "seed": lambda played: seed_text(played.fixture.seed),
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


def _write_csv(series: Series, played: list[Played]) -> Path:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    table = columns(series, published_secret(series, played))
    writer.writerow(table)
    for match in played:
        writer.writerow(harmless(column(match)) for column in table.values())
    result_folder = ResultFolder.IN_PROCESS if series.run.in_process else "series"
    path = series.run.out / result_folder / f"{series.name}.csv"
    write_whole(path, text.getvalue().encode())
    return path
