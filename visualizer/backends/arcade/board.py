"""Draws a replay's board: backdrop, things, bars, badges and signs."""

from math import hypot

from visualizer.backends.arcade import icons
from visualizer.backends.arcade.blocks import draw_block
from visualizer.backends.arcade.draw_list import DrawList
from visualizer.backends.arcade.rect import Rect
from visualizer.backends.arcade.replay_view import GLIDE_S, SIGN_S, ReplayView
from visualizer.backends.arcade.signs import TimedSign
from visualizer.backends.arcade.viewport import Fit
from visualizer.drawing.geometry import Area, Point, middle, sides
from visualizer.scene import Block, Label, Mark, Sprite, Thing, Tile
from visualizer.theme import (
    ACCENT,
    AROUND,
    BACKGROUND,
    BAR_BACK,
    LANE_OPACITY,
    LEAST_BAR,
    LEAST_SIGN,
    MARK_COLORS,
    MARK_RIM,
    MARK_RIMS,
    MOST_BAR,
    bar_color,
)

BAR_WIDTH, BAR_HEIGHT = 0.8, 0.13
"""The width and height of a bar, squares."""
LEAST_LETTERS = 7
"""Smaller labels are not drawn, pixels."""
BADGE = 0.36
BESIDE = 1
"""How far signs and letters may extend beyond a thing, squares."""
LEAST_POINTED = 0.8
"""The least side of the frame around a thing, squares."""
SIZES = {Mark.DEATH: 0.9, Mark.BIRTH: 1.1, Mark.JOIN: 1.1}
"""The sizes of signs, squares; the others are smaller."""
RINGS = (Mark.BIRTH, Mark.JOIN)
"""Signs drawn around a thing."""
LIFTED = (Mark.RISE, Mark.FAULT, Mark.BLOCKED)
"""Signs drawn at the upper right corner, so that they do not hide the piece."""
LINKS = (Mark.STRIKE, Mark.BIRTH, Mark.JOIN)
"""Signs that link the one and the other."""


