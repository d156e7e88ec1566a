"""A match cut into steps, and the state before any of them."""

import time
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache
from math import inf
from typing import Any, NamedTuple

import msgspec

from engine.game import Stage
from engine.record import CpuAside, FaultAside
from engine.replay import Decision, Entry, Replay
from visualizer.scene import Mark, Note, Scene, scene_class

SNAPSHOT_EVENTS = 1_500
"""From one kept state to the next: what a jump has to go through, in a few milliseconds."""
LINES_KEPT = 64
LEAD = "lead changes"
"""What they are called on the timeline; they come from the scores, not from a scene."""


class TimelineMark(NamedTuple):
    """Something worth jumping to."""

    position: int
    """Of the playhead when it has just happened."""
    what: str


class Film:
    """All that is known of a match. Position n of its playhead is after the first n steps.

    A step is a decision and what follows from it, or a stage of a turn in which something is
    to be seen. Position 0 is the board before the first step.
    """

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self._rewind()

    def _rewind(self) -> None:
        replay, teams = self.replay, len(self.replay.bots)
        self.scene: Scene[Any] = scene_class(replay.game.name)(replay.spec.settings, teams)
        self.marks: list[TimelineMark] = []
        """In the order of their positions."""
        self.scores: list[tuple[float, ...]] = []
        """Of each team at the end of each turn, turn 0 first."""
        self.thresholds: list[float | None] = []
        """The score that won at the end of each turn, if any did."""
        self.gone: dict[int, int] = {}
        """Things that died or went into another, and the position at which they are gone."""
        self.fault_words: dict[tuple[int, int, int], str] = {}
        """What a fault was, by turn, team and what the bot was asked about."""
        self._beginning = replay.beginnings
        self._entries_of_line = lru_cache(LINES_KEPT)(replay.entries_of_line)
        self._state = replay.game.new(replay.spec.settings, teams)
        self._lines_read = self._asides_read = self._leader = 0
        # Of each step: its turn, and the line and place where its entries begin.
        self._turns, self._lines, self._places = array("L"), array("L"), array("L")
        self._is_step_empty = self._is_stage_alone = False
        self._snapshots: list[tuple[int, bytes]] = []
        self._events_since = 0
        self._fault_turns: list[list[int]] = [[] for _ in range(teams)]
        self._cpu_turns: list[int] = [0]
        self._cpu_sums: list[tuple[int, ...]] = [(0,) * teams]

    def read_on(self, budget_s: float = inf) -> bool:
        """Take in what is recorded and not known yet; whether that was anything.

        To be called again and again while a match is being played, or not all `is_read`.
        """
        deadline = time.perf_counter() + budget_s
        self.replay.read_on()
        if self._beginning != self.replay.beginnings:
            self._rewind()
        first = self._lines_read
        while not self.is_read:
            self._take(self._lines_read)
            self._lines_read += 1
            if time.perf_counter() > deadline:
                break
        self._take_asides()
        if self.is_over:
            self._keep_scores(self.last_turn + 1, self.steps)
        return self._lines_read != first

    @property
    def is_read(self) -> bool:
        """Whether all that is recorded by now is known."""
        return self._lines_read == self.replay.line_count

    @property
    def is_over(self) -> bool:
        """Whether all of the match is known, or all there is of it in a file that was cut off."""
        return not self.replay.is_growing and self.is_read

    @property
    def steps(self) -> int:
        """How many steps are known, which is the last position."""
        return len(self._turns) - self._is_step_open

    @property
    def _is_step_open(self) -> bool:
        """Whether the last step may go on in a line that is still to come."""
        return (self._is_step_empty or self._is_stage_alone) and not self.is_over

    @property
    def most(self) -> float:
        """The highest that a graph of the scores has to show."""
        scores = (max(scores) for scores in self.scores)
        return max([0.0, *scores, *filter(None, self.thresholds)])

    @property
    def last_turn(self) -> int:
        return self.turn_at(self.steps)

    def turn_at(self, position: int) -> int:
        """The turn of the step that led to a position; 0 at the start."""
        return self._turns[position - 1] if position else 0

    def begin_of(self, turn: int) -> int:
        """The position before the first step of a turn."""
        return min(bisect_left(self._turns, turn), self.steps)

    def end_of(self, turn: int) -> int:
        """The position after the last step of a turn."""
        return min(bisect_right(self._turns, turn), self.steps)

    def stage_at(self, position: int) -> str:
        """The stage that goes on there; a stage begins a line of the record."""
        line, place = self._begin(position)
        while line >= 0:
            first = self._entries_of_line(line)[0] if place else None
            if isinstance(first, Stage):
                return first.name
            line, place = line - 1, 1
        return ""

    def time_at(self, position: int) -> float:
        """In turns: t is the end of turn t, and the steps of a turn lie evenly before it."""
        if not position:
            return 0.0
        turn = self.turn_at(position)
        begin, end = self.begin_of(turn), self.end_of(turn)
        return turn - 1 + (position - begin) / (end - begin)

    def entries(self, step: int) -> Iterator[Entry]:
        """What is recorded of a step, from 0."""
        (line, place), (last_line, stop) = self._begin(step), self._begin(step + 1)
        while line < last_line:
            yield from self._entries_of_line(line)[place:]
            line, place = line + 1, 0
        if stop:
            yield from self._entries_of_line(line)[place:stop]

    def state_before(self, position: int) -> tuple[int, Any]:
        """A position at or before this one, and a state of the caller's own at it."""
        if not self._snapshots:
            return 0, self._copy(msgspec.json.encode(self._state))
        index = bisect_right(self._snapshots, position, key=lambda kept: kept[0]) - 1
        at, content = self._snapshots[index]
        return at, self._copy(content)

    def rounds_lost(self, team: int, turn: int) -> int:
        """By a team, up to the end of a turn."""
        return bisect_right(self._fault_turns[team - 1], turn)

    def cpu_us(self, team: int, turn: int) -> int:
        """CPU time of a team up to the end of a turn, microseconds."""
        return self._cpu_sums[bisect_right(self._cpu_turns, turn) - 1][team - 1]

    def _copy(self, content: bytes) -> Any:
        return msgspec.json.decode(content, type=self.replay.game.state)

    def _begin(self, step: int) -> tuple[int, int]:
        """The line and place of a step's first entry."""
        if step == len(self._turns):
            return self._lines_read, 0
        return self._lines[step], self._places[step]

    def _take(self, line: int) -> None:
        """Fold a line, and cut it into steps."""
        state, scene = self._state, self.scene
        entries = self._entries_of_line(line)
        self._is_stage_alone = len(entries) == 1 and isinstance(entries[0], Stage)
        for place, entry in enumerate(entries):
            kind = type(entry)
            if kind is Decision or kind is Stage:
                self._begin_step(entry, line, place)
                if kind is Decision:
                    continue
            notes = scene.notes(state, entry)
            for note in notes:
                self._keep_note(note)
            state.apply(entry)
            self._events_since += 1
            if self._is_step_empty and (notes or scene.touched(entry)):
                self._is_step_empty = False

    def _keep_note(self, note: Note) -> None:
        happening = self.scene.happenings[note.happening]
        if happening.timeline:
            self.marks.append(TimelineMark(len(self._turns), happening.timeline))
        if happening.mark is Mark.DEATH:
            self.gone[note.one] = len(self._turns)
        elif happening.mark is Mark.JOIN:
            self.gone[note.other] = len(self._turns)

    def _begin_step(self, entry: Entry, line: int, place: int) -> None:
        """A new one; or the one before goes on, a stage in which nothing was to be seen."""
        turn = entry.turn if isinstance(entry, Stage) else self._state.turn
        if not self._turns or turn != self._turns[-1]:
            self._keep_scores(turn, len(self._turns) - self._is_step_empty)
        if self._is_step_empty:
            self._turns[-1] = turn
        else:
            self._keep_snapshot()
            self._turns.append(turn)
            self._lines.append(line)
            self._places.append(place)
        self._is_step_empty = isinstance(entry, Stage)

    def _keep_snapshot(self) -> None:
        if self._events_since >= SNAPSHOT_EVENTS or not self._snapshots:
            self._snapshots.append((len(self._turns), msgspec.json.encode(self._state)))
            self._events_since = 0

    def _keep_scores(self, turn: int, position: int) -> None:
        """As they are before this turn begins, at a position."""
        scores = self.replay.game.standing(self._state).scores
        self.thresholds += [self.scene.threshold(self._state)] * (turn - len(self.scores))
        self.scores += [scores] * (turn - len(self.scores))
        leaders = [team for team, score in enumerate(scores, 1) if score == max(scores)]
        if len(leaders) == 1 and leaders[0] != self._leader:
            if self._leader:
                self.marks.append(TimelineMark(position, LEAD))
            self._leader = leaders[0]

    def _take_asides(self) -> None:
        asides = self.replay.asides
        for aside in asides[self._asides_read :]:
            if isinstance(aside, FaultAside):
                self._fault_turns[aside.team - 1].append(aside.turn)
                self.fault_words[aside.turn, aside.team, aside.about] = aside.detail
            elif isinstance(aside, CpuAside):
                self._cpu_turns.append(aside.turn)
                sums = zip(self._cpu_sums[-1], aside.us, strict=True)
                self._cpu_sums.append(tuple(before + us for before, us in sums))
        self._asides_read = len(asides)
