"""Screens and windows for tests."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from benchmarks.display import WHAT_IS_MISSING, can_have_one, display
from tests import needs
from visualizer.backends.arcade import open_window
from visualizer.backends.arcade.layout import USUAL

if TYPE_CHECKING:
    from visualizer.backends.arcade.screen import Screen


@pytest.fixture(scope="session")
def a_display() -> Iterator[str]:
    """Kept as long as the process: the library connects once."""
    if not can_have_one():
        needs.skip(WHAT_IS_MISSING)
    with display() as name:
        yield name


@pytest.fixture
def on_screen(a_display: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a screen to this test only: others are about machines without."""
    monkeypatch.setenv("DISPLAY", a_display)


@pytest.fixture(scope="session")
def spare(a_display: str) -> Iterator[list["Screen"]]:
    """Windows that no test uses now: opening one takes a third of a second.

    They need the display to be there when they are closed: else the library of X ends the process,
    in whichever test is its last, and pytest has kept what it says of that.
    """
    screens: list[Screen] = []
    yield screens
    for screen in screens:
        screen.close()


@pytest.fixture
def no_spare(spare: list["Screen"]) -> None:
    """Close them: the loop of a window goes on until all are closed."""
    while spare:
        spare.pop().close()


@pytest.fixture
def open_screen(spare: list["Screen"]) -> Iterator[Callable[[], "Screen"]]:
    """Open empty windows, or hand out those that earlier tests left as they were opened."""
    screens: list[Screen] = []

    def open_one() -> "Screen":
        import arcade  # only where a display is known

        screen = spare.pop() if spare else open_window()
        arcade.set_window(screen)  # one that was closed since may have been the present one
        screens.append(screen)
        return screen

    yield open_one
    for screen in screens:
        is_as_new = not (screen.closed or screen.fullscreen) and screen.get_size() == USUAL
        if is_as_new:
            spare.append(screen)
        else:
            screen.close()
