"""Play, pause, step, seek and speed. Time passes by calls of `advance` alone."""

from collections.abc import Sequence
from math import inf

from visualizer.model.story import find_key_moments
from visualizer.model.timeline import ReplayTimeline

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, inf)
"""The last one is as fast as possible."""
NORMAL = SPEEDS.index(1.0)
FASTEST_TURNS = 20.0
"""Turns per call of `advance` at the highest speed: more could not be drawn in a frame."""
TINY = 1e-6


class Playback:
    """The playhead of one replay, or of several in step by their turns.

    `time` counts turns: t is the end of turn t, t - 1 its beginning.
    """

    def __init__(self, timelines: Sequence[ReplayTimeline]) -> None:
        self.timelines = timelines
        self.time = 0.0
        self.is_playing = True
        self._speed = NORMAL

    @property
    def speed(self) -> float:
        return SPEEDS[self._speed]

    @property
    def turns_per_s(self) -> float:
        """Return how many turns are played in a second at speed 1."""
        return self.timelines[0].scene.turns_per_s

    @property
    def end(self) -> float:
        """Return the end of the last turn recorded in any replay."""
        return float(max(timeline.last_turn for timeline in self.timelines))

    @property
    def is_at_end(self) -> bool:
        return self.time >= self.end

    def position(self, number: int = 0) -> int:
        """Return the position of the playhead in a replay, in steps."""
        return self.timelines[number].position_at(self.time)

    def advance(self, seconds: float) -> None:
        """Let time pass. At the end of an unfinished record it waits; after a match it stops."""
        if not self.is_playing:
            return
        turns = FASTEST_TURNS if self.speed == inf else seconds * self.turns_per_s * self.speed
        self.time = min(self.time + turns, max(self.end, self.time))
        if self.is_at_end and all(timeline.is_over for timeline in self.timelines):
            self.is_playing = False

    def play_or_pause(self) -> None:
        """Play or pause; at the end of a match, play from the start."""
        if (
            not self.is_playing
            and self.is_at_end
            and all(timeline.is_over for timeline in self.timelines)
        ):
            self.time = 0.0
        self.is_playing = not self.is_playing

    def pause(self) -> None:
        self.is_playing = False

    def seek_turn(self, turn: float) -> None:
        """Go to the end of a turn (a whole number), or to a point within it."""
        self.time = min(max(0.0, turn), self.end)

    def seek(self, position: int) -> None:
        """Go to a position of the first replay."""
        self.time = self.timelines[0].time_at(min(max(0, position), self.timelines[0].steps))

    def step(self, steps: int) -> None:
        """Go steps of the first replay forward, or back if negative, and pause."""
        self.pause()
        self.seek(self.position() + steps)

    def step_turns(self, turns: int) -> None:
        """Go to the end of the next turn, or of the one before, and pause."""
        self.pause()
        whole = int(self.time + TINY)
        back_to = whole if self.time - whole > TINY else whole - 1
        self.seek_turn(whole + turns if turns > 0 else back_to + turns + 1)

    def faster(self) -> None:
        self._speed = min(self._speed + 1, len(SPEEDS) - 1)

    def slower(self) -> None:
        self._speed = max(self._speed - 1, 0)

    @property
    def is_fastest(self) -> bool:
        return self.speed == inf

    def toggle_fastest(self) -> None:
        """Switch to the highest speed, or from it back to normal speed."""
        self._speed = NORMAL if self.is_fastest else len(SPEEDS) - 1

    def restart(self) -> None:
        """Play from the start."""
        self.time = 0.0
        self.is_playing = True

    def go_to_mark(self, direction: int = 1) -> None:
        """Go to the next key moment of any replay, start and end too (-1: back), and pause.

        While a match is played, go to the next event of the timeline.
        """
        times = set[float]()
        for timeline in self.timelines:
            if timeline.is_over:
                times |= {0, *find_key_moments(timeline.scores), timeline.last_turn}
            else:
                times |= {timeline.time_at(mark.position) for mark in timeline.marks}
        if direction > 0:
            later = [time for time in times if time > self.time + TINY]
        else:
            later = [time for time in times if time < self.time - TINY]
        if later:
            self.pause()
            self.time = min(later) if direction > 0 else max(later)
