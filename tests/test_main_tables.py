"""Tournaments and questions at tables of more than two, with a game for two to six."""

import json
import re
import sqlite3
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.game_packages import BOT, bids_shell
from tests.shell import ALONE, BREAKS_IN_MATCHES, Done, Shell

BIDS = ("-g", "sealed_bids", "--no-replay", *ALONE)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return bids_shell(tmp_path, 1, 3, 5, 7, 9, plays_here=True)


def tournament(shell: Shell, *arguments: str) -> Done:
    return shell.run("-r", "tournament", *BIDS, "--no-report", *arguments)


def play_all(shell: Shell, *arguments: str) -> list[dict[str, Any]]:
    """The matches that a command plays."""
    done = tournament(shell, *arguments, "--json")
    assert (done.code, done.err) == (0, "")
    return [json.loads(line) for line in done.out.splitlines()]


def numbers(match: dict[str, Any]) -> tuple[int, ...]:
    """Return who sat where."""
    return tuple(int(team["bot"].removeprefix("player_")) for team in match["teams"])


@pytest.mark.slow
def test_a_round_robin_at_tables_of_three_plays_every_three_in_every_rotation(shell: Shell) -> None:
    seats = [numbers(match) for match in play_all(shell, "--table", "3")]
    assert len(seats) == 10 * 3
    met = {tuple(sorted(table)) for table in seats}
    assert met == set(combinations((1, 3, 5, 7, 9), 3))
    for three in met:
        of_it = [table for table in seats if tuple(sorted(table)) == three]
        assert [sorted(column) for column in zip(*of_it, strict=True)] == [list(three)] * 3


@pytest.mark.slow
def test_without_a_word_as_few_meet_as_the_game_allows(shell: Shell) -> None:
    assert {len(numbers(match)) for match in play_all(shell)} == {2}


@pytest.mark.parametrize(
    ("arguments", "matches"),
    [
        (["--format", "round_robin"], 5 * 4),
        pytest.param(["--format", "swiss", "--rounds", "1"], 4, marks=pytest.mark.slow),
        pytest.param(["--format", "gauntlet"], 4 * 4, marks=pytest.mark.slow),
        pytest.param(["--format", "ladder", "--rounds", "2"], 2 * 4, marks=pytest.mark.slow),
    ],
    ids=lambda value: value[1] if isinstance(value, list) else "",
)
def test_every_format_that_has_tables_plays_what_its_dry_run_foretells(
    shell: Shell, arguments: Sequence[str], matches: int
) -> None:
    output = tournament(shell, *arguments, "--table", "4", "--dry-run").out
    assert "1 map for each 4-player pairing, in 4 rotations\n" in output
    assert f"\n  matches  {matches}\n" in output
    done = tournament(shell, *arguments, "--table", "4")
    assert done.code == 0
    assert f"{matches} matches played, over" in done.out


@pytest.mark.slow
def test_the_table_has_wins_places_and_ratings_from_who_finished_above_whom(shell: Shell) -> None:
    done = tournament(shell, "--table", "3", "--pairs", "2", "--secret", "1", "--set", "luck=9")
    heading, *rows = done.out.splitlines()[3:9]
    assert heading.split()[:6] == ["rank", "bot", "points", "wins", "place", "Elo"]
    assert [row.split()[1] for row in rows] == [f"player_{number}" for number in (9, 7, 5, 3, 1)]
    standings = shell.json("report", "--standings", "-g", "sealed_bids")
    assert standings["table"] == 3
    for row in standings["standings"]:
        # Two others at each of six tables, on two maps, in three rotations.
        assert row["wins"] + row["draws"] + row["losses"] == 6 * 2 * 3
        assert 1 <= row["mean_place"] <= 3
    elos = [row["rating"]["elo"] for row in standings["standings"]]
    assert elos == sorted(elos, reverse=True)


@pytest.mark.slow
def test_a_stopped_table_tournament_goes_on_and_a_newcomer_joins(shell: Shell) -> None:
    first = {match["key"] for match in play_all(shell, "--table", "3")}
    with sqlite3.connect(shell.home / "results/sealed_bids.sqlite") as results:
        results.execute("DELETE FROM matches WHERE key IN (SELECT key FROM matches LIMIT 7)")
    again = [match["key"] for match in play_all(shell)]
    assert len(again) == 7
    assert set(again) < first
    shell.bot("playerCode/sealed_bids/player_2.py", BOT.format("return 2"))
    new = play_all(shell, "player_2")
    assert len(new) == 10 * 3
    assert all(2 in numbers(match) for match in new)
    other = tournament(shell, "--table", "4")
    assert other.code == 2
    assert "--table was 3, not 4" in other.err


@pytest.mark.slow
def test_a_bot_that_breaks_at_tables_forfeits_the_rest_and_the_others_go_on(shell: Shell) -> None:
    shell.bot("playerCode/sealed_bids/player_0.py", f"{BREAKS_IN_MATCHES}{BOT.format('return 1')}")
    shell.plays_here = False
    done = tournament(shell, "--table", "4", "--seed", "2")
    assert done.code == 0, done
    assert re.search(r"^     6  player_0 .* in quarantine$", done.out, re.MULTILINE)
    # Ten of fifteen tables have it, of which it plays three matches.
    assert "23 matches played, 37 forfeited, over" in done.out
    assert "player_0: forfeited 37 matches" in done.out


