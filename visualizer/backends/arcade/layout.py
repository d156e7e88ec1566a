"""The layout of a window of some size. Arithmetic alone."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from visualizer.drawing.header import CAPTION_HEIGHT
from visualizer.drawing.measures import TALL_RATIO
from visualizer.drawing.rect import Rect

MIN_SIZE = (800, 500)
USUAL = (1280, 800)
"""The usual size of a window, at which a point is a pixel."""
MIN_UNIT, MAX_UNIT = 0.87, 2.4

GAP = 8
HEADER = 48
CONTROLS = 48
LANE, LOW_LANE = 13, 12
"""The height of a lane, and the lower one where there are several replays."""
GRAPH, MIN_GRAPH_HEIGHT = 66, 40
SIDEBAR, MIN_SIDEBAR_WIDTH = 316, 222
SIDEBAR_SHARE = 0.25
TEAM, MIN_TEAM_HEIGHT, SHORT_TEAM, COMPACT_TEAM = 160, 140, 116, 46
"""The height of a team panel: usual, least, with few facts, and with name and score alone."""
PANELS_IN_A_ROW = 2
"""The team panels beside each other where the board has all the height."""
MAX_BOARD_WIDTH_SHARE = 0.58
"""The most width of such a board, as a share of the window's."""
UPRIGHT_RATIO = 1.1
"""A window that is so many times higher than wide may have everything below the board."""
MAX_BOARD_HEIGHT_SHARE = 0.62
"""The most height of such a board, as a share of that above the timeline."""
MIN_INSPECTOR_HEIGHT = 290
MIN_STEP_HEIGHT = 140
"""The least height of the panel with the last step."""
MIN_LEGEND_HEIGHT = 120
"""The least height of a legend beside team panels."""
GUTTER = 116
"""The room left of the timeline for the names of its lanes; points."""


class LayoutContent(NamedTuple):
    """The content that a layout must place."""

    replays: int
    teams: int
    """The largest number in any replay."""
    lanes: int
    """The largest number in any replay."""
    is_inspecting: bool
    aspect: float = 1.5
    """The width of a board, of its height."""
    parts: int = 1
    """The parts of a board that may be stacked."""
    has_short_panels: bool = False
    """Whether team panels have few facts."""


class WindowLayout(msgspec.Struct, frozen=True):
    """The places of a window's parts, some for each replay."""

    window: Rect
    unit: float
    """Pixels per point."""
    header: Rect
    controls: Rect
    boards: tuple[Rect, ...]
    captions: tuple[Rect, ...]
    """The line below each board."""
    team_panels: tuple[tuple[Rect, ...], ...]
    """By replay and team."""
    sidebar: Rect | None
    """The place of the inspector, or of the last step."""
    graphs: tuple[Rect, ...]
    lanes: tuple[Rect, ...]
    """The lanes below each graph, as wide as it."""
    key: Rect | None = None
    """The place of the legend, where it has one of its own."""

    @property
    def timeline(self) -> Rect:
        """Return the whole timeline, where a click seeks."""
        first, last = self.graphs[0], self.lanes[-1]
        return Rect(first.x, first.y, first.width, last.bottom - first.y)


def pixels_per_point(width: float, height: float, pixel_ratio: float = 1.0) -> float:
    """Return the pixels per point in a window of a size in pixels.

    Text grows with the window, but by half as much: a large window is there to show more.
    """
    growth = min(width / USUAL[0], height / USUAL[1]) / pixel_ratio
    return min(max((1 + growth) / 2, MIN_UNIT), MAX_UNIT) * pixel_ratio


def layout(
    width: float, height: float, content: LayoutContent, pixel_ratio: float = 1.0
) -> WindowLayout:
    """Return the layout for a window of this size, in pixels."""
    unit = pixels_per_point(width, height, pixel_ratio)
    gap = round(GAP * unit)
    window = Rect(0, 0, width, height)
    header, rest = window.cut_top(round(HEADER * unit))
    rest = rest.inset(gap, 0)
    layouts = [_layout_above(window, header, rest, unit, content)]
    if content.replays == 1 and content.aspect < TALL_RATIO:
        layouts.append(_layout_beside(window, header, rest, unit, content))
    if content.replays == 1 and height > UPRIGHT_RATIO * width:
        layouts.append(_layout_below(window, header, rest, unit, content))
    return max(layouts, key=lambda each: _height_of_board(each.boards[0], content))


def _height_of_board(rect: Rect, content: LayoutContent) -> float:
    """Return how high a board is that fills a place; of one with its parts stacked, a part."""
    own, parts = min(rect.height, rect.width / content.aspect), content.parts
    return max(own, min(rect.height / parts, rect.width * parts / content.aspect))


def _layout_above(
    window: Rect, header: Rect, rest: Rect, unit: float, content: LayoutContent
) -> WindowLayout:
    """Return a layout with the boards above the timeline."""
    gap, width = round(GAP * unit), window.width
    sidebar = None
    team_panels: list[tuple[Rect, ...]] = []
    if content.replays == 1 or content.is_inspecting:
        share = min(max(SIDEBAR_SHARE * width, MIN_SIDEBAR_WIDTH * unit), SIDEBAR * unit)
        column, rest = rest.cut_right(round(share), gap)
        column, _ = column.cut_top(column.height - gap)
        if content.replays == 1:
            height = _panel_height(column, unit, gap, content)
            stacked, column = _stack_panels(column, height, gap, content.teams)
            team_panels.append(stacked)
        sidebar = column
    controls, rest = rest.cut_bottom(round(CONTROLS * unit))
    graphs, lanes, rest = _timeline_rects(rest, unit, gap, content)
    _, rest = rest.cut_bottom(0, gap)
    boards = rest.columns(content.replays, gap)
    if content.replays > 1:
        for number, board in enumerate(boards):
            below, boards[number] = board.cut_bottom(round(COMPACT_TEAM * unit), gap)
            team_panels.append(tuple(below.columns(content.teams, gap)))
    captions, cut = _cut_captions(boards, unit)
    return WindowLayout(
        window, unit, header, controls, cut, captions, tuple(team_panels), sidebar,
        graphs, lanes,
    )  # fmt: skip


