"""The latest events of a match, and the present step, in lines."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from visualizer.model.cursor import Cursor, Ordered
from visualizer.model.narration import Narrator
from visualizer.model.timeline import LEAD, ReplayTimeline


class Line(NamedTuple):
    """An event as a line."""

    turn: int
    what: str
    """Its kind on the timeline; '' if it is not there."""
    text: str


class Narration:
    """The timeline events and the steps of a replay in sentences. Has a cursor of its own."""

    def __init__(self, timeline: ReplayTimeline) -> None:
        self._timeline = timeline
        self._scene = timeline.scene
        self._cursor = Cursor(timeline)
        self._narrator = Narrator(timeline)
        self._lines: dict[tuple[int, bool], list[Line]] = {}

    def latest_lines(self, position: int, count: int) -> list[Line]:
        """Return the latest events up to a position, newest first."""
        marks = self._timeline.marks
        stop = bisect_right(marks, position, key=lambda mark: mark.position)
        latest = marks[max(0, stop - count) : stop]
        leads = {mark.position for mark in latest if mark.what == LEAD}
        positions = dict.fromkeys(mark.position for mark in latest)
        lines = [line for at in positions for line in self._lines_at(at, at in leads)]
        return lines[::-1][:count]

    def describe_step(self, cursor: Cursor, *, has_notes: bool = True) -> Line:
        """Return the step that led to a cursor, in a line; after an order what its bot logged."""
        step, things, narrator = cursor.step, cursor.things, self._narrator
        parts = []
        for ordered in step.ordered:
            piece = step.find(ordered.piece_id, things)
            fault = self._timeline.fault_words.get((step.turn, ordered.team, ordered.piece_id), "")
            bot = self._scene.names[ordered.team - 1]
            name = narrator.name(ordered.piece_id, piece) if piece else bot
            noted = self._note_text(step.turn, ordered) if has_notes else ""
            parts.append(f"{name}: {ordered.order or fault or 'no order'}{noted}")
        asked = {ordered.piece_id for ordered in step.ordered}
        for annotation in step.annotations:
            says = narrator.sentence if annotation.one in asked else narrator.tell
            parts.append(says(annotation, things, step))
        if not parts and step.stage:
            parts.append(step.stage)
        return Line(step.turn, "", "  ".join(parts))

    def _note_text(self, turn: int, ordered: Ordered) -> str:
        """Return what a bot logged and wrote on the board with an order: ` (hungry; go)`."""
        notes = self._timeline.notes
        key = turn, ordered.team, ordered.piece_id
        written = [
            drawn.text
            for drawn in notes.at(turn)
            if drawn.text and (drawn.team, drawn.piece_id) == key[1:]
        ]
        texts = [*notes.logged.get(key, ()), *written]
        return f" ({'; '.join(texts)})" if texts else ""

    def _lines_at(self, position: int, is_lead: bool) -> list[Line]:
        """Return the lines of all events at a position."""
        key = position, is_lead  # of which is known only when the next turn begins
        if key not in self._lines:
            self._lines[key] = list(self._annotation_lines(position))
            if is_lead:
                self._lines[key].append(self._lead_line(position))
        return self._lines[key]

    def _annotation_lines(self, position: int) -> Iterator[Line]:
        cursor = self._cursor
        cursor.seek(position)
        things, step = cursor.things, cursor.step
        for annotation in step.annotations:
            what = self._scene.event_styles[annotation.event_style].timeline
            if what:
                yield Line(step.turn, what, self._narrator.tell(annotation, things, step))

    def _lead_line(self, position: int) -> Line:
        turn = self._timeline.turn_at(position)
        scores = self._timeline.scores[turn]
        leader = self._scene.names[scores.index(max(scores))]
        return Line(turn, LEAD, f"{leader} takes the lead")
