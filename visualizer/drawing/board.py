"""Draws a board: backdrop, blocks, things with bars and badges, signs, and what is pointed at."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Generic, NamedTuple

from msgspec.structs import replace

from visualizer import theme
from visualizer.drawing import measures
from visualizer.drawing.bot_drawings import draw_bot_drawing
from visualizer.drawing.draw_list import WHITE, AnyDrawList, DrawList, Row
from visualizer.drawing.fit import Fit
from visualizer.drawing.geometry import Point, width_and_height
from visualizer.drawing.outline import make_outline
from visualizer.drawing.rect import Rect
from visualizer.drawing.signs import Sign, draw_board_sign
from visualizer.drawing.sprites import Sprites
from visualizer.model.drawings import Drawn
from visualizer.model.motion import STILL, Moving, Placed, Way
from visualizer.scene import AnyScene, Block, Label, Sprite, Thing, Tile, middle_of_thing

BESIDE = 1
"""How far signs and letters may extend beyond a thing, squares."""
SMALL_MAP_FROM = 1.2
"""How much closer a map is seen that has all of it in a corner."""
SIZES = 12
"""In how many sizes a thing is drawn that grows."""
MIN_FRAME_SIZE = 0.8
"""The least side of the frame around a thing, squares."""


class PieceBase(NamedTuple):
    """What a team's piece stands on."""

    color: str
    level: str
    """'' where it has none."""


