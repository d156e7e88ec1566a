"""What the mouse does."""

from visualizer.window.actions import LET_GO
from visualizer.window.frame import Frame

WHEEL = 3
"""Lines of a history per notch of the wheel."""


class Pointing:
    """Told of the mouse, in pixels of the window from its upper left corner."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._showing = frame.showing
        self._is_seeking = False

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
        elif any(board.contains(x, y) for board in frame.layout.boards):
            showing.select(frame.thing_at(x, y))

    def drag(self, x: float, y: float) -> None:
        """Where the timeline was pressed, it follows wherever the mouse goes."""
        self.move(x, y)
        if self._is_seeking:
            self._showing.playback.seek_turn(self._frame.time_at(x))
            self._showing.hovered_time = self._frame.time_at(x)

    def release(self) -> None:
        self._is_seeking = False

    def scroll(self, x: float, y: float, notches: float) -> None:
        """In the history of what is looked into."""
        aside = self._frame.layout.aside
        if aside is not None and aside.contains(x, y):
            self._showing.scroll(-notches * WHEEL)
