"""Matches of other than two teams from the command line, with a game for two to six."""

import csv
import re
from pathlib import Path

import pytest

from tests.game_packages import BOT, bids_shell
from tests.shell import Shell
from tests.visualizer.painting import GREEN, RED, picture_color, write_blob

BIDS = ("-g", "sealed_bids")


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    shell = bids_shell(tmp_path_factory.mktemp("shell"), 1, 2, 3, 5, 7, 9)
    shell.bot("playerCode/sealed_bids/player_bad.py", BOT.format("return 10"))
    shell.bot("playerCode/sealed_bids/player_wild.py", BOT.format("return 10 if turn > 1 else 0"))
    return shell


def list_seated(shell: Shell, *arguments: str) -> list[str]:
    teams = shell.json(*BIDS, *arguments)["teams"]
    return [team["bot"]["name"] for team in teams]


@pytest.mark.slow
def test_two_play_unless_more_are_named(shell: Shell) -> None:
    assert len(list_seated(shell)) == 2
    assert list_seated(shell, "-p", "player_9", "-p", "player_1") == ["player_9", "player_1"]


def test_six_are_seated_by_number_and_in_the_order_of_their_names(shell: Shell) -> None:
    arguments = ("-6", "player_1", "-p", "player_2", "-p", "player_3.py", "--player-1", "player_9")
    assert list_seated(shell, *arguments, "--player", "player_5", "-p", "player_7") == [
        *("player_9", "player_2", "player_3", "player_5", "player_7", "player_1"),
    ]


def test_seats_that_nobody_named_are_drawn(shell: Shell) -> None:
    drawn = list_seated(shell, "-4", "player_1")
    assert drawn[3] == "player_1"
    assert len(set(drawn)) == 4


def test_a_file_of_options_names_players_too(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "four.toml"
    file.write_text(
        '[options]\ngame = "sealed_bids"\nplayer = ["player_1", "player_2"]\nplayer_3 = "player_9"'
    )
    result = shell.json("--config", str(file))
    assert [team["bot"]["name"] for team in result["teams"]] == ["player_1", "player_2", "player_9"]


def test_seven_are_refused_with_what_the_game_allows(shell: Shell) -> None:
    done = shell.run(*BIDS, *["-p", "player_1"] * 7)
    assert (done.code, done.err) == (2, "error: Sealed Bids is played by 2 to 6 teams, not by 7\n")


def test_the_summary_has_a_line_for_each_team_with_its_place(shell: Shell) -> None:
    names = ("player_2", "player_9", "player_2", "player_bad")
    done = shell.run(*BIDS, *(word for name in names for word in ("-p", name)))
    assert done.code == 0
    for pattern in (
        r"^  team 1  player_2            6  place 2$",
        r"^  team 2  player_9           27  winner$",
        r"^  team 3  player_2            6  place 2$",
        r"^  team 4  player_bad          0  place 4$",
        r"^  remaining  player_2 \(1\): 6 coins$",
        r"^  faults     player_bad: 3 forfeited turns \(3 illegal order\)$",
    ):
        assert re.search(pattern, done.out, re.MULTILINE), (pattern, done)


def test_a_match_of_five_is_recorded_verified_and_played_again(shell: Shell) -> None:
    arguments = [word for number in (1, 2, 3, 5, 9) for word in ("-p", f"player_{number}")]
    result = shell.json(*BIDS, *arguments, "--set", "luck=9")
    assert shell.json("--match", result["key"])["fingerprint"] == result["fingerprint"]
    found = shell.run(result["replay"], "--info", "--verify", "--print", "2", tool="replay.py")
    assert found.code == 0, found
    assert "team 5: player_9 " in found.out
    assert "verified: identical, event for event" in found.out


def test_every_team_may_have_a_picture(shell: Shell) -> None:
    red = write_blob(shell.home / "red.png", RED)
    green = write_blob(shell.home / "green.png", GREEN)
    arguments = ("-p", "player_1", "-p", "player_2", "-p", "player_9")
    match = shell.json(*BIDS, *arguments, "--sprite-1", str(red), "--sprite-3", str(green))
    saved = shell.home / "results/sprites/matches" / match["key"]
    assert {path.name: picture_color(path.read_bytes()) for path in saved.iterdir()} == {
        "1.png": RED,
        "3.png": GREEN,
    }


def test_a_series_of_four_rotates_the_seats_on_every_map(shell: Shell) -> None:
    names = [f"player_{number}" for number in (1, 3, 7, 9)]
    arguments = [word for name in names for word in ("-p", name)]
    series = shell.json(*BIDS, "-r", "multi_match", "-m", "6", *arguments, "--set", "luck=9")
    assert (series["matches"], series["played"]) == (8, 8)
    seats = [[team["bot"]["name"] for team in match["teams"]] for match in series["results"]]
    assert seats[:4] == seats[4:] == [names[turn:] + names[:turn] for turn in range(4)]
    seeds = [match["spec"]["seed"] for match in series["results"]]
    assert (len(set(seeds[:4])), len(set(seeds[4:])), len(set(seeds))) == (1, 1, 2)
    with (shell.home / series["csv"]).open() as file:
        rows = list(csv.DictReader(file))
    assert [row["team_4"] for row in rows[:4]] == ["player_9", "player_1", "player_3", "player_7"]
    assert {len([name for name in row if name.startswith("score_")]) for row in rows} == {4}


def test_a_series_of_three_is_summed_up_for_everybody(shell: Shell) -> None:
    arguments = ("-p", "player_1", "-p", "player_5", "-p", "player_wild")
    done = shell.run(*BIDS, "-r", "multi_match", "-m", "30", *arguments, "--seed", "4")
    assert done.code == 0
    for pattern in (
        r"^player_1, player_5 and player_wild: 30 of 30 matches$",
        r"^  player_1 +30 +0 +2\.00 +50\.0% \(",
        r"^  player_5 +30 +30 +1\.00 +100\.0% \(",
        r"^  player_wild +30 +0 +3\.00 +0\.0% \(",
        r"^  points as +team 1 +team 2 +team 3$",
        r"^  player_1 +50\.0% +50\.0% +50\.0%$",
        r"^  faults of player_wild: 60 forfeited turns \(60 illegal order\) in 30 matches",
    ):
        assert re.search(pattern, done.out, re.MULTILINE), (pattern, done)
