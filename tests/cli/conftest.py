"""Fixtures of the tests of the command line."""

from importlib import import_module
from pathlib import Path

import pytest

from tests.cli.authors import Author
from tests.played_here import STAND_INS
from tests.shell import BOT, WALKER


@pytest.fixture
def author(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Author:
    return Author(tmp_path, monkeypatch)


@pytest.fixture
def played_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands play their matches in this process; see `tests.played_here`."""
    for (module, name), stand_in in STAND_INS.items():
        monkeypatch.setattr(import_module(module), name, stand_in)


@pytest.fixture
def key(author: Author) -> str:
    """Return the key of a match in which team 1 always went left."""
    author.bot("player_left.py", BOT.format("return 'LEFT'"))
    author.bot("player_walker.py", WALKER)
    return author.play_match("player_left", "player_walker")
