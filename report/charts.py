"""Charts of ratings and tunings: axes, whiskers and lines over time in a drawing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from math import ceil, floor, inf

import msgspec

from runners.contests.ladder_ratings import Published
from runners.statistics.live_ratings import Moment
from runners.statistics.ratings import MEAN_RATING, Rating
from runners.statistics.spsa import Parameter, Shares, Spsa
from visualizer.theme import PAGE_DARK, PAGE_LIGHT, TEAM_COLORS, style_variables

MAX_TICKS = 5
STEPS = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
ELO_MARGIN = 40
"""Space beyond the outermost figures, in Elo."""
LETTER = 3.2
"""Half the width of a digit below an axis, pixels."""
AXIS_MARGIN = 6
"""The room beyond either end of an axis, pixels."""
OPEN_END_ELO = 120
"""Space beyond a figure whose interval has no end there, in Elo."""
MAX_INTERVAL = 400
"""How far an interval may go beyond the outermost ratings before it runs out of the drawing."""
WIDTH, ROW = 720, 130
"""Pixels: of the picture, and the height of a parameter in it."""
LEFT, RIGHT, TOP = 110, 90, 56
PLOT_HEIGHT = 88
"""The height of a parameter's plot."""
STYLE = (
    style_variables(PAGE_DARK, PAGE_LIGHT) + f".line{{fill:none;stroke:{TEAM_COLORS[0]};"
    f"stroke-width:2}}.start{{stroke:{TEAM_COLORS[1]};stroke-dasharray:4 4}}"
    f".back{{fill:var(--panel)}}.ground{{fill:var(--background)}}.now{{fill:{TEAM_COLORS[0]}}}"
    "text{font:13px Inter,system-ui,sans-serif;fill:var(--text)}"
    ".quiet{fill:var(--quiet);font-size:12px}.title{font-size:16px;font-weight:600}"
)


class Axis(msgspec.Struct, frozen=True):
    """An axis from `low` to `high`, with its length in pixels."""

    low: float
    high: float
    length: float

    def at(self, value: float) -> float:
        """Return the pixels from the left; what lies beyond stays at the end."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.length * min(1.0, max(0.0, share)), 1)

    def ticks(self) -> list[tuple[float, int]]:
        """Return round values, each after its position."""
        span = self.high - self.low
        step = next((step for step in STEPS if span / step <= MAX_TICKS), STEPS[-1])
        values = range(ceil(self.low / step) * step, floor(self.high) + 1, step)
        return [(self.at(value), value) for value in values]

    def label_at(self, value: int) -> float:
        """Return the middle of a tick's label: at its tick, but never cut off at an end."""
        most_beyond = max(0.0, LETTER * len(str(value)) - AXIS_MARGIN)
        return round(min(max(self.at(value), most_beyond), self.length - most_beyond), 1)


class Whisker(msgspec.Struct, frozen=True):
    """A rating with its interval. An end without limit runs out of the drawing."""

    low: float
    elo: float
    high: float
    is_open_low: bool
    is_open_high: bool


class Line(msgspec.Struct, frozen=True):
    """A figure over time."""

    points: str
    """The `points` of an SVG polyline."""
    last: tuple[float, float]


def rating_axis(ratings: Iterable[Rating | Published], length: float) -> Axis:
    """Return an axis that shows all ratings; long intervals are cut."""
    field = [(rating.elo, rating.low, rating.high) for rating in ratings if rating.elo is not None]
    figures = [elo for elo, _, _ in field] or [MEAN_RATING]
    lowest, highest = min(figures) - MAX_INTERVAL, max(figures) + MAX_INTERVAL
    lows = [elo - OPEN_END_ELO if low is None else max(low, lowest) for elo, low, _ in field]
    highs = [elo + OPEN_END_ELO if high is None else min(high, highest) for elo, _, high in field]
    return Axis(min([*figures, *lows]) - ELO_MARGIN, max([*figures, *highs]) + ELO_MARGIN, length)


