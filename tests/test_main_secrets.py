"""Maps that nobody foresees, and everybody can verify once all of them were played."""

import csv
import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bootstrap import HOME
from runners.series import map_seed
from tests import needs
from tests.shell import ALONE, QUICK, SLEEPER, WALKER, Done, Shell, eventually, finish

TINY = (*QUICK, "--no-replay")
SERIES = ("-r", "multi_match", "-1", "player_ann", "-2", "player_bob", *TINY, *ALONE)
SECRET = "0x[0-9a-f]{32}"


NAMES = ("ann", "bob", "cid")
SHELL_BOTS = {f"player_{name}.py": f"{WALKER}# {name}\n" for name in NAMES}


def tournament(shell: Shell, *arguments: str) -> list[dict[str, Any]]:
    """Return what a tournament's --json says of its matches."""
    done = shell.run("-r", "tournament", "--no-report", "--json", *TINY, *ALONE, *arguments)
    assert (done.code, done.err) == (0, ""), done
    return [json.loads(line) for line in done.out.splitlines()]


def seeds(matches: list[dict[str, Any]]) -> dict[str, str]:
    return {match["key"]: match["seed"] for match in matches}


def table(shell: Shell, path: str) -> list[dict[str, str]]:
    with (shell.home / path).open() as file:
        return list(csv.DictReader(file))


def verify(file: Path) -> Done:
    """Run the program of the documents on a table of matches."""
    program = HOME / "docs" / "cookbook" / "verify_maps.py"
    arguments = [sys.executable, "-I", str(program), str(file)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


# -- tournaments -----------------------------------------------------------------------------


def test_two_tournaments_with_one_seed_have_no_map_in_common(shell: Shell) -> None:
    first, second = (
        set(seeds(tournament(shell, "--seed", "7", "--name", name)).values()) for name in "ab"
    )
    assert (len(first), len(second)) == (3, 3)
    assert first.isdisjoint(second)


@pytest.mark.slow
def test_the_published_secret_draws_the_very_same_maps_elsewhere(shell: Shell) -> None:
    first = tournament(shell, "--seed", "7")
    (secret,) = shell.json("report", "--standings")["secrets"]
    assert re.fullmatch(SECRET, secret["secret"])
    assert secret["bots"] == ["player_ann", "player_bob", "player_cid"]
    again = ("--seed", "7", "--secret", secret["secret"], "--out", "elsewhere")
    assert seeds(tournament(shell, *again)) == seeds(first)


@pytest.mark.slow
@needs.call("signal.SIGKILL")
def test_the_secret_is_told_after_the_last_match_and_nowhere_before(shell: Shell) -> None:
    for name in ("ann", "bob", "cid"):
        shell.bot(f"player_{name}.py", f"{SLEEPER}# {name}\n")
    arguments = (*QUICK, "--pairs", "2", "-j", "1", "--seed", "7", "-q", "--no-report")
    process = shell.start("-r", "tournament", *arguments)
    assert eventually(lambda: len(shell.finished_matches()) >= 3)
    process.send_signal(signal.SIGKILL)
    finish(process)
    shown = [
        shell.run("report", "--standings", "-v").out,
        shell.run("report", "--standings", "--json").out,
    ]
    assert shell.run("report", "--pages", "0").code == 0
    matches = json.loads((shell.home / "results/tournament/report/files/matches.json").read_text())
    assert {"played", "open"} == {match["state"] for match in matches}
    assert all(bool(match["seed"]) is (match["state"] == "played") for match in matches)
    assert {match["secret"] for match in matches} == {""}
    done = shell.run("-r", "tournament", "-q", "-v", "--pages", "0")
    found = re.search(rf"^maps follow from secret ({SECRET})$", done.out, re.MULTILINE)
    assert found, done
    assert found[1] not in "".join(shown)
    files = [path for path in shell.matches.rglob("*") if path.is_file()]
    assert not any(found[1].encode() in path.read_bytes() for path in files)
    page = (shell.home / "results/tournament/report/index.html").read_text()
    assert f"maps follow from secret {found[1]}" in page
    played = {match["key"]: match["seed"] for match in matches if match["state"] == "played"}
    rows = table(shell, "results/tournament/report/files/matches.csv")
    assert played.items() <= {row["key"]: row["seed"] for row in rows}.items()
    assert verify(shell.home / "results/tournament/report/files/matches.csv").out == (
        f"12 of 12 matches were played on maps drawn from {found[1]}\n"
    )


@pytest.mark.slow
def test_who_enters_later_plays_on_maps_of_a_secret_of_their_own(shell: Shell) -> None:
    before = tournament(shell, "player_ann", "player_bob")
    later = tournament(shell, "player_cid")
    shell.bot("player_ann.py", f"{WALKER}# another\n")
    newest = [
        json.loads(line)
        for line in shell.run(
            "-r", "tournament", "--no-report", "--json", "player_ann"
        ).out.splitlines()
        if line.startswith("{")
    ]
    assert [len(matches) for matches in (before, later, newest)] == [2, 4, 4]
    found = shell.json("report", "--standings")["secrets"]
    assert [secret["bots"] for secret in found] == [["player_bob"], ["player_cid"], ["player_ann"]]
    assert len({secret["secret"] for secret in found}) == 3
    for matches, secret in ((later, found[1]), (newest, found[2])):
        for match in matches:
            names = "|".join(sorted(team["bot"] for team in match["teams"]))
            drawn = map_seed(int(secret["secret"], 16), f"0/{names}|map/0")
            assert match["seed"] == f"0x{drawn:032x}"


def test_another_secret_than_that_of_the_beginning_is_refused_and_not_told(shell: Shell) -> None:
    tournament(shell, "player_ann", "player_bob")
    (secret,) = shell.json("report", "--standings")["secrets"]
    done = shell.run("-r", "tournament", "--secret", "8")
    assert done.code == 2
    assert (
        "error: --secret: the maps of tournament 'tournament' were drawn from another" in done.err
    )
    assert secret["secret"] not in done.err
    assert tournament(shell, "--secret", secret["secret"]) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--secret", "mine", "-r", "multi_match"], "Invalid value for '--secret': "),
        (["--secret", "-1", "-r", "tournament"], "Invalid value for '--secret': "),
        (["--secret", "7"], "--secret would have no effect: one match is played"),
        (["--secret", "7", "--match", "12"], "--secret would have no effect: --match plays"),
        (["--secret", "7", "design", "player_ann"], "--secret would have no effect: design plays"),
    ],
    ids=str,
)
def test_a_secret_that_is_none_or_has_no_effect_is_refused(
    shell: Shell, arguments: list[str], message: str
) -> None:
    done = shell.run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert "Traceback" not in done.err


