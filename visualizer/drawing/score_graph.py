"""Draws the graph of the scores: a line per team over the turns, on axes of round numbers."""

from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, pairwise
from math import floor, hypot, log10
from typing import NamedTuple

from visualizer.drawing import measures
from visualizer.drawing.draw_list import AnyDrawList
from visualizer.drawing.geometry import Point
from visualizer.drawing.rect import Rect
from visualizer.model.playback import UNFOLDED, FoldedTime
from visualizer.model.timeline import ReplayTimeline
from visualizer.theme import CASING, DASHES, LINES, PANEL, QUIET, RIM, TEXT, legible

TINY = 10
ROUND_NUMBERS = (1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.4, 2.6, 3, 3.4, 4, 5, 6, 8, 10)
"""The round numbers at the top of the axis, times a power of ten."""
LABELED_SHARES = (0.0, 0.5, 1.0)
"""The labeled heights."""
TO_WIN = "to win"
DOT_SIZE = 7
"""The size of the dot on a line, points."""
PIXELS_PER_POINT = 2
"""A line has at most one point in so many pixels."""


class Curves(NamedTuple):
    """What a graph shows."""

    name: str
    """The name of the scores."""
    scores: Sequence[Sequence[float]]
    """The scores of the teams by turn, turn 0 first."""
    thresholds: Sequence[float | None]
    """The scores that win, by turn."""
    color_of: Callable[[int], str]
    """Returns the color of a team, from 1."""

    @property
    def most(self) -> float:
        return self.most_until(len(self.scores))

    def most_until(self, turn: int) -> float:
        """Return the highest score up to a turn."""
        known = slice(turn + 1)
        return max([0.0, *map(max, self.scores[known]), *filter(None, self.thresholds[known])])


def draw_curve(draws: AnyDrawList, line: Sequence[Point], width: float, team_color: str) -> None:
    """Draw a line of a team, in its dashes, with a rim."""
    dashes = [draws.px(length) for length in DASHES.get(team_color, ())]
    pieces = list(split_into_dashes(line, dashes)) if dashes else [line]
    rim = 2 * max(1, draws.px(1))
    for wider, color in ((rim, CASING), (0, legible(team_color, PANEL, LINES))):
        for piece in pieces:
            draws.line(piece, width + wider, color)


def make_curves(timeline: ReplayTimeline) -> Curves:
    scene = timeline.scene
    return Curves(scene.score_name, timeline.scores, timeline.thresholds, scene.team_color)


TURN_ASIDE = 4
"""How far right of its line the number of a turn is, points."""


