"""A launcher of bots, and an arena."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.bots.forking import ForkLauncher
from tests.engine.bots.matches import Arena


@pytest.fixture(scope="module")
def launcher() -> Iterator[ForkLauncher]:
    launcher = ForkLauncher()
    yield launcher
    launcher.close()


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    arena = Arena(tmp_path / "out")
    yield arena
    arena.referee.close()
