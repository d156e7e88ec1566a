"""The board in a terminal: the things of a scene as letters, or of a large one as dots."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from visualizer.backends.terminal.canvas import Canvas, Cell, CellStyle, Style, count_columns
from visualizer.backends.terminal.colors import is_light
from visualizer.backends.terminal.letters_board import LettersBoard, center_in_square, in_layers
from visualizer.backends.terminal.scale import Scale, TextRect, round_half_up
from visualizer.backends.terminal.themes import Symbol, make_symbol
from visualizer.drawing.outline import make_outline
from visualizer.model.cursor import Step
from visualizer.scene import Block, Label, Mark, Sprite, Thing, Tile
from visualizer.theme import BACKGROUND, BAR_FULL, BAR_LOW, GROUND, MARK_COLORS, ink_on, mix_colors

DARK, LIGHT = "#10151b", "#ffffff"
"""The colors of letters on light and on dark grounds."""
DEEPER = 0.25
"""How much letters in a picture's color are darkened: thin strokes look paler."""
LOW = 1 / 3
"""Up to this share a bar is red."""
WOUNDED = 0.55
"""How much a piece without hp is darkened where there is no room for a bar."""
EMPTY, GONE = "·", "✕"
THIN = "▂"
PLAIN_LEVEL, MAX_SHADED_LEVEL, SHADE = 3, 6, 0.2
"""Dots of lower levels are lighter, of higher ones darker, by so much for each."""
SLIM = 0.3
"""What is thinner, of a letter, is drawn as a line."""
LOWEST, UPRIGHT = "▁", "┃"
BAR_BACK = mix_colors(GROUND[1], DARK, 0.2)
"""The color behind thin bars, on light grounds."""
ON_THE_OTHER = (Mark.STRIKE, Mark.BIRTH, Mark.JOIN)
"""Marks shown at the other one."""
UNMARKED = (Mark.BLOCKED, Mark.CALL, Mark.ATTACK_LANE)
ARROWS = {"E": "→", "S": "↓", "W": "←", "N": "↑"}
UPPER_HALF = "▀"
EMPTY_DOT = "·"