class BoardPainter(Generic[Row]):
    """Draws the board of one replay at one place."""

    def __init__(
        self,
        draws: DrawList[Row],
        scene: AnyScene,
        sprites: Sprites,
        fit: Fit,
        rect: Rect | None = None,
    ) -> None:
        """Prepare a board; what lies outside `rect` is left out."""
        self._draws = draws
        self._scene = scene
        self._sprites = sprites
        self.fit = fit
        extent, scale = fit.arrangement.extent, fit.scale
        self._seen: tuple[float, ...] | None = None
        """The edges of what is seen, in squares of the arrangement; None where all is."""
        if rect and (extent.width * scale > rect.width or extent.height * scale > rect.height):
            across = ((x - fit.left) / scale for x in (rect.x, rect.right))
            self._seen = (*across, *((y - fit.top) / scale for y in (rect.y, rect.bottom)))
        self._backdrop: Sequence[Tile | Label] | None = None
        self._rows: dict[int, tuple[Thing, Sequence[Row]]] = {}
        """The rows each thing was drawn as; reused as long as the thing is the same."""

    def draw_backdrop(self) -> None:
        """Draw what never changes."""
        self._backdrop = self._scene.backdrop() if self._backdrop is None else self._backdrop
        for part in self._backdrop:
            if self._is_seen(part):
                self._draw(part, middle_of_thing(part))

    def look(self, fit: Fit, rect: Rect) -> "BoardPainter[Row]":
        """Return a painter of a part of the same board."""
        painter = BoardPainter(self._draws, self._scene, self._sprites, fit, rect)
        painter._backdrop = self._backdrop
        return painter

    def draw_sample(self, things: Sequence[Thing]) -> None:
        """Draw things that lie on no board, such as those of its key."""
        for thing in things:
            self._draw(thing, middle_of_thing(thing))

    def draw_things(self, things: Mapping[int, Thing], moving: Moving = STILL) -> None:
        """Draw everything that lies on the backdrop, and what moves where it is at a moving."""
        self.draw_standing(things, moving)
        self.draw_moving(things, moving)

    def draw_standing(self, things: Mapping[int, Thing], moving: Moving = STILL) -> None:
        """Draw what does not move."""
        seen = sorted(things)
        if self._seen is not None:
            seen = [thing_id for thing_id in seen if self._is_seen(things[thing_id])]
        rows, drawn = self._draws.rows, self._rows
        for thing_id in _sort_by_layer(seen, things):
            if thing_id not in moving.places:
                thing = things[thing_id]
                # Things are immutable: the same object means the same rows.
                known = drawn.get(thing_id)
                if known is not None and known[0] is thing:
                    rows += known[1]
                else:
                    rows += self._capture_rows(thing_id, thing)
        # Rows of removed things are dropped now and then: checking each frame would cost more.
        if len(self._rows) > 2 * len(things) + 100:
            self._rows = {i: row for i, row in self._rows.items() if i in things}

    def draw_moving(self, things: Mapping[int, Thing], moving: Moving) -> None:
        """Draw what moves, over all else."""
        for way in moving.ways:
            self._draw_way(way)
        for thing_id, placed in moving.places.items():
            if thing_id in things:
                self._draw_moving(things[thing_id], placed)
        if self.fit.scale >= measures.MIN_LETTERED_SQUARE:
            size = measures.RISING_LETTERS * self.fit.scale / self._draws.unit
            for words in moving.words:
                x, y = self.fit.to_pixels(*words.at)
                for lower, color in ((1, theme.BACKGROUND), (0, WHITE)):
                    self._draws.text(
                        *(x, y + lower, words.text, size, color),
                        is_bold=True,
                        align=0.5,
                        opacity=words.opacity,
                    )

    def _draw_way(self, way: Way) -> None:
        """Draw a thin line from where something was."""
        color = self._scene.team_color(way.team) if way.team else theme.QUIET
        points = [self.fit.to_pixels(*point) for point in (way.start, way.stop)]
        width = max(measures.MIN_WAY, measures.WAY * self.fit.scale)
        self._draws.line(points, width, color, way.opacity)

    def _draw_moving(self, thing: Thing, placed: Placed) -> None:
        x, y = placed.x, placed.y
        if isinstance(thing, Sprite):
            if placed.scale != 1:
                # In few sizes alone: each is drawn once and kept.
                size = thing.size * max(1, round(placed.scale * SIZES)) / SIZES
                thing = replace(thing, size=size, bar=None)
            self._draw(thing, (x, y))
        elif isinstance(thing, Block):
            at = self.fit.to_pixels(x - thing.width / 2, y - thing.height / 2)
            sides, colors = (thing.width, thing.height), (thing.fill, thing.border)
            key = ("block", self.fit.scale, *sides, thing.cells, thing.front, *colors, thing.bar)
            self._draws.stamp(key, at, partial(self._draw_block_at, thing))
        elif isinstance(thing, Label):
            self._draw_label(replace(thing, x=x, y=y))

    def draw_sign(self, sign: Sign, opacity: float = 1.0) -> None:
        draw_board_sign(self._draws, self.fit, sign, opacity)

    def draw_bot_drawing(self, drawn: Drawn) -> None:
        draw_bot_drawing(self._draws, self.fit, drawn)

    def draw_pointer(self, thing: Thing, at: Point, color: str, width: float) -> None:
        """Draw four corners around a thing, light on dark: visible on every ground."""
        scale = self.fit.scale
        x, y = self.fit.to_pixels(*at)
        wide, high = (max(side, MIN_FRAME_SIZE) * scale + 4 for side in width_and_height(thing))
        rect = Rect(round(x - wide / 2), round(y - high / 2), round(wide), round(high))
        thick = max(2, round(width * self._draws.unit))
        self._draw_corners(rect.inset(-1), thick + 2, theme.BACKGROUND)
        self._draw_corners(rect, thick, color)

    def _draw_corners(self, rect: Rect, thick: float, color: str) -> None:
        arm = round(min(rect.width, rect.height) * 0.3)
        for x, to_x in ((rect.x, rect.x), (rect.right - arm, rect.right - thick)):
            for y, to_y in ((rect.y, rect.y), (rect.bottom - thick, rect.bottom - arm)):
                self._draws.rect(Rect(x, y, arm, thick), color)
                self._draws.rect(Rect(to_x, to_y, thick, arm), color)

    def _is_seen(self, thing: Thing) -> bool:
        """Return whether any of a thing, or of its signs, is within the board's place."""
        if self._seen is None or isinstance(thing, Label):
            return True
        left, right, top, bottom = self._seen
        (x, y), (width, height) = (
            self.fit.arrangement.to_view(*middle_of_thing(thing)),
            width_and_height(thing),
        )
        wide, high = width / 2 + BESIDE, height / 2 + BESIDE
        return left - wide < x < right + wide and top - high < y < bottom + high

    def _capture_rows(self, thing_id: int, thing: Thing) -> Sequence[Row]:
        """Return the rows of a thing, and keep them."""
        rows = self._draws.record_rows(partial(self._draw, thing, middle_of_thing(thing)))
        self._rows[thing_id] = thing, rows
        return rows

    def _draw(self, thing: Thing, at: Point) -> None:
        if isinstance(thing, Sprite):
            appearance = (thing.image, thing.size, thing.bar, thing.badge, self._find_base(thing))
            key = ("sprite", id(self._sprites), self.fit.scale, *appearance)
            self._draws.stamp(key, self.fit.to_pixels(*at), partial(self._draw_sprite, thing))
        elif isinstance(thing, Tile):
            self._draw_tile(thing)
        elif isinstance(thing, Block):
            self._draw_block(thing)
        else:
            self._draw_label(thing)

    def _draw_tile(self, tile: Tile) -> None:
        rect = self.fit.pixel_rect(tile.x, tile.y, tile.x + tile.width, tile.y + tile.height)
        if tile.border:
            self._draws.rect(rect, tile.border)
            rect = rect.inset(max(1, round(self.fit.scale * measures.TILE_BORDER)))
        if tile.fill:
            self._draws.rect(rect, theme.DIM_DISH if tile.fill == theme.DISH else tile.fill)

    def _draw_block(self, block: Block) -> None:
        self._draw_block_at(block, *self.fit.to_pixels(block.x, block.y))

    def _draw_block_at(self, block: Block, left: float, top: float) -> None:
        scale = self.fit.scale
        sides = block.width * scale, block.height * scale
        if block.front and min(sides) < measures.MIN_SHAPE:
            across, down = (round(max(side, measures.MIN_SHAPE)) for side in sides)
            at = round(left + (sides[0] - across) / 2), round(top + (sides[1] - down) / 2)
            self._draws.rect(Rect(*at, across, down), block.border)
            self._draws.rect(Rect(*at, across, down).inset(1), block.fill)
            return
        draw_block(self._draws, block, (left, top), scale)
        wide = min(block.width, measures.MAX_BAR_SQUARES) * scale
        if wide >= measures.MIN_BAR_WIDTH:
            x, y = left + block.width * scale / 2, top + (block.height - 0.5) * scale
            self._draw_bar(block.bar, x, y, wide)

    def _draw_label(self, label: Label) -> None:
        size = label.size * self.fit.scale
        if size >= measures.MIN_LABEL_SIZE:
            x, y = self.fit.to_pixels(label.x, label.y)
            letters = max(size, measures.MIN_LETTER_SIZE) / self._draws.unit
            self._draws.text(x, y, label.text, letters, label.color, align=0.5)

    def _draw_sprite(self, sprite: Sprite, x: float, y: float) -> None:
        scale, sprites = self.fit.scale, self._sprites
        plain = self._scene.kinds[sprite.kind].plain
        if plain and scale < measures.MIN_DETAIL_SCALE:
            side = sprite.size * scale
            left, top = round(x - side / 2), round(y - side / 2)
            self._draws.rect(Rect(left, top, round(side), round(side)), plain)
            return
        base = self._find_base(sprite)
        if base is not None:
            self._draws.disc(x, y, measures.BASE * scale, base.color, measures.BASE_OPACITY)
        name, least = sprites.canonical_name(sprite.image), self._scene.kinds[sprite.kind].least
        self._draws.picture(
            ("sprite", id(sprites), name),
            partial(sprites.image, name),
            (x, y, max(sprite.size * scale, least)),
        )
        self._draw_bar(sprite.bar, x, y, scale)
        if base is not None:
            self._draw_level(base, x, y)
        if sprite.badge:
            self._draw_badge(sprite.badge, x, y)

    def _draw_bar(self, bar: tuple[int, int] | None, x: float, y: float, room: float) -> None:
        """Draw a bar that is not full along the lower edge of the square around a place."""
        if bar is None or bar[0] >= bar[1]:
            return
        scale = self.fit.scale
        width = round(measures.BAR_WIDTH * room)
        height = max(measures.MIN_BAR_HEIGHT, round(measures.BAR_HEIGHT * scale))
        back = Rect(
            round(x - width / 2), round(y + measures.BAR_BOTTOM * scale - height), width, height
        )
        self._draws.rect(back, theme.BAR_BACK)
        full, share = back.inset(1), max(0.0, bar[0] / bar[1])
        if share:
            filled = full._replace(width=max(1.0, full.width * share))
            self._draws.rect(filled, theme.bar_color(share))

    def _find_base(self, sprite: Sprite) -> PieceBase | None:
        """Return what a piece stands on, if it is one of a team that stands on something."""
        kind = self._scene.kinds[sprite.kind]
        if not kind.has_base:
            return None
        facts = dict(zip(kind.facts, sprite.facts, strict=True))
        return PieceBase(self._scene.team_color(int(facts["team"])), str(facts.get("level", "")))

    def _draw_level(self, base: PieceBase, x: float, y: float) -> None:
        scale = self.fit.scale
        if base.level and scale >= measures.MIN_LETTERED_SQUARE:
            size = max(measures.LEVEL * scale, measures.MIN_LETTER_SIZE / measures.LEVEL_LETTERS)
            x, y = x - measures.LEVEL_CORNER * scale, y - measures.LEVEL_CORNER * scale
            self._draws.disc(x, y, size, base.color)
            letters = size * measures.LEVEL_LETTERS / self._draws.unit
            ink = theme.ink_on(base.color)
            self._draws.text(x, y, base.level, letters, ink, is_bold=True, align=0.5)

    def _draw_badge(self, text: str, x: float, y: float) -> None:
        scale = self.fit.scale
        is_lettered = scale >= measures.MIN_LETTERED_SQUARE
        least = (
            measures.MIN_LETTER_SIZE / measures.BADGE_LETTER_SCALE
            if is_lettered
            else measures.MIN_BADGE_SIZE
        )
        size = max(least, measures.BADGE * scale)
        x, y = x + measures.BADGE_CORNER * scale, y - measures.BADGE_CORNER * scale
        self._draws.disc(x, y, size + 2, theme.BACKGROUND)
        self._draws.disc(x, y, size, theme.ACCENT)
        if is_lettered:
            letters = size * measures.BADGE_LETTER_SCALE / self._draws.unit
            self._draws.text(x, y, text, letters, theme.BACKGROUND, is_bold=True, align=0.5)


