"""Draws the legend: what the looks of things on the board mean, and the signs of events."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from visualizer.drawing.arrangement import Arrangement
from visualizer.drawing.board import BoardPainter
from visualizer.drawing.draw_list import AnyDrawList
from visualizer.drawing.fit import Fit
from visualizer.drawing.rect import Rect
from visualizer.drawing.signs import draw_sign
from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Extent, Thing
from visualizer.theme import QUIET, RIM

SMALL = 11
LINE, SIDE, SIGN = 25, 21, 18
"""The height of a line, the side of a sample and the width of a sign, points."""
GAP, COLUMN_GAP = 8, 12
"""The gaps between a sample and its words, and between columns, points."""
SPACE_ABOVE = 10
"""The room above the legend for the line that parts it from what stands there, points."""
MAX_COLUMNS = 6
MIN_SIDE = 17
"""The least side of a sample, pixels: below its letters one sees what it is."""
SQUARE = Arrangement(Extent(0, 0, 1, 1))


class Entry(NamedTuple):
    """A line of the legend."""

    words: str
    draw: Callable[[float, float], None]
    """Draws the sample around a place."""


class Legend:
    """The legend of a match."""

    def __init__(
        self,
        draws: AnyDrawList,
        timeline: ReplayTimeline,
        sprites: Sprites,
        board_draws: AnyDrawList | None = None,
        *,
        has_place: bool = False,
    ) -> None:
        """Prepare a legend; `board_draws` draws what lies on boards, if that is another list.

        `has_place`: whether it has a place of its own.
        """
        self.has_place = has_place
        self._draws, self._board_draws = draws, board_draws or draws
        self._scene, self._sprites = timeline.scene, sprites
        self._on_board = [
            Entry(entry.words, partial(self._draw_things, entry.things))
            for entry in self._scene.key()
        ]
        self._signs = [
            Entry(text, partial(draw_sign, draws, mark, size=draws.px(SIGN)))
            for mark, text in timeline.legend
        ]

    @property
    def _side(self) -> int:
        """Return the side of a sample in pixels: its letters can be read."""
        return max(MIN_SIDE, self._draws.px(SIDE))

    def entries_for(self, room: Rect) -> Sequence[Entry]:
        """Return all entries, or only those of the board or none, as many as there is room for."""
        for entries in ([*self._on_board, *self._signs], self._on_board):
            if self.entries_height(entries, room.width) <= room.height:
                return entries
        return ()

    def entries_height(self, entries: Sequence[Entry], width: float) -> float:
        """Return the height of entries, with the room above them."""
        rows = -(-len(entries) // self._count_columns(entries, width)) if entries else 0
        return self._draws.px(LINE) * rows + (self._draws.px(SPACE_ABOVE) if rows else 0)

    def _count_columns(self, entries: Sequence[Entry], width: float) -> int:
        """Return in how many columns entries are written whole."""
        draws = self._draws
        widest = max(draws.text_width(entry.words, SMALL) for entry in entries)
        needed = self._side + draws.px(GAP) + widest + draws.px(COLUMN_GAP)
        return min(MAX_COLUMNS, max(1, int((width + draws.px(COLUMN_GAP)) / needed)))

    def draw(self, rect: Rect, entries: Sequence[Entry], *, has_line: bool = True) -> Rect:
        """Draw entries at the lower edge of a place. Return the place above them."""
        if not entries:
            return rect
        draws = self._draws
        below, rest = rect.cut_bottom(self.entries_height(entries, rect.width))
        if has_line:
            draws.rect(Rect(below.x, below.y + draws.px(3), below.width, 1), RIM)
        columns = self._count_columns(entries, rect.width)
        rows = -(-len(entries) // columns)
        _, lines = below.cut_top(draws.px(SPACE_ABOVE))
        parts = [part for row in lines.rows(rows) for part in row.columns(columns)]
        for part, entry in zip(parts, entries, strict=False):
            side = self._side
            entry.draw(part.x + side / 2, part.middle_y)
            left = side + draws.px(GAP)
            room = part.width - left
            draws.text(part.x + left, part.middle_y, entry.words, SMALL, QUIET, room=room)
        return rest

    def _draw_things(self, things: Sequence[Thing], x: float, y: float) -> None:
        draws, side = self._board_draws, self._side
        fit = Fit(side, round(x - side / 2), round(y - side / 2), SQUARE)
        painter = BoardPainter(draws, self._scene, self._sprites, fit)
        rows = draws.record_rows(partial(painter.draw_sample, things))
        self._draws.rows += rows
