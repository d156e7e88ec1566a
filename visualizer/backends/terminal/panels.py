"""The panel of a team, beside the board or as a line above it."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from engine.support.wording import write_number, write_time
from visualizer.backends.terminal.board import DARK, LIGHT
from visualizer.backends.terminal.canvas import Canvas, Style, count_columns
from visualizer.backends.terminal.colors import is_light
from visualizer.backends.terminal.scale import TextRect
from visualizer.backends.terminal.terminal_model import ReplayView
from visualizer.model import formatting
from visualizer.scene import Fact
from visualizer.theme import LETTERS, LINES, PANEL, QUIET, TEXT, legible, mix_colors

EIGHTHS = " ▁▂▃▄▅▆▇█"
MARGIN = 1
DOTS = (1, 2, 4, 64), (8, 16, 32, 128)
"""The bits of the dots of a Braille letter, column by column."""
BRAILLE = 0x2800
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
        state, timeline = view.cursor.state, view.timeline
        self._scores = timeline.scene.scores(state, timeline.replay.game.standing(state).scores)

    def draw_box(self, rect: TextRect) -> None:
        """Draw the panel as a box."""
        x, width = rect.x + MARGIN, rect.width - 2 * MARGIN
        facts = self._list_facts()
        needed = 2 + _count_rows(facts, width)
        box = TextRect(rect.x, rect.y, rect.width, rect.height - (rect.height > needed))
        self._canvas.fill(*box, PANEL)
        self._name(x, box.y, width)
        if box.height > 1:
            self._canvas.write(x, box.y + 1, self._score_text, self._letters, Style.BOLD)
        y = box.y + 2
        for name, fact in facts:
            y = self._write_fact(name, fact, TextRect(x, y, width, box.y + box.height - y))

    def draw_line(self, rect: TextRect) -> None:
        """Draw the panel as a line: name, score and first fact."""
        canvas, width = self._canvas, rect.width
        canvas.fill(*rect, PANEL)
        x = rect.x + MARGIN
        longest = max(map(count_columns, self._timeline.scene.names))
        name_width = min(24, width // 2, max(10, width // 3, NUMBER + longest))
        self._name(x, rect.y, name_width)
        x += name_width + 1
        score = f"{self._score_text:>8}"
        x = canvas.write(x, rect.y, score, TEXT, Style.BOLD) + 2
        numbers = [
            f"{name} {fact}" for name, fact in self._list_facts() if isinstance(fact, int | str)
        ]
        end = rect.x + width - MARGIN
        if numbers and x + len(numbers[0]) <= end:
            canvas.write(end - len(numbers[0]), rect.y, numbers[0], QUIET)

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

    def _list_facts(self) -> Sequence[tuple[str, Fact | tuple[int, ...]]]:
        timeline, team = self._timeline, self._team
        return (
            *timeline.scene.panel(self._view.cursor.state, team),
            (formatting.CPU, write_time(timeline.cpu_us(team, self._turn))),
            ("forfeited", timeline.forfeited_turns(team, self._turn)),
        )

    def _write_fact(self, name: str, fact: Fact | tuple[int, ...], rect: TextRect) -> int:
        """Write a fact in one row or two. Return the row of the next."""
        if rect.height <= 0:
            return rect.y
        canvas, x, y, width, _ = self._canvas, *rect
        if isinstance(fact, tuple):
            if width - len(name) - 1 >= len(fact):
                canvas.write(x, y, name, QUIET)
                x = x + width - len(fact)
            elif rect.height > 1:
                canvas.write(x, y, name, QUIET, width=width)
                y += 1
            canvas.write(x, y, columns(downsample(fact, width)), self._line)
            return y + 1
        text = formatting.fact_text(fact)
        canvas.write(x, y, name, QUIET)
        canvas.write(max(x + len(name) + 1, x + width - count_columns(text)), y, text, TEXT)
        return y + 1


def _count_rows(facts: Sequence[tuple[str, Fact | tuple[int, ...]]], width: int) -> int:
    """Return how many rows facts take."""
    return sum(
        2 if isinstance(fact, tuple) and len(name) + 1 + len(fact) > width else 1
        for name, fact in facts
    )


def columns(values: Sequence[float]) -> str:
    """Return a column per value; values above 0 are visible."""
    top = max(values, default=0)
    fills = [max(1, round(value / top * 8)) if value > 0 else 0 for value in values]
    return "".join(EIGHTHS[min(8, fill)] for fill in fills)


def draw_curves(canvas: Canvas, view: ReplayView, rect: TextRect) -> None:
    """Draw the scores of all teams and what wins over the match, pale after the playhead."""
    canvas.fill(*rect, PANEL)
    timeline, whole = view.timeline, view.last_turn + 1
    left, width, height = rect.x + MARGIN, rect.width - NUMBER, 4 * rect.height
    turn = view.cursor.step.turn if view.cursor.position else 0
    been = 1 + turn * (2 * width - 1) // max(1, whole - 1)
    goals = [goal or 0.0 for goal in timeline.thresholds]
    dots: Counter[tuple[int, int]] = Counter()
    for team, scores in enumerate([goals, *zip(*timeline.scores, strict=True)]):
        if not team and not any(goals):
            continue
        color = legible(timeline.scene.team_color(team), PANEL, LINES) if team else QUIET
        shares = (max(0.0, score) / (timeline.most or 1) for score in scores)
        found = [height - 1 - round(min(1.0, share) * (height - 1)) for share in shares]
        ys = sample_values(found, 2 * width, whole)
        for x, (before, y) in enumerate(pairwise([*ys[:1], *ys])):
            shade = color if x < been else mix_colors(color, PANEL, AHEAD)
            for each in range(int(min(before, y)), int(max(before, y)) + 1):
                at = x // 2, each // 4
                dots[at] |= DOTS[x % 2][each % 4]
                canvas.write(left + at[0], rect.y + at[1], chr(BRAILLE + dots[at]), shade)
        if team:
            end = left + min(width, len(ys) // 2 + 1)
            canvas.write(end, rect.y + int(ys[-1]) // 4, f"{team}", color, Style.BOLD)


def downsample(values: Sequence[float], width: int) -> list[float]:
    """Return at most `width` values: of neighbors the highest."""
    each = max(1, -(-len(values) // max(1, width)))
    return [max(values[first : first + each]) for first in range(0, len(values), each)]


def sample_values(values: Sequence[float], width: int, whole: int) -> list[float]:
    """Return `width` samples of a row of values that is `whole` long once all are known."""
    known = len(values)
    places = (place * max(0, whole - 1) // max(1, width - 1) for place in range(width))
    return [values[place] for place in places if place < known]
