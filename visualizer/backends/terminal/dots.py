"""A large board in a terminal: a dot for one or several squares, two dots per letter."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from visualizer.backends.terminal.canvas import Canvas, Cell, CellStyle, Style
from visualizer.backends.terminal.letters_board import LettersBoard, in_layers, squared
from visualizer.backends.terminal.scale import Place, Scale
from visualizer.backends.terminal.themes import symbol_of
from visualizer.model.cursor import Step
from visualizer.scene import Block, Label, Sprite, Thing, Tile
from visualizer.theme import BACKGROUND

UPPER_HALF = "▀"
EMPTY = "·"


class Dot(NamedTuple):
    """A dot: a color, and a letter for terminals without colors."""

    color: str
    letter: str = ""
    is_reversed: bool = False
    """Whether it is of every other team, which is reversed without colors."""


NOTHING = Dot(BACKGROUND, " ")
Rows = list[list[Dot]]


class DotsBoard(LettersBoard):
    """A board whose squares are dots; of a step it marks who acted."""

    def _draw_backdrop(self, width: int, height: int) -> None:
        self._width, self._height = max(1, width), max(1, height) * 2
        self._rows: Rows = [[NOTHING] * self._width for _ in range(self._height)]
        self._draw(thing for thing in self.scene.backdrop() if isinstance(thing, Tile))
        self._backdrop = self._rows

    def picture(self, things: Mapping[int, Thing], step: Step | None = None) -> Canvas:
        self._rows = [row.copy() for row in self._backdrop]
        self._draw(in_layers(things, Tile, Block, Sprite))
        for order in step.ordered if step and not step.is_of_all else ():
            thing = things.get(order.piece_id)
            if thing is not None:
                self._dot(thing, Dot(self._lit(thing), "@"))
        canvas = Canvas(self._width, self._height // 2)
        pairs = zip(self._rows[::2], self._rows[1::2], strict=True)
        canvas.rows = [list(self._cells(upper, lower)) for upper, lower in pairs]
        return canvas

    def _draw(self, things: Iterable[Thing]) -> None:
        for thing in things:
            if isinstance(thing, Tile):
                self._dot(thing, Dot(thing.fill or thing.border, EMPTY))
            elif isinstance(thing, Sprite | Block):
                look = symbol_of(self.scene, thing, self._colors)
                self._dot(thing, Dot(look.color, look.plain, look.is_reversed))

    def _dot(self, thing: Thing, dot: Dot) -> None:
        """Draw every dot of a thing's place, at least one."""
        if isinstance(thing, Label):
            return
        fine = Scale(self.scale.columns, self.scale.columns)
        if isinstance(thing, Block):
            for place in fine.places(self._arrangement, thing):
                self._fill(place, dot)
        else:
            self._fill(fine.place(self._arrangement, squared(self.scene, thing)), dot)

    def _fill(self, place: Place, dot: Dot) -> None:
        x, y = min(place.x, self._width - 1), min(place.y, self._height - 1)
        right = min(self._width, x + place.width)
        for row in self._rows[y : y + place.height]:
            row[x:right] = [dot] * (right - x)

    def _cells(self, upper: list[Dot], lower: list[Dot]) -> Iterator[Cell]:
        for above, below in zip(upper, lower, strict=True):
            if self._has_colors:
                yield UPPER_HALF, CellStyle(above.color, below.color)
            else:
                seen = below if above.letter in (EMPTY, " ") else above
                style = Style.REVERSED if seen.is_reversed else Style.PLAIN
                yield seen.letter, CellStyle("", "", style)
