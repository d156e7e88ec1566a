"""A replay as it is shown: its cursor, its pictures, and what moves on its board."""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import NamedTuple

from visualizer.drawing.geometry import Point
from visualizer.drawing.signs import Sign, make_signs
from visualizer.drawing.sprites import Sprites
from visualizer.model.cursor import Cursor
from visualizer.model.latest_events import Narration
from visualizer.model.motion import MAX_SPEED, SIGN_S, STEP_S, STILL, Motions, Moving
from visualizer.model.narration import Narrator
from visualizer.model.playback import Playback
from visualizer.model.story import Story
from visualizer.model.timeline import TINY, ReplayTimeline, count_landed
from visualizer.scene import Mark, Thing, middle_of_thing

MAX_STEPWISE = 300
"""Up to so many steps in a frame are advanced one by one, to collect the signs of each."""
MAX_CACHED_SIGNS = 400


class TimedSign(NamedTuple):
    """A sign, and since when it is shown."""

    sign: Sign
    since: float
    """Seconds of the window's clock."""

    def opacity(self, now: float) -> float:
        """Return how much of it is still to be seen."""
        age = (now - self.since) / SIGN_S
        return max(0.0, 1 - age * age)


class ReplayView:
    """One of the replays of a window."""

    def __init__(self, timeline: ReplayTimeline, sprites: Sprites, logs: Path) -> None:
        self.timeline = timeline
        self.sprites = sprites
        self.logs = logs
        """The folder with the bots' logs."""
        self.signs: deque[TimedSign] = deque(maxlen=MAX_CACHED_SIGNS)
        self._load()

    def _load(self) -> None:
        self.beginnings = self.timeline.replay.beginnings
        self.cursor = Cursor(self.timeline)
        self.narrator = Narrator(self.timeline)
        self.narration = Narration(self.timeline)
        self.story = Story(self.timeline)
        self.move_list = MoveList(self.timeline)
        self.signs.clear()
        self._motions = Motions(self.timeline)
        self.things: Mapping[int, Thing] = self.cursor.things
        """The things as they are drawn: a step that is seen by itself has not landed yet."""
        self.moving: Moving = STILL
        self._stepping: tuple[int, int, float] | None = None

    def read_new_entries(self, budget_s: float) -> None:
        if self.timeline.is_over and not self.timeline.replay.may_begin_anew:
            return
        knew_nothing = not self.timeline.steps
        self.timeline.read_new_entries(budget_s)
        # The record began anew: states of the old one must not be mixed in.
        if knew_nothing or self.beginnings != self.timeline.replay.beginnings:
            self._load()

    def begin_at(self, position: int, now: float) -> None:
        """Go to a position without the signs of what happened before."""
        self.cursor.seek(position)
        self.rest(now)

    def follow(self, position: int, now: float) -> Sequence[Mark]:
        """Follow the playhead, and keep the signs of the steps on the way. Return their marks."""
        steps = position - self.cursor.position
        marks: list[Mark] = []
        if 0 < steps <= MAX_STEPWISE:
            for _ in range(steps):
                self.cursor.advance()
                marks += self._add_event_signs(now)
        elif steps:
            self.cursor.seek(position)
            self.rest(now)
        return marks

    def rest(self, now: float) -> None:
        """Show the signs of the last step alone."""
        self.signs.clear()
        self._add_event_signs(now)

    def step(self, steps: int, now: float) -> None:
        """Let the last steps be seen by themselves."""
        self._stepping = self.cursor.position - steps, self.cursor.position, now

    def forget(self, now: float, is_playing: bool) -> None:
        """Drop expired signs; while paused, the last step stays."""
        while is_playing and self.signs and now - self.signs[0].since > SIGN_S:
            self.signs.popleft()

    def move_things(self, playback: Playback, now: float) -> None:
        """Place what is under way: at the playhead, or in a step that is seen by itself."""
        timeline, position, time = self.timeline, self.cursor.position, playback.time
        self.things, self.moving = self.cursor.things, STILL
        if self._stepping is not None:
            begin, end, since = self._stepping
            fraction = (now - since) / STEP_S
            if end == position and fraction < 1:
                self.moving = self._motions.place_between(begin, end, fraction)
                landed = count_landed(fraction, end - begin, timeline.scene.turns_per_s)
                self.things = self._motions.things_at(begin + landed)
                return
            self._stepping = None
        if playback.is_playing or abs(time - timeline.time_at(position)) > TINY:
            turn = ceil(time)
            self.moving = self._motions.place(turn, time - (turn - 1))
        if playback.pace > MAX_SPEED:
            self.moving = Moving(ways=self.moving.ways)

    def place(self, thing_id: int) -> Point:
        """Return where the middle of a thing is now, also while it moves."""
        placed = self.moving.places.get(thing_id)
        return (
            middle_of_thing(self.cursor.things[thing_id])
            if placed is None
            else (placed.x, placed.y)
        )

    def _add_event_signs(self, now: float) -> Sequence[Mark]:
        """Show the signs of the step that led to the cursor. Return their marks."""
        scene, cursor = self.timeline.scene, self.cursor
        signs = list(make_signs(scene, cursor.step, cursor.things))
        self.signs.extend(TimedSign(sign, now) for sign in signs)
        return [sign.mark for sign in signs]


class ListedMove(NamedTuple):
    """A move, and the position after its step."""

    words: str
    position: int


class MoveList:
    """The moves on each board, as far as the match is known."""

    def __init__(self, timeline: ReplayTimeline) -> None:
        self._timeline = timeline
        self._cursor = Cursor(timeline)
        self._lefts = [part.left for part in timeline.scene.parts]
        self.boards: list[list[ListedMove]] = [[] for _ in self._lefts if timeline.scene.moves]
        """The moves by board; empty for a game without boards."""

    def add_new_moves(self) -> None:
        """Add the moves that the timeline has read since the last call."""
        cursor, moves = self._cursor, self._timeline.scene.moves
        if not self.boards:
            return
        for step in cursor.steps_to(self._timeline.steps):
            for annotation in step.annotations:
                one = step.find(annotation.one, cursor.things)
                if one is not None and annotation.event_style in moves:
                    board = self.boards[bisect_right(self._lefts, one.x) - 1]
                    board.append(ListedMove(annotation.words, cursor.position))

    def last_move_number(self, board: int, position: int) -> int | None:
        """Return the number of a board's last move up to a position; None before the first."""
        count = bisect_left(self.boards[board], position + 1, key=lambda move: move.position)
        return count - 1 if count else None
