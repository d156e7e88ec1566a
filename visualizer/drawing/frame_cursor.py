"""A replay seen frame by frame, with all that happened since the frame before."""

from typing import Any

from msgspec.structs import replace

from visualizer.drawing.geometry import middle
from visualizer.drawing.signs import Sign, make_signs
from visualizer.model.cursor import Cursor
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Thing


class FrameCursor:
    """Moves through a replay from frame to frame, by any number of steps."""

    def __init__(self, timeline: ReplayTimeline) -> None:
        self.timeline = timeline
        self.signs: list[Sign] = []
        """The signs of what happened since the frame before, within the present turn."""
        self._cursor = Cursor(timeline)

    @property
    def things(self) -> dict[int, Thing]:
        return self._cursor.things

    @property
    def state(self) -> Any:
        return self._cursor.state

    @property
    def position(self) -> int:
        return self._cursor.position

    @property
    def turn(self) -> int:
        return self.timeline.turn_at(self.position)

    @property
    def stage(self) -> str:
        """Return the stage at this frame."""
        return self.timeline.stage_at(self.position)

    def go_to(self, position: int) -> None:
        """Go to a position."""
        cursor, first = self._cursor, self.timeline.turn_start(self.timeline.turn_at(position))
        self.signs = []
        # Signs of earlier turns would clutter a frame, so they begin with the present turn.
        if not first <= cursor.position <= position:
            cursor.seek(first)
        for step in cursor.annotated_steps(position):
            self.signs += make_signs(self.timeline.scene, step, cursor.things)
        self.signs = [self._follow_thing(sign) for sign in self.signs]

    def _follow_thing(self, sign: Sign) -> Sign:
        """Return a sign at the place its thing has moved to."""
        thing = self.things.get(sign.piece_id)
        at = sign.at if thing is None else middle(thing)
        return sign if at == sign.at else replace(sign, at=at)
