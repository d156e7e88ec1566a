"""A position in a replay: the state there, the things to draw, and the step that led to it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from engine.fault import Fault
from engine.game import Stage
from engine.replays.decisions import Decision
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Annotation, Motion, Thing

MIN_JUMP_STEPS = 400
"""Steps from which on a jump from a snapshot is faster than applying every event."""


class Ordered(msgspec.Struct, frozen=True):
    """A decision of a bot: what it was about, and the order."""

    team: int
    piece_id: int
    order: str
    """The order in a word or two; '' if the bot gave none."""


class Step(msgspec.Struct):
    """What happened from one position to the next."""

    turn: int = 0
    stage: str = ""
    """The stage that began last in the step; '' if none did."""
    ordered: list[Ordered] = msgspec.field(default_factory=list)
    annotations: list[Annotation] = msgspec.field(default_factory=list)
    motions: list[Motion] = msgspec.field(default_factory=list)
    before: dict[int, Thing | None] = msgspec.field(default_factory=dict)
    """The things that the step changed, as they were before it; None for new ones."""

    def find(self, thing_id: int, things: Mapping[int, Thing]) -> Thing | None:
        """Return a thing as it is after the step; one that the step removed, as it was before."""
        return things.get(thing_id) or self.before.get(thing_id)

    @property
    def is_of_all(self) -> bool:
        """Return whether a team decided for several pieces at once: the step has no actor."""
        return len({ordered.team for ordered in self.ordered}) < len(self.ordered)


class Cursor:
    """Moves through a replay, with a state of its own."""

    def __init__(self, timeline: ReplayTimeline) -> None:
        self.timeline = timeline
        self.jump(0)

    def jump(self, position: int) -> None:
        """Go to a position from the nearest snapshot."""
        self._is_early = not self.timeline.steps
        self.position, self.state = self.timeline.state_before(max(0, position - 1))
        self.things: dict[int, Thing] = {}
        """The things to draw at this position, by id."""
        self.step = Step()
        """The step that led to this position."""
        self._skip(max(0, position - 1))
        self._update_things(self.timeline.scene.ids(self.state))
        if position:
            self.advance()

    def seek(self, position: int) -> None:
        """Go to a position the faster way; at most to the end of what is recorded."""
        position = min(position, self.timeline.steps)
        if self._is_early:  # made before anything was recorded, even the first board
            self.jump(position)
        if not self.position <= position <= self.position + MIN_JUMP_STEPS:
            self.jump(position)
            return
        if position > self.position + 1:
            dirty_ids = self._skip(position - 1)
            self._update_things(dirty_ids)
        if position > self.position:
            self.advance()

    def advance(self) -> None:
        """Go one step forward; `things` and `step` follow."""
        self.step = self._apply_step(self.timeline.entries(self.position))

    def steps_to(self, position: int) -> Iterator[Step]:
        """Go to a later position; yield each step on the way.

        `things` follow, `step` does not. Orders are not read: that takes longer than all else.
        """
        for events in self.timeline.events(self.position, position):
            yield self._apply_step(events)

    def _apply_step(self, entries: Iterable[Any]) -> Step:
        """Go one step forward, of which these are the entries; `things` follow."""
        state, scene, dirty_ids = self.state, self.timeline.scene, set[int]()
        step = Step(self.timeline.turn_at(self.position + 1))
        for entry in entries:
            if isinstance(entry, Decision):
                step.ordered += self._list_orders(entry)
                continue
            if isinstance(entry, Stage):
                step.stage = entry.name
            step.annotations += scene.annotations(state, entry)
            step.motions += scene.motions(state, entry)
            state.apply(entry)
            dirty_ids.update(scene.dirty_ids(entry))
        step.before = {thing_id: self.things.get(thing_id) for thing_id in dirty_ids}
        self.position += 1
        self._update_things(dirty_ids)
        return step

    def _skip(self, position: int) -> set[int]:
        """Apply events up to a position to the state alone. Return the ids of changed things."""
        apply, dirty_ids_of, dirty_ids = self.state.apply, self.timeline.scene.dirty_ids, set[int]()
        for events in self.timeline.events(self.position, position):
            # Hot loop of a jump: annotations and things are not computed for skipped steps.
            for event in events:
                apply(event)
                dirty_ids.update(dirty_ids_of(event))
        self.position = max(self.position, position)
        return dirty_ids

    def _list_orders(self, decision: Decision) -> list[Ordered]:
        if not decision.orders:
            return []  # the event of an act says all there is to say
        all_asks = self.timeline.replay.game.asks(self.state)
        asks = all_asks if decision.ask is None else (decision.ask,)
        text = self.timeline.scene.order_text
        return [
            Ordered(ask.team, ask.piece_id, "" if isinstance(order, Fault) else text(order))
            for ask, order in zip(asks, decision.orders, strict=True)
        ]

    def _update_things(self, ids: Iterable[int]) -> None:
        scene, state, things = self.timeline.scene, self.state, self.things
        for thing_id in ids:
            thing = scene.thing(state, thing_id)
            if thing is None:
                things.pop(thing_id, None)
            else:
                things[thing_id] = thing
