"""What a terminal says of a match: what happened last, and what is going on right now."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from visualizer.cursor import Cursor
from visualizer.film import LEAD, Film
from visualizer.telling import Teller


class Line(NamedTuple):
    """Something that happened."""

    turn: int
    what: str
    """Its kind on the timeline; '' if it is not there."""
    text: str


class Story:
    """The marks of a film in sentences, and its steps. Has a cursor of its own."""

    def __init__(self, film: Film) -> None:
        self._film = film
        self._scene = film.scene
        self._cursor = Cursor(film)
        self._teller = Teller(film)
        self._told: dict[tuple[int, bool], list[Line]] = {}

    def latest(self, position: int, count: int) -> list[Line]:
        """The last marks up to a position, the newest first."""
        marks = self._film.marks
        stop = bisect_right(marks, position, key=lambda mark: mark.position)
        latest = marks[max(0, stop - count) : stop]
        leads = {mark.position for mark in latest if mark.what == LEAD}
        positions = dict.fromkeys(mark.position for mark in latest)
        lines = [line for at in positions for line in self._lines(at, at in leads)]
        return lines[::-1][:count]

    def now(self, cursor: Cursor) -> Line:
        """The step that led to where a cursor is."""
        step, things, teller = cursor.step, cursor.things, self._teller
        parts = []
        for ordered in step.ordered:
            piece = things.get(ordered.about) or step.before.get(ordered.about)
            fault = self._film.fault_words.get((step.turn, ordered.team, ordered.about), "")
            name = teller.name(ordered.about, piece) if piece else self._bot(ordered.team)
            parts.append(f"{name}: {ordered.order or fault or 'no order'}")
        asked = {ordered.about for ordered in step.ordered}
        for note in step.notes:
            sentence = teller.sentence(note, things, step)
            if note.one not in asked:
                one = things.get(note.one) or step.before.get(note.one)
                sentence = f"{teller.name(note.one, one)} {sentence}"
            parts.append(sentence)
        if not parts and step.stage:
            parts.append(step.stage)
        return Line(step.turn, "", "  ".join(parts))

    def _bot(self, team: int) -> str:
        return str(self._film.replay.bots[team - 1].name)

    def _lines(self, position: int, is_lead: bool) -> list[Line]:
        """Of all marks at a position."""
        place = position, is_lead  # of which is known only when the next turn begins
        if place not in self._told:
            self._told[place] = list(self._notes(position))
            if is_lead:
                self._told[place].append(self._lead(position))
        return self._told[place]

    def _notes(self, position: int) -> Iterator[Line]:
        cursor = self._cursor
        cursor.seek(position)
        things, step = cursor.things, cursor.step
        for note in step.notes:
            what = self._scene.happenings[note.happening].timeline
            if what:
                name = self._teller.name(
                    note.one, things.get(note.one) or step.before.get(note.one)
                )
                sentence = self._teller.sentence(note, things, step)
                yield Line(step.turn, what, f"{name} {sentence}")

    def _lead(self, position: int) -> Line:
        turn = self._film.turn_at(position)
        scores = self._film.scores[turn]
        return Line(turn, LEAD, f"{self._bot(scores.index(max(scores)) + 1)} takes the lead")
