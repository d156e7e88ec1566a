"""Draws the whole match over time: a graph of the scores, and marks in lanes below it."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from visualizer.apart import apart
from visualizer.dashes import dashes
from visualizer.film import Film, TimelineMark
from visualizer.theme import (
    ACCENT,
    BACKGROUND,
    PANEL,
    QUIET,
    RIM,
    TEXT,
    TIMELINE_COLOURS,
)
from visualizer.window import icons
from visualizer.window.chips import chip
from visualizer.window.frame import Frame, lane_names
from visualizer.window.ink import Ink
from visualizer.window.rect import Rect

SMALL, TINY = 11, 10.5
DASH, DASH_GAP = 5, 4
"""Of the line of what it takes to win, points."""
SHAPE = 9
"""Of a mark, points."""
DENSE = 6
"""So many marks at one place are drawn as large as can be."""
TICKS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1_000, 2_000, 5_000)
TICK_GAP = 64
AXIS = 13
"""Above the graph, for the turns; points."""
CHIP = 12
"""Of a team's number, points."""
BORDER = 4
"""Around graph and lanes, points."""


def lane_colour(lane: int) -> str:
    return TIMELINE_COLOURS[lane % len(TIMELINE_COLOURS)]


def place_of(frame: Frame, number: int) -> Rect:
    """All that is drawn of a film's timeline, names and turns with it."""
    graph, lanes, gap = frame.layout.graphs[number], frame.layout.lanes[number], BORDER
    left = frame.layout.controls.x
    edge = gap * frame.layout.unit
    right = graph.right + edge
    return Rect(left, graph.y - edge, right - left, lanes.bottom - graph.y + 2 * edge)


def draw_timeline(ink: Ink, frame: Frame, number: int) -> None:
    """Of one film, the playhead apart."""
    film = frame.showing.reels[number].film
    graph, lanes = frame.layout.graphs[number], frame.layout.lanes[number]
    back = Rect(graph.x, graph.y, graph.width, graph.height + lanes.height)
    ink.rounded(back.inset(-BORDER * ink.unit), ink.px(6), PANEL)
    _ticks(ink, frame, back)
    _graph(ink, frame, film, graph)
    _lanes(ink, frame, film, lanes)


def draw_playhead(ink: Ink, frame: Frame) -> None:
    """Through all films; and where the mouse is."""
    showing, timeline = frame.showing, frame.layout.timeline
    if showing.hovered_time is not None:
        x = round(frame.x_of(showing.hovered_time))
        ink.rect(Rect(x, timeline.y, 1, timeline.height), TEXT, 0.5)
    x = round(frame.x_of(showing.playback.time))
    width = ink.px(2)
    ink.rect(
        Rect(x - width / 2, timeline.y - ink.px(2), width, timeline.height + ink.px(4)), ACCENT
    )
    ink.disc(x, timeline.y - ink.px(3), ink.px(11), BACKGROUND)
    ink.disc(x, timeline.y - ink.px(3), ink.px(9), ACCENT)


def near(frame: Frame, time: float) -> tuple[list[str], list[str]]:
    """What to say of a place of the timeline: scores, and marks there."""
    reach = SHAPE * frame.layout.unit / 2 / frame.layout.timeline.width * frame.showing.end
    scores, marks = [], []
    for reel in frame.showing.reels:
        film = reel.film
        turn = min(round(time), len(film.scores) - 1)
        if turn >= 0:
            scores.append(" : ".join(f"{score:.1f}" for score in film.scores[turn]))
            threshold = film.thresholds[turn]
            scores += [f"{threshold:.1f} to win"] if threshold is not None else []
        counts: dict[str, int] = defaultdict(int)
        for mark in _around(film, time, reach):
            if abs(film.time_at(mark.position) - time) <= reach:
                counts[mark.what] += 1
        marks += [f"{what}: {count}" for what, count in counts.items()]
    return scores, marks


def _around(film: Film, time: float, reach: float) -> Sequence[TimelineMark]:
    """The marks of the turns around a time; there may be thousands in all."""
    first = film.begin_of(int(time - reach))
    last = film.end_of(int(time + reach) + 1)
    begin = bisect_left(film.marks, first, key=lambda mark: mark.position)
    end = bisect_right(film.marks, last, key=lambda mark: mark.position)
    return film.marks[begin:end]


def _ticks(ink: Ink, frame: Frame, place: Rect) -> None:
    """Turns, at round numbers."""
    end = frame.showing.end
    least = end * TICK_GAP * ink.unit / place.width
    step = next((tick for tick in TICKS if tick >= least), TICKS[-1])
    for turn in range(step, int(end) + 1, step):
        x = round(frame.x_of(turn))
        ink.rect(Rect(x, place.y, 1, place.height), RIM, 0.8)
        if place.right - x > ink.px(14):
            ink.text(x + ink.px(4), place.y + ink.px(AXIS / 2), f"{turn}", TINY, QUIET)


