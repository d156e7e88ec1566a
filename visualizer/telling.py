"""Saying in words what happened: names of things, sentences of notes, the history of a thing."""

from collections.abc import Mapping
from math import floor
from typing import Any

import msgspec

from visualizer.cursor import Cursor, Ordered, Step
from visualizer.film import Film
from visualizer.scene import Block, Note, Scene, Sprite, Thing


class Moment(msgspec.Struct, frozen=True):
    """A step in the history of a thing."""

    turn: int
    stage: str
    ordered: Ordered | None
    """What its bot was asked about it, and said."""
    sentences: tuple[str, ...]
    fault: str = ""
    """Why the bot gave no order, in its own words or ours."""


class Teller:
    """Speaks of the things of a film."""

    def __init__(self, film: Film) -> None:
        self._film = film
        self._scene: Scene[Any] = film.scene

    def name(self, thing_id: int, thing: Thing | None) -> str:
        """`slime 7`, or the name that it has."""
        if thing is None:
            return str(thing_id)
        kind = self._scene.kinds[thing.kind]
        if "name" in kind.facts:
            return str(thing.facts[kind.facts.index("name")])
        return f"{kind.title} {thing_id}"

    def facts(self, thing: Thing) -> list[tuple[str, str]]:
        """All that is known of a thing but its name: name and value."""
        kind = self._scene.kinds[thing.kind]
        lines = [] if "at" in kind.facts else [("at", self.place(thing))]
        if isinstance(thing, Sprite | Block) and thing.bar is not None:
            lines.append((kind.bar, "{} of {}".format(*thing.bar)))
        return lines + [
            (name, _in_words(fact))
            for name, fact in zip(kind.facts, thing.facts, strict=True)
            if name != "name"
        ]

    def place(self, thing: Thing) -> str:
        """Its square: `12, 3`."""
        row, up = floor(thing.y), self._scene.rows_up
        return f"{floor(thing.x)}, {up - 1 - row if up else row}"

    def sentence(self, note: Note, things: Mapping[int, Thing], step: Step) -> str:
        """What a note of this step says; `things` are those after it."""
        one = things.get(note.one) or step.before.get(note.one)
        other = things.get(note.other) or step.before.get(note.other)
        values = {"words": note.words, "other": self.name(note.other, other)}
        if one is not None:
            values |= {**dict(self.facts(one)), "place": self.place(one)}
        if isinstance(other, Sprite | Block) and other.bar is not None:
            values["other_bar"] = str(other.bar[0])
        return self._scene.happenings[note.happening].says.format_map(_Known(values))

    def history(self, thing_id: int, position: int, turns: int = 12) -> list[Moment]:
        """What it did and what was done to it up to a position, the newest first."""
        first = self._film.begin_of(max(0, self._film.turn_at(position) - turns + 1))
        cursor, moments = Cursor(self._film), []
        cursor.jump(first)
        while cursor.position < position:
            cursor.advance()
            moment = self._moment(thing_id, cursor)
            if moment is not None:
                moments.append(moment)
        return moments[::-1]

    def _moment(self, thing_id: int, cursor: Cursor) -> Moment | None:
        step = cursor.step
        ordered = next((order for order in step.ordered if order.about == thing_id), None)
        sentences = tuple(
            self._as_told_of(thing_id, note, cursor)
            for note in step.notes
            if thing_id in (note.one, note.other)
        )
        if ordered is None and not sentences:
            return None
        fault = ""
        if ordered is not None and not ordered.order:
            place = step.turn, ordered.team, ordered.about
            fault = self._film.fault_words.get(place, "")
        return Moment(step.turn, step.stage, ordered, sentences, fault)

    def _as_told_of(self, thing_id: int, note: Note, cursor: Cursor) -> str:
        """Without a subject if it is the thing itself."""
        sentence = self.sentence(note, cursor.things, cursor.step)
        if note.one == thing_id:
            return sentence
        one = cursor.things.get(note.one) or cursor.step.before.get(note.one)
        return f"{self.name(note.one, one)} {sentence}"


class _Known(dict[str, str]):
    """What a thing that is gone does not tell is `?`."""

    def __missing__(self, key: str) -> str:
        return "?"


def _in_words(fact: Any) -> str:
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    return str(fact)
