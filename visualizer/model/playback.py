"""Play, pause, step, seek and speed; stretches in which nothing happens pass faster.

Time passes by calls of `advance` alone.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from math import ceil, inf
from typing import NamedTuple

from visualizer.model.story import find_key_moments
from visualizer.model.timeline import ReplayTimeline

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, inf)
"""The last one is as fast as possible."""
NORMAL = SPEEDS.index(1.0)
MAX_TURNS_PER_CALL = 20.0
"""Turns per call of `advance` at the highest speed: more could not be drawn in a frame."""
TINY = 1e-6

QUIET_SPEED = 6
"""How much faster quiet stretches are played."""
AROUND_S = 0.75
"""Seconds before and after what happens that are played as ever."""
MIN_S, MIN_TURNS = 3.0, 6
"""Shorter stretches are no pause."""


class QuietStretch(NamedTuple):
    """Turns in which nothing happens."""

    first: int
    last: int

    @property
    def words(self) -> str:
        return f"Turns {self.first} to {self.last}: quiet, {QUIET_SPEED} times as fast"

    @property
    def begin(self) -> int:
        """Return the time at which it begins."""
        return self.first - 1


def find_quiet(timelines: Sequence[ReplayTimeline]) -> list[QuietStretch]:
    """Return where nothing happens in any of several replays; [] before all are known."""
    if not all(timeline.is_over for timeline in timelines):
        return []
    eventful = {0}
    for timeline in timelines:
        eventful |= {timeline.last_turn, *find_key_moments(timeline.scores)}
        eventful |= {timeline.turn_at(mark.position) for mark in timeline.marks}
    per_s = timelines[0].scene.turns_per_s
    around, least = ceil(AROUND_S * per_s), max(MIN_TURNS, ceil(MIN_S * per_s))
    pairs = pairwise(sorted(eventful))
    found = [QuietStretch(was + around + 1, then - around - 1) for was, then in pairs]
    return [stretch for stretch in found if stretch.last - stretch.begin >= least]


class FoldedTime:
    """Times as they are played: those of quiet stretches pass faster."""

    def __init__(
        self, quiet: Sequence[QuietStretch] = (), unfolded: Collection[QuietStretch] = ()
    ) -> None:
        """Prepare for stretches, those included that are `unfolded`: played as slowly as all."""
        self.quiet = quiet
        self.stretches = [stretch for stretch in quiet if stretch not in unfolded]

    def fold(self, time: float) -> float:
        """Return how many turns it takes to play up to a time."""
        spare = 1 - 1 / QUIET_SPEED
        passed = (
            min(max(time - each.begin, 0.0), each.last - each.begin) for each in self.stretches
        )
        return time - spare * sum(passed)

    def unfold(self, folded: float) -> float:
        """Return the time up to which it takes so many turns to play."""
        time = folded
        for each in self.stretches:
            if time <= each.begin:
                break
            most = (each.last - each.begin) * (1 - 1 / QUIET_SPEED)
            time += min((time - each.begin) * (QUIET_SPEED - 1), most)
        return time

    def stretch_at(self, time: float) -> QuietStretch | None:
        """Return the stretch that is being played at a time."""
        return next((each for each in self.stretches if each.begin <= time < each.last), None)


UNFOLDED = FoldedTime()


class Playback:
    """The playhead of one replay, or of several in step by their turns.

    `time` counts turns: t is the end of turn t, t - 1 its beginning.
    """

    def __init__(self, timelines: Sequence[ReplayTimeline]) -> None:
        self.timelines = timelines
        self.time = 0.0
        self.is_playing = True
        self._speed = NORMAL
        self.unfolded: set[QuietStretch] = set()
        """The quiet stretches that are played as slowly as all else."""
        self.wanted_turn: float | None = None
        """The turn to go to once it is recorded."""
        self._read: object = None

    @property
    def speed(self) -> float:
        return SPEEDS[self._speed]

    @property
    def pace(self) -> float:
        """Return the speed at which the playhead moves now."""
        return self.speed * (QUIET_SPEED if self.folded.stretch_at(self.time) else 1)

    @property
    def quiet(self) -> Sequence[QuietStretch]:
        """Return the quiet stretches, once all of the match is known."""
        read = [(timeline.steps, timeline.is_over) for timeline in self.timelines]
        if read != self._read:
            self._read, self._quiet = read, find_quiet(self.timelines)
        return self._quiet

    @property
    def folded(self) -> FoldedTime:
        """Return how time passes."""
        return FoldedTime(self.quiet, self.unfolded)

    @property
    def quiet_words(self) -> str:
        """Return the caption of a quiet stretch that is being played; '' elsewhere."""
        stretch = self.folded.stretch_at(self.time) if self.is_playing else None
        return stretch.words if stretch else ""

    def toggle_fold(self, stretch: QuietStretch) -> None:
        """Unfold a quiet stretch, or fold it again."""
        self.unfolded ^= {stretch}

    def toggle_folds(self) -> None:
        """Unfold all quiet stretches, or fold them again if one is unfolded."""
        self.unfolded = set() if self.unfolded else {*self.quiet}

    @property
    def end(self) -> float:
        """Return the end of the last turn recorded in any replay."""
        return float(max(timeline.last_turn for timeline in self.timelines))

    @property
    def is_at_end(self) -> bool:
        return self.time >= self.end

    @property
    def is_over(self) -> bool:
        """Return whether no more will come after the playhead."""
        return self.is_at_end and all(timeline.is_over for timeline in self.timelines)

    def position(self, number: int = 0) -> int:
        """Return the position of the playhead in a replay, in steps."""
        return self.timelines[number].position_at(self.time)

    def advance(self, seconds: float) -> None:
        """Let time pass. At the end of an unfinished record it waits; after a match it stops."""
        if self.wanted_turn is not None:
            self.seek_turn(self.wanted_turn)
            are_over = all(timeline.is_over for timeline in self.timelines)
            if are_over or self.end >= self.wanted_turn:
                self.wanted_turn = None
        if not self.is_playing:
            return
        if self.speed == inf:
            time = self.time + MAX_TURNS_PER_CALL
        else:
            per_s, folded = self.timelines[0].scene.turns_per_s, self.folded
            time = folded.unfold(folded.fold(self.time) + seconds * per_s * self.speed)
        self.time = min(max(self.time, time), max(self.end, self.time))
        if self.is_over:
            self.is_playing = False

    def play_or_pause(self) -> None:
        """Play or pause; at the end of a match, play from the start."""
        if not self.is_playing and self.is_over:
            self.time = 0.0
        self.is_playing = not self.is_playing

    def pause(self) -> None:
        self.is_playing = False

    def seek_turn(self, turn: float) -> None:
        """Go to the end of a turn (a whole number), or to a point within it."""
        self.time = min(max(0.0, turn), self.end)

    def to_end(self) -> None:
        self.seek_turn(self.end)

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

    def speed_up(self) -> None:
        self._speed = min(self._speed + 1, len(SPEEDS) - 1)

    def slow_down(self) -> None:
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
