"""The board in a terminal: a picture of letters, made of the things of a scene."""

from collections.abc import Iterable, Iterator, Mapping

from visualizer.colours import mixed
from visualizer.cursor import Step
from visualizer.outline import outline_of
from visualizer.scene import Block, Label, Mark, Sprite, Thing, Tile
from visualizer.terminal.canvas import Canvas, Ink, Style, columns_of
from visualizer.terminal.colours import is_light
from visualizer.terminal.letters import LettersBoard, in_layers
from visualizer.terminal.looks import Look, look_of
from visualizer.terminal.scale import Place, rounded
from visualizer.theme import ACCENT, BACKGROUND, BAR_FULL, BAR_LOW, GROUND, MARK_COLOURS

DARK, LIGHT = "#10151b", "#ffffff"
"""Letters on light and on dark grounds."""
DEEPER = 0.25
"""So much darker are letters of a picture's colour: they are thinner than it."""
LOW = 1 / 3
"""Where no more than that is left, a bar is red."""
WOUNDED = 0.55
"""How dark somebody is with nothing left, where there is no room for a bar."""
EMPTY, GONE = "·", "✕"
THIN = "▂"
BAR_BACK = mixed(GROUND[1], DARK, 0.2)
"""Behind bars: thin ones, on grounds that are light."""
ON_THE_OTHER = (Mark.STRIKE, Mark.BIRTH, Mark.JOIN)
"""Marks that are shown where the other one is."""
UNMARKED = (Mark.BLOCKED, Mark.CALL, Mark.REACH)
ARROWS = {"E": "→", "S": "↓", "W": "←", "N": "↑"}


