"""Encodes a match for a page: every step and turn, in one pass, as packed columns of numbers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from engine.support.lazy_import import lazy_imports
from visualizer.backends.page.delta_encoding import DeltaEncoder, Encoded, Shape, WordNumbers
from visualizer.drawing.outline import make_outline
from visualizer.model.cursor import Cursor, Ordered
from visualizer.model.motion import list_motions
from visualizer.model.story import TurnStory, make_ending, tell_stage
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Annotation, Block, Disclosure, Fact, Label, Panel, Sprite, Thing, Tile

with lazy_imports():  # it needs numpy, and a server that shows no match has no need of that
    from visualizer.backends.page import packing

NOBODY = 0
CPU_US = 100
"""CPU time is rounded to this many microseconds: a tenth of a millisecond."""

NAMES = (
    *(
        "turn",
        "stage",
        "told",
        "orders",
        "orderTeam",
        "pieceId",
        "order",
        "annotations",
        "eventStyle",
    ),
    *("one", "other", "words", "attackLanes", "motions", "effect", "mover", "goal"),
    *("changes", "thing", "newId", "standings", "team", "markAt", "mark", "caption"),
)
"""The columns besides those of delta encoders, as web/viewer names them."""


class StepEncoder:
    """What changes in the course of a match, as columns of numbers that only grow.

    A thing is written as its place among the things that the step has named already. Most
    steps name one thing several times (it was ordered, it moved, it changed), and small
    numbers compress well.
    """

    def __init__(self, timeline: ReplayTimeline) -> None:
        self.timeline = timeline
        self.words = WordNumbers()
        self.columns = Columns({name: [] for name in NAMES})
        self.images: dict[str, None] = dict.fromkeys(_key_images(timeline))
        """The names of all pictures that are drawn, in the order of their first use."""
        self._things, self._teams = DeltaEncoder(self.words), DeltaEncoder(self.words)
        self._last_asked: dict[int, int] = {}
        self._newest = 0
        self._turn = 0
        self._story = TurnStory(timeline, 0)
        self._scores: tuple[float, ...] | None = None
        self._cursor = Cursor(timeline)
        self._encode_things(self._cursor.things, self._cursor.things, {NOBODY: 0})

    @property
    def position(self) -> int:
        """Return how many steps are encoded."""
        return self._cursor.position

    @property
    def deltas(self) -> dict[str, DeltaEncoder]:
        """Return the changes of things and of teams."""
        return {"thing": self._things, "team": self._teams}

    def present_standing(self) -> list[dict[str, object]]:
        """Return the standing of each team now, in the middle of a turn, in plain words."""
        state, timeline = self._cursor.state, self.timeline
        return [
            {
                "score": score,
                "forfeited": timeline.forfeited_turns(team, self._turn),
                "cpuMs": timeline.cpu_us(team, self._turn) / 1000,
                "panel": [{"name": name, "value": value} for name, value in panel],
            }
            for team, score in enumerate(self._standing(state), 1)
            for panel in (timeline.scene.panel(state, team),)
        ]

    def present_ending(self) -> dict[str, object] | None:
        """Return how the match ended, in words and figures; None before it has."""
        outcome = self.timeline.replay.outcome
        if outcome is None:
            return None
        ending = make_ending(self.timeline, self._cursor.state)
        facts = {"reason": outcome.reason, "winners": outcome.winners, "scores": outcome.scores}
        return {**facts, **ending._asdict(), "line": ending.line}

    def present_disclosures(self) -> Sequence[Disclosure]:
        """Return the longer texts about the match as it stands."""
        return self.timeline.scene.disclosures(self._cursor.state)

    def encode_steps(self) -> None:
        """Encode the steps that the timeline has read since the last call."""
        timeline, cursor = self.timeline, self._cursor
        while cursor.position < timeline.steps:
            next_turn = timeline.turn_at(cursor.position + 1)
            for ended in range(self._turn, next_turn):
                self._encode_teams(cursor.state, ended)
            if next_turn != self._turn:
                self._story = TurnStory(timeline, next_turn)
            self._turn = next_turn
            cursor.advance()
            self._story.add(cursor.step, cursor.things)
            self._encode_step(cursor)

    def _encode_step(self, cursor: Cursor) -> None:
        step, columns, named = cursor.step, self.columns, {NOBODY: 0}
        columns["stage"].append(self.words[step.stage])
        columns["told"].append(self.words[tell_stage(self.timeline, step, cursor.things)])
        columns["orders"].append(len(step.ordered))
        for ordered in step.ordered:
            self._encode_order(ordered, named)
        columns["annotations"].append(len(step.annotations))
        for annotation in step.annotations:
            self._encode_annotation(annotation, named)
        motions = list_motions(step, cursor.things)
        columns["motions"].append(len(motions))
        for effect, mover, goal, rising in motions:
            columns["effect"].append(self.words[effect, rising])
            columns["mover"].append(self._place(mover, named))
            columns["goal"].append(self._place(goal, named))
        self._encode_things(cursor.things, step.before, named)

    def _encode_order(self, ordered: Ordered, named: dict[int, int]) -> None:
        team, piece_id, columns = ordered.team, ordered.piece_id, self.columns
        columns["orderTeam"].append(team)
        columns["pieceId"].append(piece_id - self._last_asked.get(team, NOBODY))
        columns["order"].append(self.words[ordered.order])
        self._last_asked[team] = piece_id
        named.setdefault(piece_id, len(named))

    def _encode_annotation(self, annotation: Annotation, named: dict[int, int]) -> None:
        columns = self.columns
        columns["eventStyle"].append(self.words[annotation.event_style])
        columns["one"].append(self._place(annotation.one, named))
        columns["other"].append(self._place(annotation.other, named))
        columns["words"].append(self.words[self.timeline.scene.name_teams(annotation.words)])
        columns["attackLanes"].append(self.words[annotation.attack_lanes])

    def _encode_things(
        self, things: Mapping[int, Thing], dirty_ids: Mapping[int, Any], named: dict[int, int]
    ) -> None:
        """Keep the changed things, those first that were named already."""
        changed, ids = 0, [thing_id for thing_id in named if thing_id in dirty_ids]
        if len(ids) < len(dirty_ids):
            ids += sorted(dirty_ids.keys() - ids)
        for thing_id in ids:
            thing = things.get(thing_id)
            if self._things.change(thing_id, None if thing is None else self._encode(thing)):
                changed += 1
                self.columns["thing"].append(self._place(thing_id, named))
        self.columns["changes"].append(changed)

    def _place(self, thing_id: int, named: dict[int, int]) -> int:
        """Return the place of a thing among those named in this step; a new one goes last."""
        place = named.get(thing_id)
        if place is None:
            self.columns["newId"].append(thing_id - self._newest)
            self._newest = thing_id
            place = named[thing_id] = len(named)
        return place

    def _encode(self, thing: Thing) -> Encoded:
        if isinstance(thing, Block):
            return self._things.encode(*block_values(thing))
        if not isinstance(thing, Sprite):
            return self._things.encode(thing_type(thing), thing_values(thing))
        bar = thing.bar
        self.images[thing.image] = None
        own = (thing.x, thing.y, thing.size, thing.image, thing.badge, *(bar or ()), *thing.facts)
        return self._things.encode(("sprite", thing.kind, len(bar or ())), own)

    def _encode_teams(self, state: Any, turn: int) -> None:
        """Keep the standings of the teams at the end of a turn."""
        timeline = self.timeline
        scores = timeline.scores[turn] if turn < len(timeline.scores) else self._standing(state)
        self.columns["caption"].append(self.words[self._story.caption(scores, self._scores)])
        self._scores = scores
        changed = 0
        for team, score in enumerate(scores, 1):
            panel = timeline.scene.panel(state, team)
            values = (score, *self._costs(team, turn), *_flat(panel))
            if self._teams.change(team, self._teams.encode(_panel_shape(panel), values)):
                changed += 1
                self.columns["team"].append(team)
        self.columns["standings"].append(changed)

    def _costs(self, team: int, turn: int) -> tuple[int, int]:
        """Return the forfeited turns and the CPU time of a team up to the end of a turn."""
        timeline = self.timeline
        return timeline.forfeited_turns(team, turn), timeline.cpu_us(team, turn) // CPU_US

    def _standing(self, state: Any) -> tuple[float, ...]:
        ruled = self.timeline.replay.game.standing(state).scores
        return self.timeline.scene.scores(state, ruled)

    def backdrop(self) -> DeltaEncoder:
        """Return the backdrop, each thing as a change of the one before: most are one square on."""
        encoder = DeltaEncoder(self.words)
        for thing in self.timeline.scene.backdrop():
            encoder.change(NOBODY, encoder.encode(thing_type(thing), thing_values(thing)))
        return encoder


class MatchEncoder(StepEncoder):
    """A whole match."""

    def __init__(self, timeline: ReplayTimeline) -> None:
        super().__init__(timeline)
        self.encode_steps()
        self._encode_teams(self._cursor.state, self._turn)
        self.disclosures = self.present_disclosures()
        self.orders = len(self.columns["order"])
        """How many orders the match has, faults included."""
        self._encode_turns_and_marks()
        self.things = self._finish_encoder("thing", self._things)
        self.teams = self._finish_encoder("team", self._teams)
        self.backdrop_shapes = self._finish_encoder("backdrop", self.backdrop())

    def _encode_turns_and_marks(self) -> None:
        timeline, columns, marks = self.timeline, self.columns, self.timeline.marks
        turns = (timeline.turn_at(position) for position in range(1, timeline.steps + 1))
        columns["turn"].extend(packing.compute_differences(turns))
        columns["markAt"].extend(packing.compute_differences(mark.position for mark in marks))
        columns["mark"].extend(self.words[mark.what] for mark in marks)

    def _finish_encoder(self, name: str, encoder: DeltaEncoder) -> list[Shape]:
        columns, shapes = encoder.columns(name)
        self.columns.update(columns)
        return shapes


def _key_images(timeline: ReplayTimeline) -> Iterable[str]:
    """Yield the names of the pictures in the board's key."""
    for entry in timeline.scene.key():
        yield from (thing.image for thing in entry.things if isinstance(thing, Sprite))