class SmallMap(Generic[Row]):
    """The whole map in a corner of a place that shows a part of it."""

    def __init__(self, draws: DrawList[Row], scene: AnyScene) -> None:
        self._draws, self._scene = draws, scene
        self._key: object = None
        self._rows: Sequence[Row] = ()

    def draw(self, turn: int, things: Mapping[int, Thing], fit: Fit, rect: Rect) -> None:
        """Draw the map as it is in a turn, and a frame around the part, if much is out of sight."""
        extent, draws = self._scene.extent, self._draws
        if fit.scale <= SMALL_MAP_FROM * min(
            rect.width / extent.width, rect.height / extent.height
        ):
            return
        scale = measures.SMALL_MAP * rect.width / extent.width
        wide, high, edge = extent.width * scale, extent.height * scale, draws.px(6)
        corner = Rect(rect.right - wide - edge, rect.bottom - high - edge, wide, high)
        if self._key != (turn, rect):
            dots = partial(self._draw_map, things, corner, scale)
            self._key, self._rows = (turn, rect), draws.record_rows(dots)
        draws.rows += self._rows
        (left, top), (right, bottom) = (
            (
                corner.x + min(max(x - extent.left, 0), extent.width) * scale,
                corner.y + min(max(y - extent.top, 0), extent.height) * scale,
            )
            for x, y in (fit.to_board(rect.x, rect.y), fit.to_board(rect.right, rect.bottom))
        )
        frame = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
        draws.line(frame, draws.px(1.5), theme.BACKGROUND)

    def _draw_map(self, things: Mapping[int, Thing], corner: Rect, scale: float) -> None:
        extent, draws = self._scene.extent, self._draws
        draws.rect(corner.inset(-1), theme.RIM)
        draws.rect(corner, theme.GROUND[1])
        for thing_id, thing in things.items():
            team = self._scene.team_of(thing_id, thing)
            if team and isinstance(thing, Block | Sprite):
                (x, y), side = (
                    middle_of_thing(thing),
                    max(2, round(max(width_and_height(thing)) * scale)),
                )
                x, y = corner.x + (x - extent.left) * scale, corner.y + (y - extent.top) * scale
                dot = Rect(round(x - side / 2), round(y - side / 2), side, side)
                draws.rect(dot, self._scene.team_color(team))


