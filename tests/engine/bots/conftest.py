"""A launcher and an arena for the tests of a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.bots import seat
from engine.bots.forking import ForkLauncher
from tests.engine.bots.matches import Arena, a_bot


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine an interrupt takes its time from one core to the other."""
    monkeypatch.setattr(seat, "GRACE_CPU_MS", 20)


@pytest.fixture(scope="module")
def launcher() -> Iterator[ForkLauncher]:
    launcher = ForkLauncher()
    yield launcher
    launcher.close()


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
