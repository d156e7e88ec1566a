"""What of a large map is shown: all of it first, then where they fight or a flag is carried."""

from collections import deque
from math import ceil
from typing import Any

from visualizer.scene import Annotation, AnyScene, Extent, Mark, middle_of_thing

MIN_SQUARES = 60
"""Maps with a longer side have a camera."""
FIGHTS = (Mark.STRIKE, Mark.HIT, Mark.DEATH)
RECENT = 8
"""Turns in which a fight is looked at; after twice as many without one, all is shown again."""
OUTSIDE = 0.1
"""The share of the fights on each side that may be outside."""
AROUND, MIN_SIDE = 6.0, 36.0
"""Squares around what is looked at, and the least side of the part."""
NEARER, NEARER_FLAG = 0.25, 0.5
"""How much of the way to what is looked at the camera goes in a turn, and if that is a flag."""
CLOSE = 2.0
"""Squares from which on it goes all of the rest: it rests as long as it looks well."""
MIN_SHARE = 0.6
"""The least share of the part, by its sides, that what is looked at takes up."""


class CameraPath:
    """The part that is shown at the end of each turn."""

    def __init__(self, scene: AnyScene) -> None:
        self._scene = scene
        self.has_map = max(scene.extent.width, scene.extent.height) > MIN_SQUARES
        """Whether the map is so large that a part of it is shown."""
        self.parts: list[Extent] = []
        self._goal = scene.extent
        self._fights: deque[tuple[int, float, float]] = deque(maxlen=400)
        self._fought = 0

    def note(self, turn: int, state: Any, annotation: Annotation) -> None:
        """Take in an event, with the turn and the state before it."""
        if not self.has_map or self._scene.event_styles[annotation.event_style].mark not in FIGHTS:
            return
        if (thing := self._scene.thing(state, annotation.one)) is not None:
            self._fought = turn
            self._fights.append((turn, *middle_of_thing(thing)))

    def add(self, turns: int, state: Any) -> None:
        """Keep the parts until they are known of so many turns, turn 0 included."""
        while self.has_map and len(self.parts) < turns:
            whole = self._scene.extent
            wanted = self._find_part(len(self.parts), state) or whole
            if not self._is_seen_well(wanted):
                self._goal = wanted
            now = self.parts[-1] if self.parts else whole
            share = NEARER_FLAG if self._scene.trails(state) else NEARER
            steps = [b - a for a, b in zip(now, self._goal, strict=True)]
            if max(map(abs, steps)) < CLOSE:
                share = 1.0
            sides = zip(now, steps, strict=True)
            self.parts.append(Extent(*(round(side + step * share, 2) for side, step in sides)))

    def _is_seen_well(self, wanted: Extent) -> bool:
        """Return whether the goal shows a part, neither at its edge nor too small."""
        goal, whole = self._goal, self._scene.extent
        if whole in (goal, wanted):
            return goal == wanted
        across = goal.left - AROUND <= wanted.left and wanted.right <= goal.right + AROUND
        down = goal.top - AROUND <= wanted.top and wanted.bottom <= goal.bottom + AROUND
        share = max(wanted.width / goal.width, wanted.height / goal.height)
        return across and down and share >= MIN_SHARE

    def _find_part(self, turn: int, state: Any) -> Extent | None:
        """Return the part around the carriers of flags, else around the fights; None for all."""
        places = list(self._scene.trails(state).values())
        if not places and turn - self._fought < 2 * RECENT:
            since = self._fought - RECENT
            places = [(x, y) for fought, x, y in self._fights if fought > since]
        if not places:
            return None
        out = int(OUTSIDE * len(places))
        (left, right), (top, bottom) = (
            (axis[out] - AROUND, axis[-1 - out] + AROUND)
            for axis in map(sorted, zip(*places, strict=True))
        )
        wide, high = max(0.0, MIN_SIDE - right + left) / 2, max(0.0, MIN_SIDE - bottom + top) / 2
        return Extent(left - wide, top - high, right + wide, bottom + high)

    def part_at(self, time: float) -> Extent | None:
        """Return the part at a time in turns; None where all is shown."""
        if not self.parts:
            return None
        last = len(self.parts) - 1
        turn = min(ceil(time), last)
        share = min(max(time - (turn - 1), 0.0), 1.0)
        ends = self.parts[max(0, turn - 1)], self.parts[turn]
        return Extent(*(a + (b - a) * share for a, b in zip(*ends, strict=True)))