class SquaresBoard(LettersBoard):
    """Every square has room for letters."""

    def _draw_backdrop(self, width: int, height: int) -> None:
        self._labelled: list[Place] = []
        self._levelled: set[tuple[float, float]] = set()
        """The middles of sprites that tell their level."""
        self._canvas = Canvas(width, height, BACKGROUND)
        self._draw(self.scene.backdrop())
        self._backdrop = self._canvas, list(self._labelled)

    def picture(self, things: Mapping[int, Thing], step: Step | None = None) -> Canvas:
        backdrop, labelled = self._backdrop
        self._canvas, self._labelled = backdrop.copy(), list(labelled)
        self._levelled.clear()
        self._draw(in_layers(things, Tile, Block, Sprite, Label))
        if step is not None:
            self._mark(step, things)
        return self._canvas

    def _draw(self, things: Iterable[Thing]) -> None:
        for thing in things:
            if isinstance(thing, Tile):
                self._tile(thing)
            elif isinstance(thing, Block):
                self._block(thing)
            elif isinstance(thing, Sprite):
                self._sprite(thing)
            else:
                self._label(thing)

    def _place(self, thing: Thing) -> Place:
        return self.scale.place(self._arrangement, thing)

    def _tile(self, tile: Tile) -> None:
        place = self._place(tile)
        self._canvas.fill(*place, tile.fill or tile.border)
        if not self._has_colours:
            self._canvas.write(place.x, place.y, EMPTY)

    def _block(self, block: Block) -> None:
        """Its squares, and an arrow where it looks."""
        look = look_of(self.scene, block, self._colours)
        letter = " " if self._has_colours else look.letter
        style = Style.REVERSED if look.is_reversed and not self._has_colours else Style.PLAIN
        for place in self.scale.places(self._arrangement, block):
            for y in range(place.y, place.y + place.height):
                self._canvas.write(place.x, y, letter * place.width, style=style, ground=block.fill)
        for edge in outline_of(block.cells, block.front).front[:1]:
            x, y = edge.square
            place = self.scale.lies(self._arrangement, block.x + x, block.y + y, 1, 1)
            light = DARK if is_light(block.fill) else LIGHT
            self._text(place, ARROWS[block.front], light, Style.BOLD | style, ground=block.fill)

    def _sprite(self, sprite: Sprite) -> None:
        look, place = look_of(self.scene, sprite, self._colours), self._place(sprite)
        if look.level:
            self._levelled.add((sprite.x, sprite.y))
        if look.team:
            self._owned(sprite, look, place)
        else:
            self._wild(look, place)
        has_room = self._has_colours and place.height > 1
        if has_room and sprite.bar is not None and sprite.bar[0] < sprite.bar[1]:
            self._bar(sprite.bar, place, is_thin=not look.team)

    def _owned(self, sprite: Sprite, look: Look, place: Place) -> None:
        """Of a team: a blob in its colour."""
        colour = look.colour
        if place.height == 1 and sprite.bar is not None and sprite.bar[1]:
            lost = 1 - sprite.bar[0] / sprite.bar[1]
            colour = mixed(colour, BACKGROUND, round(WOUNDED * lost, 1))
        if self._has_colours:
            for x, y, width in blob(place, min(1.0, sprite.size)):
                self._canvas.half(x, y, width, colour)
        text = look.letter + look.level
        if columns_of(text) > place.width:
            text = look.level[: place.width] if self._has_colours else look.letter
        style = Style.BOLD
        if sprite.badge and columns_of(text) < place.width and place.height > 1:
            text += sprite.badge[0]
        elif sprite.badge:
            style |= Style.UNDERLINED
        if look.is_reversed and not self._has_colours:
            style |= Style.REVERSED
        light = DARK if is_light(colour) else LIGHT
        self._text(place, text, light, style, ground=colour)

    def _wild(self, look: Look, place: Place) -> None:
        """Of nobody: letters on the ground; what has no level fills its place."""
        colour = mixed(look.colour, DARK, DEEPER)
        if look.level:
            text = look.letter + look.level
            self._text(place, text if columns_of(text) <= place.width else look.letter, colour)
            return
        for y in range(place.y, place.y + place.height):
            self._canvas.write(place.x, y, look.letter * place.width, colour)

    def _text(
        self,
        place: Place,
        text: str,
        colour: str,
        style: Style = Style.BOLD,
        ground: str | None = None,
    ) -> None:
        """In the middle."""
        x = place.x + max(0, place.width - columns_of(text)) // 2
        y = place.y + (place.height - 1) // 2
        self._canvas.write(x, y, text, colour, style, width=place.width, ground=ground)

    def _bar(self, bar: tuple[int, int], place: Place, *, is_thin: bool) -> None:
        """What is left, along the lower edge: thin below letters, half a line below blobs."""
        left, y = bar[0] / bar[1], place.y + place.height - 1
        full = max(1, rounded(place.width * left)) if left > 0 else 0
        parts = (BAR_LOW if left <= LOW else BAR_FULL, full), (BAR_BACK, place.width - full)
        x = place.x
        for colour, width in parts:
            if is_thin:
                self._canvas.write(x, y, THIN * width, colour)
            else:
                self._canvas.half(x, 2 * y + 1, width, colour)
            x += width

    def _label(self, label: Label) -> None:
        """Unless it would touch another one, or is the level of what it is on."""
        if (label.x, label.y) in self._levelled:
            return
        columns = columns_of(label.text)
        extent = self._arrangement.extent
        label_x, label_y = self._arrangement.shown(label.x, label.y)
        x = (label_x - extent.left) * self.scale.columns - columns / 2
        y = int((label_y - extent.top) * self.scale.rows)
        place = Place(max(0, rounded(x)), y, columns, 1)
        if any(_touch(place, other) for other in self._labelled):
            return
        self._labelled.append(place)
        self._canvas.write(place.x, place.y, label.text, label.colour)

    def _mark(self, step: Step, things: Mapping[int, Thing]) -> None:
        """Who had its round, and what came of it for others."""
        for ordered in () if step.is_of_all else step.ordered:
            self._tint(things.get(ordered.about), ACCENT)
        for note in step.notes:
            mark = self.scene.happenings[note.happening].mark
            if mark is None or mark in UNMARKED:
                continue
            thing_id = note.other if mark in ON_THE_OTHER else note.one
            thing = things.get(thing_id)
            self._tint(thing or step.before.get(thing_id), MARK_COLOURS[mark])
            gone = step.before.get(thing_id)
            if mark is Mark.DEATH and thing is None and gone is not None:
                self._text(self._place(gone), GONE, LIGHT)

    def _tint(self, thing: Thing | None, colour: str) -> None:
        if thing is None:
            return
        style = Style.PLAIN if self._has_colours else Style.UNDERLINED
        ink = Ink(DARK if is_light(colour) else LIGHT, colour, Style.BOLD | style)
        if isinstance(thing, Block):
            for place in self.scale.places(self._arrangement, thing):
                self._canvas.tint(*place, ink)
        else:
            self._canvas.tint(*self._place(thing), ink)


def blob(place: Place, size: float) -> Iterator[tuple[int, int, int]]:
    """Lines of half a letter: x, y in halves, width. Round where there is room for that."""
    x, y, width, height = place
    aside = min(rounded(width * (1 - size) / 2), max(0, width - 3) // 2)
    above = min(rounded(height * (1 - size)), height - 1)
    first, last = 2 * y + above, 2 * (y + height) - 1 - above
    if height < 3:  # the letters are in the upper row
        first = 2 * y
    is_round = last - first > 4 and width - 2 * aside > 4
    for line in range(first, last + 1):
        edge = 1 if is_round and line in (first, last) else 0
        yield x + aside + edge, line, width - 2 * (aside + edge)


def _touch(one: Place, other: Place) -> bool:
    """Whether two texts are in one line with nothing in between."""
    return one.y == other.y and one.x <= other.x + other.width and other.x <= one.x + one.width
