"""`versus` and `fairness` from the command line: the exit code is the answer."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Sequence

import pytest

from bootstrap import HOME
from tests import needs
from tests.shell import ALONE, QUICK, SLEEPER, WALKER, Done, Shell, eventually, finish

TINY = (*QUICK, "--no-replay")
SIDED = """    def decide(self, slime):
        return "LEFT" if self.team == 2 else self.decide_well(slime)

    def decide_well("""
EASY = ("--elo0", "0", "--elo1", "400")
"""Decided after a few pairs."""


SHELL_BOTS = {"player_walker.py": WALKER, "player_same.py": WALKER + "# the same"}
SHELL_PLAYS_HERE = True


def results(shell: Shell) -> int:
    return len(shell.finished_matches())


def versus(shell: Shell, *arguments: str) -> Done:
    return shell.run("versus", *TINY, *EASY, *ALONE, *arguments)


def test_two_that_play_the_same_are_found_no_better_than_each_other(shell: Shell) -> None:
    shell.plays_here = False
    done = versus(shell, "player_walker", "player_same")
    first = (
        "is player_walker better than player_same? 16 matches if one wins all of them, about 18 "
    )
    more = "with a lead of 100 Elo, at most 2000; the first one is timed\n"
    assert (done.code, done.err) == (3, first + more)
    assert done.out.startswith("player_walker against player_same: ")
    assert "  LLR    -" in done.out
    assert "no difference between player_walker and player_same: all " in done.out


@pytest.mark.slow
def test_the_same_command_gives_the_same_answer_and_plays_nothing(shell: Shell) -> None:
    (shell.home / "results").mkdir()  # so that nobody is warned of root
    first = versus(shell, "player_walker", "player_same")
    played = results(shell)
    again = versus(shell, "player_walker", "player_same")
    assert (again.code, again.out) == (3, first.out)
    assert results(shell) == played


def test_a_test_that_is_not_decided_goes_on_from_there(shell: Shell) -> None:
    short = versus(shell, "player_walker", "player_same", "--max-pairs", "1", "--json")
    assert short.code == 4
    answer = json.loads(short.out)
    assert answer["assessment"]["verdict"] == "not decided"
    assert (answer["matches"], results(shell)) == (2, 2)
    done = versus(shell, "player_walker", "player_same", "--json", "-j", "1")
    assert done.code == 3
    longer = json.loads(done.out)
    assert longer["keys"][:2] == answer["keys"]
    assert longer["matches"] <= results(shell) <= longer["matches"] + 2


@pytest.mark.slow
@needs.call("os.killpg")
def test_a_stopped_test_says_how_far_it_came_and_goes_on(shell: Shell) -> None:
    shell.bot("player_slow.py", SLEEPER)
    arguments = (
        *("versus", "player_slow", "player_same", "--preset", "small", "--set", "max_turns=20"),
    )
    process = shell.start(*arguments, "-j", "1")
    assert eventually(lambda: results(shell) >= 3)
    os.killpg(process.pid, signal.SIGINT)
    done = finish(process)
    first, *others = done.err.splitlines()
    assert first.startswith("is player_slow better than player_same? 18 matches if one wins all ")
    assert (done.code, others) == (130, ["stopped; the same command resumes"])
    assert "not decided after " in done.out
    played = results(shell)
    again = shell.run(*arguments, "--max-pairs", "1")
    assert (again.code, results(shell)) == (4, played)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["player_walker"], "name two bots: versus A B"),
        (["player_walker", "nobody"], "no bot 'nobody'"),
        (["player_walker", "player_same", "--elo0", "500"], "elo0 must be below elo1, not 500"),
        (["player_walker", "player_same", "--alpha", "0.9"], "alpha must be between 0 and 0.5"),
        (["player_walker", "player_same", "--max-pairs", "0"], "0 is not in the range"),
        (["player_walker", "player_same", "-m", "3"], "--matches would have no effect: versus"),
        (["player_walker", "player_same", "--mx", "3"], "No such option '--mx'"),
        (["player_walker", "player_same", "-j", "2", "--cluster", "local:2"], "--jobs would have"),
        (["player_walker", "player_same", "-p", "player_walker"], "--player would have no effect"),
    ],
    ids=str,
)
def test_a_mistake_is_told_before_anything_is_written(
    shell: Shell, arguments: Sequence[str], message: str
) -> None:
    done = versus(shell, *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert not (shell.home / "results").exists()


def test_sides_that_do_not_matter_are_found_fair(shell: Shell) -> None:
    shell.plays_here = False
    done = shell.run("fairness", "--pairs", "2", *TINY)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("is a side favored? asked of player_same, player_walker\n")
    assert "no team is favored beyond chance: team 1 took 50.0% of the points" in done.out
    assert "decided by side: 0 of 2 pairs" in done.out
    assert results(shell) == 2 * 2 + 2 * 2


def test_an_audit_is_told_to_scripts_and_not_played_twice(shell: Shell) -> None:
    arguments = ("fairness", "player_walker", "player_same", "--pairs", "1", *TINY)
    first = shell.json(*arguments)
    assert (first["between"]["sets"], first["alone"]["sets"]) == (1, 2)
    played = results(shell)
    assert shell.json(*arguments) == first
    assert results(shell) == played


def test_a_side_that_always_wins_is_found_out(shell: Shell) -> None:
    eater = (HOME / "playerCode/player_two.py").read_text()
    shell.bot("player_sided.py", eater.replace("    def decide(", SIDED, 1))
    done = shell.run("fairness", "player_sided", "--pairs", "8", *TINY, "--set", "max_turns=10")
    assert done.code == 3, done
    assert "one team is favored: team 1 took 100.0% of the points" in done.out
    assert "decided by side" not in done.out
    assert ": 100% of the points for team 1 (1 set)" in done.out


def test_a_bot_is_compared_with_an_old_version_of_itself(shell: Shell) -> None:
    done = versus(shell, "--new", "player_walker")
    assert (done.code, done.err) == (
        2,
        "error: --new BOT and --old GIT_REF stand together, and without A and B\n",
    )
    assert versus(shell, "player_walker").code == 2
    if shutil.which("git") is None:
        return
    home = shell.home / "playerCode"
    who = ("-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    for words in (("init", "-q"), ("add", "player_walker.py"), (*who, "commit", "-qm", "words")):
        subprocess.run(["git", *words], cwd=home, check=True)
    shell.bot("player_walker.py", f"{WALKER}# changed\n")
    done = versus(shell, "--new", "player_walker", "--old", "HEAD", "-q")
    assert (done.code, done.err) == (3, "")
    assert done.out.startswith("player_walker against player_walker@")
