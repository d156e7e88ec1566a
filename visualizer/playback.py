"""Play, pause, step, seek and speed. No library in it, no clock but what it is told."""

from collections.abc import Sequence
from math import inf

from visualizer.film import Film

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, inf)
"""The last one is as fast as possible."""
NORMAL = SPEEDS.index(1.0)
TURNS_PER_S = 4.0
"""At speed 1."""
FASTEST_TURNS = 20.0
"""Of one call of `advance`, at the highest speed: more is more than one can draw in time."""
TINY = 1e-6


class Playback:
    """The playhead of one film, or of several that are tied by their turns.

    `time` counts turns: t is the end of turn t, t - 1 its beginning, and the steps of a turn
    lie evenly between.
    """

    def __init__(self, films: Sequence[Film]) -> None:
        self.films = films
        self.time = 0.0
        self.is_playing = True
        self._speed = NORMAL

    @property
    def speed(self) -> float:
        return SPEEDS[self._speed]

    @property
    def end(self) -> float:
        """The end of the last turn that is known of any film."""
        return float(max(film.last_turn for film in self.films))

    @property
    def is_at_end(self) -> bool:
        return self.time >= self.end

    def position(self, film: int = 0) -> int:
        """Where the playhead is in a film, in steps."""
        known = self.films[film]
        turn = int(self.time) if self.time == int(self.time) else int(self.time) + 1
        begin, end = known.begin_of(turn), known.end_of(turn)
        return begin + int((self.time - (turn - 1)) * (end - begin) + TINY)

    def advance(self, seconds: float) -> None:
        """Time passes. At the end of what is known it waits; once all is known, it stops."""
        if not self.is_playing:
            return
        turns = FASTEST_TURNS if self.speed == inf else seconds * TURNS_PER_S * self.speed
        self.time = min(self.time + turns, max(self.end, self.time))
        if self.is_at_end and all(film.is_over for film in self.films):
            self.is_playing = False

    def play_or_pause(self) -> None:
        """Playing on from the end begins anew."""
        if not self.is_playing and self.is_at_end and all(film.is_over for film in self.films):
            self.time = 0.0
        self.is_playing = not self.is_playing

    def pause(self) -> None:
        self.is_playing = False

    def seek_turn(self, turn: float) -> None:
        """To the end of a turn, or a place within."""
        self.time = min(max(0.0, turn), self.end)

    def seek(self, position: int) -> None:
        """To a position of the first film."""
        self.time = self.films[0].time_at(min(max(0, position), self.films[0].steps))

    def step(self, steps: int) -> None:
        """So many steps of the first film on, or back; and stay there."""
        self.pause()
        self.seek(self.position() + steps)

    def step_turns(self, turns: int) -> None:
        """To the end of the next turn, or back to that of the one before; and stay there."""
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

    def fastest_or_normal(self) -> None:
        """As fast as possible; at normal speed if it is that already."""
        self._speed = NORMAL if self.is_fastest else len(SPEEDS) - 1

    def restart(self) -> None:
        """From the beginning, playing."""
        self.time = 0.0
        self.is_playing = True

    def next_mark(self, direction: int = 1) -> None:
        """To the next mark of any film's timeline (-1: the one before); and stay there."""
        times = {film.time_at(mark.position) for film in self.films for mark in film.marks}
        if direction > 0:
            ahead = [time for time in times if time > self.time + TINY]
        else:
            ahead = [time for time in times if time < self.time - TINY]
        if ahead:
            self.pause()
            self.time = min(ahead) if direction > 0 else max(ahead)
