"""Where everything stands in a window of some size. Arithmetic alone."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from visualizer.scene import Extent
from visualizer.window.rect import Rect

SMALLEST = (800, 500)
USUAL = (1280, 800)
"""The size for which lengths in points are meant."""
LEAST_UNIT, MOST_UNIT = 0.87, 2.4

GAP = 8
HEADER = 48
CONTROLS = 50
LANE, LOW_LANE = 15, 12
"""The lower one where there are several films."""
GRAPH, LEAST_GRAPH = 104, 40
SIDEBAR, LEAST_SIDEBAR = 316, 222
SIDEBAR_SHARE = 0.25
TEAM, LEAST_TEAM, COMPACT_TEAM = 160, 140, 46
"""The height of a team's card, as low as it can be, and with the name and the score alone."""
LEAST_INSPECTOR = 290
LEAST_STEP = 140
"""For what just happened."""
GUTTER = 116
"""Left of the timeline, for the names of its lanes; points."""


class Wish(NamedTuple):
    """What there is to be placed."""

    films: int
    teams: int
    """The most of any film."""
    lanes: int
    """The most of any film."""
    is_inspecting: bool


class Layout(msgspec.Struct, frozen=True):
    """The places of a window's parts; per film where there are several."""

    window: Rect
    unit: float
    """Pixels of a point."""
    header: Rect
    controls: Rect
    boards: tuple[Rect, ...]
    cards: tuple[tuple[Rect, ...], ...]
    """Of each film, of each team."""
    is_compact: bool
    """Whether cards show the name and the score alone."""
    aside: Rect | None
    """For what is being looked into, or what just happened."""
    graphs: tuple[Rect, ...]
    lanes: tuple[Rect, ...]
    """Below each graph, as wide as it."""

    @property
    def timeline(self) -> Rect:
        """All of it: where one can seek."""
        first, last = self.graphs[0], self.lanes[-1]
        return Rect(first.x, first.y, first.width, last.bottom - first.y)


def unit_of(width: float, height: float, pixel_ratio: float = 1.0) -> float:
    """How many pixels a point has in a window of so many pixels.

    Text grows with the window, but by half as much: a large window is there to show more.
    """
    growth = min(width / USUAL[0], height / USUAL[1]) / pixel_ratio
    return min(max((1 + growth) / 2, LEAST_UNIT), MOST_UNIT) * pixel_ratio


def layout(width: float, height: float, wish: Wish, pixel_ratio: float = 1.0) -> Layout:
    """Of a window of so many pixels."""
    unit = unit_of(width, height, pixel_ratio)
    gap = round(GAP * unit)
    window = Rect(0, 0, width, height)
    header, rest = window.cut_top(round(HEADER * unit))
    rest = rest.inset(gap, 0)
    aside = None
    cards: list[tuple[Rect, ...]] = []
    is_compact = wish.films > 1
    if wish.films == 1 or wish.is_inspecting:
        share = min(max(SIDEBAR_SHARE * width, LEAST_SIDEBAR * unit), SIDEBAR * unit)
        sidebar, rest = rest.cut_right(round(share), gap)
        sidebar, _ = sidebar.cut_top(sidebar.height - gap)
        if wish.films == 1:
            height = _card_height(sidebar, unit, gap, wish)
            is_compact = height < LEAST_TEAM * unit
            team_cards, sidebar = _stacked(sidebar, height, gap, wish.teams)
            cards.append(team_cards)
        aside = sidebar
    controls, rest = rest.cut_bottom(round(CONTROLS * unit))
    graphs, lanes, rest = _timeline(rest, unit, gap, wish)
    _, rest = rest.cut_bottom(0, gap)
    boards = rest.columns(wish.films, gap)
    if wish.films > 1:
        for number, board in enumerate(boards):
            below, boards[number] = board.cut_bottom(round(COMPACT_TEAM * unit), gap)
            cards.append(tuple(below.columns(wish.teams, gap)))
    return Layout(
        window, unit, header, controls, tuple(boards), tuple(cards), is_compact, aside,
        graphs, lanes,
    )  # fmt: skip


def fitted(extent: Extent, place: Rect) -> tuple[float, float, float]:
    """Pixels per square, whole if there are enough, and where (0, 0) of the board comes to lie."""
    scale = min(place.width / extent.width, place.height / extent.height)
    if scale >= 8:
        scale = float(int(scale))
    left = place.x + (place.width - extent.width * scale) / 2 - extent.left * scale
    top = place.y + (place.height - extent.height * scale) / 2 - extent.top * scale
    return scale, float(round(left)), float(round(top))


def _card_height(sidebar: Rect, unit: float, gap: float, wish: Wish) -> float:
    """So that an inspector, or what just happened, has room below the cards."""
    least = (LEAST_INSPECTOR if wish.is_inspecting else LEAST_STEP) * unit
    room = (sidebar.height + gap - least) / wish.teams - gap
    return min(room, TEAM * unit) if room >= LEAST_TEAM * unit else COMPACT_TEAM * unit


def _stacked(sidebar: Rect, height: float, gap: float, teams: int) -> tuple[tuple[Rect, ...], Rect]:
    cards: list[Rect] = []
    for _ in range(teams):
        card, sidebar = sidebar.cut_top(int(height), gap)
        cards.append(card)
    return tuple(cards), sidebar


def _timeline(
    rest: Rect, unit: float, gap: float, wish: Wish
) -> tuple[tuple[Rect, ...], tuple[Rect, ...], Rect]:
    """Graph and lanes of each film one below the other, so that one playhead goes through all."""
    lanes_height = round((LANE if wish.films == 1 else LOW_LANE) * unit) * wish.lanes
    share = min(GRAPH * unit, rest.height * 0.16) / (1 if wish.films == 1 else 1.5)
    graph_height = round(max(LEAST_GRAPH * unit, share))
    graphs: list[Rect] = []
    lanes: list[Rect] = []
    for _ in range(wish.films):
        strip, rest = rest.cut_bottom(graph_height + lanes_height, gap)
        strip = Rect(
            strip.x + GUTTER * unit, strip.y, strip.width - GUTTER * unit - gap, strip.height
        )
        graph, lane = strip.cut_top(graph_height)
        graphs.insert(0, graph)
        lanes.insert(0, lane)
    return tuple(graphs), tuple(lanes), rest


def lane_rows(lanes: Rect, count: int) -> Sequence[Rect]:
    return lanes.rows(count) if count else ()