# -- series ----------------------------------------------------------------------------------


@pytest.mark.slow
@needs.PROC
def test_a_killed_series_goes_on_with_its_secret_and_plays_nothing_twice(shell: Shell) -> None:
    for name in ("ann", "bob"):
        shell.bot(f"player_{name}.py", f"{SLEEPER}# {name}\n")
    arguments = (*SERIES, "-m", "12", "-j", "2", "--seed", "5", "--set", "max_turns=4")
    for wanted in (3, 7):
        process = shell.start(*arguments, "--json")
        assert eventually(lambda: len(shell.finished_matches()) >= wanted)  # noqa: B023 - used at once
        process.send_signal(signal.SIGKILL)
        assert finish(process).code == -signal.SIGKILL
        assert eventually(lambda: not shell.processes())
    survived = {path.name: path.stat().st_ino for path in shell.finished_matches()}
    assert 7 <= len(survived) < 12
    series = shell.json(*arguments)
    assert (series["played"], series["played_before"]) == (12, len(survived))
    assert (
        survived.items()
        <= {path.name: path.stat().st_ino for path in shell.finished_matches()}.items()
    )
    assert len(shell.finished_matches()) == 12
    assert shell.finished_matches("again") == []
    rows = table(shell, series["csv"])
    assert [row["match"] for row in rows] == [str(number) for number in range(1, 13)]
    assert {row["key"] for row in rows} == {path.name for path in shell.finished_matches()}
    assert {row["secret"] for row in rows} == {series["secret"]}
    assert verify(shell.home / series["csv"]).out == (
        f"12 of 12 matches were played on maps drawn from {series['secret']}\n"
    )


