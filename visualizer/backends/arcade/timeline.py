"""Draws the whole match over time: a graph of the scores, and marks in lanes below it."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence

from engine.support.wording import write_number, write_scores, write_time
from visualizer.backends.arcade.frame import WindowFrame
from visualizer.backends.arcade.layout import GUTTER
from visualizer.drawing.draw_list import AnyDrawList
from visualizer.drawing.measures import AXIS, CPU_LANES, FULL_SIZE_MARKS
from visualizer.drawing.rect import Rect
from visualizer.drawing.score_graph import (
    PIXELS_PER_POINT,
    TURN_ASIDE,
    ScoreGraph,
    draw_curve,
    make_curves,
    tick_turns,
)
from visualizer.drawing.score_graph import TINY as TURN_SIZE
from visualizer.drawing.signs import draw_sign
from visualizer.model import formatting
from visualizer.model.story import find_key_moments
from visualizer.model.timeline import ReplayTimeline, TimelineMark
from visualizer.scene import Mark
from visualizer.theme import ACCENT, ON_ACCENT, PANEL, QUIET, RIM, TEXT

SMALL, TINY = 11, 10.5
MARK_SIZE = 11
"""The size of a mark, points."""
LABELS_LEFT = 106
"""How far left of the graph the names of the lanes begin, points."""
CPU_LINE = 1.4
"""The width of the lines of CPU time, points."""
GOAL_BELOW = 8
"""How far the name of the scores and that of the winning score are from the middle, points."""
BORDER_WIDTH = 4
"""The border around graph and lanes, points."""


def timeline_rect(frame: WindowFrame, number: int) -> Rect:
    """Return the place of a replay's timeline, names and turns included."""
    graph, lanes, gap = frame.layout.graphs[number], frame.layout.lanes[number], BORDER_WIDTH
    left = graph.x - GUTTER * frame.layout.unit
    edge = gap * frame.layout.unit
    right = graph.right + edge
    return Rect(left, graph.y - edge, right - left, lanes.bottom - graph.y + 2 * edge)


def draw_timeline(draws: AnyDrawList, frame: WindowFrame, number: int) -> None:
    """Draw the timeline of a replay, without the playhead."""
    timeline = frame.model.views[number].timeline
    graph, lanes = frame.layout.graphs[number], frame.layout.lanes[number]
    back = Rect(graph.x, graph.y, graph.width, graph.height + lanes.height)
    draws.rounded_rect(back.inset(-BORDER_WIDTH * draws.unit), draws.px(6), PANEL)
    _, inner = graph.cut_bottom(draws.px(3))
    playback = frame.model.playback
    folded = playback.folded
    scores = ScoreGraph(draws, make_curves(timeline), inner, frame.model.end, folded=folded)
    scores.draw_axes(back.height)
    scores.draw_lines()
    for turn in find_key_moments(timeline.scores) if timeline.is_over else ():
        x, wide = frame.x_at(turn), draws.px(3)
        draws.rect(Rect(round(x - wide / 2), graph.y + draws.px(AXIS), wide, draws.px(8)), TEXT)
    scores.draw_numbers(timeline.last_turn)
    label, middle = graph.x - draws.px(LABELS_LEFT), scores.plot.middle_y
    aside = draws.px(GOAL_BELOW) if any(timeline.thresholds) else 0
    draws.text(label, middle - aside, scores.name, SMALL, QUIET)
    scores.draw_goal_sample(label, middle + aside)
    _draw_lanes(draws, frame, timeline, lanes)
    for stretch in playback.quiet if not number else ():
        mark = frame.fold_rect(stretch)
        is_folded = stretch not in playback.unfolded
        draws.rect(mark, PANEL)
        draws.rect(Rect(mark.x, mark.y, mark.width, back.height), RIM, 0.5 if is_folded else 0.2)
        sign = "»" if is_folded else "«"
        draws.text(mark.middle_x, mark.middle_y, sign, SMALL, TEXT, align=0.5)


def draw_playhead(draws: AnyDrawList, frame: WindowFrame) -> None:
    """Draw the playhead through all replays, and a line at the mouse."""
    model, timeline = frame.model, frame.layout.timeline
    if model.hovered_time is not None:
        x = round(frame.x_at(model.hovered_time))
        draws.rect(Rect(x, timeline.y, 1, timeline.height), TEXT, 0.5)
    x = round(frame.x_at(model.playback.time))
    width, below = draws.px(2), timeline.cut_top(draws.px(AXIS))[1]
    draws.rect(Rect(x - width / 2, below.y, width, below.height + draws.px(2)), ACCENT)
    _draw_turn(draws, frame, x)


def _draw_turn(draws: AnyDrawList, frame: WindowFrame, x: float) -> None:
    """Draw the turn on top of the playhead; numbers of the axis that it would cut are hidden."""
    graph, end = frame.layout.graphs[0], frame.model.end
    text = f"{round(frame.model.playback.time)}"
    width = draws.text_width(text, SMALL, is_bold=True) + draws.px(10)
    left = min(x - width / 2, graph.right + draws.px(BORDER_WIDTH) - width)
    rect = Rect(round(left), graph.y - draws.px(1), round(width), draws.px(AXIS + 1))
    for turn in tick_turns(draws, graph.width, end, frame.model.playback.folded):
        start = round(frame.x_at(turn)) + draws.px(TURN_ASIDE)
        wide = draws.text_width(f"{turn}", TURN_SIZE)
        if start < rect.right + draws.px(3) and rect.x - draws.px(3) < start + wide:
            draws.rect(Rect(start, graph.y, wide, draws.px(AXIS)), PANEL)
    draws.rounded_rect(rect, draws.px(6), ACCENT)
    draws.text(rect.middle_x, rect.middle_y, text, SMALL, ON_ACCENT, is_bold=True, align=0.5)