class BoardPainter:
    """Draws the board of one replay at one place of the window."""

    def __init__(
        self, draws: DrawList, view: ReplayView, number: int, fit: Fit, place: Rect
    ) -> None:
        self._draws = draws
        self._view = view
        self._number = number
        """The number of the replay, part of the keys of its pictures."""
        self.fit = fit
        self._place = place
        extent = fit.arrangement.extent
        self._is_whole = (
            extent.width * fit.scale <= place.width and extent.height * fit.scale <= place.height
        )
        self._rows: dict[int, tuple[Thing, bytes]] = {}
        """The rows each thing was drawn as; reused as long as the thing is the same."""

    def draw_backdrop(self) -> None:
        """Draw what never changes."""
        for part in self._view.timeline.scene.backdrop():
            if self._is_seen(part):
                self._draw(part)

    def draw_things(self, now: float) -> None:
        """Draw everything that lies on the backdrop."""
        things, moves = self._view.cursor.things, self._view.moves
        ids = [i for i in sorted(things) if self._is_seen(things[i])]
        still = [i for i in ids if i not in moves]
        rows = [self._row(i, things[i]) for i in ids if type(things[i]) is Tile]
        rows += [self._row(i, things[i]) for i in ids if type(things[i]) is Block]
        rows += [self._row(i, things[i]) for i in still if type(things[i]) is Sprite]
        rows += [self._row(i, things[i]) for i in ids if type(things[i]) is Label]
        for thing_id in moves:
            thing = things.get(thing_id)
            if isinstance(thing, Sprite):
                rows.append(self._rows_of(thing, self.place(thing_id, thing, now)))
        # Rows of removed things are dropped now and then: checking each frame would cost more.
        if len(self._rows) > 2 * len(things) + 100:
            self._rows = {i: row for i, row in self._rows.items() if i in things}
        self._draws.rows += rows

    def _is_seen(self, thing: Thing) -> bool:
        """Return whether any of a thing, or of its signs, is within the board's place."""
        if self._is_whole or isinstance(thing, Label):
            return True
        x, y = self.fit.to_window(*middle(thing))
        wide, high = ((side / 2 + BESIDE) * self.fit.scale for side in sides(thing))
        place = self._place
        return place.x - wide < x < place.right + wide and place.y - high < y < place.bottom + high

    def place(self, thing_id: int, thing: Thing, now: float) -> Point:
        """Return where a thing's middle is now, while it glides between squares."""
        x, y = middle(thing)
        move = self._view.moves.get(thing_id)
        if move is None:
            return x, y
        done = min(max((now - move.since) / GLIDE_S, 0.0), 1.0)
        # Ease out: fast at first, so that the piece arrives in time for the next step.
        rest = (1 - done) ** 2
        from_x, from_y = move.came_from
        return x + (from_x - x) * rest, y + (from_y - y) * rest

    def draw_signs(self, now: float, is_playing: bool) -> None:
        for sign in self._view.signs:
            age = (now - sign.since) / SIGN_S if is_playing else 0.0
            self._sign(sign, max(0.0, 1 - age * age))

    def draw_pointer(self, thing_id: int, now: float, color: str, width: float) -> None:
        """Draw four corners around a thing, light on dark: visible on every ground."""
        thing = self._view.cursor.things.get(thing_id)
        if thing is None:
            return
        scale = self.fit.scale
        x, y = self.fit.to_window(*self.place(thing_id, thing, now))
        wide, high = (max(side, LEAST_POINTED) * scale + 4 for side in sides(thing))
        place = Rect(round(x - wide / 2), round(y - high / 2), round(wide), round(high))
        thick = max(2, round(width * self._draws.unit))
        self._corners(place.inset(-1), thick + 2, BACKGROUND)
        self._corners(place, thick, color)

    def _corners(self, place: Rect, thick: float, color: str) -> None:
        arm = round(min(place.width, place.height) * 0.3)
        for x, to_x in ((place.x, place.x), (place.right - arm, place.right - thick)):
            for y, to_y in ((place.y, place.y), (place.bottom - thick, place.bottom - arm)):
                self._draws.rect(Rect(x, y, arm, thick), color)
                self._draws.rect(Rect(to_x, to_y, thick, arm), color)

    def _row(self, thing_id: int, thing: Thing) -> bytes:
        # Things are immutable: the same object means the same row.
        known = self._rows.get(thing_id)
        if known is not None and known[0] is thing:
            return known[1]
        row = self._rows_of(thing, middle(thing))
        self._rows[thing_id] = thing, row
        return row

    def _rows_of(self, thing: Thing, place: Point) -> bytes:
        first = len(self._draws.rows)
        if isinstance(thing, Sprite):
            self._sprite(thing, *place)
        else:
            self._draw(thing)
        rows = b"".join(self._draws.rows[first:])
        del self._draws.rows[first:]
        return rows

    def _draw(self, part: Thing) -> None:
        if isinstance(part, Tile):
            self._tile(part)
        elif isinstance(part, Block):
            self._block(part)
        elif isinstance(part, Label):
            self._label(part)

    def _tile(self, tile: Tile) -> None:
        """Draw a tile, its edges on whole pixels: no seams between neighbors."""
        left, top = map(round, self.fit.to_window(tile.x, tile.y))
        right, bottom = map(round, self.fit.to_window(tile.x + tile.width, tile.y + tile.height))
        place = Rect(left, top, right - left, bottom - top)
        if tile.border:
            self._draws.rect(place, tile.border)
            place = place.inset(max(1, round(self.fit.scale * 0.04)))
        if tile.fill:
            self._draws.rect(place, tile.fill)

    def _block(self, block: Block) -> None:
        scale = self.fit.scale
        left, top = self.fit.to_window(block.x, block.y)
        draw_block(self._draws, block, (left, top), scale)
        wide = min(block.width, MOST_BAR) * scale
        if block.bar is not None and block.bar[0] < block.bar[1] and wide >= LEAST_BAR:
            x, y = left + block.width * scale / 2, top + (block.height - 0.5) * scale
            self._bar(block.bar, x, y, wide)

    def _label(self, label: Label) -> None:
        size = label.size * self.fit.scale
        if size >= LEAST_LETTERS:
            x, y = self.fit.to_window(label.x, label.y)
            self._draws.text(x, y, label.text, size / self._draws.unit, label.color, align=0.5)

    def _sprite(self, sprite: Sprite, board_x: float, board_y: float) -> None:
        scale, sprites = self.fit.scale, self._view.sprites
        x, y = self.fit.to_window(board_x, board_y)
        name = sprites.file_of(sprite.image)
        self._draws.picture(
            ("sprite", self._number, name),
            lambda size: sprites.image(name, size),
            (x, y, sprite.size * scale),
        )
        if sprite.bar is not None and sprite.bar[0] < sprite.bar[1]:
            self._bar(sprite.bar, x, y, scale)
        if sprite.badge:
            self._badge(sprite.badge, x, y)

    def _bar(self, bar: tuple[int, int], x: float, y: float, room: float) -> None:
        """Draw a bar along the lower edge of the square around a place."""
        scale = self.fit.scale
        width, height = round(BAR_WIDTH * room), max(4, round(BAR_HEIGHT * scale))
        back = Rect(round(x - width / 2), round(y + 0.47 * scale - height), width, height)
        self._draws.rect(back, BAR_BACK)
        full = back.inset(1)
        share = bar[0] / bar[1]
        self._draws.rect(full._replace(width=max(1.0, full.width * share)), bar_color(share))

    def _badge(self, text: str, x: float, y: float) -> None:
        scale = self.fit.scale
        size = max(6.0, BADGE * scale)
        x, y = x + 0.3 * scale, y - 0.3 * scale
        self._draws.disc(x, y, size + 2, BACKGROUND)
        self._draws.disc(x, y, size, ACCENT)
        if size * 0.72 < LEAST_LETTERS:
            return
        letters = size * 0.72 / self._draws.unit
        self._draws.text(x, y, text, letters, BACKGROUND, is_bold=True, align=0.5)

    def _sign(self, sign: TimedSign, opacity: float) -> None:
        for lane in sign.attack_lanes:
            self._attack_lane(lane, sign.color, opacity)
        if sign.mark is Mark.ATTACK_LANE:
            return
        x, y = self.fit.to_window(*sign.at)
        # On boards of thousands of squares a sign in scale would be a few pixels.
        scale = max(self.fit.scale, LEAST_SIGN)
        if sign.other is not None and sign.mark in LINKS:
            start, stop = (x, y), self.fit.to_window(*sign.other)
            if sign.mark is Mark.JOIN:
                start, stop = stop, start
            self._arrow(start, stop, sign.mark, opacity)
            x, y = stop
        size = scale * SIZES.get(sign.mark, 0.62)
        if sign.mark is Mark.CALL:
            size = max(scale, (sign.size + AROUND) * self.fit.scale)
        lift = 0.28 * scale if sign.mark in LIFTED else 0
        draw_sign(self._draws, sign.mark, x + lift, y - lift, size, opacity)

    def _attack_lane(self, area: Area, color: str, opacity: float) -> None:
        left, top = map(round, self.fit.to_window(area.left, area.top))
        right, bottom = map(round, self.fit.to_window(area.right, area.bottom))
        self._draws.rect(Rect(left, top, right - left, bottom - top), color, LANE_OPACITY * opacity)

    def _arrow(self, start: Point, stop: Point, mark: Mark, opacity: float) -> None:
        """Draw an arrow that leaves both ends visible."""
        color, halo = MARK_COLORS[mark], MARK_RIMS.get(mark, MARK_RIM)
        (x, y), (to_x, to_y) = start, stop
        length = hypot(to_x - x, to_y - y)
        if length < 1:
            return
        begin, end = 0.22, 0.9
        first = (x + (to_x - x) * begin, y + (to_y - y) * begin)
        last = (x + (to_x - x) * end, y + (to_y - y) * end)
        width = max(2.0, 0.09 * self.fit.scale)
        self._draws.line(first, last, width + 2, halo, opacity * 0.8)
        self._draws.line(first, last, width, color, opacity)


def draw_sign(
    draws: DrawList, mark: Mark, x: float, y: float, size: float, opacity: float = 1.0
) -> None:
    """Draw a sign around a place."""
    name = "ring" if mark in RINGS else str(mark)
    color, halo = MARK_COLORS[mark], MARK_RIMS.get(mark, MARK_RIM)
    draws.picture(
        ("sign", mark),
        lambda pixels: icons.sign(name, pixels, color, halo),
        (x, y, size),
        opacity=opacity,
    )
