"""A replay seen frame by frame: what stands, what moves, and the signs of what happened."""

from math import ceil
from typing import Any

from msgspec.structs import replace

from visualizer.drawing.signs import Sign, make_signs
from visualizer.model.cursor import Cursor
from visualizer.model.motion import STILL, Motions, Moving
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Extent, Thing, middle_of_thing

FADE = 0.4
"""How long the signs of a turn fade in the next one, of a turn."""
FADE_STEPS = 5
"""Signs fade in steps: each is drawn once and kept."""


class FrameCursor:
    """Moves through a replay from frame to frame, by any number of steps."""

    def __init__(self, timeline: ReplayTimeline) -> None:
        self.timeline = timeline
        self.signs: list[Sign] = []
        """The signs of what happened in the present turn, and faded ones of the turn before."""
        self.moving: Moving = STILL
        """What moves at this frame."""
        self.caption: str | None = None
        """The caption; None for that of the last turn that has ended."""
        self.part: Extent | None = None
        """The part of the map that is shown; None for all of it."""
        self._cursor = Cursor(timeline)
        self._motions = Motions(timeline)
        self._turn = 0
        self._now: list[Sign] = []
        self._before: list[Sign] = []

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
        """Go to a position, where everything stands still."""
        self._collect_signs(self.timeline.turn_at(position), position)
        self.signs, self.moving = [self._follow_thing(sign) for sign in self._now], STILL

    def go_to_time(self, time: float) -> None:
        """Go to a time in turns: what is under way is between two places."""
        turn = ceil(time)
        fraction = time - (turn - 1)
        self._collect_signs(turn, self.timeline.position_at(time))
        self.signs = [self._follow_thing(sign) for sign in self._now]
        opacity = ceil((1 - fraction / FADE) * FADE_STEPS) / FADE_STEPS
        if opacity > 0 and turn:
            self.signs += [replace(sign, opacity=opacity) for sign in self._before]
        self.moving = self._motions.place(turn, fraction)

    def _collect_signs(self, turn: int, position: int) -> None:
        """Go to a position in a turn, and collect the signs of its steps."""
        cursor, first = self._cursor, self.timeline.turn_start(turn)
        if turn == self._turn + 1 and cursor.position <= first:
            self._advance(first)
            self._turn, self._before, self._now = turn, self._now, []
        elif turn != self._turn or not first <= cursor.position <= position:
            cursor.seek(first)
            self._turn, self._before, self._now = turn, [], []
        self._advance(position)

    def _advance(self, position: int) -> None:
        for step in self._cursor.steps_to(position):
            self._now += make_signs(self.timeline.scene, step, self._cursor.things)

    def _follow_thing(self, sign: Sign) -> Sign:
        """Return a sign at the place its thing has moved to."""
        thing = self.things.get(sign.piece_id)
        at = sign.at if thing is None else middle_of_thing(thing)
        return sign if at == sign.at else replace(sign, at=at)