class SquaresBoard(LettersBoard):
    """A board whose squares have room for letters."""

    def _draw_backdrop(self, width: int, height: int) -> None:
        self._labeled: list[TextRect] = []
        self._levelled: set[tuple[float, float]] = set()
        """The middles of sprites drawn with their level."""
        self._signs: dict[TextRect, str] = {}
        """The letters on the ground, which a piece there leaves to be seen beside it."""
        self._canvas = Canvas(width, height, BACKGROUND)
        self._draw(self.scene.backdrop())
        self._backdrop = self._canvas, list(self._labeled)

    def picture(self, things: Mapping[int, Thing], step: Step | None = None) -> Canvas:
        backdrop, labeled = self._backdrop
        self._canvas, self._labeled = backdrop.copy(), list(labeled)
        self._levelled.clear()
        self._signs.clear()
        self._draw(in_layers(things, Tile, Block, Sprite, Label))
        if step is not None:
            self._mark(step, things)
        return self._canvas

    def _draw(self, things: Iterable[Thing]) -> None:
        for thing in things:
            if isinstance(thing, Tile):
                self._draw_tile(thing)
            elif isinstance(thing, Block):
                self._draw_block(thing)
            elif isinstance(thing, Sprite):
                self._draw_sprite(thing)
            else:
                self._draw_label(thing)

    def _place(self, thing: Thing) -> TextRect:
        return self.scale.place(self._arrangement, center_in_square(self.scene, thing))

    def _draw_tile(self, tile: Tile) -> None:
        place = self._place(tile)
        if min(tile.height * self.scale.rows, tile.width * self.scale.columns / 2) < SLIM:
            self._draw_thin_line(tile, place)
            return
        self._canvas.fill(*place, tile.fill or tile.border)
        if not self._has_colors:
            self._canvas.write(place.x, place.y, EMPTY)

    def _draw_thin_line(self, tile: Tile, rect: TextRect) -> None:
        """Draw what is much thinner than a letter: it covers no square beside it."""
        if tile.height > tile.width:
            for y in range(rect.y, rect.y + rect.height):
                self._canvas.write(rect.x, y, UPRIGHT, tile.fill)
            return
        _, top = self._arrangement.to_view(tile.x, tile.y)
        y = int((top + tile.height / 2 - self._arrangement.extent.top) * self.scale.rows)
        self._canvas.write(rect.x, y, LOWEST * rect.width, tile.fill)

    def _draw_block(self, block: Block) -> None:
        """Draw the squares of a block, and an arrow on the side it faces."""
        symbol = make_symbol(self.scene, block, self._colors)
        letter = " " if self._has_colors else symbol.plain
        style = Style.REVERSED if symbol.is_reversed and not self._has_colors else Style.PLAIN
        for place in self.scale.places(self._arrangement, block):
            for y in range(place.y, place.y + place.height):
                self._canvas.write(place.x, y, letter * place.width, style=style, ground=block.fill)
        for edge in make_outline(block.cells, block.front).front[:1]:
            x, y = edge.square
            place = self.scale.locate(self._arrangement, block.x + x, block.y + y, 1, 1)
            light = DARK if is_light(block.fill) else LIGHT
            self._write(place, ARROWS[block.front], light, Style.BOLD | style, ground=block.fill)

    def _draw_sprite(self, sprite: Sprite) -> None:
        symbol, place = make_symbol(self.scene, sprite, self._colors), self._place(sprite)
        if symbol.level:
            self._levelled.add((sprite.x, sprite.y))
        if symbol.team:
            self._draw_team_piece(sprite, symbol, place)
        else:
            self._draw_neutral(sprite, symbol, place)
        has_room = self._has_colors and place.height > 1
        if has_room and sprite.bar is not None and sprite.bar[0] < sprite.bar[1]:
            self._draw_bar(sprite.bar, place, is_thin=not symbol.team)

    def _draw_team_piece(self, sprite: Sprite, symbol: Symbol, rect: TextRect) -> None:
        """Draw a team's piece: a blob in its color."""
        color = symbol.color
        if rect.height == 1 and sprite.bar is not None and sprite.bar[1]:
            lost = 1 - sprite.bar[0] / sprite.bar[1]
            color = mix_colors(color, BACKGROUND, round(WOUNDED * lost, 1))
        if self._has_colors:
            for x, y, width in blob(rect, min(1.0, sprite.size)):
                self._canvas.draw_half_line(x, y, width, color)
        text = (symbol.letter if self._has_colors else symbol.plain) + symbol.level
        if count_columns(text) > rect.width:
            text = symbol.level[: rect.width] if self._has_colors else symbol.plain
        signs = self._signs.get(rect)
        if signs and rect.width - count_columns(text) > 1:
            text = f"{signs[0]}{text}{signs[-1] if len(signs) > 1 else ' '}"
        style = Style.BOLD
        if sprite.badge and count_columns(text) < rect.width and rect.height > 1:
            text += sprite.badge[0]
        elif sprite.badge:
            style |= Style.UNDERLINED
        if symbol.is_reversed and not self._has_colors:
            style |= Style.REVERSED
        light = DARK if is_light(color) else LIGHT
        self._write(rect, text, light, style, ground=color)

    def _draw_neutral(self, sprite: Sprite, symbol: Symbol, rect: TextRect) -> None:
        """Draw a neutral piece: a letter on the ground; one without level fills its place.

        What is seen through has its letters on the ground.
        """
        color = mix_colors(symbol.color, DARK, DEEPER)
        if symbol.level:
            text = symbol.letter + symbol.level
            self._write(rect, text if count_columns(text) <= rect.width else symbol.letter, color)
            return
        if self.scene.kinds[sprite.kind].is_seen_through:
            self._signs[rect] = symbol.letter
            self._write(rect, symbol.letter[: rect.width], DARK)
            return
        for y in range(rect.y, rect.y + rect.height):
            self._canvas.write(rect.x, y, symbol.letter * rect.width, color)

    def _write(
        self,
        rect: TextRect,
        text: str,
        color: str,
        style: Style = Style.BOLD,
        ground: str | None = None,
    ) -> None:
        """Write a text in the middle of a place."""
        x = rect.x + max(0, rect.width - count_columns(text)) // 2
        y = rect.y + (rect.height - 1) // 2
        self._canvas.write(x, y, text, color, style, width=rect.width, ground=ground)

    def _draw_bar(self, bar: tuple[int, int], rect: TextRect, *, is_thin: bool) -> None:
        """Draw a bar along the lower edge: thin below letters, half a line below blobs."""
        left, y = bar[0] / bar[1], rect.y + rect.height - 1
        full = max(1, round_half_up(rect.width * left)) if left > 0 else 0
        parts = (BAR_LOW if left <= LOW else BAR_FULL, full), (BAR_BACK, rect.width - full)
        x = rect.x
        for color, width in parts:
            if is_thin:
                self._canvas.write(x, y, THIN * width, color)
            else:
                self._canvas.draw_half_line(x, 2 * y + 1, width, color)
            x += width

    def _draw_label(self, label: Label) -> None:
        """Draw a label, unless it would touch another one or repeats the level of its sprite."""
        if (label.x, label.y) in self._levelled:
            return
        columns = count_columns(label.text)
        extent = self._arrangement.extent
        label_x, label_y = self._arrangement.to_view(label.x, label.y)
        x = (label_x - extent.left) * self.scale.columns - columns / 2
        y = int((label_y - extent.top) * self.scale.rows)
        rect = TextRect(max(0, round_half_up(x)), y, columns, 1)
        if any(_touch(rect, other) for other in self._labeled):
            return
        self._labeled.append(rect)
        self._canvas.write(rect.x, rect.y, label.text, label.color)

    def _mark(self, step: Step, things: Mapping[int, Thing]) -> None:
        """Mark the pieces that acted in a step, and those it affected."""
        for ordered in () if step.is_of_all else step.ordered:
            self._tint_thing(
                things.get(ordered.piece_id), self._highlight_color(things.get(ordered.piece_id))
            )
        for annotation in step.annotations:
            mark = self.scene.event_styles[annotation.event_style].mark
            if mark is None or mark in UNMARKED:
                continue
            thing_id = annotation.other if mark in ON_THE_OTHER else annotation.one
            thing = things.get(thing_id)
            self._tint_thing(thing or step.before.get(thing_id), MARK_COLORS[mark])
            gone = step.before.get(thing_id)
            if mark is Mark.DEATH and thing is None and gone is not None:
                self._write(self._place(gone), GONE, LIGHT)

    def _tint_thing(self, thing: Thing | None, color: str) -> None:
        if thing is None:
            return
        style = Style.PLAIN if self._has_colors else Style.UNDERLINED
        cell_style = CellStyle(DARK if is_light(color) else LIGHT, color, Style.BOLD | style)
        if isinstance(thing, Block):
            for place in self.scale.places(self._arrangement, thing):
                self._canvas.tint(*place, cell_style)
        else:
            self._canvas.tint(*self._place(thing), cell_style)


