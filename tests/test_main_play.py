"""`main.py play` with a clock, as it is typed."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import bootstrap
from server.clocks import NO_CLOCK, read_control
from server.storage import Storage, StoredGame
from tests.shell import Shell

WORDS = ("play", "-g", "smac", "--new", "--no-browser", "--against", "player_one")


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    shell = Shell(tmp_path)
    for name in ("player_one", "player_two"):
        source = bootstrap.HOME / "playerCode" / "smac" / f"{name}.py"
        shell.bot(f"playerCode/smac/{name}.py", source.read_text())
    yield shell
    for process in shell.processes():
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def begun(shell: Shell, *words: str) -> StoredGame:
    """Return the game that such a command has begun."""
    process = shell.start(*WORDS, *words)
    assert process.stdout is not None
    assert "/games/" in process.stdout.readline()
    process.kill()
    process.communicate()
    games = Storage(shell.home / "results" / "games.sqlite").running_games()
    return games[0]


def test_a_clock_and_a_substitute_are_chosen_with_the_game(shell: Shell) -> None:
    terms = begun(shell, "--clock", "10+5", "--substitute", "player_two").terms
    assert terms.clock == read_control("10+5")
    assert terms.substitute is not None
    assert terms.substitute.name == "player_two"
    assert (shell.home / "results" / "bots" / terms.substitute.digest).is_dir()


def test_without_a_word_one_of_the_bots_is_the_substitute(shell: Shell) -> None:
    substitute = begun(shell, "--clock", "3d").terms.substitute
    assert substitute is not None
    assert substitute.name in ("player_one", "player_two")


def test_without_a_clock_there_is_none(shell: Shell) -> None:
    terms = begun(shell).terms
    assert (terms.clock, terms.substitute) == (NO_CLOCK, None)


def test_a_clock_that_is_none_is_refused(shell: Shell) -> None:
    done = shell.run(*WORDS, "--clock", "fast")
    assert done.code == 2
    assert "'fast' is not a clock; expected minutes+seconds" in done.err
    assert not (shell.home / "results" / "games.sqlite").exists()