def make_whisker(rating: Rating | Published | None, axis: Axis) -> Whisker | None:
    """Return where a rating stands on an axis; None for an entrant that is not rated."""
    if rating is None or rating.elo is None:
        return None
    low = -inf if rating.low is None else rating.low
    high = inf if rating.high is None else rating.high
    return Whisker(
        axis.at(low), axis.at(rating.elo), axis.at(high), low < axis.low, high > axis.high
    )


class HistoryChart:
    """Ratings over time, on the same axes for all entrants."""

    def __init__(
        self, histories: Mapping[int, Sequence[Moment]], width: float, height: float
    ) -> None:
        """Make axes for `histories`, which go by the numbers of the entrants."""
        self._histories = histories
        moments = [moment for own in histories.values() for moment in own] or [(1, MEAN_RATING)]
        ratings = [rating for _, rating in moments]
        self.across = Axis(0, max(games for games, _ in moments), width)
        self.upwards = Axis(min(ratings) - ELO_MARGIN / 2, max(ratings) + ELO_MARGIN / 2, height)
        self.is_empty = not any(histories.values())

    def make_line(self, entrant: int) -> Line | None:
        """Return the line of an entrant; None where there are fewer than two moments."""
        history = self._histories[entrant]
        if len(history) < 2:
            return None
        places = [
            (self.across.at(games), round(self.upwards.length - self.upwards.at(rating), 1))
            for games, rating in history
        ]
        return Line(" ".join(f"{x:g},{y:g}" for x, y in places), places[-1])


def tuning_chart(title: str, spsa: Spsa, path: Sequence[Shares]) -> str:
    """Return the picture of a tuning as far as it came; `path` has the middles."""
    height = TOP + ROW * len(spsa.parameters)
    size = f'width="{WIDTH}" height="{height}"'
    space = f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
    parts = [
        f'<svg {space} {size} role="img"><title>{escape(title)}</title>',
        f"<style>{STYLE}</style>",
        f'<rect class="back" {size}/>',
        _svg_text(16, 28, title, "title"),
        _svg_text(16, 46, f"{len(path) - 1} of {spsa.iterations} iterations", "quiet"),
    ]
    for number, parameter in enumerate(spsa.parameters):
        shares = [middle[number] for middle in path]
        parts += _plot_parameter(parameter, shares, spsa.iterations, TOP + ROW * number)
    return "\n".join([*parts, "</svg>\n"])


def _plot_parameter(
    parameter: Parameter, shares: Sequence[float], iterations: int, top: float
) -> Iterator[str]:
    """Yield the plot of a parameter between the ends of its range."""
    width, y = WIDTH - LEFT - RIGHT, top + 24
    points = [
        (LEFT + width * at / iterations, y + PLOT_HEIGHT * (1 - share))
        for at, share in enumerate(shares)
    ]
    start, (x, now) = points[0][1], points[-1]
    yield _svg_text(16, y - 8, parameter.name, "")
    yield f'<rect class="ground" x="{LEFT}" y="{y}" width="{width}" height="{PLOT_HEIGHT}"/>'
    yield (
        f'<line class="start" x1="{LEFT}" x2="{LEFT + width}" y1="{start:.1f}" y2="{start:.1f}"/>'
    )
    line = " ".join(f"{at:.1f},{down:.1f}" for at, down in points)
    yield f'<polyline class="line" points="{line}"/>'
    yield f'<circle cx="{x:.1f}" cy="{now:.1f}" r="4" class="now"/>'
    for share, down in ((1, y + 10), (0, y + PLOT_HEIGHT)):
        value = _format_number(parameter.value(share))
        yield f'<text class="quiet" x="{LEFT - 8}" y="{down}" text-anchor="end">{value}</text>'
    yield _svg_text(x + 10, now + 4, _format_number(parameter.value(shares[-1])), "")


def _format_number(value: float) -> str:
    return f"{value:.4g}"


def _svg_text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'
