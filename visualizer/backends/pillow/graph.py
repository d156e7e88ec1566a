"""The scores of all teams over the match, up to a turn."""

from collections.abc import Callable, Iterator, Sequence
from math import floor, log10
from typing import NamedTuple

from PIL import Image, ImageDraw

from visualizer.backends.pillow.layout import Box
from visualizer.backends.pillow.lettering import Weight, font, width_of, write
from visualizer.backends.pillow.shapes import paint_rounded
from visualizer.drawing.graph_lines import apart, dashes
from visualizer.theme import BACKGROUND, PANEL, QUIET, RIM, TEXT

FINE = 3
"""Lines are drawn so many times as large as shown."""
BADGE = 0.95
"""Units: a team's number."""
NUMBER = "#ffffff"
SHADE = 34
"""The opacity of a team's color below its line, of 255."""
TO_WIN = "to win"
DASH, DASH_GAP = 0.5, 0.35
"""The dashes of the line of the winning score, units."""
ROUND = (1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10)
"""The round numbers, times a power of ten."""

Colors = Callable[[int], str]
Point = tuple[float, float]


class Curves(NamedTuple):
    """The curves of a graph."""

    name: str
    """The name of the scores."""
    scores: Sequence[Sequence[float]]
    """The scores of the teams by turn, turn 0 first."""
    thresholds: Sequence[float | None] = ()
    """The scores that win, by turn."""

    @property
    def most(self) -> float:
        return max([0.0, *map(max, self.scores), *filter(None, self.thresholds)])


