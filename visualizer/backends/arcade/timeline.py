"""Draws the whole match over time: a graph of the scores, and marks in lanes below it."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from visualizer.backends.arcade import icons
from visualizer.backends.arcade.draw_list import DrawList
from visualizer.backends.arcade.frame import WindowFrame, lane_names
from visualizer.backends.arcade.rect import Rect
from visualizer.drawing.graph_lines import apart, dashes
from visualizer.model.timeline import ReplayTimeline, TimelineMark
from visualizer.theme import (
    ACCENT,
    BACKGROUND,
    PANEL,
    QUIET,
    RIM,
    TEXT,
    TIMELINE_COLORS,
)

SMALL, TINY = 11, 10.5
DASH, DASH_GAP = 5, 4
"""The dashes of the line of the winning score, points."""
SHAPE = 9
"""The size of a mark, points."""
DENSE = 6
"""From so many marks at one place on, a mark has its full size."""
TICKS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1_000, 2_000, 5_000)
TICK_GAP = 64
AXIS = 13
"""The room above the graph for the turns, points."""
BADGE = 12
"""The size of a team's number, points."""
BORDER = 4
"""The border around graph and lanes, points."""


def lane_color(lane: int) -> str:
    return TIMELINE_COLORS[lane % len(TIMELINE_COLORS)]


def place_of(frame: WindowFrame, number: int) -> Rect:
    """Return the place of a replay's timeline, names and turns included."""
    graph, lanes, gap = frame.layout.graphs[number], frame.layout.lanes[number], BORDER
    left = frame.layout.controls.x
    edge = gap * frame.layout.unit
    right = graph.right + edge
    return Rect(left, graph.y - edge, right - left, lanes.bottom - graph.y + 2 * edge)


def draw_timeline(draws: DrawList, frame: WindowFrame, number: int) -> None:
    """Draw the timeline of a replay, without the playhead."""
    timeline = frame.model.views[number].timeline
    graph, lanes = frame.layout.graphs[number], frame.layout.lanes[number]
    back = Rect(graph.x, graph.y, graph.width, graph.height + lanes.height)
    draws.rounded(back.inset(-BORDER * draws.unit), draws.px(6), PANEL)
    _ticks(draws, frame, back)
    _graph(draws, frame, timeline, graph)
    _lanes(draws, frame, timeline, lanes)


def draw_playhead(draws: DrawList, frame: WindowFrame) -> None:
    """Draw the playhead through all replays, and a line at the mouse."""
    model, timeline = frame.model, frame.layout.timeline
    if model.hovered_time is not None:
        x = round(frame.x_of(model.hovered_time))
        draws.rect(Rect(x, timeline.y, 1, timeline.height), TEXT, 0.5)
    x = round(frame.x_of(model.playback.time))
    width = draws.px(2)
    draws.rect(
        Rect(x - width / 2, timeline.y - draws.px(2), width, timeline.height + draws.px(4)), ACCENT
    )
    draws.disc(x, timeline.y - draws.px(3), draws.px(11), BACKGROUND)
    draws.disc(x, timeline.y - draws.px(3), draws.px(9), ACCENT)


def near(frame: WindowFrame, time: float) -> tuple[list[str], list[str]]:
    """Return the scores and the events at a time, for a tooltip."""
    reach = SHAPE * frame.layout.unit / 2 / frame.layout.timeline.width * frame.model.end
    scores, marks = [], []
    for view in frame.model.views:
        timeline = view.timeline
        turn = min(round(time), len(timeline.scores) - 1)
        if turn >= 0:
            scores.append(" : ".join(f"{score:.1f}" for score in timeline.scores[turn]))
            threshold = timeline.thresholds[turn]
            scores += [f"{threshold:.1f} to win"] if threshold is not None else []
        counts: dict[str, int] = defaultdict(int)
        for mark in _around(timeline, time, reach):
            if abs(timeline.time_at(mark.position) - time) <= reach:
                counts[mark.what] += 1
        marks += [f"{what}: {count}" for what, count in counts.items()]
    return scores, marks


def _around(timeline: ReplayTimeline, time: float, reach: float) -> Sequence[TimelineMark]:
    """Return the marks of the turns around a time, without scanning all thousands."""
    first = timeline.begin_of(int(time - reach))
    last = timeline.end_of(int(time + reach) + 1)
    begin = bisect_left(timeline.marks, first, key=lambda mark: mark.position)
    end = bisect_right(timeline.marks, last, key=lambda mark: mark.position)
    return timeline.marks[begin:end]


def _ticks(draws: DrawList, frame: WindowFrame, place: Rect) -> None:
    """Draw the turns, at round numbers."""
    end = frame.model.end
    least = end * TICK_GAP * draws.unit / place.width
    step = next((tick for tick in TICKS if tick >= least), TICKS[-1])
    for turn in range(step, int(end) + 1, step):
        x = round(frame.x_of(turn))
        draws.rect(Rect(x, place.y, 1, place.height), RIM, 0.8)
        if place.right - x > draws.px(14):
            draws.text(x + draws.px(4), place.y + draws.px(AXIS / 2), f"{turn}", TINY, QUIET)