def _sort_by_layer(ids: Sequence[int], things: Mapping[int, Thing]) -> Iterator[int]:
    """Return the ids of things in the order in which they are drawn."""
    layers: dict[type, list[int]] = {layer: [] for layer in (Tile, Block, Sprite, Label)}
    for thing_id in ids:
        layers[type(things[thing_id])].append(thing_id)
    return chain.from_iterable(layers.values())


def draw_block(
    draws: AnyDrawList, block: Block, place: tuple[float, float], scale: float, opacity: float = 1.0
) -> None:
    """Draw a block from its upper left corner, on whole pixels like tiles."""
    left, top = place
    across = [float(round(left + n * scale)) for n in range(round(block.width) + 1)]
    down = [float(round(top + n * scale)) for n in range(round(block.height) + 1)]
    outline = make_outline(block.cells, block.front)
    for box in outline.boxes:
        x, y = across[box.left], down[box.top]
        draws.rect(Rect(x, y, across[box.right] - x, down[box.bottom] - y), block.fill, opacity)
    strips = [(outline.front, theme.FRONT, max(1, round(measures.FRONT_EDGE * scale)))]
    if scale >= measures.FINEST_BORDER:
        strips.insert(0, (outline.edges, block.border, max(1, round(measures.BORDER * scale))))
    for edges, color, width in strips:
        for edge in edges:
            x, y, right, bottom = edge.strip((across, down), width)
            draws.rect(Rect(x, y, right - x, bottom - y), color, opacity)


def draw_portrait(draws: AnyDrawList, block: Block, rect: Rect, opacity: float) -> None:
    """Draw a block as large as fits into a place, centered."""
    scale = min(rect.width / block.width, rect.height / block.height)
    left = rect.middle_x - block.width * scale / 2
    top = rect.middle_y - block.height * scale / 2
    draw_block(draws, block, (left, top), scale, opacity)
