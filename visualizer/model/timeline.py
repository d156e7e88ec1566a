"""A match cut into steps, the state before any of them, and the trails that things left."""

import time
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import ceil, hypot, inf
from typing import Any, NamedTuple, TypeVar

import msgspec

from engine.game import Event, Stage
from engine.replays.decisions import Decision
from engine.replays.lines import MIB, TooLarge
from engine.replays.reading import Replay, ReplayEntry, require_bounded_state
from engine.replays.writing import CpuAside, FaultAside, NotesAside, display_names
from visualizer.model.camera import CameraPath
from visualizer.model.drawings import PATH, BotNotes, Drawn
from visualizer.scene import Annotation, AnyScene, Mark, scene_class

T = TypeVar("T")
SNAPSHOT_EVENTS = 1_500
"""Events from one snapshot to the next: a jump applies them in a few milliseconds."""
MAX_CACHED_LINES = 64
SNAPSHOT_BYTES = 64 * MIB
"""The most bytes of all snapshots; beyond that every second one is dropped."""
MOVES = 0.7
"""The fraction at which the last step of a turn lands."""
MIN_MOVE_S = 0.09
"""The least time in which a thing moves at speed 1, seconds."""
TINY = 1e-6
"""What makes up for rounding: the time of a position must lead back to it."""
MAX_STEPS = 5_000_000
MAX_MARKS = 1_000_000
"""The most marks on the timeline, and the most removed things."""
LEAD = "lead changes"
"""The name of the marks that come from the scores, not from a scene."""
Point = tuple[float, float]
TrailPoint = tuple[int, int, float, float]
"""A turn, the team whose color the trail has, and the place at the end of that turn."""


class TimelineMark(NamedTuple):
    """An event on the timeline, which viewers can jump to."""

    position: int
    """The position just after the event."""
    what: str


