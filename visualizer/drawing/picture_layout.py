"""The layout of a picture: header, a panel for each team, board, graph, events and legend."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from engine.errors import UsageError
from visualizer.drawing.arrangement import Arrangement
from visualizer.drawing.fit import Fit, scale_in
from visualizer.drawing.rect import Rect

WIDE, HIGH = 40, 45
"""The least number of units in a picture's width and height."""
MIN_UNIT = 9
HEADER = 2.5
CAPTION, CAPTION_WIDTH = 1.5, 46.0
"""The height of the caption, and the width of its longest line."""
MIN_CAPTIONED = 360
"""In a smaller picture, pixels, a caption could not be read."""
GAP = 0.7
PANEL, TALL_PANEL = 7.2, 10.2
"""The height of a panel, and the most beside a board, units."""
LOW_PANEL = 4.4
"""The height of a panel without histogram, for many teams, units."""
WITH_FACTS = 7.0
"""The least height of a panel with some lines of facts, units."""
MIN_PANEL_WIDTH = 21.0
MAX_PANEL_WIDTH = 40.0
GRAPH_WIDTH = 22.0
GRAPH_HEIGHT = 6.0
MAX_GRAPH_HEIGHT_SHARE = 0.14
"""The most height of the graph, as a share of the picture's, unless it is its least one."""
GRAPH_BESIDE = 0.3
"""The height of a graph beside a board, of its width."""
MIN_NOTES_HEIGHT, MIN_NOTES_WIDTH = 6.0, 15.0
"""The least height and width of the events and the legend, units."""
LETTER_GROWTH = (1.5, 1.4, 1.3, 1.2, 1.1, 1.0)
"""How much larger letters may become where the board leaves room."""
MIN_BOARD_SIZE = 60
"""The least pixels of the board's longer side."""
POINTS_PER_UNIT = 14
"""The points of a unit."""


class ImageLayout(NamedTuple):
    """The parts of a picture."""

    size: tuple[int, int]
    unit: int
    """The height of letters, about, in pixels; all lengths are multiples of it."""
    header: Rect
    panels: tuple[Rect, ...]
    """The panels of the teams, team 1 first."""
    graph: Rect
    board: Rect
    fit: Fit
    """How the board is shown in its place."""
    caption: Rect
    """The line below everything else, from the left edge of the board if it has room there."""
    notes: Rect | None = None
    """The place of the latest events and the legend, where there is one."""

    @property
    def pixels_per_point(self) -> float:
        return self.unit / POINTS_PER_UNIT


def layout_for(
    size: tuple[int, int], arrangements: Iterable[Arrangement], teams: int
) -> ImageLayout:
    """Return the layout with the largest board.

    Among equals it is one with room for facts in the panels, then one with a legend, and then one
    with the largest letters.

    Raises: UsageError if the board has no room.
    """
    layouts = chain.from_iterable(_layouts(size, each, teams) for each in arrangements)
    best = max(layouts, key=lambda each: (each.fit.scale, *_has_room_for(each), each.unit))
    if max(best.board.width, best.board.height) < MIN_BOARD_SIZE:
        raise UsageError("--size {}x{}: too small for this match".format(*size))
    return best


def _has_room_for(layout: ImageLayout) -> tuple[bool, bool]:
    """Return whether there is room for facts in the panels, and for a legend."""
    has_facts = min(panel.height for panel in layout.panels) >= WITH_FACTS * layout.unit
    return has_facts, layout.notes is not None