def tooltip_lines(frame: WindowFrame, time: float) -> tuple[list[str], list[str]]:
    """Return the scores and the events at a time, for a tooltip."""
    reach, x = MARK_SIZE * frame.layout.unit / 2, frame.x_at(time)
    scores, marks = [], []
    for view in frame.model.views:
        timeline = view.timeline
        turn = min(round(time), len(timeline.scores) - 1)
        if turn >= 0:
            scores.append(" : ".join(write_scores(timeline.scores[turn])))
            threshold = timeline.thresholds[turn]
            scores += [f"{write_number(threshold, 1)} to win"] if threshold is not None else []
            used = [timeline.cpu_us_in(team, turn) for team in _teams(timeline)]
            scores += [f"{formatting.CPU} {' : '.join(map(write_time, used))}"] if any(used) else []
        counts: dict[str, int] = defaultdict(int)
        for mark in _marks_between(timeline, frame.time_at(x - reach), frame.time_at(x + reach)):
            if abs(frame.x_at(timeline.time_at(mark.position)) - x) <= reach:
                counts[mark.what] += 1
        marks += [f"{what}: {count}" for what, count in counts.items()]
    return scores, marks


def _marks_between(timeline: ReplayTimeline, begin: float, end: float) -> Sequence[TimelineMark]:
    """Return the marks of the turns between two times, without scanning all thousands."""
    first, last = timeline.turn_start(int(begin)), timeline.turn_end(int(end) + 1)
    start = bisect_left(timeline.marks, first, key=lambda mark: mark.position)
    stop = bisect_right(timeline.marks, last, key=lambda mark: mark.position)
    return timeline.marks[start:stop]


def _draw_lanes(
    draws: AnyDrawList, frame: WindowFrame, timeline: ReplayTimeline, rect: Rect
) -> None:
    names = timeline.mark_kinds  # also what has not happened yet: nothing moves when it does
    *rows, last, lowest = rect.rows(len(names) + CPU_LANES)
    _draw_cpu_lane(draws, frame, timeline, Rect(last.x, last.y, last.width, lowest.bottom - last.y))
    counts: dict[str, int] = defaultdict(int)
    bins: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    size = draws.px(MARK_SIZE)
    for mark in timeline.marks:
        x = frame.x_at(timeline.time_at(mark.position))
        bins[mark.what][int((x - rect.x) / size)].append(x)
        counts[mark.what] += 1
    for name, row in zip(names, rows, strict=True):
        sign = timeline.mark_kinds[name]
        draws.rect(Rect(row.x, row.y, row.width, 1), RIM, 0.6)
        for xs in bins[name].values():
            grown = 0.66 + 0.34 * min(len(xs), FULL_SIZE_MARKS) / FULL_SIZE_MARKS
            draw_sign(draws, sign, sum(xs) / len(xs), row.middle_y, size * grown)
        _draw_legend(draws, sign, name, counts[name], row)


def _draw_cpu_lane(
    draws: AnyDrawList, frame: WindowFrame, timeline: ReplayTimeline, rect: Rect
) -> None:
    """Draw what each bot used in each turn, all on one scale, and name the most."""
    turns = range(1, timeline.last_turn + 1)
    used = {team: [timeline.cpu_us_in(team, turn) for turn in turns] for team in _teams(timeline)}
    most = max((max(us, default=0) for us in used.values()), default=0)
    draws.rect(Rect(rect.x, rect.y, rect.width, 1), RIM, 0.6)
    width, bottom = max(1, draws.px(CPU_LINE)), rect.bottom - draws.px(2)
    height = bottom - rect.y - draws.px(3)
    # Where several turns share a point of the line, the longest of them counts.
    step = max(1, round(len(turns) * PIXELS_PER_POINT / max(1.0, rect.width)))
    for team, us in reversed(used.items()):
        peaks = ((first + 1, max(us[first : first + step])) for first in range(0, len(us), step))
        line = [(frame.x_at(turn), bottom - height * peak / (most or 1)) for turn, peak in peaks]
        draw_curve(draws, line, width, timeline.scene.team_color(team))
    x = rect.x - draws.px(LABELS_LEFT)
    draws.text(x + draws.px(13), rect.middle_y, formatting.CPU, TINY, QUIET)
    text, color = write_time(most), TEXT if most else QUIET
    draws.text(rect.x - draws.px(10), rect.middle_y, text, TINY, color, align=1.0)


def _teams(timeline: ReplayTimeline) -> range:
    return range(1, len(timeline.replay.bots) + 1)


def _draw_legend(draws: AnyDrawList, sign: Mark, name: str, count: int, row: Rect) -> None:
    x = row.x - draws.px(LABELS_LEFT)
    draw_sign(draws, sign, x + draws.px(4), row.middle_y, draws.px(MARK_SIZE))
    color = TEXT if count else QUIET
    number = draws.text(row.x - draws.px(10), row.middle_y, f"{count}", TINY, color, align=1.0)
    room = row.x - draws.px(14) - number - x - draws.px(13)
    draws.text(x + draws.px(13), row.middle_y, name, TINY, QUIET, room=room)
