"""Reports from the command line."""

import base64
import re
import zlib
from contextlib import suppress
from pathlib import Path

import pytest

from tests.shell import QUICK, WALKER, Shell

PLAYED = (*QUICK, "-r", "tournament", "--name", "spring")


NAMES = ("ann", "bob", "cid")
SHELL_BOTS = {f"player_{name}.py": f"{WALKER}# {name}\n" for name in NAMES}
SHELL_PLAYS_HERE = True


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
    assert done.out.endswith("\n\nthe pages: results/spring/report/index.html\n")
    assert done.out.startswith("tournament 'spring': ")
    assert len(list((pages(shell) / "replays").glob("*.html"))) == 2


def test_a_public_report_has_nothing_of_what_bots_printed(shell: Shell) -> None:
    shell.plays_here = False  # what they print goes to logs
    printing = WALKER.replace("return ", "print('my secret plan'); return ")
    assert printing != WALKER
    for number, name in enumerate(("ann", "bob", "cid")):
        shell.bot(f"player_{name}.py", f"{printing}# {number}\n")
    shell.run(*PLAYED, "--pages", "1")
    assert "my secret plan" in read_texts(shell)
    assert shell.run("report", "spring", "--pages", "1", "--public").code == 0
    assert "my secret plan" not in read_texts(shell)


def read_texts(shell: Shell) -> str:
    """Return what the pages of the report hold."""
    (page,) = (pages(shell) / "replays").glob("*.html")
    blocks = re.findall(rb"[A-Za-z0-9+/]{40,}={0,2}", page.read_bytes())
    parts = []
    for block in blocks:
        with suppress(ValueError, zlib.error):
            parts.append(zlib.decompress(base64.b64decode(block)))
    return b"\n".join(parts).decode(errors="replace")


@pytest.mark.slow
def test_without_a_name_it_is_of_the_latest_tournament(shell: Shell) -> None:
    shell.run(*PLAYED, "--no-report")
    assert shell.run("report").out.endswith("the pages: results/spring/report/index.html\n")


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