class ReplayTimeline:
    """A match cut into steps, as far as it is recorded. Position n is after the first n steps.

    A step is a decision and what follows from it, or a stage of a turn in which something is
    to be seen. Position 0 is the board before the first step.
    """

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self._rewind()

    def _rewind(self) -> None:
        replay, teams = self.replay, len(self.replay.bots)
        self.scene: AnyScene = scene_class(replay.game.name)(replay.spec.settings, teams)
        self.scene.names = display_names(replay.bots)
        self.marks: list[TimelineMark] = []
        """The marks, in the order of their positions."""
        self.mark_kinds = self.sign_kinds(type(self.scene))
        self._signs: set[Mark | None] = set()
        self.scores: list[tuple[float, ...]] = []
        """The scores of the teams at the end of each turn, turn 0 first."""
        self.thresholds: list[float | None] = []
        """The score that would win at the end of each turn; None where there is none."""
        self.removed_at: dict[int, int] = {}
        """The position from which on each thing that died or was merged is missing."""
        self.fault_words: dict[tuple[int, int, int], str] = {}
        """The message of each fault, by turn, team and piece id."""
        self.notes = BotNotes(self.scene)
        """What the bots drew and logged."""
        self.trails = Trails(self.scene)
        self.camera = CameraPath(self.scene)
        self._beginning = replay.beginnings
        self._entries_of_line = lru_cache(MAX_CACHED_LINES)(replay.entries_of_line)
        self._events_of_line = lru_cache(MAX_CACHED_LINES)(replay.events_of_line)
        self._state = replay.game.new(replay.spec.settings, teams)
        self._lines_read = self._asides_read = self._leader = 0
        # Of each step: its turn, and the line and place where its entries begin.
        self._turns, self._lines, self._places = array("L"), array("L"), array("L")
        self._is_step_empty = self._is_stage_alone = False
        self._snapshots: list[tuple[int, bytes]] = []
        self._snapshot_events = SNAPSHOT_EVENTS
        self._snapshot_bytes = 0
        self._events_since = 0
        self._fault_turns: list[list[int]] = [[] for _ in range(teams)]
        self._cpu_turns: list[int] = [0]
        self._cpu_sums: list[tuple[int, ...]] = [(0,) * teams]

    def read_new_entries(self, budget_s: float = inf) -> bool:
        """Read what was recorded since the last call. Return whether there was anything.

        Call it repeatedly while a match is played, or until `is_read`.
        """
        deadline = time.perf_counter() + budget_s
        self.replay.read_new_entries()
        if self._beginning != self.replay.beginnings:
            self._rewind()
        first = self._lines_read
        while not self.is_read:
            with self.replay.convert_errors():
                self._take(self._lines_read)
            self._lines_read += 1
            if time.perf_counter() > deadline:
                break
        self._take_asides()
        if self.is_over:
            self._keep_scores(self.last_turn + 1, self.steps)
        return self._lines_read != first

    @staticmethod
    def sign_kinds(scene: type[AnyScene]) -> dict[str, Mark]:
        """Return the kinds of marks there may be and their signs, in the scene's order."""
        signs: dict[str, Mark] = {}
        for style in scene.event_styles.values():
            if style.timeline and (sign := style.sign or style.mark):
                signs.setdefault(style.timeline, sign)
        return {**signs, LEAD: Mark.LEAD}

    @property
    def legend(self) -> list[tuple[Mark, str]]:
        """Return the signs of the board in words; of a match that is over, those there were."""
        possible = {style.mark for style in self.scene.event_styles.values()}
        signs = self._signs if self.is_over else possible
        return [(mark, name) for mark, name in self.scene.mark_names.items() if mark in signs]

    @property
    def is_read(self) -> bool:
        """Return whether everything recorded so far has been read."""
        return self._lines_read == self.replay.line_count

    @property
    def is_over(self) -> bool:
        """Return whether the match has been read to its end, or to that of an interrupted file."""
        return not self.replay.is_growing and self.is_read

    @property
    def steps(self) -> int:
        """Return the number of steps read, which is also the last position."""
        return len(self._turns) - self._is_step_open

    @property
    def _is_step_open(self) -> bool:
        """Return whether a line that is not written yet may continue the last step."""
        return (self._is_step_empty or self._is_stage_alone) and not self.is_over

    @property
    def most(self) -> float:
        """Return the highest score or threshold, for the scale of a graph."""
        scores = (max(scores) for scores in self.scores)
        return max([0.0, *scores, *filter(None, self.thresholds)])

    @property
    def last_turn(self) -> int:
        return self.turn_at(self.steps)

    def turn_at(self, position: int) -> int:
        """Return the turn of the step that led to a position; 0 at the start."""
        return self._turns[position - 1] if position else 0

    def turn_start(self, turn: int) -> int:
        """Return the position before the first step of a turn."""
        return min(bisect_left(self._turns, turn), self.steps)

    def turn_end(self, turn: int) -> int:
        """Return the position after the last step of a turn."""
        return min(bisect_right(self._turns, turn), self.steps)

    def last_ended_turn(self, position: int) -> int:
        """Return the last turn that has ended at a position."""
        turn = self.turn_at(position)
        return turn if position == self.turn_end(turn) else turn - 1

    def stage_at(self, position: int) -> str:
        """Return the stage at a position; a stage always begins a line of the record."""
        line, place = self._locate(position)
        while line >= 0:
            first = self._events_of_line(line)[0] if place else None
            if isinstance(first, Stage):
                return first.name
            line, place = line - 1, 1
        return ""

    def time_at(self, position: int) -> float:
        """Return the time of a position in turns; a turn whose steps are over is over."""
        if not position:
            return 0.0
        turn = self.turn_at(position)
        begin, end = self.turn_start(turn), self.turn_end(turn)
        if position == end:
            return float(turn)
        return turn - 1 + landing_fraction(position - begin, end - begin, self.scene.turns_per_s)

    def position_at(self, time: float) -> int:
        """Return the position at a time: after the steps that have been played by then."""
        turn = ceil(time)
        begin, end = self.turn_start(turn), self.turn_end(turn)
        return begin + count_landed(time - (turn - 1), end - begin, self.scene.turns_per_s)

    def entries(self, step: int) -> list[ReplayEntry]:
        """Return the record entries of a step, counted from 0."""
        return _items_between(self._locate(step), self._locate(step + 1), self._entries_of_line)

    def events(self, step: int, stop: int) -> Iterator[list[Event]]:
        """Yield the events of each step, from one to before another, without decisions."""
        begin, of_line = self._locate(step), self._events_of_line
        for following in range(step + 1, stop + 1):
            end = self._locate(following)
            entries = _items_between(begin, end, of_line)
            yield [event for event in entries if event is not None]
            begin = end

    def state_before(self, position: int) -> tuple[int, Any]:
        """Return a position at or before this one, and a new copy of the state there."""
        if not self._snapshots:
            return 0, self._copy(msgspec.json.encode(self._state))
        index = bisect_right(self._snapshots, position, key=lambda snapshot: snapshot[0]) - 1
        at, content = self._snapshots[index]
        return at, self._copy(content)

    def forfeited_turns(self, team: int, turn: int) -> int:
        """Return how many decisions a team forfeited up to the end of a turn."""
        return bisect_right(self._fault_turns[team - 1], turn)

    def cpu_us(self, team: int, turn: int) -> int:
        """Return the CPU time of a team's bot up to the end of a turn, microseconds.

        Short turns are recorded together: what they took is spread evenly over them.
        """
        turns, sums = self._cpu_turns, self._cpu_sums
        place = bisect_right(turns, turn) - 1
        before = sums[place][team - 1]
        if place + 1 == len(turns):
            return before
        share = (turn - turns[place]) / (turns[place + 1] - turns[place])
        return before + round(share * (sums[place + 1][team - 1] - before))

    def cpu_us_in(self, team: int, turn: int) -> int:
        """Return the CPU time of a team's bot in a turn, microseconds; in turn 0 there is none."""
        return self.cpu_us(team, turn) - self.cpu_us(team, turn - 1) if turn > 0 else 0

    def _copy(self, content: bytes) -> Any:
        return msgspec.json.decode(content, type=self.replay.game.state)

    def _locate(self, step: int) -> tuple[int, int]:
        """Return the line and place of a step's first entry."""
        if step == len(self._turns):
            return self._lines_read, 0
        return self._lines[step], self._places[step]

    def _take(self, line: int) -> None:
        """Apply a line, and cut it into steps. Raises: TooLarge; any error over a damaged line."""
        if len(self._turns) > MAX_STEPS or max(len(self.marks), len(self.removed_at)) > MAX_MARKS:
            raise TooLarge("more happens in it than can be shown")
        state, scene = self._state, self.scene
        entries = self._entries_of_line(line)
        self._is_stage_alone = len(entries) == 1 and isinstance(entries[0], Stage)
        for index, entry in enumerate(entries):
            if isinstance(entry, Decision):
                self._begin_step(entry, line, index)
                continue
            if type(entry) is Stage:
                self._begin_step(entry, line, index)
            annotations = scene.annotations(state, entry)
            for annotation in annotations:
                self._keep_annotation(annotation)
                self.camera.note(state.turn, state, annotation)
            state.apply(entry)
            self._events_since += 1
            if self._is_step_empty and (annotations or scene.dirty_ids(entry)):
                self._is_step_empty = False

    def _keep_annotation(self, annotation: Annotation) -> None:
        event_style = self.scene.event_styles[annotation.event_style]
        if event_style.timeline:
            self.marks.append(TimelineMark(len(self._turns), event_style.timeline))
        self._signs.add(event_style.mark)
        if event_style.mark is Mark.DEATH:
            self.removed_at[annotation.one] = len(self._turns)
        elif event_style.mark is Mark.JOIN:
            self.removed_at[annotation.other] = len(self._turns)

    def _begin_step(self, entry: ReplayEntry, line: int, place: int) -> None:
        """Begin a step, or continue the one before if it was a stage without visible events."""
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
        if self._events_since >= self._snapshot_events or not self._snapshots:
            # As JSON: compact, and no two cursors can share a mutable piece.
            content = msgspec.json.encode(self._state)
            require_bounded_state(content)
            self._snapshots.append((len(self._turns), content))
            self._snapshot_bytes += len(content)
            self._events_since = 0
            if self._snapshot_bytes > SNAPSHOT_BYTES:
                self._thin_out_snapshots()

    def _thin_out_snapshots(self) -> None:
        # Every second one, so that the rest stays evenly spread; the interval doubles with it.
        del self._snapshots[1::2]
        self._snapshot_bytes = sum(len(content) for _, content in self._snapshots)
        self._snapshot_events *= 2

    def _keep_scores(self, turn: int, position: int) -> None:
        """Keep the scores as they are before a turn begins."""
        ruled = self.replay.game.standing(self._state).scores
        scores = self.scene.scores(self._state, ruled)
        self.thresholds += [self.scene.threshold(self._state)] * (turn - len(self.scores))
        self.trails.add(turn, self._state)
        self.camera.add(turn, self._state)
        self.scores += [scores] * (turn - len(self.scores))
        leader = find_leader(scores)
        if leader and leader != self._leader:
            if self._leader:  # who leads first changes no lead
                self.marks.append(TimelineMark(position, LEAD))
            self._leader = leader

    def _take_asides(self) -> None:
        asides = self.replay.asides
        for aside in asides[self._asides_read :]:
            if isinstance(aside, FaultAside):
                self._fault_turns[aside.team - 1].append(aside.turn)
                self.fault_words[aside.turn, aside.team, aside.piece_id] = aside.detail
            elif isinstance(aside, NotesAside):
                self.notes.take(aside)
            elif isinstance(aside, CpuAside):
                self._cpu_turns.append(aside.turn)
                sums = zip(self._cpu_sums[-1], aside.us, strict=True)
                self._cpu_sums.append(tuple(before + us for before, us in sums))
        self._asides_read = len(asides)


