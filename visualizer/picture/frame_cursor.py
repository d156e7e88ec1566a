"""A film seen frame by frame, with all that happened since the frame before."""

from typing import Any, NamedTuple

from engine.game import Stage
from visualizer.cursor import Cursor, Step
from visualizer.film import Film
from visualizer.places import Area, areas, middle, sides, sign_colour
from visualizer.scene import Mark, Note, Thing


class Sign(NamedTuple):
    """A mark, and where: from one thing to the other, or twice the same place."""

    mark: Mark
    x: float
    y: float
    to_x: float
    to_y: float
    about: int = 0
    """The thing it goes along with, if it is about one alone."""
    size: float = 1.0
    """How wide or high the one is."""
    colour: str = ""
    reach: tuple[Area, ...] = ()


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
        colour = sign_colour(self.film.scene, one, mark)
        size, reach = max(sides(one)), areas(one, note)
        if other is None:
            at = middle(one)
            return Sign(mark, *at, *at, note.one, size, colour, reach)
        return Sign(mark, *middle(one), *middle(other), 0, size, colour, reach)

    def _gone_along(self, sign: Sign) -> Sign:
        """Where the thing has come to meanwhile."""
        thing = self.things.get(sign.about)
        if thing is None:
            return sign
        x, y = middle(thing)
        return sign._replace(x=x, y=y, to_x=x, to_y=y)