def _layout_beside(
    window: Rect, header: Rect, rest: Rect, unit: float, content: LayoutContent
) -> WindowLayout:
    """Return a layout with the board at the left in all the height, everything else beside it."""
    gap = round(GAP * unit)
    controls, rest = rest.cut_bottom(round(CONTROLS * unit))
    wide = round(min(rest.height * content.aspect, MAX_BOARD_WIDTH_SHARE * window.width))
    column, board = rest.cut_right(rest.width - wide - gap, gap)
    graphs, lanes, column = _timeline_rects(column, unit, gap, content)
    _, column = column.cut_bottom(0, gap)
    rows = -(-content.teams // PANELS_IN_A_ROW)
    height = _panel_height(column, unit, gap, content._replace(teams=rows))
    stacked, sidebar = _stack_panels(column, height, gap, rows)
    panels = [panel for row in stacked for panel in row.columns(PANELS_IN_A_ROW, gap)]
    free = panels[content.teams :]
    key = free[0] if free and height >= MIN_LEGEND_HEIGHT * unit else None
    captions, boards = _cut_captions([board], unit)
    return WindowLayout(
        window, unit, header, controls, boards, captions, (tuple(panels[: content.teams]),),
        sidebar, graphs, lanes, key,
    )  # fmt: skip


def _layout_below(
    window: Rect, header: Rect, rest: Rect, unit: float, content: LayoutContent
) -> WindowLayout:
    """Return a layout of an upright window: the board in all the width, everything else below."""
    gap = round(GAP * unit)
    controls, rest = rest.cut_bottom(round(CONTROLS * unit))
    graphs, lanes, rest = _timeline_rects(rest, unit, gap, content)
    _, rest = rest.cut_bottom(0, gap)
    high = round(min(rest.width / content.aspect, MAX_BOARD_HEIGHT_SHARE * rest.height))
    board, below = rest.cut_top(high, gap)
    sidebar, column = below.cut_right((below.width - gap) // 2, gap)
    room = (column.height + gap) / content.teams - gap
    height = _usual_height(room, unit, content)
    panels, _ = _stack_panels(column, height, gap, content.teams)
    captions, boards = _cut_captions([board], unit)
    return WindowLayout(
        window, unit, header, controls, boards, captions, (panels,), sidebar, graphs, lanes
    )


def _cut_captions(boards: Sequence[Rect], unit: float) -> tuple[tuple[Rect, ...], tuple[Rect, ...]]:
    """Return the line below each board, and the boards without it."""
    cut = [board.cut_bottom(round(CAPTION_HEIGHT * unit)) for board in boards]
    return tuple(line for line, _ in cut), tuple(board for _, board in cut)


def _panel_height(column: Rect, unit: float, gap: float, content: LayoutContent) -> float:
    """Return the height of a team panel that leaves room for the inspector or the last step."""
    least = (MIN_INSPECTOR_HEIGHT if content.is_inspecting else MIN_STEP_HEIGHT) * unit
    room = (column.height + gap - least) / content.teams - gap
    return _usual_height(room, unit, content)


def _usual_height(room: float, unit: float, content: LayoutContent) -> float:
    """Return the height of a team panel that has so much room."""
    usual, fewest = (SHORT_TEAM,) * 2 if content.has_short_panels else (TEAM, MIN_TEAM_HEIGHT)
    return min(room, usual * unit) if room >= fewest * unit else COMPACT_TEAM * unit


def _stack_panels(
    column: Rect, height: float, gap: float, teams: int
) -> tuple[tuple[Rect, ...], Rect]:
    team_panels: list[Rect] = []
    for _ in range(teams):
        panel, column = column.cut_top(int(height), gap)
        team_panels.append(panel)
    return tuple(team_panels), column


def _timeline_rects(
    rest: Rect, unit: float, gap: float, content: LayoutContent
) -> tuple[tuple[Rect, ...], tuple[Rect, ...], Rect]:
    """Return the graphs and lanes, stacked so that one playhead crosses all, and the rest."""
    lanes_height = round((LANE if content.replays == 1 else LOW_LANE) * unit) * content.lanes
    share = min(GRAPH * unit, rest.height * 0.16) / (1 if content.replays == 1 else 1.5)
    graph_height = round(max(MIN_GRAPH_HEIGHT * unit, share))
    graphs: list[Rect] = []
    lanes: list[Rect] = []
    for _ in range(content.replays):
        strip, rest = rest.cut_bottom(graph_height + lanes_height, gap)
        strip = Rect(
            strip.x + GUTTER * unit, strip.y, strip.width - GUTTER * unit - gap, strip.height
        )
        graph, lane = strip.cut_top(graph_height)
        graphs.insert(0, graph)
        lanes.insert(0, lane)
    return tuple(graphs), tuple(lanes), rest