# A step begins a little before it lands, so that its things are seen to move; of many steps some
# are under way at the same time, in their order. Fractions are of a turn.


def move_length(steps: int, turns_per_s: float) -> float:
    """Return how long each step of a turn takes."""
    return min(MOVES, max(MOVES / steps, MIN_MOVE_S * turns_per_s))


def landing_fraction(number: int, steps: int, turns_per_s: float) -> float:
    """Return the fraction at which a step lands; `number` counts from 1."""
    first = move_length(steps, turns_per_s)
    return first + (MOVES - first) * (number - 1) / max(1, steps - 1)


def count_landed(fraction: float, steps: int, turns_per_s: float) -> int:
    """Return how many steps of a turn have landed."""
    if not steps or fraction >= MOVES - TINY:
        return steps
    since = fraction - move_length(steps, turns_per_s) + TINY
    if since < 0:
        return 0
    return 1 + int(since / (MOVES - move_length(steps, turns_per_s)) * (steps - 1))


def find_leader(scores: Sequence[float]) -> int:
    """Return the team that leads; 0 where several are level."""
    best = max(scores)
    return scores.index(best) + 1 if scores.count(best) == 1 else 0


def _items_between(
    begin: tuple[int, int], end: tuple[int, int], of_line: Callable[[int], list[T]]
) -> list[T]:
    """Return what lines have between two places, each the number of a line and of an entry."""
    (line, place), (last_line, stop) = begin, end
    if line == last_line:
        return of_line(line)[place:stop]
    found: list[T] = []
    while line < last_line:
        found += of_line(line)[place:]
        line, place = line + 1, 0
    if stop:
        found += of_line(line)[place:stop]
    return found