def blob(rect: TextRect, size: float) -> Iterator[tuple[int, int, int]]:
    """Return a blob as lines of half a letter: x, y in halves, width; rounded if large enough."""
    x, y, width, height = rect
    aside = min(round_half_up(width * (1 - size) / 2), max(0, width - 3) // 2)
    above = min(round_half_up(height * (1 - size)), height - 1)
    first, last = 2 * y + above, 2 * (y + height) - 1 - above
    if height < 3:  # the letters are in the upper row
        first = 2 * y
    is_round = last - first > 4 and width - 2 * aside > 4
    for line in range(first, last + 1):
        edge = 1 if is_round and line in (first, last) else 0
        yield x + aside + edge, line, width - 2 * (aside + edge)


def _touch(one: TextRect, other: TextRect) -> bool:
    """Return whether two texts touch: in one line with nothing in between."""
    return one.y == other.y and one.x <= other.x + other.width and other.x <= one.x + one.width


class Dot(NamedTuple):
    """A dot: a color, and a letter for terminals without colors."""

    color: str
    letter: str = ""
    is_reversed: bool = False
    """Whether it is of every other team, which is reversed without colors."""
    stands_out: bool = False
    """Whether its letter is shown among colors, too."""


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
        self._has_blocks = any(isinstance(thing, Block) for thing in things.values())
        self._draw(in_layers(things, Tile, Block, Sprite))
        for order in step.ordered if step and not step.is_of_all else ():
            thing = things.get(order.piece_id)
            if thing is not None:
                self._draw_dots(thing, Dot(self._highlight_color(thing), "@"))
        canvas = Canvas(self._width, self._height // 2)
        pairs = zip(self._rows[::2], self._rows[1::2], strict=True)
        canvas.rows = [list(self._cells_from_dots(upper, lower)) for upper, lower in pairs]
        return canvas

    def _draw(self, things: Iterable[Thing]) -> None:
        for thing in things:
            if isinstance(thing, Tile):
                self._draw_dots(thing, Dot(thing.fill or thing.border, EMPTY_DOT))
            elif isinstance(thing, Sprite | Block):
                symbol = make_symbol(self.scene, thing, self._colors)
                level = min(int(symbol.level or PLAIN_LEVEL), MAX_SHADED_LEVEL) - PLAIN_LEVEL
                color = mix_colors(symbol.color, DARK if level > 0 else LIGHT, SHADE * abs(level))
                stands_out = self._has_blocks and isinstance(thing, Sprite)  # few, among pieces
                self._draw_dots(thing, Dot(color, symbol.plain, symbol.is_reversed, stands_out))

    def _draw_dots(self, thing: Thing, dot: Dot) -> None:
        """Draw every dot of a thing's place, at least one."""
        if isinstance(thing, Label):
            return
        fine = Scale(self.scale.columns, self.scale.columns)
        if isinstance(thing, Block):
            for place in fine.places(self._arrangement, thing):
                self._fill(place, dot)
        else:
            self._fill(fine.place(self._arrangement, center_in_square(self.scene, thing)), dot)

    def _fill(self, rect: TextRect, dot: Dot) -> None:
        x, y = min(rect.x, self._width - 1), min(rect.y, self._height - 1)
        right = min(self._width, x + rect.width)
        for row in self._rows[y : y + rect.height]:
            row[x:right] = [dot] * (right - x)

    def _cells_from_dots(self, upper: list[Dot], lower: list[Dot]) -> Iterator[Cell]:
        for above, below in zip(upper, lower, strict=True):
            sign = above if above.stands_out else below
            if self._has_colors and sign.stands_out:
                yield sign.letter, CellStyle(ink_on(sign.color), sign.color, Style.BOLD)
            elif self._has_colors:
                yield UPPER_HALF, CellStyle(above.color, below.color)
            else:
                seen = below if above.letter in (EMPTY_DOT, " ") else above
                style = Style.REVERSED if seen.is_reversed else Style.PLAIN
                yield seen.letter, CellStyle("", "", style)