def thing_to_dict(thing: Thing) -> dict[str, object]:
    """Return a thing as scripts name its parts."""
    parts = msgspec.structs.asdict(thing)
    if isinstance(thing, Block):
        parts["outline"] = make_outline(thing.cells, thing.front)[1:]
    return {"cls": type(thing).__name__.lower(), **parts}


def thing_type(thing: Tile | Label) -> tuple[str, str]:
    return "tile" if isinstance(thing, Tile) else "label", thing.kind


def block_values(block: Block) -> tuple[tuple[str, str, int], tuple[Fact, ...]]:
    """Return the shape of a block and its values but its kind, the bar before the facts."""
    bars = block.bar or ()
    outline = make_outline(block.cells, block.front)[1:]
    own = (block.x, block.y, block.width, block.height, outline, block.fill, block.border)
    return ("block", block.kind, len(bars)), (*own, *bars, *block.facts)


def thing_values(thing: Tile | Label) -> tuple[Fact, ...]:
    """Return all values but the kind, the facts last."""
    _, *values, facts = msgspec.structs.astuple(thing)
    return (*values, *facts)


def _flat(panel: Panel) -> Iterable[Fact]:
    for _, value in panel:
        if isinstance(value, tuple):
            yield from value
        else:
            yield value


def _panel_shape(panel: Panel) -> tuple[tuple[str, int], ...]:
    """Return the names of the lines and their numbers of columns; 0 for a plain value."""
    return tuple((name, len(value) if isinstance(value, tuple) else 0) for name, value in panel)


class Columns(dict[str, list[int]]):
    """Lists of whole numbers, by name."""

    def pack(self) -> tuple[dict[str, int], bytes]:
        """Return how many bytes each column takes, and the bytes, one column after the other."""
        parts = {name: packing.encode_varints(numbers) for name, numbers in self.items()}
        return {name: len(part) for name, part in parts.items()}, b"".join(parts.values())
