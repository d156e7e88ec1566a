"""Tournaments from the command line whose database is elsewhere, and goes away."""

import json
import os
import signal
from collections.abc import Callable, Iterator

import psycopg
import pytest

from tests import needs
from tests.postgresql import PostgreSQL, running
from tests.shell import SLEEPER, Shell, eventually, finish

LONG = ("-r", "tournament", "--no-report", "--pairs", "30", "-j", "1", "--quiet")
SMALL = ("--preset", "small", "--set", "max_turns=20", "--no-replay")


NAMES = ("ann", "bob")
SHELL_BOTS = {f"player_{name}.py": f"{SLEEPER}# {name}\n" for name in NAMES}


@pytest.fixture
def server() -> Iterator[PostgreSQL]:
    """One of our own, which a test may end."""
    with running() as server:
        yield server


def query(url: str, statement: str) -> int:
    """The one number that a statement gives."""
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        row = connection.execute(statement.encode()).fetchone()
    return int(row[0]) if row else 0


def has_played(url: str, least: int) -> Callable[[], bool]:
    return lambda: query(url, "SELECT count(*) FROM matches") >= least


@pytest.mark.slow
def test_a_server_that_dies_is_told_in_a_line(shell: Shell, server: PostgreSQL) -> None:
    url = server.new_url()
    playing = shell.start(*LONG, *SMALL, "--results", url)
    assert eventually(
        lambda: query(url, "SELECT count(*) FROM pg_tables WHERE tablename = 'matches'")
    )
    assert eventually(has_played(url, 2))
    server.kill()
    done = finish(playing)
    assert done.code == 1
    assert "Traceback" not in done.err
    (line,) = done.err.splitlines()
    assert line.startswith("error: postgresql+psycopg://slime@127.0.0.1")
    assert line.endswith("what was played is kept, and the same command resumes")


@pytest.mark.slow
@needs.call("signal.SIGSTOP")
def test_a_second_runner_that_took_over_is_the_only_one_that_writes(
    shell: Shell, server: PostgreSQL
) -> None:
    url = server.new_url()
    first = shell.start(*LONG, *SMALL, "--results", url)
    assert eventually(
        lambda: query(url, "SELECT count(*) FROM pg_tables WHERE tablename = 'matches'")
    )
    assert eventually(has_played(url, 2))
    os.kill(first.pid, signal.SIGSTOP)
    before = query(url, "SELECT count(*) FROM matches")
    second = shell.start(*LONG, *SMALL, "--results", url)
    assert eventually(has_played(url, before + 2))
    os.kill(first.pid, signal.SIGCONT)
    done = finish(first)
    assert done.code == 1, done
    assert done.err.endswith("what was played is kept, and the same command resumes\n")
    assert second.poll() is None, second.communicate()
    second.terminate()
    assert finish(second).code == 130


def test_results_in_a_folder_with_a_question_mark_are_found_again(shell: Shell) -> None:
    arguments = ("-r", "tournament", "--no-report", "--pairs", "1", *SMALL, "--out", "res?1#%41")
    played = shell.run(*arguments, "--quiet")
    assert played.code == 0, played
    assert (shell.home / "res?1#%41" / "slime_mind.sqlite").exists()
    assert not (shell.home / "res").exists()
    assert not (shell.home / "results").exists()
    shown = shell.run("--json", "standings", "--out", "res?1#%41")
    assert json.loads(shown.out)["played"] == 2
