"""The mouse and the keyboard of the window."""

from math import hypot
from typing import NamedTuple

from visualizer.backends.arcade.actions import DESELECT, REPEATED, Action, find_action_by_key
from visualizer.backends.arcade.frame import WindowFrame
from visualizer.backends.arcade.window_model import WindowModel

LINES_PER_NOTCH = 3
"""Lines of the history per notch of the wheel."""
ZOOM_PER_NOTCH = 1.2
"""The zoom factor of a notch of the wheel."""
MAX_CLICK_MOVE = 5
"""Points by which the mouse may move during a click."""
PATIENCE_S = 0.4
"""Seconds from pressing a key to its first repeat."""
PAUSE_S = 0.08
"""Seconds from one repeat to the next."""


class Grip(NamedTuple):
    """A place on a board where the mouse was pressed."""

    number: int
    """The replay's place in the window, 0 on the left."""
    x: float
    y: float
    is_moving: bool = False


class Pointing:
    """Handles the mouse, in pixels from the window's upper left corner."""

    def __init__(self, frame: WindowFrame) -> None:
        self._frame = frame
        self._model = frame.model
        self._is_seeking = False
        self._grip: Grip | None = None

    def move(self, x: float, y: float) -> None:
        frame, model = self._frame, self._model
        model.pointer = x, y
        action = frame.action_at(x, y)
        model.hovered_action = action.name if action else ""
        timeline = frame.layout.timeline
        model.hovered_time = frame.time_at(x) if timeline.contains(x, y) else None
        model.hovered = None if model.is_help_open else frame.thing_at(x, y)

    def leave(self) -> None:
        self.move(-1.0, -1.0)

    def press(self, x: float, y: float) -> None:
        frame, model = self._frame, self._model
        action = frame.action_at(x, y)
        close = frame.close_inspector()
        if action is not None:
            action.do(model)
        elif model.is_help_open:
            DESELECT.do(model)
        elif (stretch := frame.fold_at(x, y)) is not None:
            model.playback.toggle_fold(stretch)
        elif frame.layout.timeline.contains(x, y):
            self._is_seeking = True
            model.playback.seek_turn(frame.time_at(x))
        elif close is not None and close.contains(x, y):
            model.select(None)
        else:
            number = frame.board_at(x, y)
            self._grip = None if number is None else Grip(number, x, y)

    def drag(self, x: float, y: float) -> None:
        """Seek or move the board, whichever was pressed, even outside of its place."""
        self.move(x, y)
        if self._is_seeking:
            self._model.playback.seek_turn(self._frame.time_at(x))
            self._model.hovered_time = self._frame.time_at(x)
        elif self._grip is not None:
            self._pull(self._grip, x, y)

    def release(self) -> None:
        """Select what was pressed, unless the board was moved."""
        grip, self._grip, self._is_seeking = self._grip, None, False
        if grip is not None and not grip.is_moving:
            self._model.select(self._frame.thing_at(grip.x, grip.y))

    def _pull(self, grip: Grip, x: float, y: float) -> None:
        dx, dy = x - grip.x, y - grip.y
        if grip.is_moving or hypot(dx, dy) >= MAX_CLICK_MOVE * self._frame.layout.unit:
            self._model.is_looking = False
            self._frame.pan(grip.number, dx, dy)
            self._grip = Grip(grip.number, x, y, is_moving=True)

    def scroll(self, x: float, y: float, notches: float) -> None:
        """Scroll the history of the inspector, or zoom a board."""
        sidebar, number = self._frame.layout.sidebar, self._frame.board_at(x, y)
        if sidebar is not None and sidebar.contains(x, y):
            self._model.scroll(-notches * LINES_PER_NOTCH)
        elif number is not None and not self._model.is_help_open:
            self._frame.zoom(number, ZOOM_PER_NOTCH**notches, x, y)


class Keyboard:
    """The keys that are pressed and held, by their names in the table of actions."""

    def __init__(self, model: WindowModel) -> None:
        self._model = model
        self._held: tuple[str, Action] | None = None
        self._next = 0.0

    def press(self, key: str, *, with_shift: bool) -> None:
        action = (find_action_by_key(f"shift+{key}") if with_shift else None) or find_action_by_key(
            key
        )
        if action is None:
            return
        action.do(self._model)
        self._held = (key, action) if action.name in REPEATED else None
        self._next = self._model.clock + PATIENCE_S

    def release(self, key: str) -> None:
        if self._held is not None and self._held[0] == key:
            self._held = None

    def tick(self) -> None:
        """Repeat the action of a held key, at most once a frame: unseen steps are of no use."""
        if self._held is not None and self._model.clock >= self._next:
            self._held[1].do(self._model)
            self._next = self._model.clock + PAUSE_S