class GraphPainter:
    """Draws the whole graph once, and shows as much of it as has happened."""

    def __init__(self, box: Box, unit: int, curves: Curves, color_of: Colors) -> None:
        """Draw the graph once; `color_of` returns the color of a team, from 1."""
        self.box = box
        self._unit = unit
        self._name, self._scores, self._thresholds = curves
        self._color_of = color_of
        self._last = max(1, len(self._scores) - 1)
        self._most = nice_top(curves.most)
        self._labels = font(0.7 * unit)
        self._numbers = font(0.62 * BADGE * unit, Weight.STRONG)
        self._plot = self._plot_box()
        self._empty = self._draw_empty()
        self._whole = self._draw_lines(self._empty)
        self._shown = -1

    def paint(self, image: Image.Image, turn: int) -> None:
        """Paint it into its box, unless it is there already."""
        if turn == self._shown:
            return
        self._shown = turn
        graph = self._empty.copy()
        now = self._plot.left + round(self._plot.width * min(turn, self._last) / self._last)
        graph.paste(self._whole.crop((0, 0, now, graph.height)), (0, 0))
        self._mark_now(graph, now, turn)
        image.paste(graph, self.box.corner)

    def _plot_box(self) -> Box:
        unit, (width, height) = self._unit, self.box.size
        left = round(max(width_of(text, self._labels) for _, text in self._levels()) + 1.1 * unit)
        top = round(0.8 * unit)
        bottom = height - round(0.75 * unit + self._labels.size)
        right = width - round(1.4 * unit)
        return Box(left, top, max(1, right - left), max(1, bottom - top))

    def _levels(self) -> list[tuple[float, str]]:
        """Return the labeled heights: none, half, the most."""
        return [(share, f"{self._most * share:g}") for share in (0.0, 0.5, 1.0)]

    def _draw_empty(self) -> Image.Image:
        unit, plot = self._unit, self._plot
        image = Image.new("RGB", self.box.size, BACKGROUND)
        paint_rounded(image, Box(0, 0, *self.box.size), 0.5 * unit, PANEL)
        draw = ImageDraw.Draw(image)
        for share, text in self._levels():
            y = round(plot.bottom - share * plot.height)
            draw.line((plot.left, y, plot.right, y), RIM, 1)
            write(image, (plot.left - round(0.4 * unit), y), text, QUIET, self._labels, "rm")
        line = plot.bottom + (self.box.height - plot.bottom) // 2
        write(image, (plot.left, line), "0", QUIET, self._labels, "lm")
        write(image, (plot.right, line), str(self._last), QUIET, self._labels, "rm")
        self._write_title(image, line)
        return image

    def _write_title(self, image: Image.Image, line: int) -> None:
        """Write what the curves are, and the dashed one if there is one."""
        unit, title = self._unit, f"{self._name} by turn"
        sample = round(3 * DASH * unit + 2 * DASH_GAP * unit)
        wide = width_of(title, self._labels)
        legend = sample + width_of(TO_WIN, self._labels) + 1.4 * unit if self._has_goal else 0
        left = self._plot.left + (self._plot.width - wide - legend) / 2
        write(image, (left, line), title, QUIET, self._labels, "lm")
        if not self._has_goal:
            return
        left += wide + unit
        draw = ImageDraw.Draw(image)
        for start, stop in self._dashes([(left, line), (left + sample, line)]):
            draw.line((start, stop), TEXT, max(1, round(0.12 * unit)))
        write(image, (left + sample + 0.4 * unit, line), TO_WIN, QUIET, self._labels, "lm")

    @property
    def _has_goal(self) -> bool:
        return any(threshold is not None for threshold in self._thresholds)

    def _dashes(self, line: Sequence[Point], scale: int = 1) -> Iterator[tuple[Point, Point]]:
        unit = self._unit * scale
        return dashes(line, DASH * unit, DASH_GAP * unit)

    def _draw_lines(self, empty: Image.Image) -> Image.Image:
        """Return the graph with all lines, the last team's first, so that team 1's is on top."""
        image, plot = empty.copy(), self._plot
        large, box = (
            (plot.width * FINE, plot.height * FINE),
            (*plot.corner, plot.right, plot.bottom),
        )
        if self._has_goal:
            self._draw_goal(image)
        for team in reversed(range(len(self._scores[0]) if self._scores else 0)):
            points = [self._point(turn, team) for turn in self._turns()]
            corners = [*points, (points[-1][0], large[1]), (points[0][0], large[1])]
            # Drawn large and averaged: Pillow draws lines without antialiasing.
            for shape, opacity in ((corners, SHADE), (points, 255)):
                mask = Image.new("L", large)
                draw = ImageDraw.Draw(mask)
                if shape is corners:
                    draw.polygon(shape, opacity)
                else:
                    draw.line(shape, opacity, max(FINE, round(0.16 * self._unit * FINE)), "curve")
                mask = mask.resize(plot.size, Image.Resampling.BOX)
                image.paste(self._color_of(team + 1), box, mask)
        return image

    def _draw_goal(self, image: Image.Image) -> None:
        """Draw the dashed line of the winning score."""
        plot, known = self._plot, self._thresholds
        points = [
            self._place(turn, threshold)
            for turn in self._turns()
            if turn < len(known) and (threshold := known[turn]) is not None
        ]
        mask = Image.new("L", (plot.width * FINE, plot.height * FINE))
        draw, width = ImageDraw.Draw(mask), max(FINE, round(0.1 * self._unit * FINE))
        for start, stop in self._dashes(points, FINE):
            draw.line((start, stop), 255, width)
        mask = mask.resize(plot.size, Image.Resampling.BOX)
        image.paste(TEXT, (*plot.corner, plot.right, plot.bottom), mask)

    def _turns(self) -> list[int]:
        """Return the turns that are drawn: at most one per pixel."""
        columns = min(self._last, self._plot.width)
        return [round(column * self._last / columns) for column in range(columns + 1)]

    def _point(self, turn: int, team: int) -> Point:
        return self._place(turn, self._scores[min(turn, len(self._scores) - 1)][team])

    def _place(self, turn: int, score: float) -> Point:
        share = max(0.0, score) / self._most
        return (
            turn / self._last * self._plot.width * FINE,
            (1 - share) * self._plot.height * FINE,
        )

    def _mark_now(self, image: Image.Image, now: int, turn: int) -> None:
        plot, draw = self._plot, ImageDraw.Draw(image)
        draw.line((now, plot.top, now, plot.bottom), TEXT, 1)
        for team in reversed(range(len(self._scores[0]) if self._scores else 0)):
            y = plot.top + round(self._point(turn, team)[1] / FINE)
            side = max(2, round(0.28 * self._unit))
            dot = Box(now - side, y - side, 2 * side + 1, 2 * side + 1)
            paint_rounded(image, dot, side + 0.5, TEXT)
            inner = Box(dot.left + 1, dot.top + 1, dot.width - 2, dot.height - 2)
            paint_rounded(image, inner, side, self._color_of(team + 1))
        self._number_lines(image, now, turn)

    def _number_lines(self, image: Image.Image, now: int, turn: int) -> None:
        """Write the team numbers beside the dots: many colors are hard to tell apart."""
        teams = range(len(self._scores[0]) if self._scores else 0)
        plot, size = self._plot, round(BADGE * self._unit)
        if len(teams) <= 2 or len(teams) * size > self.box.height:
            return
        ends = [plot.top + self._point(turn, team)[1] / FINE for team in teams]
        left = now + round(0.6 * self._unit)
        if left + size > self.box.width:
            left = now - round(0.6 * self._unit) - size
        for team, y in enumerate(apart(ends, size, 0, self.box.height), 1):
            badge = Box(left, round(y - size / 2), size, size)
            paint_rounded(image, badge, size / 2, self._color_of(team))
            write(image, (left + size / 2, y), str(team), NUMBER, self._numbers, "mm")


def nice_top(most: float) -> float:
    """Return the next number that is round and has a round half, for the labels of an axis."""
    if most <= 0:
        return 1.0
    power: float = 10.0 ** floor(log10(most))
    return next(step * power for step in ROUND if step * power >= most * 0.9999)
