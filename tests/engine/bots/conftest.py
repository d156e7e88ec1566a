"""An arena for the tests of a file, and what bots leave."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from engine.bots import process_seat
from engine.bots.log import open_log
from tests.engine.bots.matches import Arena, a_bot


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupts take their time from one core to the other on a busy machine."""
    monkeypatch.setattr(process_seat, "GRACE_CPU_MS", 20)


@pytest.fixture(autouse=True)
def logs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the logs that bots were given in a test, for `holders_of`."""
    opened = []

    def open_and_note() -> BinaryIO:
        log = open_log()
        opened.append(os.fstat(log.fileno()).st_ino)
        return log

    monkeypatch.setattr(process_seat, "open_log", open_and_note)
    return opened


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    arena = Arena(tmp_path_factory.mktemp("arena"))
    yield arena
    arena.referee.close()


@pytest.fixture(scope="module")
def steady(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bot whose orders are known beforehand: DOWN, LEFT, RIGHT, UP, DOWN, ..."""
    return a_bot(
        tmp_path_factory.mktemp("steady"),
        """
        self.rounds = getattr(self, "rounds", 0) + 1
        return ("UP", "DOWN", "LEFT", "RIGHT")[self.rounds % 4]
        """,
        name="player_steady",
    )