@pytest.mark.slow
def test_a_report_of_tables_is_written(shell: Shell) -> None:
    done = shell.run("-r", "tournament", "-g", "sealed_bids", "--table", "3", "--pages", "2", "-q")
    assert done.code == 0, done
    site = shell.home / "results/tournament/report"
    assert "3-player matches" in (site / "index.html").read_text()
    teams = json.loads((site / "files/teams.json").read_text())
    assert {row["team"] for row in teams} == {1, 2, 3}
    pages = list((site / "replays").glob("*.html"))
    assert len(pages) == 2
    assert "By seat" in (site / "bots/1.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--table", "7"], "--table 7: Sealed Bids is played by 2 to 6 teams"),
        (["--table", "3", "--decide"], "--decide is for matches of two, and has no effect with"),
        (["--table", "2", "--decide"], "--decide needs --pairs 9 or more, as fewer map pairs"),
        (["--table", "6"], "a tournament of 6-player matches needs 6 bots or more"),
        (
            ["--table", "3", "--format", "single_elimination"],
            "has matches of two players, not of 3; these formats have them: round_robin, swiss",
        ),
        (
            ["--table", "3", "--format", "swiss", "--rounds", "3"],
            "--rounds 3: with 5 bots swiss can have 2, as nobody should meet anybody twice",
        ),
    ],
    ids=str,
)
def test_tables_that_cannot_be_had_are_refused(
    shell: Shell, arguments: Sequence[str], message: str
) -> None:
    done = tournament(shell, *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in " ".join(done.err.split())
    assert not (shell.home / "results").exists()


def test_more_tables_than_anybody_could_play_are_refused(shell: Shell) -> None:
    for number in range(40):
        shell.bot(
            f"playerCode/sealed_bids/player_x{number}.py", f"{BOT.format('return 1')}# {number}"
        )
    done = tournament(shell, "--table", "6")
    assert done.code == 2
    assert "of 45 bots there are 8145060 pairings of 6, and 100000 at most are played" in done.err
    assert "--format swiss" in done.err


# -- questions -------------------------------------------------------------------------------


def fairness(shell: Shell, *arguments: str) -> Done:
    return shell.run("fairness", *BIDS, *arguments)


@pytest.mark.slow
def test_seats_that_do_not_matter_are_found_fair_at_tables(shell: Shell) -> None:
    arguments = ("player_1", "player_3", "player_5", "player_7", "--table", "3", "--pairs", "2")
    done = fairness(shell, *arguments)
    assert (done.code, done.err) == (0, ""), done
    lines = done.out.splitlines()
    assert lines[0].startswith("is a seat favored? asked of player_1, player_3, ")
    assert "against each other, in 3-player matches, in all rotations:" in lines
    assert sum(line.startswith("  team 3: +0 Elo (") for line in lines) == 2
    assert "  decided by seat: 0 of 8 sets" in lines
    # Four tables of three in three rotations, and four bots alone, on two maps.
    assert len(shell.finished_matches()) == 4 * 3 * 2 + 4 * 2


@pytest.mark.slow
def test_a_seat_that_has_a_head_start_is_found_out(shell: Shell) -> None:
    bots = ("player_3", "player_5", "player_7", "player_9")
    done = fairness(shell, *bots, "--table", "4", "--pairs", "10", "--set", "head_start=20")
    assert done.code == 3, done
    assert "one team is favored: team 1 took 100.0% of the points" in done.out
    answer = json.loads(
        shell.run("--json", "fairness", *BIDS, *bots, "--table", "4", "--set", "head_start=20").out
    )
    assert [seat["number"] for seat in answer["between"]["seats"]] == [1, 2, 3, 4]
    assert answer["between"]["seats"][0]["share"] == 1


@pytest.mark.slow
def test_fewer_bots_than_seats_only_meet_themselves(shell: Shell) -> None:
    done = fairness(shell, "player_1", "--table", "5", "--pairs", "3")
    assert done.code == 0, done
    assert "against each other" not in done.out
    assert len(shell.finished_matches()) == 3


def test_tables_of_a_game_that_has_none_such_are_refused(shell: Shell) -> None:
    done = fairness(shell, "--table", "7")
    assert (done.code, done.err) == (2, "error: Sealed Bids is played by 2 to 6 teams, not by 7\n")


@pytest.mark.slow
def test_two_are_compared_at_two_seats(shell: Shell) -> None:
    done = shell.run("versus", *BIDS, "player_9", "player_1", "--elo1", "400")
    assert done.code == 4, "they play the same again and again, of which one pair counts"
    assert "again and again" in done.out
    assert {len(match.name) for match in shell.finished_matches()} == {16}


@pytest.mark.slow
def test_two_are_not_compared_in_a_game_for_more(shell: Shell) -> None:
    shell.replace("sealed_bids/game.py", "range(2, 7)", "range(3, 7)")
    done = shell.run("versus", *BIDS, "player_9", "player_1")
    assert (done.code, done.err) == (2, "error: Sealed Bids is played by 3 to 6 teams, not by 2\n")
    assert {len(numbers(match)) for match in play_all(shell)} == {3}


@pytest.mark.slow
def test_the_commands_it_names_are_of_the_same_game(shell: Shell) -> None:
    said = re.search(r"show it again: python3 \S*main\.py (.*)", tournament(shell).out)
    assert said
    arguments = said[1].split()
    assert arguments[:2] == ["-g", "sealed_bids"]
    assert "5 bots" in shell.run(*arguments).out
    forgotten = shell.run("report", "--standings")
    assert forgotten.code == 2
    assert "there are some of other games: -g sealed_bids" in forgotten.err