def _layouts(size: tuple[int, int], board: Arrangement, teams: int) -> Iterator[ImageLayout]:
    width, height = size
    least = max(MIN_UNIT, min(width / WIDE, height / HIGH))
    for growth in LETTER_GROWTH:
        arranging = _Arranging(size, board, teams, round(least * growth))
        yield arranging.beside()
        yield arranging.in_three_columns()
        for columns in sorted({teams, -(-teams // 2), -(-teams // 3), 1}):
            yield arranging.stack(columns)
    yield _Arranging(size, board, teams, round(least)).in_a_row()


class _Arranging:
    """Ways to divide a picture, with letters of a size."""

    def __init__(self, size: tuple[int, int], board: Arrangement, teams: int, unit: int) -> None:
        self._whole = size
        self._caption = round(CAPTION * unit) if min(size) >= MIN_CAPTIONED else 0
        self._size = size[0], size[1] - self._caption
        self._arrangement, self._extent = board, board.extent
        self._teams = teams
        self._unit = unit
        self._gap = round(GAP * unit)
        width = size[0] - 2 * self._gap
        self._header = Rect(self._gap, round(self._gap * 0.6), width, round(HEADER * unit))

    def in_a_row(self) -> ImageLayout:
        """Return a layout with panels and the graph between them, the board below."""
        gap, (width, height) = self._gap, self._size
        top, high = self._header.bottom + gap // 2, round(PANEL * self._unit)
        graph_width = round(GRAPH_WIDTH * self._unit)
        panel_width = (width - graph_width - (self._teams + 2) * gap) // self._teams
        left_teams = (self._teams + 1) // 2
        boxes, left = [], gap
        for column in range(self._teams + 1):
            wide = graph_width if column == left_teams else panel_width
            boxes.append(Rect(left, top, wide, high))
            left += wide + gap
        graph = boxes.pop(left_teams)
        below = top + high + gap
        area = Rect(gap, below, width - 2 * gap, height - below - gap)
        return self._make_layout(boxes, graph, area)

    def stack(self, columns: int) -> ImageLayout:
        """Return a layout with panels in columns, the board below, then the graph."""
        gap, (width, height) = self._gap, self._size
        rows = -(-self._teams // columns)
        high = round((PANEL if rows == 1 or self._teams < 3 else LOW_PANEL) * self._unit)
        wide = (width - (columns + 1) * gap) // columns
        top = self._header.bottom + gap // 2
        boxes = [
            Rect(
                gap + team % columns * (wide + gap),
                top + team // columns * (high + gap),
                wide,
                high,
            )
            for team in range(self._teams)
        ]
        below = boxes[-1].bottom + gap
        least = round(GRAPH_HEIGHT * self._unit)
        area = Rect(gap, below, width - 2 * gap, height - below - least - 2 * gap)
        scale = scale_in(area, self._extent)
        spare = area.height - round(self._extent.height * scale)
        graph_height = max(least, min(least + spare, round(MAX_GRAPH_HEIGHT_SHARE * height)))
        spare -= graph_height - least
        # Panels come first: with room for their facts.
        more = min(max(0, round(TALL_PANEL * self._unit) - high), spare // rows)
        boxes = [
            box._replace(y=box.y + team // columns * more, height=high + more)
            for team, box in enumerate(boxes)
        ]
        below, spare = below + rows * more, spare - rows * more
        graph = Rect(gap, height - gap - graph_height, width - 2 * gap, graph_height)
        area = area._replace(y=below, height=graph.y - gap - below)
        notes = None
        if spare - gap >= MIN_NOTES_HEIGHT * self._unit:
            notes, area = area.cut_bottom(spare - gap, gap)
        return self._make_layout(boxes, graph, area)._replace(notes=notes)

    def beside(self) -> ImageLayout:
        """Return a layout with panels and graph stacked at the left, the board at the right."""
        gap, (width, height) = self._gap, self._size
        top, bottom = self._header.bottom + gap // 2, height - gap
        narrowest, widest = round(MIN_PANEL_WIDTH * self._unit), round(MAX_PANEL_WIDTH * self._unit)
        area = Rect(0, top, width - narrowest - 3 * gap, bottom - top)
        board_width = round(self._extent.width * scale_in(area, self._extent))
        wide = min(widest, max(narrowest, width - board_width - 3 * gap))
        graph_least = round(GRAPH_HEIGHT * self._unit)
        each = (bottom - top - graph_least) // self._teams - gap
        high = min(each, round(TALL_PANEL * self._unit))
        left = max(gap, (width - board_width - wide - gap) // 2)
        boxes = [Rect(left, top + team * (high + gap), wide, high) for team in range(self._teams)]
        graph_top = boxes[-1].bottom + gap
        graph = Rect(left, graph_top, wide, bottom - graph_top)
        notes = None
        low = max(graph_least, round(GRAPH_BESIDE * wide))
        if graph.height - low - gap >= MIN_NOTES_HEIGHT * self._unit:
            graph, notes = graph.cut_top(low, gap)
        right = Rect(left + wide + gap, top, width - left - wide - 2 * gap, bottom - top)
        return self._make_layout(boxes, graph, right)._replace(notes=notes)

    def in_three_columns(self) -> ImageLayout:
        """Return a layout with panels at the left, graph and notes beside them, then the board."""
        layout, gap = self.beside(), self._gap
        first = layout.panels[0]
        wide = max(round(MIN_PANEL_WIDTH * self._unit), first.width // 2)
        rest = first.width - wide - gap
        if layout.fit.scale == 0 or rest < MIN_NOTES_WIDTH * self._unit:
            return layout
        bottom = self._size[1] - gap
        high = (bottom - first.y + gap) // self._teams - gap
        panels = [
            Rect(first.x, first.y + team * (high + gap), wide, high) for team in range(self._teams)
        ]
        column = Rect(first.x + wide + gap, first.y, rest, panels[-1].bottom - first.y)
        graph_high = max(round(GRAPH_HEIGHT * self._unit), round(GRAPH_BESIDE * rest))
        graph, notes = column.cut_top(graph_high, gap)
        if notes.height < MIN_NOTES_HEIGHT * self._unit:
            return layout
        return layout._replace(panels=tuple(panels), graph=graph, notes=notes)

    def _make_layout(self, panels: list[Rect], graph: Rect, area: Rect) -> ImageLayout:
        """Return a layout with the board centered in its area; its scale is 0 without room."""
        scale, extent = scale_in(area, self._extent), self._extent
        wide, high = round(extent.width * scale), round(extent.height * scale)
        left, top = area.x + (area.width - wide) // 2, area.y + (area.height - high) // 2
        narrowest = min(panel.width for panel in panels)
        lowest = min(panel.height for panel in panels)
        if narrowest < MIN_PANEL_WIDTH * self._unit * 0.99 or lowest < LOW_PANEL * self._unit * 0.8:
            scale = 0.0
        corner = left - extent.left * scale, top - extent.top * scale
        fit = Fit(scale, *corner, self._arrangement)
        board = Rect(left, top, wide, high)
        wide = min(self._size[0] - 2 * self._gap, round(CAPTION_WIDTH * self._unit))
        x = min(board.x, self._size[0] - self._gap - wide)
        caption = Rect(x, self._size[1] - self._gap // 2, wide, self._caption)
        return ImageLayout(
            self._whole, self._unit, self._header, tuple(panels), graph, board, fit, caption
        )