class Trails:
    """The places of whatever leaves a trail, at the end of each turn."""

    def __init__(self, scene: AnyScene) -> None:
        self._scene = scene
        self._turns: list[dict[int, Point]] = []
        self.points: list[TrailPoint] = []
        """All points of all trails, in the order of their turns."""

    def add(self, turns: int, state: Any) -> None:
        """Keep the places in a state until they are known of so many turns, turn 0 included."""
        if turns <= len(self._turns):
            return
        places = dict(self._scene.trails(state))
        for turn in range(len(self._turns), turns):
            self._turns.append(places)
            self.points += [(turn, team, x, y) for team, (x, y) in places.items()]

    def at(self, turn: int) -> list[Drawn]:
        """Return each trail up to the end of a turn, back to where it begins."""
        if not 0 <= turn < len(self._turns):
            return []
        return [drawn for team in self._turns[turn] for drawn in self._trail_lines(team, turn)]

    def _trail_lines(self, team: int, turn: int) -> Iterator[Drawn]:
        points: list[Point] = []
        while turn >= 0 and (place := self._turns[turn].get(team)) is not None:
            while len(points) > 1 and _is_between(points[-2], points[-1], place):
                points.pop()
            if not points or points[-1] != place:
                points.append(place)
            turn -= 1
        if len(points) > 1:
            numbers = tuple(number for point in points for number in point)
            yield Drawn(team, 0, "", self._scene.team_color(team), PATH, numbers)


def _is_between(start: Point, point: Point, stop: Point) -> bool:
    """Return whether a point is on the straight line between two others."""
    (dx, dy), (to_x, to_y) = ((there[0] - start[0], there[1] - start[1]) for there in (point, stop))
    return (
        dx * to_y == dy * to_x and dx * to_x + dy * to_y >= 0 and hypot(dx, dy) <= hypot(to_x, to_y)
    )
