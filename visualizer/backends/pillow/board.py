"""The board of a frame: backdrop, things, bars, badges and signs."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from PIL import Image, ImageDraw

from visualizer.backends.pillow.layout import Box, ImageLayout
from visualizer.backends.pillow.lettering import SMALLEST, Weight, font, plain, width_of, write
from visualizer.backends.pillow.signs import Stamps
from visualizer.drawing.frame_cursor import FrameSign
from visualizer.drawing.geometry import Area, middle
from visualizer.drawing.outline import outline_of
from visualizer.drawing.sprites import Sprites
from visualizer.scene import AnyScene, Block, Label, Mark, Sprite, Thing, Tile
from visualizer.theme import (
    ACCENT,
    BACKGROUND,
    BAR_BACK,
    BORDER,
    FINEST_BORDER,
    FRONT,
    FRONT_EDGE,
    LANE_OPACITY,
    LEAST_BAR,
    MOST_BAR,
    bar_color,
)

BAR_HEIGHT = 0.09
BAR_WIDTH = 0.8
BADGE = 0.36
BADGES_KEPT = 200
LEAST_LETTERS = 0.65 * SMALLEST
"""Labels in less room are not drawn, pixels: the smallest letters would overlap."""
FINE = 4


class BoardPainter:
    """Paints boards of one scene, all in one layout."""

    def __init__(self, scene: AnyScene, sprites: Sprites, layout: ImageLayout) -> None:
        self._sprites = sprites
        self._scale = layout.scale
        self._arrangement = layout.arrangement
        self._stamps = Stamps(layout.scale)
        self._badge = lru_cache(BADGES_KEPT)(self._draw_badge)
        self._ground = Image.new("RGB", layout.board.size, BACKGROUND)
        self._paint_things(self._ground, list(scene.backdrop()))

    def paint(self, things: Mapping[int, Thing], signs: Iterable[FrameSign]) -> Image.Image:
        """Paint the things and signs of a frame."""
        image = self._ground.copy()
        in_order = [things[thing_id] for thing_id in sorted(things)]
        self._paint_things(image, in_order)
        self._paint_bars(image, in_order)
        for sign in signs:
            for area in sign.attack_lanes:
                self._paint_attack_lane(image, area, sign.color)
            if sign.mark is Mark.ATTACK_LANE:
                continue
            stamp = self._stamps.stamp(sign)
            x, y = self._pixels(sign.x, sign.y)
            image.paste(stamp.image, (x + stamp.left, y + stamp.top), stamp.image)
        return image

    def count_within(self, things: Mapping[int, Thing], box: Box) -> int:
        """Return how many sprites and blocks are in a part of the board or close to it."""
        near = round(self._scale / 2)
        places = [
            self._pixels(*middle(thing))
            for thing in things.values()
            if isinstance(thing, Sprite | Block)
        ]
        return sum(
            box.left - near < x < box.right + near and box.top - near < y < box.bottom + near
            for x, y in places
        )

    def _paint_things(self, image: Image.Image, things: Sequence[Thing]) -> None:
        """Paint tiles, blocks, sprites and labels, in this order."""
        draw = ImageDraw.Draw(image)
        labels = []
        for thing in things:
            if isinstance(thing, Tile):
                self._paint_tile(draw, thing)
        for thing in things:
            if isinstance(thing, Block):
                _paint_block(draw, thing, self._lines(thing))
        for thing in things:
            if isinstance(thing, Sprite):
                self._paint_sprite(image, thing)
            elif isinstance(thing, Label):
                labels.append(thing)
        for label in labels:
            if label.size * self._scale < LEAST_LETTERS:
                continue
            letters = font(label.size * self._scale)
            place = self._pixels(label.x, label.y)
            write(image, place, plain(label.text), label.color, letters, "mm")

    def _paint_tile(self, draw: ImageDraw.ImageDraw, tile: Tile) -> None:
        left, top = self._pixels(tile.x, tile.y)
        right, bottom = self._pixels(tile.x + tile.width, tile.y + tile.height)
        right, bottom = max(left, right - 1), max(top, bottom - 1)
        draw.rectangle((left, top, right, bottom), tile.fill or None, tile.border or None)

    def _paint_sprite(self, image: Image.Image, sprite: Sprite) -> None:
        pixels = max(1, round(sprite.size * self._scale))
        picture = self._sprites.image(sprite.image, pixels)
        x, y = self._pixels(sprite.x, sprite.y)
        image.paste(picture, (x - pixels // 2, y - pixels // 2), picture)

    def _paint_bars(self, image: Image.Image, things: Iterable[Thing]) -> None:
        draw = ImageDraw.Draw(image)
        for thing in things:
            if isinstance(thing, Block):
                self._paint_block_bar(draw, thing)
            if not isinstance(thing, Sprite):
                continue
            if thing.bar is not None and thing.bar[0] < thing.bar[1]:
                self._paint_bar(draw, thing, *thing.bar)
            if thing.badge:
                badge = self._badge(thing.badge)
                x, y = self._pixels(thing.x + thing.size / 2, thing.y - thing.size / 2)
                place = x - round(badge.width * 0.8), y - round(badge.height * 0.2)
                image.paste(badge, place, badge)

    def _paint_bar(
        self, draw: ImageDraw.ImageDraw, sprite: Sprite, left_over: int, most: int
    ) -> None:
        """Paint a bar below a sprite, within its square."""
        scale = self._scale
        wide = max(3, round(max(sprite.size, 0.5) * BAR_WIDTH * scale))
        x, y = self._pixels(sprite.x, sprite.y + max(sprite.size, 0.7) / 2)
        self._draw_bar(draw, (left_over, most), x - wide // 2, y, wide)

    def _draw_bar(
        self, draw: ImageDraw.ImageDraw, bar: tuple[int, int], left: int, bottom: int, wide: int
    ) -> None:
        left_over, most = bar
        high = max(2, round(BAR_HEIGHT * self._scale))
        top = bottom - high
        draw.rectangle((left - 1, top - 1, left + wide, bottom), BAR_BACK)
        share = min(1.0, max(0.0, left_over / most)) if most > 0 else 0.0
        if share:
            right = left + max(1, round(wide * share)) - 1
            draw.rectangle((left, top, right, top + high - 1), bar_color(share))

    def _paint_block_bar(self, draw: ImageDraw.ImageDraw, block: Block) -> None:
        """Paint a bar in a block's lowest row, where there is room."""
        wide = round(min(block.width, MOST_BAR) * BAR_WIDTH * self._scale)
        if block.bar is None or block.bar[0] >= block.bar[1] or wide < LEAST_BAR:
            return
        x, y = self._pixels(block.x + block.width / 2, block.y + block.height)
        self._draw_bar(draw, block.bar, x - wide // 2, y - 2, wide)

    def _draw_badge(self, text: str) -> Image.Image:
        """Paint a letter or two on a disc."""
        high = max(9, round(BADGE * self._scale))
        letters = font(high * FINE * 0.8, Weight.STRONG)
        shown = plain(text)
        wide = max(high, round(width_of(shown, letters) / FINE + high * 0.4))
        image = Image.new("RGBA", (wide * FINE, high * FINE))
        draw = ImageDraw.Draw(image)
        corner = wide * FINE - 1, high * FINE - 1
        draw.rounded_rectangle((0, 0, *corner), high * FINE / 2, BACKGROUND)
        rim = FINE
        inner = (rim, rim, corner[0] - rim, corner[1] - rim)
        draw.rounded_rectangle(inner, high * FINE / 2 - rim, ACCENT)
        write(image, (corner[0] / 2, corner[1] / 2), shown, BACKGROUND, letters, "mm")
        return image.resize((wide, high), Image.Resampling.LANCZOS)

    def _paint_attack_lane(self, image: Image.Image, area: Area, color: str) -> None:
        left, top = self._pixels(area.left, area.top)
        right, bottom = self._pixels(area.right, area.bottom)
        size = max(1, right - left), max(1, bottom - top)
        image.paste(color, (left, top), Image.new("L", size, round(255 * LANE_OPACITY)))

    def _lines(self, block: Block) -> tuple[list[float], list[float]]:
        """Return the lines between a block's squares, across and down, pixels."""
        corner, count = (block.x, block.y), (round(block.width), round(block.height))
        x, y = self._arrangement.shown(*corner)
        extent, scale = self._arrangement.extent, self._scale
        across = [float(round((x - extent.left + n) * scale)) for n in range(count[0] + 1)]
        down = [float(round((y - extent.top + n) * scale)) for n in range(count[1] + 1)]
        return across, down

    def _pixels(self, x: float, y: float) -> tuple[int, int]:
        scale, extent = self._scale, self._arrangement.extent
        x, y = self._arrangement.shown(x, y)
        return round((x - extent.left) * scale), round((y - extent.top) * scale)


def _paint_block(
    draw: ImageDraw.ImageDraw, block: Block, lines: tuple[list[float], list[float]]
) -> None:
    """Paint a block; `lines` are the lines between its squares across and down, pixels."""
    across, down = lines
    scale = (across[-1] - across[0]) / block.width
    outline = outline_of(block.cells, block.front)
    for box in outline.boxes:
        corners = across[box.left], down[box.top], across[box.right], down[box.bottom]
        _fill(draw, corners, block.fill)
    if scale >= FINEST_BORDER:
        width = max(1, round(BORDER * scale))
        for edge in outline.edges:
            _fill(draw, edge.strip(lines, width), block.border)
    for edge in outline.front:
        _fill(draw, edge.strip(lines, max(1, round(FRONT_EDGE * scale))), FRONT)


def _fill(draw: ImageDraw.ImageDraw, corners: tuple[float, ...], color: str) -> None:
    """Fill a rectangle; Pillow includes the pixels of its right and bottom edges."""
    left, top, right, bottom = corners
    if right > left and bottom > top:
        draw.rectangle((left, top, right - 1, bottom - 1), color)
