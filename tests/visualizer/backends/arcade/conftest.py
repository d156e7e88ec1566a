"""Screens and windows for tests."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from benchmarks.display import WHY_NONE, can_have_one, display

if TYPE_CHECKING:
    from visualizer.backends.arcade.screen import Screen


@pytest.fixture(scope="session")
def a_display() -> Iterator[str]:
    """Kept as long as the process: the library connects once."""
    if not can_have_one():
        pytest.skip(WHY_NONE)
    with display() as name:
        yield name


@pytest.fixture
def on_screen(a_display: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a screen to this test only: others are about machines without."""
    monkeypatch.setenv("DISPLAY", a_display)


@pytest.fixture
def opened() -> Iterator[list["Screen"]]:
    """Windows that are closed after the test."""
    screens: list[Screen] = []
    yield screens
    for screen in screens:
        screen.close()
