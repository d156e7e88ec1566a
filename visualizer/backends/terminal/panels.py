"""The panel of a team, beside the board or as a line above it."""

from collections.abc import Sequence

from engine.support.wording import write_number, write_time
from visualizer.backends.terminal.board import DARK, LIGHT
from visualizer.backends.terminal.canvas import Canvas, Style, count_columns
from visualizer.backends.terminal.colors import is_light
from visualizer.backends.terminal.scale import TextRect
from visualizer.backends.terminal.terminal_model import ReplayView
from visualizer.model import formatting
from visualizer.scene import Fact
from visualizer.theme import ACCENT, LETTERS, LINES, PANEL, QUIET, TEXT, legible, mix_colors

EIGHTHS = " ▁▂▃▄▅▆▇█"
MARGIN = 1
TALLEST_GRAPH = 12
GOAL = "╌"
AHEAD = 0.75
"""How much a graph fades into the ground after the playhead."""


NUMBER = 3
"""The columns of a team's number and the space behind it."""


class PanelPainter:
    """Draws a team at the playhead."""

    def __init__(self, canvas: Canvas, view: ReplayView, team: int) -> None:
        self._canvas = canvas
        self._view = view
        self._team = team
        self._timeline = view.timeline
        self._turn = view.cursor.step.turn if view.cursor.position else 0
        self._color = view.timeline.scene.team_color(team)
        self._letters = legible(self._color, PANEL, LETTERS)
        self._line = legible(self._color, PANEL, LINES)
        self._scores = view.timeline.replay.game.standing(view.cursor.state).scores

    def beside(self, place: TextRect) -> None:
        """Draw the panel as a box."""
        x, width = place.x + MARGIN, place.width - 2 * MARGIN
        facts = self._facts()
        needed = 3 + _count_rows(facts, width)
        box = TextRect(place.x, place.y, place.width, place.height - (place.height > needed))
        self._canvas.fill(*box, PANEL)
        self._name(x, box.y, width)
        if box.height > 1:
            self._write_score(x, box.y + 1, width)
        graph = max(1, min(TALLEST_GRAPH, box.height - 2 - _count_rows(facts, width)))
        y = box.y + 2
        if box.height > 2:
            self._draw_graph(TextRect(x, y, width, graph))
        y += graph
        for name, fact in facts:
            y = self._write_fact(name, fact, TextRect(x, y, width, box.y + box.height - y))

    def line(self, place: TextRect) -> None:
        """Draw the panel as a line: name, score, first fact and graph."""
        canvas, width = self._canvas, place.width
        canvas.fill(*place, PANEL)
        x = place.x + MARGIN
        longest = max(map(count_columns, self._timeline.scene.names))
        name_width = min(24, width // 2, max(10, width // 3, NUMBER + longest))
        self._name(x, place.y, name_width)
        x += name_width + 1
        score = f"{self._score_text:>8}"
        x = canvas.write(x, place.y, score, TEXT, Style.BOLD) + 2
        room = place.x + width - MARGIN - x
        numbers = [f"{name} {fact}" for name, fact in self._facts() if isinstance(fact, int | str)]
        text = numbers[0] if numbers and len(numbers[0]) + 12 < room else ""
        if text:
            canvas.write(x + room - len(text), place.y, text, QUIET)
            room -= len(text) + 2
        self._draw_graph(TextRect(x, place.y, room, 1))

    def _name(self, x: int, y: int, width: int) -> None:
        """Write the team's number on its color, and the name."""
        light = is_light(self._color)
        end = self._canvas.write(
            x, y, f" {self._team}", DARK if light else LIGHT, Style.BOLD, ground=self._color
        )
        name = self._timeline.scene.names[self._team - 1]
        self._canvas.write(end + 1, y, name, TEXT, Style.BOLD, width=x + width - end - 1)

    @property
    def _score_text(self) -> str:
        return write_number(self._scores[self._team - 1], self._timeline.replay.game.score_decimals)

    def _write_score(self, x: int, y: int, width: int) -> None:
        end = self._canvas.write(x, y, self._score_text, self._letters, Style.BOLD)
        standing = self._standing_word()
        if standing:
            start = x + width - count_columns(standing)
            if start > end:
                self._canvas.write(start, y, standing, ACCENT)

    def _standing_word(self) -> str:
        """Return whether the team leads or has won, in a word."""
        scores, timeline = self._scores, self._timeline
        best = [team for team, score in enumerate(scores, 1) if score == max(scores)]
        outcome = timeline.replay.outcome
        if (
            outcome is not None
            and timeline.is_over
            and self._view.cursor.position == timeline.steps
        ):
            if outcome.scores[self._team - 1] < max(outcome.scores):
                return ""
            return formatting.WINNER if outcome.winners else formatting.DRAW
        return "leads" if best == [self._team] else ""

    def _draw_graph(self, place: TextRect) -> None:
        """Draw the score over the whole match; pale after the playhead."""
        timeline, whole = self._timeline, self._view.last_turn + 1
        top = timeline.most
        values = [scores[self._team - 1] for scores in timeline.scores]
        points = sample_values(values, place.width, whole)
        been = 1 + self._turn * max(0, place.width - 1) // max(1, whole - 1)
        pale = mix_colors(self._line, PANEL, AHEAD)
        for y, row in enumerate(columns(points, place.height, top), place.y):
            end = self._canvas.write(place.x, y, row[:been], self._line)
            self._canvas.write(end, y, row[been:], pale)
        if place.height > 1:
            self._draw_goal(place, top)

    def _draw_goal(self, place: TextRect, top: float) -> None:
        """Draw the winning score above the columns."""
        known, whole = self._timeline.thresholds, self._view.last_turn + 1
        if not any(known):
            return
        scores = [scores[self._team - 1] for scores in self._timeline.scores]
        values = [threshold or 0.0 for threshold in known]
        pairs = zip(
            sample_values(values, place.width, whole),
            sample_values(scores, place.width, whole),
            strict=True,
        )
        for x, (threshold, score) in enumerate(pairs, place.x):
            row = place.height - 1 - int(min(threshold / top * place.height, place.height - 1))
            if threshold and score / top * place.height <= place.height - 1 - row:
                self._canvas.write(x, place.y + row, GOAL, QUIET)

    def _facts(self) -> Sequence[tuple[str, Fact | tuple[int, ...]]]:
        timeline, team = self._timeline, self._team
        return (
            *timeline.scene.panel(self._view.cursor.state, team),
            (formatting.CPU, write_time(timeline.cpu_us(team, self._turn))),
            ("forfeited", timeline.forfeited_turns(team, self._turn)),
        )

    def _write_fact(self, name: str, fact: Fact | tuple[int, ...], place: TextRect) -> int:
        """Write a fact in one row or two. Return the row of the next."""
        if place.height <= 0:
            return place.y
        canvas, x, y, width, _ = self._canvas, *place
        if isinstance(fact, tuple):
            if width - len(name) - 1 >= len(fact):
                canvas.write(x, y, name, QUIET)
                x = x + width - len(fact)
            elif place.height > 1:
                canvas.write(x, y, name, QUIET, width=width)
                y += 1
            canvas.write(x, y, columns(downsample(fact, width))[0], self._line)
            return y + 1
        text = formatting.fact(fact)
        canvas.write(x, y, name, QUIET)
        canvas.write(max(x + len(name) + 1, x + width - count_columns(text)), y, text, TEXT)
        return y + 1


def _count_rows(facts: Sequence[tuple[str, Fact | tuple[int, ...]]], width: int) -> int:
    """Return how many rows facts take."""
    return sum(
        2 if isinstance(fact, tuple) and len(name) + 1 + len(fact) > width else 1
        for name, fact in facts
    )


def columns(values: Sequence[float], height: int = 1, top: float | None = None) -> list[str]:
    """Return a column per value in `height` rows, the top first; values above 0 are visible."""
    top = max([top if top is not None else 0.0, *values], default=0.0)
    if top <= 0:
        return [" " * len(values)] * height
    fills = [0 if value <= 0 else max(1, round(value / top * height * 8)) for value in values]
    return [
        "".join(EIGHTHS[min(8, max(0, fill - 8 * row))] for fill in fills)
        for row in reversed(range(height))
    ]


def downsample(values: Sequence[float], width: int) -> list[float]:
    """Return at most `width` values: of neighbors the highest."""
    each = max(1, -(-len(values) // max(1, width)))
    return [max(values[first : first + each]) for first in range(0, len(values), each)]


def sample_values(values: Sequence[float], width: int, whole: int) -> list[float]:
    """Return `width` samples of a row of values that is `whole` long once all are known."""
    known = len(values)
    places = (place * max(0, whole - 1) // max(1, width - 1) for place in range(width))
    return [values[place] for place in places if place < known]
