"""What the mouse does."""

from math import hypot
from typing import NamedTuple

from visualizer.window.actions import LET_GO
from visualizer.window.frame import Frame

WHEEL = 3
"""Lines of a history per notch of the wheel."""
CLOSER = 1.2
"""A notch of the wheel on a board."""
STILL = 5
"""Points a click may wander."""


class Grip(NamedTuple):
    """Where the mouse holds a board."""

    film: int
    x: float
    y: float
    is_moving: bool = False


class Pointing:
    """Told of the mouse, in pixels of the window from its upper left corner."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._showing = frame.showing
        self._is_seeking = False
        self._grip: Grip | None = None

    def move(self, x: float, y: float) -> None:
        frame, showing = self._frame, self._showing
        showing.pointer = x, y
        action = frame.action_at(x, y)
        showing.hovered_action = action.name if action else ""
        timeline = frame.layout.timeline
        showing.hovered_time = frame.time_at(x) if timeline.contains(x, y) else None
        showing.hovered = None if showing.is_help_open else frame.thing_at(x, y)

    def leave(self) -> None:
        self.move(-1.0, -1.0)

    def press(self, x: float, y: float) -> None:
        frame, showing = self._frame, self._showing
        action = frame.action_at(x, y)
        close = frame.close_inspector()
        if action is not None:
            action.do(showing)
        elif showing.is_help_open:
            LET_GO.do(showing)
        elif frame.layout.timeline.contains(x, y):
            self._is_seeking = True
            showing.playback.seek_turn(frame.time_at(x))
        elif close is not None and close.contains(x, y):
            showing.select(None)
        else:
            film = frame.board_at(x, y)
            self._grip = None if film is None else Grip(film, x, y)

    def drag(self, x: float, y: float) -> None:
        """What was pressed, timeline or board, follows wherever the mouse goes."""
        self.move(x, y)
        if self._is_seeking:
            self._showing.playback.seek_turn(self._frame.time_at(x))
            self._showing.hovered_time = self._frame.time_at(x)
        elif self._grip is not None:
            self._pull(self._grip, x, y)

    def release(self) -> None:
        """A board that was pressed and not moved: what is there is looked into."""
        grip, self._grip, self._is_seeking = self._grip, None, False
        if grip is not None and not grip.is_moving:
            self._showing.select(self._frame.thing_at(grip.x, grip.y))

    def _pull(self, grip: Grip, x: float, y: float) -> None:
        dx, dy = x - grip.x, y - grip.y
        if grip.is_moving or hypot(dx, dy) >= STILL * self._frame.layout.unit:
            self._frame.pan(grip.film, dx, dy)
            self._grip = Grip(grip.film, x, y, is_moving=True)

    def scroll(self, x: float, y: float, notches: float) -> None:
        """In the history of what is looked into; on a board, closer or farther."""
        aside, film = self._frame.layout.aside, self._frame.board_at(x, y)
        if aside is not None and aside.contains(x, y):
            self._showing.scroll(-notches * WHEEL)
        elif film is not None and not self._showing.is_help_open:
            self._frame.zoom(film, CLOSER**notches, x, y)
