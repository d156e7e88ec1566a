"""A replay as it is shown: its cursor, its pictures, and what moves on its board."""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from visualizer.drawing.geometry import Point, middle
from visualizer.drawing.signs import Sign, make_signs
from visualizer.drawing.sprites import Sprites
from visualizer.model.cursor import Cursor
from visualizer.model.latest_events import Narration
from visualizer.model.narration import Narrator
from visualizer.model.story import Story
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Mark, Sprite

MAX_STEPWISE = 300
"""Up to so many steps in a frame are advanced one by one, to collect the signs of each."""
MAX_CACHED_SIGNS = 400
SIGN_S = 0.45
"""Seconds that a sign stays while the match plays."""
GLIDE_S = 0.12
GLIDE_SPEED = 4.0
"""Above this speed things jump instead of gliding."""


class TimedSign(NamedTuple):
    """A sign, and since when it is shown."""

    sign: Sign
    since: float
    """Seconds of the window's clock."""

    def opacity(self, now: float) -> float:
        """Return how much of it is still to be seen."""
        age = (now - self.since) / SIGN_S
        return max(0.0, 1 - age * age)


class Move(NamedTuple):
    """A thing gliding from where it was."""

    came_from: Point
    since: float


class ReplayView:
    """One of the replays of a window."""

    def __init__(self, timeline: ReplayTimeline, sprites: Sprites, logs: Path) -> None:
        self.timeline = timeline
        self.sprites = sprites
        self.logs = logs
        """The folder with the bots' logs."""
        self.signs: deque[TimedSign] = deque(maxlen=MAX_CACHED_SIGNS)
        self.moves: dict[int, Move] = {}
        self._load()

    def _load(self) -> None:
        self.beginnings = self.timeline.replay.beginnings
        self.cursor = Cursor(self.timeline)
        self.narrator = Narrator(self.timeline)
        self.narration = Narration(self.timeline)
        self.story = Story(self.timeline)
        self.move_list = MoveList(self.timeline)
        self.signs.clear()
        self.moves.clear()

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

    def follow(self, position: int, now: float, speed: float) -> Sequence[Mark]:
        """Follow the playhead, and keep the signs of the steps on the way. Return their marks."""
        steps = position - self.cursor.position
        marks: list[Mark] = []
        if 0 < steps <= MAX_STEPWISE:
            for _ in range(steps):
                self.cursor.advance()
                marks += self._add_signs(now)
                if speed <= GLIDE_SPEED:
                    self._add_moves(now)
        elif steps:
            self.cursor.seek(position)
            self.rest(now)
        return marks

    def rest(self, now: float) -> None:
        """Show the signs of the last step alone, and no motion."""
        self.moves.clear()
        self.signs.clear()
        self._add_signs(now)

    def forget(self, now: float, is_playing: bool) -> None:
        """Drop expired signs and motion; while paused, the last step stays."""
        while is_playing and self.signs and now - self.signs[0].since > SIGN_S:
            self.signs.popleft()
        for thing_id in [i for i, move in self.moves.items() if now - move.since > GLIDE_S]:
            del self.moves[thing_id]

    def place(self, thing_id: int, now: float) -> Point:
        """Return where the middle of a thing is now, while it glides between squares."""
        x, y = middle(self.cursor.things[thing_id])
        move = self.moves.get(thing_id)
        if move is None:
            return x, y
        done = min(max((now - move.since) / GLIDE_S, 0.0), 1.0)
        # Ease out: fast at first, so that the piece arrives in time for the next step.
        rest = (1 - done) ** 2
        from_x, from_y = move.came_from
        return x + (from_x - x) * rest, y + (from_y - y) * rest

    def moving(self, now: float) -> dict[int, Point]:
        """Return where the things are that glide."""
        return {i: self.place(i, now) for i in self.moves if i in self.cursor.things}

    def _add_signs(self, now: float) -> Sequence[Mark]:
        """Show the signs of the step that led to the cursor. Return their marks."""
        scene, cursor = self.timeline.scene, self.cursor
        signs = list(make_signs(scene, cursor.step, cursor.things))
        self.signs.extend(TimedSign(sign, now) for sign in signs)
        return [sign.mark for sign in signs]

    def _add_moves(self, now: float) -> None:
        """Move the sprites that the step moved."""
        for thing_id, before in self.cursor.step.before.items():
            after = self.cursor.things.get(thing_id)
            if not isinstance(before, Sprite) or not isinstance(after, Sprite):
                continue
            if (before.x, before.y) != (after.x, after.y):
                self.moves[thing_id] = Move((before.x, before.y), now)


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
        for step in cursor.annotated_steps(self._timeline.steps):
            for annotation in step.annotations:
                one = cursor.things.get(annotation.one) or step.before.get(annotation.one)
                if one is not None and annotation.event_style in moves:
                    board = self.boards[bisect_right(self._lefts, one.x) - 1]
                    board.append(ListedMove(annotation.words, cursor.position))

    def last(self, board: int, position: int) -> int | None:
        """Return the number of a board's last move up to a position; None before the first."""
        count = bisect_left(self.boards[board], position + 1, key=lambda move: move.position)
        return count - 1 if count else None
