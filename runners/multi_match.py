"""Plays a series, all of it or what is missing, and writes its table."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from pathlib import Path

import msgspec
from tqdm import tqdm

from engine.bots.launching import require
from engine.errors import BadResult, EngineFailure
from engine.referee import Referee
from engine.replays.archive import Archive
from engine.result import MatchResult, TeamResult
from engine.result_folder import OutName, ResultFolder
from engine.streams import seed_text
from engine.support.files import write_whole
from engine.support.sanitizing import escape_formula
from runners.execution.executor import Result
from runners.execution.local_executor import Processes
from runners.execution.pool import Pool, describe_error
from runners.lost_decisions import LossTally
from runners.observers import Forecast, is_off
from runners.series import A, Fixture, Played, Series, SeriesResult, map_name, published_secret


def play_series(series: Series, *, shows_progress: bool) -> SeriesResult:
    """Play what has no result yet; Ctrl-C ends it with what is done by then.

    So does a bot that loses nearly all its decisions: what it plays says nothing of it.
    The matches go to a CSV file too.
    """
    playing = _Playing(series)
    was_stopped = False
    try:
        playing.load_known_results()
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

    def load_known_results(self) -> None:
        """Take the results that are there. One that cannot be read is left to be played."""
        if self._series.run.play.in_process:
            return  # nobody judged those: they are no results
        archive = Archive(self._series.run.out)
        for fixture in self._series.fixtures():
            with suppress(BadResult):
                result = archive.find_result(self._series.make_job(fixture).spec.key)
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
            len(fixtures), 1 if run.play.in_process else run.workers, is_wanted=shows_progress
        )
        with bar, forecast, closing(_play_and_load(self._series, fixtures)) as results:
            for number, result in results:
                self._take(fixtures[number], result)
                if isinstance(result, MatchResult):
                    forecast.add_match(result.teams)
                bar.update()
                bar.set_postfix_str(_standing_text(self._series, self.played))
                if self._is_given_up():
                    return

    def _is_given_up(self) -> bool:
        return self._losses.hopeless is not None

    def _take(self, fixture: Fixture, result: Result) -> None:
        if isinstance(result, MatchResult):
            self._add(fixture, result)
        else:
            self.failures.append(f"match {fixture.number + 1}: {describe_error(result)}")

    def _add(self, fixture: Fixture, result: MatchResult) -> None:
        self.played.append(Played(fixture, _share_settings(result, self._series)))
        self._losses.add(result.key, fixture.seats, result.teams)


def _play_and_load(
    series: Series, fixtures: list[Fixture]
) -> Generator[tuple[int, Result], None, None]:
    jobs, run = (series.make_job(fixture) for fixture in fixtures), series.run
    if run.play.in_process:
        with closing(Referee(run.out)) as referee:
            yield from enumerate(referee.play(job) for job in jobs)
    else:
        require(run.play.sandbox)
        with Pool(Processes(run.out, min(run.workers, len(fixtures)))) as pool:
            yield from pool.play_all(jobs)


def _share_settings(result: MatchResult, series: Series) -> MatchResult:
    """The result with the series' own settings and limits, so that thousands fit in memory."""
    spec = msgspec.structs.replace(
        result.spec, settings=series.spec.settings, limits=series.spec.limits
    )
    return msgspec.structs.replace(result, spec=spec)


def _standing_text(series: Series, played: list[Played]) -> str:
    """The first player's wins, draws and losses; of more than two players the wins of each."""
    if series.teams == 2:
        shares = Counter(match.share(A) for match in played)
        return f"+{shares[1.0]} ={shares[0.5]} -{shares[0.0]}"
    winners = Counter(player for match in played for player in match.winners)
    return f"wins {'-'.join(str(winners[player]) for player in range(series.teams))}"


Column = Callable[[Played], object]


def make_columns(series: Series, secret: int | None) -> dict[str, Column]:
    """Return what stands in each column of the table of all matches, by its heading."""
    teams, published = series.teams, "" if secret is None else seed_text(secret)
    return {
        "match": lambda played: played.fixture.number + 1,
        "key": lambda played: played.result.key,
        "map": lambda played: map_name(series.seed, played.fixture.map_number),
        "secret": lambda played: published,
        "seed": lambda played: seed_text(played.fixture.seed),
        **_column_of_each_team("team", teams, lambda team: team.bot.name),
        **_column_of_each_team("score", teams, lambda team: team.score),
        "winner": lambda played: " ".join(map(str, played.result.winners)) or 0,
        "reason": lambda played: played.result.reason,
        "turns": lambda played: played.result.turns,
        **_column_of_each_team("lost", teams, lambda team: sum(team.faults.values())),
        **_column_of_each_team("cpu_ms", teams, lambda team: team.cpu.total_ms),
        "fingerprint": lambda played: played.result.fingerprint,
    }


def _column_of_each_team(
    name: str, teams: int, value: Callable[[TeamResult], object]
) -> dict[str, Column]:
    def column(index: int) -> Column:
        return lambda played: value(played.result.teams[index])

    return {f"{name}_{index + 1}": column(index) for index in range(teams)}


def _write_csv(series: Series, played: list[Played]) -> Path:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    table = make_columns(series, published_secret(series, played))
    writer.writerow(table)
    for match in played:
        writer.writerow(escape_formula(column(match)) for column in table.values())
    result_folder = ResultFolder.IN_PROCESS if series.run.play.in_process else OutName.SERIES
    path = series.run.out / result_folder / f"{series.name}.csv"
    write_whole(path, text.getvalue().encode())
    return path
