"""Says what happened: names of things, sentences of annotations, the history of a piece."""

from collections.abc import Mapping
from math import floor

import msgspec

from visualizer.model import formatting
from visualizer.model.cursor import Cursor, Ordered, Step
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import NO_FACT, Annotation, AnyScene, Block, Sprite, Thing

HISTORY_TURNS = 12
"""The turns that a history goes back."""


class Moment(msgspec.Struct, frozen=True):
    """A step in the history of a thing."""

    turn: int
    stage: str
    ordered: Ordered | None
    """The decision of its bot about it, if there was one."""
    sentences: tuple[str, ...]
    fault: str = ""
    """Why the bot gave no order: its error or ours."""


class Narrator:
    """Names the things of a replay and describes its events."""

    def __init__(self, timeline: ReplayTimeline) -> None:
        self._timeline = timeline
        self._scene: AnyScene = timeline.scene

    def name(self, thing_id: int, thing: Thing | None) -> str:
        """Return `slime 7`, or the thing's own name if it has one."""
        if thing is None:
            return str(thing_id)
        kind = self._scene.kinds[thing.kind]
        if "name" in kind.facts:
            return str(thing.facts[kind.facts.index("name")])
        return f"{kind.title} {thing_id}"

    def facts(self, thing: Thing) -> list[tuple[str, str]]:
        """Return the facts of a thing but its name, as pairs of name and value."""
        kind = self._scene.kinds[thing.kind]
        lines = [] if "at" in kind.facts else [("at", self.place(thing))]
        if isinstance(thing, Sprite | Block) and thing.bar is not None:
            lines.append((kind.bar, "{} of {}".format(*thing.bar)))
        return lines + [
            (name, formatting.fact_text(fact))
            for name, fact in zip(kind.facts, thing.facts, strict=True)
            if name != "name"
        ]

    def hover_texts(self, thing: Thing) -> list[str]:
        """Return what a pointer tells of a thing besides its name and its bar."""
        hover = self._scene.kinds[thing.kind].hover
        return [value for name, value in self.facts(thing) if name in hover and value != NO_FACT]

    def place(self, thing: Thing) -> str:
        """Return the square of a thing: `12, 3`."""
        row, up = floor(thing.y), self._scene.rows_up
        return f"{floor(thing.x)}, {up - 1 - row if up else row}"

    def sentence(self, annotation: Annotation, things: Mapping[int, Thing], step: Step) -> str:
        """Return the sentence of an annotation of a step; `things` are those after the step."""
        one, other = step.find(annotation.one, things), step.find(annotation.other, things)
        values = self.values(annotation, one, other)
        return self._scene.event_styles[annotation.event_style].says.format_map(_Known(values))

    def tell(self, annotation: Annotation, things: Mapping[int, Thing], step: Step) -> str:
        """Return the same sentence, with its subject."""
        name = self.name(annotation.one, step.find(annotation.one, things))
        return f"{name} {self.sentence(annotation, things, step)}"

    def values(
        self, annotation: Annotation, one: Thing | None, other: Thing | None
    ) -> dict[str, str]:
        """Return what a sentence about two things may name."""
        values = {
            "words": self._scene.name_teams(annotation.words),
            "other": self.name(annotation.other, other),
        }
        if one is not None:
            values |= {**dict(self.facts(one)), "place": self.place(one)}
        if isinstance(other, Sprite | Block) and other.bar is not None:
            values["other_bar"] = str(other.bar[0])
        return values

    def piece_history(
        self, thing_id: int, position: int, turns: int = HISTORY_TURNS
    ) -> list[Moment]:
        """Return what a thing did and suffered up to a position, the newest first."""
        # A cursor of its own: the viewer's must not move.
        first = self._timeline.turn_start(max(0, self._timeline.turn_at(position) - turns + 1))
        cursor, moments = Cursor(self._timeline), []
        cursor.jump(first)
        while cursor.position < position:
            cursor.advance()
            moment = self._make_moment(thing_id, cursor)
            if moment is not None:
                moments.append(moment)
        return moments[::-1]

    def _make_moment(self, thing_id: int, cursor: Cursor) -> Moment | None:
        step = cursor.step
        ordered = next((order for order in step.ordered if order.piece_id == thing_id), None)
        # Without a subject if that is the thing itself.
        sentences = tuple(
            (self.sentence if annotation.one == thing_id else self.tell)(
                annotation, cursor.things, step
            )
            for annotation in step.annotations
            if thing_id in (annotation.one, annotation.other)
        )
        if ordered is None and not sentences:
            return None
        fault = ""
        if ordered is not None and not ordered.order:
            key = step.turn, ordered.team, ordered.piece_id
            fault = self._timeline.fault_words.get(key, "")
        return Moment(step.turn, step.stage, ordered, sentences, fault)


class _Known(dict[str, str]):
    """The values of a sentence; one that a removed thing no longer has is `?`."""

    def __missing__(self, key: str) -> str:
        return "?"
