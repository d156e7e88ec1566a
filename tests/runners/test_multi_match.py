"""The same bots, many matches."""

import csv
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from engine.bots.sandbox import Level
from engine.fault import Cause
from engine.game import Outcome
from engine.play_options import PlayOptions
from engine.replays.writing import Contestant
from engine.result import CpuUse, MatchResult, Protection, TeamResult
from engine.streams import seed_text
from runners.multi_match import play_series
from runners.series import A, B, Played, Series, SeriesResult, Tally, map_seed
from tests.runners.playing import a_series, change_run
from tests.shell import BOT, WALKER

NO_CPU = CpuUse(calls=0, median_us=0, p95_us=0, max_us=0, total_ms=0)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "results"


def play(series: Series, workers: int = 1) -> SeriesResult:
    return play_series(change_run(series, workers=workers), shows_progress=False)


def make_series(
    out: Path, scores: Sequence[tuple[float, ...]], names: Sequence[str] = ("ann", "bob")
) -> SeriesResult:
    """A series with these scores of each player, and a fault of A in every match."""
    series = msgspec.structs.replace(
        a_series(out),
        contestants=tuple(Contestant(name=name, digest=name) for name in names),
        maps=-(-len(scores) // len(names)),
    )
    played = []
    for fixture, points in zip(series.fixtures(), scores, strict=False):
        teams = tuple(
            TeamResult(
                bot=Contestant(name=series.contestants[player].name, digest="0"),
                score=points[player],
                left="",
                faults={Cause.TIMEOUT: 1} if player == A else {},
                details={},
                restarts=0,
                out=None,
                cpu=NO_CPU,
            )
            for player in fixture.seats
        )
        job = series.make_job(fixture)
        result = MatchResult(
            key=job.spec.key,
            spec=job.spec,
            winner=Outcome(tuple(points[n] for n in fixture.seats), "").winner,
            reason="last turn",
            turns=3,
            teams=teams,
            fingerprint=str(fixture.seed),
            wall_ms=3,
            cpu_ms=2,
            sandbox=Protection(level=Level.OFF, layers=(), failings={}),
        )
        played.append(Played(fixture, result))
    return SeriesResult(series=series, played=played, failures=[], was_stopped=False)


def figures(tally: Tally) -> tuple[int, int, int, float]:
    return tally.wins, tally.draws, tally.losses, tally.rate


def test_wins_draws_and_losses_are_a_players_whichever_side_it_had(out: Path) -> None:
    result = make_series(out, [(3, 1), (3, 1), (1, 1), (0, 2), (5, 0)])
    assert figures(result.count_results(A)) == (3, 1, 1, 0.7)
    assert figures(result.count_results(B)) == (1, 1, 3, 0.3)
    assert figures(result.count_results(A, seat=1)) == (2, 1, 0, 2.5 / 3)
    assert figures(result.count_results(A, seat=2)) == (1, 0, 1, 0.5)


def test_of_three_everybody_has_a_share_of_the_others_it_beat_from_every_seat(out: Path) -> None:
    result = make_series(out, [(9, 5, 1), (5, 9, 1), (9, 5, 5)], names="abc")
    assert [match.fixture.seats for match in result.played] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert [[match.share(player) for player in range(3)] for match in result.played] == [
        [1.0, 0.5, 0.0],
        [0.5, 1.0, 0.0],
        [1.0, 0.25, 0.25],
    ]
    assert [result.count_results(player).mean_place for player in range(3)] == pytest.approx(
        [4 / 3, 11 / 6, 17 / 6]
    )
    assert [result.count_results(1, seat).rate for seat in (1, 2, 3)] == [1.0, 0.5, 0.25]
    assert [match.winners for match in result.played] == [(0,), (1,), (0,)]


def test_scores_and_faults_are_those_of_a_and_b(out: Path) -> None:
    result = make_series(out, [(3, 1), (5, 2)])
    assert (result.mean_score(A), result.mean_score(B)) == (4, 1.5)
    assert (result.faults(A), result.faults(B)) == ({Cause.TIMEOUT: 2}, {})


def test_matches_in_which_the_same_happened_count_once(out: Path) -> None:
    assert make_series(out, [(1, 1)] * 6).distinct == 3


def test_of_nothing_played_there_is_no_rate_and_no_mean(out: Path) -> None:
    result = make_series(out, [])
    assert (result.count_results(A).games, result.count_results(A).rate, result.mean_score(A)) == (
        0,
        0.0,
        0.0,
    )
    assert result.count_results(A).interval == (0.0, 1.0)
    assert result.count_results(A).mean_place is None


@pytest.mark.slow
def test_results_stand_in_the_order_of_the_schedule(out: Path) -> None:
    series = a_series(out, maps=3)
    result = play(series, workers=2)
    assert [match.fixture for match in result.played] == series.fixtures()
    assert [match.result.key for match in result.played] == [
        series.make_job(fixture).spec.key for fixture in series.fixtures()
    ]


@pytest.mark.slow
def test_it_is_the_same_series_however_many_processes_play_it(out: Path) -> None:
    series, elsewhere = a_series(out, maps=2), out / "elsewhere" / "results"
    (out / "elsewhere").mkdir()
    local = change_run(series, play=PlayOptions(in_process=True))
    results = [play(series, 1), play(a_series(elsewhere, maps=2), 2), play(local)]
    assert [result.known for result in results] == [0, 0, 0]
    prints = [[match.result.fingerprint for match in result.played] for result in results]
    assert prints[0] == prints[1] == prints[2]


@pytest.mark.slow
def test_results_share_the_settings_of_their_series(out: Path) -> None:
    series = a_series(out, maps=1)
    played = play(series).played
    assert len(played) == 2
    for match in played:
        assert match.result.spec.settings is series.spec.settings
        assert match.result.spec.limits is series.spec.limits


@pytest.mark.slow
def test_the_table_has_a_row_for_every_match(out: Path) -> None:
    series = a_series(out, maps=2, b=BOT.format("return 'FLY'"))
    result = play(change_run(series, keeps_going=True))
    assert result.csv == out / "series" / f"ann-bob-{result.played[0].result.key}.csv"
    with result.csv.open() as file:
        rows = list(csv.DictReader(file))
    assert [row["match"] for row in rows] == ["1", "2", "3", "4"]
    assert [row["team_1"] for row in rows] == ["ann", "bob"] * 2
    assert [row["key"] for row in rows] == [match.result.key for match in result.played]
    assert [row["map"] for row in rows] == ["1/map/0", "1/map/0", "1/map/1", "1/map/1"]
    assert [row["seed"] for row in rows] == [
        seed_text(map_seed(int(row["secret"]), row["map"])) for row in rows
    ]
    assert [(row["lost_1"], row["lost_2"]) for row in rows] == [("0", "3"), ("3", "0")] * 2
    assert {row["reason"] for row in rows} == {"last turn"}


@pytest.mark.slow
def test_what_has_its_result_is_not_played_again(out: Path) -> None:
    series = a_series(out, maps=3)
    short = play(msgspec.structs.replace(series, maps=2))
    times = [match.stat().st_mtime_ns for match in sorted((out / "matches").iterdir())]
    whole = play(series)
    assert (short.known, whole.known, len(whole.played)) == (0, 4, 6)
    assert [match.result for match in whole.played[:4]] == [m.result for m in short.played]
    known = {match.result.key for match in short.played}
    assert times == [
        match.stat().st_mtime_ns
        for match in sorted((out / "matches").iterdir())
        if match.name in known
    ]
    assert not (out / "again").exists()


@pytest.mark.slow
def test_the_secret_is_told_when_the_last_match_was_played_and_not_before(out: Path) -> None:
    series = a_series(out, maps=2)
    nobody = Contestant(name="nobody", digest="0" * 16)
    ghosts = msgspec.structs.replace(series, contestants=(series.contestants[0], nobody))
    results = [play(ghosts), play(series)]
    assert [result.published_secret for result in results] == [None, series.secret]
    for result, found in zip(results, (set(), {str(series.secret)}), strict=True):
        assert result.csv is not None
        with result.csv.open() as file:
            assert {row["secret"] for row in csv.DictReader(file)} == found


@pytest.mark.slow
def test_a_result_that_cannot_be_read_is_told_and_the_others_stand(out: Path) -> None:
    series = a_series(out, maps=2)
    key = play(series).played[2].result.key
    (out / "matches" / key / "match.json").write_text("{")
    result = play(series)
    assert (result.known, len(result.played), result.published_secret) == (3, 3, None)
    assert [failure.partition(":")[0] for failure in result.failures] == ["match 3"]
    assert "cannot be read" in result.failures[0]


@pytest.mark.slow
def test_a_table_that_cannot_be_written_costs_no_result(out: Path) -> None:
    series = a_series(out, maps=1)
    (out / "series").write_text("in the way")
    result = play(series)
    assert (len(result.played), result.csv) == (2, None)
    assert "series" in result.failures[0]


def test_bots_with_the_longest_names_have_a_table(out: Path) -> None:
    series = a_series(out, maps=1)
    for letters in ("ab", "abcdef"):
        long = tuple(Contestant(name=letter * 250, digest="0") for letter in letters)
        assert len(msgspec.structs.replace(series, contestants=long).name.encode()) < 200


def test_other_settings_are_another_series_with_another_table(out: Path) -> None:
    series = a_series(out)
    limits = msgspec.structs.replace(series.spec.limits, cpu_ms=99)
    spec = msgspec.structs.replace(series.spec, limits=limits)
    assert msgspec.structs.replace(series, spec=spec).name != series.name


def test_a_match_that_cannot_be_played_is_told_by_its_number(out: Path) -> None:
    series = a_series(out, maps=2)
    nobody = Contestant(name="nobody", digest="0" * 16)
    ghosts = msgspec.structs.replace(series, contestants=(series.contestants[0], nobody))
    result = play(ghosts)
    assert result.played == []
    assert [failure.split(":")[0] for failure in result.failures] == [
        "match 1",
        "match 2",
        "match 3",
        "match 4",
    ]
    assert "no copy of a bot with digest 0000000000000000" in result.failures[0]


def test_replays_are_kept_only_if_they_are_wanted(out: Path) -> None:
    series = change_run(a_series(out, maps=1), play=PlayOptions(keep_replay=False))
    assert play(series).played[0].result.replay is None


def test_a_bot_against_itself_is_counted_once_a_match(out: Path) -> None:
    result = play(a_series(out, maps=1, a=WALKER, b=WALKER))
    assert result.count_results(A).games == 2
