"""A place in a film: the state there, the things to draw, and the step that led to it."""

from typing import Any

import msgspec

from engine.bots.fault import Fault
from engine.game import Stage
from engine.replay import Decision
from visualizer.film import Film
from visualizer.scene import Note, Thing

FAR = 400
"""So many steps ahead a jump from a kept state is the shorter way."""


class Ordered(msgspec.Struct, frozen=True):
    """What a bot was asked, and what it said."""

    team: int
    about: int
    order: str
    """In a word or two; '' if it lost the round."""


class Step(msgspec.Struct):
    """What happened from one position to the next."""

    turn: int = 0
    stage: str = ""
    """The last that began; '' if none did."""
    ordered: list[Ordered] = msgspec.field(default_factory=list)
    notes: list[Note] = msgspec.field(default_factory=list)
    before: dict[int, Thing | None] = msgspec.field(default_factory=dict)
    """How the things that it touched looked before."""

    @property
    def is_of_all(self) -> bool:
        """Whether a team was asked about several things at once: it is nobody's round."""
        return len({ordered.team for ordered in self.ordered}) < len(self.ordered)


class Cursor:
    """Moves through a film; each has a state of its own."""

    def __init__(self, film: Film) -> None:
        self.film = film
        self.jump(0)

    def jump(self, position: int) -> None:
        """Go there from the nearest kept state."""
        self._is_early = not self.film.steps
        self.position, self.state = self.film.state_before(max(0, position - 1))
        self.things: dict[int, Thing] = {}
        """What is to be drawn now, by id."""
        self.step = Step()
        """The one that led here."""
        self._skip(max(0, position - 1))
        self._look_again(self.film.scene.ids(self.state))
        if position:
            self.advance()

    def seek(self, position: int) -> None:
        """Go there the shorter way; to the end of what is known if that comes before."""
        position = min(position, self.film.steps)
        if self._is_early:  # of a film of which nothing was known, not even the first board
            self.jump(position)
        if not self.position <= position <= self.position + FAR:
            self.jump(position)
            return
        if position > self.position + 1:
            touched = self._skip(position - 1)
            self._look_again(touched)
        if position > self.position:
            self.advance()

    def advance(self) -> None:
        """One step on; `things` and `step` follow."""
        film, state, scene = self.film, self.state, self.film.scene
        step, touched = Step(), set[int]()
        for entry in film.entries(self.position):
            if isinstance(entry, Decision):
                step.ordered += self._ordered(entry)
                continue
            if isinstance(entry, Stage):
                step.stage = entry.name
            step.notes += scene.notes(state, entry)
            state.apply(entry)
            touched.update(scene.touched(entry))
        step.turn = film.turn_at(self.position + 1)
        step.before = {thing_id: self.things.get(thing_id) for thing_id in touched}
        self.step = step
        self.position += 1
        self._look_again(touched)

    def _skip(self, position: int) -> set[int]:
        """Change the state alone, up to a position; what was touched."""
        apply, touched_by, touched = self.state.apply, self.film.scene.touched, set[int]()
        for number in range(self.position, position):
            for entry in self.film.entries(number):
                if type(entry) is not Decision:
                    apply(entry)
                    touched.update(touched_by(entry))
        self.position = max(self.position, position)
        return touched

    def _ordered(self, decision: Decision) -> list[Ordered]:
        asks = self.film.replay.game.asks(self.state)
        return [
            Ordered(ask.team, ask.about, self._order_text(order))
            for ask, order in zip(asks, decision.orders, strict=True)
        ]

    def _order_text(self, order: Any) -> str:
        return "" if isinstance(order, Fault) else self.film.scene.order_text(order)

    def _look_again(self, ids: Any) -> None:
        scene, state, things = self.film.scene, self.state, self.things
        for thing_id in ids:
            thing = scene.thing(state, thing_id)
            if thing is None:
                things.pop(thing_id, None)
            else:
                things[thing_id] = thing
