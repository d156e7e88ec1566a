"""The window: films to watch, to stop, and to look into."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from visualizer.film import Film
from visualizer.sprites import Sprites
from visualizer.viewer import NoViewer
from visualizer.watching import Show
from visualizer.window.reel import Reel
from visualizer.window.showing import Showing

if TYPE_CHECKING:
    from visualizer.window.screen import Screen

LIBRARIES = ("arcade.", "pyglet.")


class NoWindow(NoViewer):
    """No window can be opened here."""


def show(
    films: Sequence[Film],
    sprites: Sequence[Sprites],
    *,
    turn: int = 0,
    logs: Sequence[Path] = (),
) -> None:
    """Open a window for a film, or for two side by side; returns when it is closed.

    `turn` is where to begin. `logs` are the folders with what the bots printed.
    Raises: NoWindow, with the remedy.
    """
    show_in_window(open_window(), Show(films, sprites, turn, logs))


def open_window() -> "Screen":
    """An empty one, so that we know that there can be one. Raises: NoWindow, with the remedy."""
    os.environ.setdefault("PYGLET_AUDIO", "silent")  # looking for loudspeakers is slow and loud
    try:
        import arcade  # noqa: F401 - to see whether it can be imported: it may have no OpenGL
    except (ImportError, OSError) as error:
        raise NoWindow(
            f"arcade cannot be imported: {error}; if that is OpenGL, install it "
            "(Debian, Ubuntu: apt install libgl1 libglu1-mesa)"
        ) from error
    from visualizer.window.screen import Screen

    try:
        return Screen()
    except Exception as error:
        if not type(error).__module__.startswith(LIBRARIES):  # theirs have no common root
            raise
        raise NoWindow(_reason(error)) from error


def show_in_window(screen: "Screen", show: Show) -> None:
    """Until it is closed."""
    folders = show.logs or [film.replay.path.parent for film in show.films]
    shown = zip(show.films, show.sprites, folders, strict=True)
    showing = Showing([Reel(film, sprites, logs) for film, sprites, logs in shown])
    try:
        showing.begin_at(show.turn)
        screen.begin(showing)
        screen.run()
    finally:
        screen.close()


def _reason(error: Exception) -> str:
    """And the remedy."""
    if "Display" in type(error).__name__:
        return "there is no screen (DISPLAY names none)"
    return "there is no OpenGL 3.3; install it (Debian, Ubuntu: apt install libgl1-mesa-dri)"
