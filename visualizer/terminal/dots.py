"""A large board in a terminal: a dot per square or for several, two dots to a letter."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from visualizer.cursor import Step
from visualizer.scene import Block, Label, Sprite, Thing, Tile
from visualizer.terminal.canvas import Canvas, Cell, Ink, Style
from visualizer.terminal.letters import LettersBoard, in_layers
from visualizer.terminal.looks import look_of
from visualizer.terminal.scale import Place, Scale
from visualizer.theme import ACCENT, BACKGROUND

UPPER_HALF = "▀"
EMPTY = "·"


class Dot(NamedTuple):
    """A colour; and a letter, for where there are no colours."""

    colour: str
    letter: str = ""
    is_reversed: bool = False
    """Of every other team, to be told apart without colours."""


NOTHING = Dot(BACKGROUND, " ")
Rows = list[list[Dot]]


class DotsBoard(LettersBoard):
    """A scene from afar; of a step, it shows whose round it was."""

    def _draw_backdrop(self, width: int, height: int) -> None:
        self._width, self._height = max(1, width), max(1, height) * 2
        self._rows: Rows = [[NOTHING] * self._width for _ in range(self._height)]
        self._draw(thing for thing in self.scene.backdrop() if isinstance(thing, Tile))
        self._backdrop = self._rows

    def picture(self, things: Mapping[int, Thing], step: Step | None = None) -> Canvas:
        self._rows = [row.copy() for row in self._backdrop]
        self._draw(in_layers(things, Tile, Block, Sprite))
        for order in step.ordered if step and not step.is_of_all else ():
            thing = things.get(order.about)
            if thing is not None:
                self._dot(thing, Dot(ACCENT, "@"))
        canvas = Canvas(self._width, self._height // 2)
        pairs = zip(self._rows[::2], self._rows[1::2], strict=True)
        canvas.rows = [list(self._cells(upper, lower)) for upper, lower in pairs]
        return canvas

    def _draw(self, things: Iterable[Thing]) -> None:
        for thing in things:
            if isinstance(thing, Tile):
                self._dot(thing, Dot(thing.fill or thing.border, EMPTY))
            elif isinstance(thing, Sprite | Block):
                look = look_of(self.scene, thing, self._colours)
                self._dot(thing, Dot(look.colour, look.letter, look.is_reversed))

    def _dot(self, thing: Thing, dot: Dot) -> None:
        """Every dot of its place; a thing that is smaller than a dot is all of it."""
        if isinstance(thing, Label):
            return
        fine = Scale(self.scale.columns, self.scale.columns)
        if isinstance(thing, Block):
            for place in fine.places(self._arrangement, thing):
                self._fill(place, dot)
        else:
            self._fill(fine.place(self._arrangement, thing), dot)

    def _fill(self, place: Place, dot: Dot) -> None:
        x, y = min(place.x, self._width - 1), min(place.y, self._height - 1)
        right = min(self._width, x + place.width)
        for row in self._rows[y : y + place.height]:
            row[x:right] = [dot] * (right - x)

    def _cells(self, upper: list[Dot], lower: list[Dot]) -> Iterator[Cell]:
        for above, below in zip(upper, lower, strict=True):
            if self._has_colours:
                yield UPPER_HALF, Ink(above.colour, below.colour)
            else:
                seen = below if above.letter in (EMPTY, " ") else above
                style = Style.REVERSED if seen.is_reversed else Style.PLAIN
                yield seen.letter, Ink("", "", style)