def _graph(ink: Ink, frame: Frame, film: Film, place: Rect) -> None:
    """A line per team over a faint area."""
    _, inner = place.inset(0, ink.px(3)).cut_top(ink.px(AXIS))
    most = film.most or 1.0
    ink.text(place.x - ink.px(10), inner.y + ink.px(4), f"{most:.0f}", TINY, QUIET, align=1.0)
    ink.text(place.x - ink.px(10), inner.bottom - ink.px(2), "0", TINY, QUIET, align=1.0)
    label = place.x - ink.px(106)
    ink.text(label, inner.middle_y, film.scene.score_name, SMALL, QUIET)
    colour_of = film.scene.team_colour
    for team in range(len(film.replay.bots), 0, -1):
        points = _points(frame, film, team - 1, inner, most)
        for start, stop in pairwise(points):
            _area(ink, start, stop, inner.bottom, colour_of(team))
    for team in range(len(film.replay.bots), 0, -1):
        points = _points(frame, film, team - 1, inner, most)
        for start, stop in pairwise(points):
            ink.line(start, stop, max(2, ink.px(1.6)), colour_of(team))
    goal = _goal(frame, film, inner, most)
    for start, stop in dashes(goal, ink.px(DASH), ink.px(DASH_GAP)):
        ink.line(start, stop, max(1, ink.px(1)), TEXT)
    _numbers(ink, frame, film, inner, most)


def _goal(frame: Frame, film: Film, place: Rect, most: float) -> Sequence[tuple[float, float]]:
    """Of the line of what it takes to win."""
    return [
        (frame.x_of(turn), place.bottom - threshold / most * place.height)
        for turn, threshold in enumerate(film.thresholds)
        if threshold is not None
    ]


def _numbers(ink: Ink, frame: Frame, film: Film, place: Rect, most: float) -> None:
    """At the ends of lines whose they are: more than two colours are hard to tell apart."""
    teams = range(len(film.replay.bots))
    if len(teams) == 2 or not film.scores or len(teams) * ink.px(CHIP) > place.height:
        return
    ends = [_points(frame, film, team, place, most)[-1] for team in teams]
    heights = apart([y for _, y in ends], ink.px(CHIP), place.y, place.bottom)
    for team, ((x, _), y) in enumerate(zip(ends, heights, strict=True), 1):
        left = min(x + ink.px(CHIP / 2), place.right - ink.px(CHIP / 2))
        chip(ink, left, y, CHIP, team, film.scene.team_colour(team))


def _area(
    ink: Ink, start: tuple[float, float], stop: tuple[float, float], bottom: float, colour: str
) -> None:
    """Below a line, in columns of two pixels."""
    (x, y), (to_x, to_y) = start, stop
    for left in range(int(x), int(to_x), 2):
        width = min(2, int(to_x) - left)
        share = (left + width / 2 - x) / (to_x - x)
        top = y + (to_y - y) * share
        ink.rect(Rect(left, top, width, bottom - top), colour, 0.13)


def _points(
    frame: Frame, film: Film, team: int, place: Rect, most: float
) -> Sequence[tuple[float, float]]:
    """Of a team's scores, a turn a point, but no more than there are pixels."""
    count = len(film.scores)
    step = max(1, int(frame.showing.end / max(1.0, place.width / 2)))
    turns = sorted({*range(0, count, step), count - 1}) if count else []
    return [
        (
            float(round(frame.x_of(turn))),
            place.bottom - film.scores[turn][team] / most * place.height,
        )
        for turn in turns
    ]


def _lanes(ink: Ink, frame: Frame, film: Film, place: Rect) -> None:
    names = lane_names(film)
    counts: dict[str, int] = defaultdict(int)
    bins: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    size = ink.px(SHAPE)
    for mark in film.marks:
        x = frame.x_of(film.time_at(mark.position))
        bins[mark.what][int((x - place.x) / size)].append(x)
        counts[mark.what] += 1
    for lane, (name, row) in enumerate(zip(names, place.rows(len(names)), strict=True)):
        ink.rect(Rect(row.x, row.y, row.width, 1), RIM, 0.6)
        for xs in bins[name].values():
            grown = 0.66 + 0.34 * min(len(xs), DENSE) / DENSE
            _shape(ink, lane, sum(xs) / len(xs), row.middle_y, size * grown)
        _legend(ink, lane, name, counts[name], row)


def _legend(ink: Ink, lane: int, name: str, count: int, row: Rect) -> None:
    x = row.x - ink.px(106)
    _shape(ink, lane, x + ink.px(4), row.middle_y, ink.px(SHAPE))
    colour = TEXT if count else QUIET
    number = ink.text(row.x - ink.px(10), row.middle_y, f"{count}", TINY, colour, align=1.0)
    room = row.x - ink.px(14) - number - x - ink.px(13)
    ink.text(x + ink.px(13), row.middle_y, name, TINY, QUIET, room=room)


def _shape(ink: Ink, lane: int, x: float, y: float, size: float) -> None:
    parts = icons.LANES[lane % len(icons.LANES)]
    key = ("lane", lane % len(icons.LANES))
    ink.picture(key, lambda pixels: icons.icon(parts, pixels), (x, y, size), lane_colour(lane))
