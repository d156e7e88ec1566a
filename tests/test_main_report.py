"""Reports from the command line."""

from pathlib import Path

import pytest

from tests.shell import QUICK, WALKER, Shell

PLAYED = (*QUICK, "-r", "tournament", "--name", "spring")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    shell = Shell(tmp_path)
    for number, name in enumerate(("ann", "bob", "cid")):
        shell.bot(f"player_{name}.py", f"{WALKER}# {number}\n")
    return shell


def pages(shell: Shell) -> Path:
    return shell.home / "results/spring/report"


def test_a_tournament_ends_with_its_report(shell: Shell) -> None:
    done = shell.run(*PLAYED, "--pages", "3")
    assert done.code == 0
    assert "the report:    results/spring/report/index.html" in done.out
    assert "player_ann" in (pages(shell) / "index.html").read_text()
    assert len(list((pages(shell) / "replays").glob("*.html"))) == 3


def test_a_report_can_be_left_out_and_written_later(shell: Shell) -> None:
    assert "the report" not in shell.run(*PLAYED, "--no-report").out
    assert not pages(shell).exists()
    done = shell.run("report", "spring", "--pages", "2")
    assert (done.code, done.out) == (0, "results/spring/report/index.html\n")
    assert len(list((pages(shell) / "replays").glob("*.html"))) == 2


@pytest.mark.slow
def test_without_a_name_it_is_of_the_latest_tournament(shell: Shell) -> None:
    shell.run(*PLAYED, "--no-report")
    assert shell.run("report").out == "results/spring/report/index.html\n"


def test_a_report_of_nothing_is_refused(shell: Shell) -> None:
    done = shell.run("report")
    assert done.code == 2
    assert "there are no results" in done.err


def test_so_many_replays_are_kept(shell: Shell) -> None:
    shell.run(*PLAYED, "--keep-replays", "2", "--pages", "2")
    assert len(list(shell.home.glob("results/matches/*/replay.jsonl.gz"))) == 2
    assert len(list(shell.home.glob("results/matches/*/match.json"))) == 6


def test_scripts_are_told_nothing_of_the_report(shell: Shell) -> None:
    done = shell.run(*PLAYED, "--json", "--pages", "0")
    assert done.code == 0
    assert all(line.startswith("{") for line in done.out.splitlines())
    assert pages(shell).exists()
