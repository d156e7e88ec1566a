"""A film, walked through once: what a page must know of every step and every turn."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from visualizer.cursor import Cursor, Ordered
from visualizer.film import Film
from visualizer.page.columns import Columns, differences
from visualizer.page.track import Head, Look, Track, Words
from visualizer.scene import Block, Fact, Label, Note, Panel, Sprite, Thing, Tile

NOBODY = 0
CPU_US = 100
"""What CPU time is rounded to."""

NAMES = (
    *("turn", "stage", "asked", "by", "about", "order", "told", "happening", "one", "other"),
    *("words", "reach", "changed", "thing", "new", "stood", "team", "mark at", "mark"),
)
"""Of the columns, besides those of tracks."""


class Walk:
    """Everything that changes in the course of a match, as columns of numbers.

    Things are named by their place among those a step has named already: the one that was
    asked about is the one that moved, and the one that changed.
    """

    def __init__(self, film: Film) -> None:
        self.film = film
        self.words = Words()
        self.columns = Columns({name: [] for name in NAMES})
        self._things, self._teams = Track(self.words), Track(self.words)
        self._asked: dict[int, int] = {}
        self._newest = 0
        self.images: dict[str, None] = {}
        """The names of all pictures that are drawn, in the order in which they came up."""
        self._go()
        self.orders = len(self.columns["order"])
        """How many there were, faults and all."""
        self._keep_turns_and_marks()
        self.things = self._closed("thing", self._things)
        self.teams = self._closed("team", self._teams)
        self.backdrop = self._closed("backdrop", self._backdrop())

    def _go(self) -> None:
        film, cursor = self.film, Cursor(self.film)
        self._keep_things(cursor.things, cursor.things, {NOBODY: 0})
        turn = 0
        while cursor.position < film.steps:
            next_turn = film.turn_at(cursor.position + 1)
            for ended in range(turn, next_turn):
                self._keep_teams(cursor.state, ended)
            turn = next_turn
            cursor.advance()
            self._keep_step(cursor)
        self._keep_teams(cursor.state, turn)
        self.papers = film.scene.papers(cursor.state)

    def _keep_step(self, cursor: Cursor) -> None:
        step, columns, named = cursor.step, self.columns, {NOBODY: 0}
        columns["stage"].append(self.words[step.stage])
        columns["asked"].append(len(step.ordered))
        for ordered in step.ordered:
            self._keep_order(ordered, named)
        columns["told"].append(len(step.notes))
        for note in step.notes:
            self._keep_note(note, named)
        self._keep_things(cursor.things, step.before, named)

    def _keep_order(self, ordered: Ordered, named: dict[int, int]) -> None:
        team, about, columns = ordered.team, ordered.about, self.columns
        columns["by"].append(team)
        columns["about"].append(about - self._asked.get(team, NOBODY))
        columns["order"].append(self.words[ordered.order])
        self._asked[team] = about
        named.setdefault(about, len(named))

    def _keep_note(self, note: Note, named: dict[int, int]) -> None:
        columns = self.columns
        columns["happening"].append(self.words[note.happening])
        columns["one"].append(self._place(note.one, named))
        columns["other"].append(self._place(note.other, named))
        columns["words"].append(self.words[note.words])
        columns["reach"].append(self.words[note.reach])

    def _keep_things(
        self, things: Mapping[int, Thing], touched: Mapping[int, Any], named: dict[int, int]
    ) -> None:
        """Those first that were named already."""
        changed, ids = 0, [thing_id for thing_id in named if thing_id in touched]
        if len(ids) < len(touched):
            ids += sorted(touched.keys() - ids)
        for thing_id in ids:
            thing = things.get(thing_id)
            if self._things.change(thing_id, None if thing is None else self._look(thing)):
                changed += 1
                self.columns["thing"].append(self._place(thing_id, named))
        self.columns["changed"].append(changed)

    def _place(self, thing_id: int, named: dict[int, int]) -> int:
        """Of a thing among those that were named in this step; at their end if it is new."""
        place = named.get(thing_id)
        if place is None:
            self.columns["new"].append(thing_id - self._newest)
            self._newest = thing_id
            place = named[thing_id] = len(named)
        return place

    def _look(self, thing: Thing) -> Look:
        if isinstance(thing, Block):
            return self._things.look(*block_values(thing))
        if not isinstance(thing, Sprite):
            return self._things.look(what_of(thing), values_of(thing))
        bar = thing.bar
        self.images[thing.image] = None
        own = (thing.x, thing.y, thing.size, thing.image, thing.badge, *(bar or ()), *thing.facts)
        return self._things.look(("sprite", thing.kind, len(bar or ())), own)

    def _keep_teams(self, state: Any, turn: int) -> None:
        """How the teams stand at the end of a turn."""
        film = self.film
        scores = film.scores[turn] if turn < len(film.scores) else self._standing(state)
        changed = 0
        for team, score in enumerate(scores, 1):
            panel = film.scene.panel(state, team)
            cpu = film.cpu_us(team, turn) // CPU_US
            values = (score, film.rounds_lost(team, turn), cpu, *_flat(panel))
            if self._teams.change(team, self._teams.look(_heads(panel), values)):
                changed += 1
                self.columns["team"].append(team)
        self.columns["stood"].append(changed)

    def _standing(self, state: Any) -> tuple[float, ...]:
        return self.film.replay.game.standing(state).scores

    def _keep_turns_and_marks(self) -> None:
        film, columns, marks = self.film, self.columns, self.film.marks
        turns = (film.turn_at(position) for position in range(1, film.steps + 1))
        columns["turn"].extend(differences(turns))
        columns["mark at"].extend(differences(mark.position for mark in marks))
        columns["mark"].extend(self.words[mark.what] for mark in marks)

    def _backdrop(self) -> Track:
        """Each as a change of the one before: most are a square farther to the right."""
        track = Track(self.words)
        for thing in self.film.scene.backdrop():
            track.change(NOBODY, track.look(what_of(thing), values_of(thing)))
        return track

    def _closed(self, name: str, track: Track) -> list[Head]:
        columns, heads = track.columns(name)
        self.columns.update(columns)
        return heads


def what_of(thing: Tile | Label) -> tuple[str, str]:
    return "tile" if isinstance(thing, Tile) else "label", thing.kind


def block_values(block: Block) -> tuple[tuple[str, str, int], tuple[Fact, ...]]:
    """What it is, and its values but its kind: a bar's before the facts."""
    _, *values, bar, facts = msgspec.structs.astuple(block)
    bars = bar or ()
    return ("block", block.kind, len(bars)), (*values, *bars, *facts)


def values_of(thing: Tile | Label) -> tuple[Fact, ...]:
    """All but its kind; the facts are the last."""
    _, *values, facts = msgspec.structs.astuple(thing)
    return (*values, *facts)


def _flat(panel: Panel) -> Iterable[Fact]:
    for _, value in panel:
        if isinstance(value, tuple):
            yield from value
        else:
            yield value


def _heads(panel: Panel) -> tuple[tuple[str, int], ...]:
    """The names of the lines, and how many columns each has; 0 for a plain value."""
    return tuple((name, len(value) if isinstance(value, tuple) else 0) for name, value in panel)