class ScoreGraph:
    """Curves in a place, up to a turn at its right edge."""

    def __init__(
        self,
        draws: AnyDrawList,
        curves: Curves,
        rect: Rect,
        end: float,
        most: float | None = None,
        folded: FoldedTime = UNFOLDED,
    ) -> None:
        """Prepare a graph; the turns are written in the upper part of its place.

        `most`: the highest score that has room, by default the highest there is.
        `folded` are the quiet stretches, which are narrower.
        """
        self._draws = draws
        self.name, self._scores, self._thresholds, self._color_of = curves
        self._place = rect
        self.end, self._folded = max(1.0, end), folded
        _, self.plot = rect.cut_top(draws.px(measures.AXIS))
        self._most = nice_top(curves.most if most is None else most)
        self._teams = range(1, len(self._scores[0]) + 1 if self._scores else 1)

    @property
    def labels_width(self) -> int:
        """Return the width of the labels at the left."""
        return max(self._draws.text_width(text, TINY) for _, text in self._grid_levels())

    def x_at(self, turn: float) -> float:
        fold = self._folded.fold
        return self.plot.x + fold(turn) / fold(self.end) * self.plot.width

    def draw_axes(self, height: float | None = None) -> None:
        """Draw turns and levels; the lines of the turns are as high as the place by default."""
        draws, plot, rect = self._draws, self.plot, self._place
        for share, text in self._grid_levels():
            y = round(plot.bottom - share * plot.height)
            draws.rect(Rect(plot.x, y, plot.width, 1), RIM)
            draws.text(plot.x - draws.px(8), y, text, TINY, QUIET, align=1.0)
        for turn in tick_turns(draws, plot.width, self.end, self._folded):
            x, text = round(self.x_at(turn)), f"{turn}"
            draws.rect(Rect(x, rect.y, 1, rect.height if height is None else height), RIM, 0.8)
            if plot.right - x > draws.text_width(text, TINY) + draws.px(6):
                x += draws.px(TURN_ASIDE)
                draws.text(x, rect.y + draws.px(measures.AXIS / 2), text, TINY, QUIET)

    def draw_lines(self) -> None:
        """Draw the lines over faint areas, the first team's on top, and what it takes to win."""
        draws, bottom = self._draws, self.plot.bottom
        lines = {team: self._score_points(team) for team in reversed(self._teams)}
        for team, line in lines.items():
            if len(line) > 1:
                corners = [*line, (line[-1][0], bottom), (line[0][0], bottom)]
                draws.polygon(corners, self._color_of(team), measures.SHADE_OPACITY)
        for team, line in lines.items():
            draw_curve(draws, line, max(2, draws.px(measures.CURVE)), self._color_of(team))
        self._draw_dashes(self._goal_points())

    def draw_goal_sample(self, x: float, y: float) -> float:
        """Draw the legend of the winning score, if there is one. Return its width."""
        draws = self._draws
        if not self._goal_points():
            return 0
        sample = draws.px(3 * measures.DASH + 2 * measures.DASH_GAP)
        self._draw_dashes([(x, y), (x + sample, y)])
        gap = draws.px(6)
        return sample + gap + draws.text(x + sample + gap, y, TO_WIN, TINY, QUIET)

    def draw_moment(self, turn: int) -> None:
        """Draw a line at a turn, with a dot where it crosses that of each team."""
        draws, x, plot = self._draws, round(self.x_at(min(turn, self.end))), self.plot
        draws.rect(Rect(x, plot.y, 1, plot.height), TEXT)
        for team in reversed(self._teams):
            y = self._height_at(turn, team)
            draws.disc(x, y, draws.px(DOT_SIZE) + 2, TEXT)
            draws.disc(x, y, draws.px(DOT_SIZE), self._color_of(team))
        self.draw_numbers(turn)

    def draw_numbers(self, turn: int) -> None:
        """Draw the team numbers beside the lines: many colors are hard to tell apart."""
        draws, teams, size = self._draws, self._teams, self._draws.px(measures.CURVE_BADGE)
        rect, last = self._place, len(self._scores) - 1
        if len(teams) <= 2 or len(teams) * size > rect.height:
            return
        heights = [self._height_at(turn, team) for team in teams]
        x = self.x_at(min(turn, last)) + size
        if x + size / 2 > rect.right:
            x -= 2 * size
        for team, y in zip(teams, spread_labels(heights, size, rect.y, rect.bottom), strict=True):
            draws.badge(x, y, measures.CURVE_BADGE, team, self._color_of(team))

    def _grid_levels(self) -> list[tuple[float, str]]:
        return [(share, f"{self._most * share:g}") for share in LABELED_SHARES]

    def _height_at(self, turn: int, team: int) -> float:
        """Return where a team's line is at a turn, or at the last one that is known."""
        return self._y_at(self._scores[min(turn, len(self._scores) - 1)][team - 1])

    def _y_at(self, score: float) -> float:
        return self.plot.bottom - max(0.0, score) / self._most * self.plot.height

    def _score_points(self, team: int) -> Sequence[Point]:
        """Return the points of a team's scores."""
        count = len(self._scores)
        step = max(1, int(self.end * PIXELS_PER_POINT / max(1.0, self.plot.width)))
        turns = sorted({*range(0, count, step), count - 1}) if count else []
        return [(float(round(self.x_at(turn))), self._height_at(turn, team)) for turn in turns]

    def _goal_points(self) -> Sequence[Point]:
        """Return the points of the line of the winning score."""
        return [
            (self.x_at(turn), self._y_at(threshold))
            for turn, threshold in enumerate(self._thresholds)
            if threshold is not None
        ]

    def _draw_dashes(self, line: Sequence[Point]) -> None:
        px, width = self._draws.px, max(1, self._draws.px(measures.GOAL_LINE))
        for dash in split_into_dashes(line, (px(measures.DASH), px(measures.DASH_GAP))):
            self._draws.line(dash, width, TEXT)


def tick_turns(
    draws: AnyDrawList, width: float, end: float, folded: FoldedTime = UNFOLDED
) -> Sequence[int]:
    """Return the turns with a line and a number, in so many pixels up to the last turn.

    None is where the mark of a quiet stretch is.
    """
    fold = folded.fold
    least = fold(end) * draws.px(measures.TICK_GAP) / max(1.0, width)
    step = next((tick for tick in measures.TICKS if tick >= least), measures.TICKS[-1])
    turns = [0]
    for turn in range(step, int(end) + 1, step):
        place = fold(turn)
        marks = ((fold(each.begin) - least / 2, fold(each.last)) for each in folded.quiet)
        if place - fold(turns[-1]) >= least and not any(a < place < b for a, b in marks):
            turns.append(turn)
    return turns[1:]


def nice_top(most: float) -> float:
    """Return the next number that is round and has a round half, for the labels of an axis."""
    if most <= 0:
        return 1.0
    power: float = 10.0 ** floor(log10(most))
    return next(step * power for step in ROUND_NUMBERS if step * power >= most * 0.9999)


def split_into_dashes(line: Sequence[Point], dashes: Sequence[float]) -> Iterator[Sequence[Point]]:
    """Yield the straight pieces of a line in dashes and gaps, which may go around a corner."""
    turns = cycle(zip(dashes, cycle((True, False))))
    left, is_drawn = next(turns)
    for start, stop in pairwise(line):
        length, at = hypot(stop[0] - start[0], stop[1] - start[1]), 0.0
        while at < length:
            end = min(at + left, length)
            if is_drawn:
                yield tuple(_point_between(start, stop, far / length) for far in (at, end))
            left, at = at + left - end, end
            if left <= 0:
                left, is_drawn = next(turns)


def _point_between(start: Point, stop: Point, share: float) -> Point:
    return (start[0] + (stop[0] - start[0]) * share, start[1] + (stop[1] - start[1]) * share)


def spread_labels(places: Sequence[float], room: float, low: float, high: float) -> list[float]:
    """Return the middles of labels of a height `room`, moved until none covers another.

    They stay in their order, and between `low` and `high` if all of them fit there.
    """
    order = sorted(range(len(places)), key=lambda label: places[label])
    moved = list(places)
    least = low + room / 2
    for label in order:
        moved[label] = least = max(least, places[label])
        least += room
    most = high - room / 2
    for label in reversed(order):
        moved[label] = most = min(most, moved[label])
        most -= room
    return moved
