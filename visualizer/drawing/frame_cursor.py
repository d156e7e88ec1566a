"""A replay seen frame by frame, with all that happened since the frame before."""

from typing import Any, NamedTuple

from engine.game import Stage
from visualizer.drawing.geometry import Area, areas, middle, sides, sign_color
from visualizer.model.cursor import Cursor, Step
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Annotation, Mark, Thing


class FrameSign(NamedTuple):
    """A mark, and where: from one thing to the other, or twice the same place."""

    mark: Mark
    x: float
    y: float
    to_x: float
    to_y: float
    piece_id: int = 0
    """The thing the sign moves with; 0 if it links two."""
    size: float = 1.0
    """The larger side of the one, squares."""
    color: str = ""
    attack_lanes: tuple[Area, ...] = ()


class FrameCursor:
    """Moves through a replay from frame to frame, by any number of steps."""

    def __init__(self, timeline: ReplayTimeline) -> None:
        self.timeline = timeline
        self.stage = ""
        """The stage at this frame."""
        self.signs: list[FrameSign] = []
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

    def go_to(self, position: int) -> None:
        """Go to a position."""
        cursor, first = self._cursor, self.timeline.begin_of(self.timeline.turn_at(position))
        self.signs = []
        # Signs of earlier turns would clutter a frame, so they begin with the present turn.
        if not first <= cursor.position <= position:
            cursor.seek(first)
            self.stage = self._stage_at(first)
        while cursor.position < position:
            cursor.advance()
            self.stage = cursor.step.stage or self.stage
            self.signs += self._signs_of(cursor.step)
        self.signs = [self._gone_along(sign) for sign in self.signs]

    def _stage_at(self, position: int) -> str:
        """Return the last stage that began before a position."""
        for step in reversed(range(position)):
            begun = [entry for entry in self.timeline.entries(step) if isinstance(entry, Stage)]
            if begun:
                return begun[-1].name
        return ""

    def _signs_of(self, step: Step) -> list[FrameSign]:
        signs = (self._sign(annotation, step) for annotation in step.annotations)
        return [sign for sign in signs if sign is not None]

    def _sign(self, annotation: Annotation, step: Step) -> FrameSign | None:
        """Return the sign of an annotation; None if it has none, or its thing is unknown."""
        mark = self.timeline.scene.event_styles[annotation.event_style].mark
        if mark is None:
            return None
        one = self.things.get(annotation.one) or step.before.get(annotation.one)
        other = self.things.get(annotation.other) or step.before.get(annotation.other)
        if one is None:
            return None
        color = sign_color(self.timeline.scene, one, mark)
        size, lanes = max(sides(one)), areas(one, annotation)
        if other is None:
            at = middle(one)
            return FrameSign(mark, *at, *at, annotation.one, size, color, lanes)
        return FrameSign(mark, *middle(one), *middle(other), 0, size, color, lanes)

    def _gone_along(self, sign: FrameSign) -> FrameSign:
        """Return a sign at the place its thing has moved to."""
        thing = self.things.get(sign.piece_id)
        if thing is None:
            return sign
        x, y = middle(thing)
        return sign._replace(x=x, y=y, to_x=x, to_y=y)