@pytest.mark.slow
def test_a_stopped_series_says_how_it_goes_on_and_tells_no_secret(shell: Shell) -> None:
    shell.bot("player_ann.py", SLEEPER)
    arguments = (*SERIES, "-m", "40", "-j", "1", "-q")
    process = shell.start(*arguments)
    assert eventually(lambda: len(shell.finished_matches()) >= 2)
    process.send_signal(signal.SIGINT)
    stopped = finish(process)
    assert stopped.code == 130
    assert "\n  to resume         the same command, with the same bots\n" in stopped.out
    assert "secret" not in stopped.out
    (file,) = (shell.home / "results/series").iterdir()
    before = table(shell, f"results/series/{file.name}")
    assert {row["secret"] for row in before} == {""}
    done = shell.run(*SERIES, "-m", "2", "-v")
    assert done.code == 0
    maps = f"maps              follow from secret {SECRET}, seed 0"
    message = rf"^  played before     2 matches, .*\n  {maps}$"
    assert re.search(message, done.out, re.MULTILINE), done


@pytest.mark.slow
def test_a_series_that_is_over_is_shown_again_and_another_seed_begins_another(shell: Shell) -> None:
    first = shell.json(*SERIES, "-m", "4")
    again = shell.json(*SERIES, "-m", "4")
    assert again == {**first, "played_before": 4}
    more = shell.json(*SERIES, "-m", "6")
    assert (more["played_before"], more["secret"]) == (4, first["secret"])
    assert len(shell.finished_matches()) == 6
    other = shell.json(*SERIES, "-m", "4", "--seed", "1")
    assert (other["played_before"], len(shell.finished_matches())) == (0, 10)
    assert other["secret"] != first["secret"]
    assert len(list((shell.home / "results/series").iterdir())) == 2


def test_a_bot_that_was_changed_plays_on_maps_nobody_has_seen(shell: Shell) -> None:
    first = shell.json(*SERIES, "-m", "2")
    shell.bot("player_ann.py", f"{WALKER}# another\n")
    second = shell.json(*SERIES, "-m", "2")
    assert second["played_before"] == 0
    assert second["secret"] != first["secret"]


@pytest.mark.slow
def test_an_authors_own_secret_draws_the_same_maps_for_every_version(shell: Shell) -> None:
    arguments = (*SERIES, "-m", "4", "--secret", "7", "--seed", "5")
    drawn = []
    for number in range(2):
        shell.bot("player_ann.py", f"{WALKER}# version {number}\n")
        series = shell.json(*arguments)
        assert series["secret"] == "7"
        drawn.append([row["seed"] for row in table(shell, series["csv"])])
    assert drawn[0] == drawn[1]


def test_a_series_is_not_played_by_two_at_once(shell: Shell) -> None:
    shell.bot("player_ann.py", SLEEPER)
    process = shell.start(*SERIES, "-m", "40", "-j", "1", "-q")
    assert eventually(shell.finished_matches)
    second = shell.run(*SERIES, "-m", "40", "-j", "1", "-q")
    process.send_signal(signal.SIGINT)
    assert finish(process).code == 130
    assert second.code == 2
    assert f"error: this series is being played by process {process.pid} on " in second.err


# -- questions -------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_answer_comes_with_the_secret_which_stays_that_of_these_bots(shell: Shell) -> None:
    arguments = ("versus", "player_ann", "player_bob", "--elo1", "400", *TINY)
    first = json.loads(shell.run(*arguments, "--json").out)
    assert re.fullmatch(SECRET, first["secret"])
    assert json.loads(shell.run(*arguments, "--json").out) == first
    said = ("--secret", first["secret"], "--out", "elsewhere")
    assert json.loads(shell.run(*arguments, *said, "--json").out)["keys"] == first["keys"]
    assert f"maps follow from secret {first['secret']}, seed 0\n" in shell.run(*arguments, "-v").out


@pytest.mark.slow
def test_an_audit_comes_with_the_secret_of_its_maps(shell: Shell) -> None:
    arguments = ("fairness", "player_ann", "player_bob", "--pairs", "1", *TINY)
    found = shell.json(*arguments)
    played = {path.name for path in shell.finished_matches()}
    assert f"maps follow from secret {found['secret']}, seed 0\n" in shell.run(*arguments).out
    shell.json(*arguments, "--secret", found["secret"], "--out", "elsewhere")
    elsewhere = (shell.home / "elsewhere/matches").iterdir()
    assert {path.name for path in elsewhere} == played