def _graph(draws: DrawList, frame: WindowFrame, timeline: ReplayTimeline, place: Rect) -> None:
    """Draw a line per team over a faint area."""
    _, inner = place.inset(0, draws.px(3)).cut_top(draws.px(AXIS))
    most = timeline.most or 1.0
    draws.text(place.x - draws.px(10), inner.y + draws.px(4), f"{most:.0f}", TINY, QUIET, align=1.0)
    draws.text(place.x - draws.px(10), inner.bottom - draws.px(2), "0", TINY, QUIET, align=1.0)
    label = place.x - draws.px(106)
    draws.text(label, inner.middle_y, timeline.scene.score_name, SMALL, QUIET)
    color_of = timeline.scene.team_color
    for team in range(len(timeline.replay.bots), 0, -1):
        points = _points(frame, timeline, team - 1, inner, most)
        for start, stop in pairwise(points):
            _area(draws, start, stop, inner.bottom, color_of(team))
    for team in range(len(timeline.replay.bots), 0, -1):
        points = _points(frame, timeline, team - 1, inner, most)
        for start, stop in pairwise(points):
            draws.line(start, stop, max(2, draws.px(1.6)), color_of(team))
    goal = _goal(frame, timeline, inner, most)
    for start, stop in dashes(goal, draws.px(DASH), draws.px(DASH_GAP)):
        draws.line(start, stop, max(1, draws.px(1)), TEXT)
    _numbers(draws, frame, timeline, inner, most)


def _goal(
    frame: WindowFrame, timeline: ReplayTimeline, place: Rect, most: float
) -> Sequence[tuple[float, float]]:
    """Return the points of the line of the winning score."""
    return [
        (frame.x_of(turn), place.bottom - threshold / most * place.height)
        for turn, threshold in enumerate(timeline.thresholds)
        if threshold is not None
    ]


def _numbers(
    draws: DrawList, frame: WindowFrame, timeline: ReplayTimeline, place: Rect, most: float
) -> None:
    """Draw the team numbers at the ends of lines: many colors are hard to tell apart."""
    teams = range(len(timeline.replay.bots))
    if len(teams) == 2 or not timeline.scores or len(teams) * draws.px(BADGE) > place.height:
        return
    ends = [_points(frame, timeline, team, place, most)[-1] for team in teams]
    heights = apart([y for _, y in ends], draws.px(BADGE), place.y, place.bottom)
    for team, ((x, _), y) in enumerate(zip(ends, heights, strict=True), 1):
        left = min(x + draws.px(BADGE / 2), place.right - draws.px(BADGE / 2))
        draws.badge(left, y, BADGE, team, timeline.scene.team_color(team))


def _area(
    draws: DrawList,
    start: tuple[float, float],
    stop: tuple[float, float],
    bottom: float,
    color: str,
) -> None:
    """Draw the area below a line, in columns of two pixels."""
    (x, y), (to_x, to_y) = start, stop
    for left in range(int(x), int(to_x), 2):
        width = min(2, int(to_x) - left)
        share = (left + width / 2 - x) / (to_x - x)
        top = y + (to_y - y) * share
        draws.rect(Rect(left, top, width, bottom - top), color, 0.13)


def _points(
    frame: WindowFrame, timeline: ReplayTimeline, team: int, place: Rect, most: float
) -> Sequence[tuple[float, float]]:
    """Return the points of a team's scores, one per turn, but at most one per two pixels."""
    count = len(timeline.scores)
    step = max(1, int(frame.model.end / max(1.0, place.width / 2)))
    turns = sorted({*range(0, count, step), count - 1}) if count else []
    return [
        (
            float(round(frame.x_of(turn))),
            place.bottom - timeline.scores[turn][team] / most * place.height,
        )
        for turn in turns
    ]


def _lanes(draws: DrawList, frame: WindowFrame, timeline: ReplayTimeline, place: Rect) -> None:
    names = lane_names(timeline)
    counts: dict[str, int] = defaultdict(int)
    bins: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    size = draws.px(SHAPE)
    for mark in timeline.marks:
        x = frame.x_of(timeline.time_at(mark.position))
        bins[mark.what][int((x - place.x) / size)].append(x)
        counts[mark.what] += 1
    for lane, (name, row) in enumerate(zip(names, place.rows(len(names)), strict=True)):
        draws.rect(Rect(row.x, row.y, row.width, 1), RIM, 0.6)
        for xs in bins[name].values():
            grown = 0.66 + 0.34 * min(len(xs), DENSE) / DENSE
            _shape(draws, lane, sum(xs) / len(xs), row.middle_y, size * grown)
        _legend(draws, lane, name, counts[name], row)


def _legend(draws: DrawList, lane: int, name: str, count: int, row: Rect) -> None:
    x = row.x - draws.px(106)
    _shape(draws, lane, x + draws.px(4), row.middle_y, draws.px(SHAPE))
    color = TEXT if count else QUIET
    number = draws.text(row.x - draws.px(10), row.middle_y, f"{count}", TINY, color, align=1.0)
    room = row.x - draws.px(14) - number - x - draws.px(13)
    draws.text(x + draws.px(13), row.middle_y, name, TINY, QUIET, room=room)


def _shape(draws: DrawList, lane: int, x: float, y: float, size: float) -> None:
    parts = icons.LANES[lane % len(icons.LANES)]
    key = ("lane", lane % len(icons.LANES))
    draws.picture(key, lambda pixels: icons.icon(parts, pixels), (x, y, size), lane_color(lane))
