"""Many matches in words and in JSON."""

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec

from cli.series_summary import series_as_json, series_summary
from engine.play_options import PlayOptions
from runners.commands import Commands
from runners.series import Played, SeriesResult
from tests.cli.test_match_summary import a_result, a_team
from tests.runners.playing import a_series, change_run
from tests.runners.test_multi_match import make_series


def summary_lines(result: SeriesResult) -> list[str]:
    return series_summary(result, Commands()).splitlines()


def three(out: Path, scores: Sequence[tuple[float, ...]]) -> SeriesResult:
    return make_series(out, scores, names=("ann", "bob", "cas"))


def test_two_are_told_by_the_first_ones_wins_on_either_side(tmp_path: Path) -> None:
    lines = summary_lines(make_series(tmp_path / "results", [(3, 1), (3, 1), (1, 1), (0, 2)]))
    assert lines[0] == "ann against bob: 4 of 4 matches"
    assert [line.split()[:-3] for line in lines[3:6]] == [
        ["ann", "4", "2", "1", "1", "62.5%"],
        ["as", "team", "1", "2", "1", "1", "0", "75.0%"],
        ["as", "team", "2", "2", "1", "0", "1", "50.0%"],
    ]


def test_of_more_everybodys_wins_places_and_points_are_told_by_seat(tmp_path: Path) -> None:
    # Ann wins all but the match in which she is team 3; Bob is second, or shares the last place.
    result = three(tmp_path / "results", [(9, 5, 1), (5, 9, 1), (9, 5, 5)])
    lines = summary_lines(result)
    assert lines[0] == "ann, bob and cas: 3 of 3 matches"
    assert [line.split()[:5] for line in lines[2:6]] == [
        ["games", "wins", "mean", "place", "points"],
        ["ann", "3", "2", "1.33", "83.3%"],
        ["bob", "3", "1", "1.83", "58.3%"],
        ["cas", "3", "0", "2.83", "8.3%"],
    ]
    assert [line.split() for line in lines[7:11]] == [
        ["points", "as", "team", "1", "team", "2", "team", "3"],
        ["ann", "100.0%", "100.0%", "50.0%"],
        ["bob", "100.0%", "50.0%", "25.0%"],
        ["cas", "25.0%", "0.0%", "0.0%"],
    ]


def test_bots_of_one_name_are_told_apart(tmp_path: Path) -> None:
    result = three(tmp_path / "results", [(9, 5, 1)])
    contestants = result.series.contestants[:2] + result.series.contestants[:1]
    same = msgspec.structs.replace(
        result, series=msgspec.structs.replace(result.series, contestants=contestants)
    )
    assert summary_lines(same)[0].startswith("ann (1), bob (2) and ann (3): ")


def test_scripts_are_told_the_same(tmp_path: Path) -> None:
    answer = json.loads(
        series_as_json(three(tmp_path / "results", [(9, 5, 1), (5, 9, 1), (9, 5, 5)]))
    )
    assert "win_rate" not in answer
    ann = answer["tallies"][0]
    low, high = ann.pop("interval_95")
    assert 0 < low < ann["points"] < high < 1
    assert ann == {
        "games": 3,
        "wins": 2,
        "mean_place": 4 / 3,
        "points": 2.5 / 3,
        "by_seat": [
            {"games": 1, "wins": 1, "points": 1.0},
            {"games": 1, "wins": 1, "points": 1.0},
            {"games": 1, "wins": 0, "points": 0.5},
        ],
    }
    assert answer["mean_scores"] == [23 / 3, 19 / 3, 7 / 3]


def test_of_two_scripts_are_told_the_first_ones_figures_too(tmp_path: Path) -> None:
    answer = json.loads(series_as_json(make_series(tmp_path / "results", [(3, 1), (0, 2)])))
    assert (answer["wins"], answer["draws"], answer["losses"], answer["win_rate"]) == (1, 0, 1, 0.5)
    assert answer["by_side"] == [
        {"wins": 1, "draws": 0, "losses": 0},
        {"wins": 0, "draws": 0, "losses": 1},
    ]
    assert [tally["points"] for tally in answer["tallies"]] == [0.5, 0.5]


def test_a_series_names_the_matches_that_came_out_differently(tmp_path: Path) -> None:
    series = a_series(tmp_path / "results", maps=2)
    played = [
        Played(fixture, a_result(a_team("ann"), a_team("bob"), key=key, first_fingerprint=first))
        for fixture, key, first in zip(series.fixtures(), "abc", (None, "e", "f"), strict=False)
    ]
    result = SeriesResult(series=series, played=played, failures=[], was_stopped=False)
    text = series_summary(result, Commands())
    assert "  again             1 differs from the first playing, which stays the result" in text
    assert text.count("; first b\n") == 1
    apart = msgspec.structs.replace(
        result, series=change_run(series, play=PlayOptions(in_process=True))
    )
    text = series_summary(apart, Commands())
    assert "  unrated           played in process: no results, stored separately\n" in text
    assert "--match" not in text


def test_a_series_names_the_matches_that_were_void_at_first(tmp_path: Path) -> None:
    result = make_series(tmp_path / "results", [(3, 1), (3, 1), (1, 1)])
    busy = ("ann waited for a processor", "bob waited for a processor")
    played = [
        Played(one.fixture, msgspec.structs.replace(one.result, void_tries=busy[:tries]))
        for one, tries in zip(result.played, (0, 2, 1), strict=True)
    ]
    result = msgspec.structs.replace(result, played=played)
    assert [line for line in summary_lines(result) if "void" in line] == [
        f"  void              2 matches played again, first {played[1].result.key}: {busy[0]}"
    ]
    assert json.loads(series_as_json(result))["void_tries"] == 3


def test_a_series_of_which_nothing_was_played_is_summed_up_too(tmp_path: Path) -> None:
    series = a_series(tmp_path / "results")
    result = SeriesResult(
        series=series, played=[], failures=["match 1: disk full"], was_stopped=True
    )
    text = series_summary(result, Commands())
    assert text.startswith("ann against bob: 0 of 4 matches, stopped\n")
    assert "  not played        match 1: disk full" in text
    assert "play one of them again" not in text
