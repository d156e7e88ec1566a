"""A film seen frame by frame, with all that happened since the frame before."""

from typing import Any, NamedTuple

from engine.game import Stage
from visualizer.cursor import Cursor, Step
from visualizer.film import Film
from visualizer.scene import Label, Mark, Note, Sprite, Thing, Tile


class Sign(NamedTuple):
    """A mark, and where: from one thing to the other, or twice the same place."""

    mark: Mark
    x: float
    y: float
    to_x: float
    to_y: float
    about: int = 0
    """The thing it goes along with, if it is about one alone."""


class FrameCursor:
    """Moves through a film in leaps of any length."""

    def __init__(self, film: Film) -> None:
        self.film = film
        self.stage = ""
        """The one that runs."""
        self.signs: list[Sign] = []
        """Of what happened since the frame before, of a turn at most."""
        self._cursor = Cursor(film)

    @property
    def things(self) -> dict[int, Thing]:
        return self._cursor.things

    @property
    def state(self) -> Any:
        return self._cursor.state

    @property
    def position(self) -> int:
        return self._cursor.position

    @property
    def turn(self) -> int:
        return self.film.turn_at(self.position)

    def go_to(self, position: int) -> None:
        """To a position of the playhead."""
        cursor, first = self._cursor, self.film.begin_of(self.film.turn_at(position))
        self.signs = []
        if not first <= cursor.position <= position:
            cursor.seek(first)
            self.stage = self._stage_at(first)
        while cursor.position < position:
            cursor.advance()
            self.stage = cursor.step.stage or self.stage
            self.signs += self._signs_of(cursor.step)
        self.signs = [self._gone_along(sign) for sign in self.signs]

    def _stage_at(self, position: int) -> str:
        """The last one that began before a position."""
        for step in reversed(range(position)):
            begun = [entry for entry in self.film.entries(step) if isinstance(entry, Stage)]
            if begun:
                return begun[-1].name
        return ""

    def _signs_of(self, step: Step) -> list[Sign]:
        signs = (self._sign(note, step) for note in step.notes)
        return [sign for sign in signs if sign is not None]

    def _sign(self, note: Note, step: Step) -> Sign | None:
        """None where nothing is to be drawn, or nobody knows where."""
        mark = self.film.scene.happenings[note.happening].mark
        if mark is None:
            return None
        one = self.things.get(note.one) or step.before.get(note.one)
        other = self.things.get(note.other) or step.before.get(note.other)
        if one is None:
            return None
        if other is None:
            return Sign(mark, *middle(one), *middle(one), note.one)
        return Sign(mark, *middle(one), *middle(other))

    def _gone_along(self, sign: Sign) -> Sign:
        """Where the thing has come to meanwhile."""
        thing = self.things.get(sign.about)
        if thing is None:
            return sign
        return Sign(sign.mark, *middle(thing), *middle(thing), sign.about)


def middle(thing: Thing) -> tuple[float, float]:
    """Of a thing on the board, in squares."""
    match thing:
        case Sprite() | Label():
            return thing.x, thing.y
        case Tile():
            return thing.x + thing.width / 2, thing.y + thing.height / 2
