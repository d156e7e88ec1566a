"""The window, drawn with arcade (OpenGL): replays to watch, to pause and to inspect."""

import os
from typing import TYPE_CHECKING

from visualizer.backends import NoViewer
from visualizer.backends.arcade.replay_view import ReplayView
from visualizer.backends.arcade.window_model import WindowModel
from visualizer.drawing.shown_replays import ShownReplays

if TYPE_CHECKING:
    from visualizer.backends.arcade.screen import Screen

LIBRARIES = ("arcade.", "pyglet.")


class NoWindow(NoViewer):
    """No window can be opened here."""


def open_window() -> "Screen":
    """Open an empty window, which shows that it can be done. Raises: NoWindow, with the remedy."""
    os.environ.setdefault("PYGLET_AUDIO", "silent")  # looking for loudspeakers is slow and loud
    try:
        import arcade  # noqa: F401 - to see whether it can be imported: it may have no OpenGL
    except (ImportError, OSError) as error:
        raise NoWindow(
            f"arcade cannot be imported: {error}; if that is OpenGL, install it "
            "(Debian, Ubuntu: apt install libgl1 libglu1-mesa)"
        ) from error
    from visualizer.backends.arcade.screen import Screen

    try:
        return Screen()
    except Exception as error:
        # Anything else is a bug of ours, and must not be reported as a missing screen.
        if not type(error).__module__.startswith(LIBRARIES):  # theirs have no common root
            raise
        raise NoWindow(_why_no_window(error)) from error


def show_in_window(screen: "Screen", shown: ShownReplays) -> None:
    """Show replays in an open window until it is closed."""
    folders = shown.logs or [timeline.replay.path.parent for timeline in shown.timelines]
    parts = zip(shown.timelines, shown.sprites, folders, strict=True)
    model = WindowModel([ReplayView(timeline, sprites, logs) for timeline, sprites, logs in parts])
    try:
        model.begin_at(shown.turn)
        screen.show(model)
        screen.run()
    finally:
        screen.close()


def _why_no_window(error: Exception) -> str:
    """Return why no window could be opened, and the remedy."""
    if "Display" in type(error).__name__:
        return "there is no screen (DISPLAY names none)"
    return "there is no OpenGL 3.3; install it (Debian, Ubuntu: apt install libgl1-mesa-dri)"
