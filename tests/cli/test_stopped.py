"""What is said where somebody stops a command that checks bots: what is kept, and what to type."""

import shlex
import sys
from typing import Any

import pytest

from tests.cli.authors import Author, read_error
from tests.shell import BOT, WALKER

pytestmark = pytest.mark.usefixtures("played_here")

TOURNAMENT = ("--preset", "small", "--set", "max_turns=3", "-j", "1", "--out", "my results")
BEGIN = (*TOURNAMENT, "-q", "tournament", "player_one", "player_two", "--pairs", "1")
JOIN = (*TOURNAMENT, "-q", "tournament", "player_three")


@pytest.fixture
def home(author: Author) -> Author:
    for name, command in (("one", "UP"), ("two", "DOWN"), ("three", "LEFT")):
        author.bot(f"player_{name}.py", BOT.format(f"return '{command}'"))
    return author


def stop(*_: Any, **__: Any) -> None:
    raise KeyboardInterrupt


def stop_command(
    author: Author, monkeypatch: pytest.MonkeyPatch, where: str, *arguments: str
) -> tuple[str, list[str]]:
    """Return what is said of a command that is stopped, and the words it says to type."""
    with monkeypatch.context() as patch:
        patch.setattr(where, stop)
        patch.setattr(sys, "argv", ["main.py", *arguments])
        said, _, typed = read_error(author.run(*arguments)).partition(" with:  python3 main.py ")
    return said, shlex.split(typed)


def test_a_tournament_that_has_not_begun_is_begun_by_what_is_said(
    home: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, typed = stop_command(
        home, monkeypatch, "runners.contests.organizer.exclude_faulty_bots", *BEGIN
    )
    assert said == ("stopped while its bots were checked; nothing is kept of it yet; begin")
    assert "player_one" in home.ok(*typed)
    assert home.json(*TOURNAMENT, "report", "--standings")["played"] == 2


def test_a_tournament_that_is_resumed_says_that_it_has_kept_what_it_played(
    home: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.ok(*BEGIN)
    said, typed = stop_command(
        home, monkeypatch, "runners.contests.organizer.exclude_faulty_bots", *JOIN
    )
    assert said == (
        "stopped while its bots were checked; all that it has played before is kept; resume"
    )
    assert home.json(*TOURNAMENT, "report", "--standings")["played"] == 2
    home.ok(*typed)
    assert home.json(*TOURNAMENT, "report", "--standings")["played"] == 6


def test_a_check_says_that_nothing_is_kept_and_what_to_type(
    author: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    author.bot("my bot.py", WALKER)
    arguments = ("--preset", "small", "check", "my bot", "--turns", "2")
    said, typed = stop_command(author, monkeypatch, "runners.authoring.check.check", *arguments)
    assert said == "stopped; nothing of a check is kept as a result; check it again"
    assert "it plays without a fault" in author.ok(*typed)
