"""Draws the panels of deploy/grafana-dashboard.json with the figures of a Prometheus.

Grafana itself is needed to work with the dashboard, not to see what stands in it.
"""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from itertools import cycle
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.chromium import chromium
from tests.prometheus import DEPLOY, Prometheus, asking
from visualizer.theme import TEAM_COLORS

WIDTH_PX, ROW_PX = 1_440, 26
"""The width of all columns, and the height of one row of Grafana's grid."""
COLUMNS = 24
MARGIN_PX = 6
PLOT = (70, 14, 16, 44)
"""Left, top, right and bottom margins of a plot, pixels: numbers, and times with a legend."""
POINTS = 240
EVERY_S = 5
LETTER_PX = 6.2
"""The mean width of a letter of a legend."""
SIZES = ("B", "kB", "MB", "GB", "TB")
STYLE = """
body { margin: 0; background: #111217; color: #ccccdc; font: 12px sans-serif; position: relative; }
section { position: absolute; background: #181b1f; border: 1px solid #2a2d33; border-radius: 3px;
  box-sizing: border-box; padding: 6px 8px; overflow: hidden; }
h2 { font-size: 13px; font-weight: 600; margin: 0; }
svg { position: absolute; left: 0; top: 24px; }
text { fill: #9a9aa8; font-size: 11px; }
dl { display: grid; grid-template-columns: 1fr auto; gap: 6px 12px; font-size: 17px; }
dt, dd { margin: 0; } dd { color: #73bf69; font-weight: 600; }
p { text-align: center; margin-top: 60px; color: #9a9aa8; font-size: 15px; }
"""


class Span(msgspec.Struct, frozen=True):
    """The time that is shown, in seconds since 1970."""

    since: float
    until: float

    @property
    def length_s(self) -> float:
        return self.until - self.since


class Series(msgspec.Struct, frozen=True):
    """What one expression was at several times."""

    name: str
    points: Sequence[tuple[float, float]]
    """Times in seconds since 1970, and values."""


@contextmanager
def saving_dashboard(ports: Sequence[int], folder: Path, picture: Path | None) -> Iterator[None]:
    """Save the dashboard of what happens meanwhile at these ports, if there is a path for it.

    It needs Chromium.
    """
    if picture is None:
        yield
        return
    with asking(ports, folder, EVERY_S) as prometheus:
        began = time.time()
        yield
        page = dashboard_page(prometheus, Span(began, time.time()))
    with chromium() as browser:
        tab = browser.new_page(viewport={"width": WIDTH_PX, "height": 400})
        tab.set_content(page)
        tab.screenshot(path=str(picture), full_page=True)


def dashboard_page(prometheus: Prometheus, span: Span) -> str:
    """Return the dashboard as a page of HTML."""
    rows = max(panel["gridPos"]["y"] + panel["gridPos"]["h"] for panel in panels())
    sections = "".join(_panel(prometheus, span, panel) for panel in panels())
    size = f"height: {rows * ROW_PX}px; width: {WIDTH_PX}px"
    return f"<!doctype html><style>{STYLE}</style><body style='{size}'>{sections}</body>"


def panels() -> Sequence[Any]:
    """Return the panels of the dashboard."""
    dashboard = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
    found: Sequence[Any] = dashboard["panels"]
    return found


def _panel(prometheus: Prometheus, span: Span, panel: Any) -> str:
    place, column = panel["gridPos"], WIDTH_PX / COLUMNS
    width, height = place["w"] * column - MARGIN_PX, place["h"] * ROW_PX - MARGIN_PX
    box = (
        f"left: {place['x'] * column}px; top: {place['y'] * ROW_PX}px; "
        f"width: {width}px; height: {height}px"
    )
    all_series = [one for target in panel["targets"] for one in _series(prometheus, span, target)]
    unit = panel["fieldConfig"]["defaults"]["unit"]
    if not all_series:
        content = "<p>No data</p>"
    elif panel["type"] == "stat":
        content = _stat(all_series, unit)
    else:
        content = _plot(all_series, unit, span, (width, height - 24))
    return f"<section style='{box}'><h2>{escape(panel['title'])}</h2>{content}</section>"


def _series(prometheus: Prometheus, span: Span, target: Any) -> Iterator[Series]:
    step_s = max(1.0, span.length_s / POINTS)
    for found in prometheus.query_range(target["expr"], span.since, span.until, step_s):
        name = target["legendFormat"]
        for label, value in found["metric"].items():
            name = name.replace("{{" + label + "}}", value)
        points = [(float(at), float(number)) for at, number in found["values"]]
        yield Series(name, [point for point in points if isfinite(point[1])])


def _stat(all_series: Sequence[Series], unit: str) -> str:
    rows = "".join(
        f"<dt>{escape(series.name)}</dt><dd>{_format_value(series.points[-1][1], unit)}</dd>"
        for series in all_series
        if series.points
    )
    return f"<dl>{rows}</dl>"


def _plot(all_series: Sequence[Series], unit: str, span: Span, size: tuple[float, float]) -> str:
    left, top, right, bottom = PLOT
    wide, high = size[0] - left - right, size[1] - top - bottom
    most = max((value for series in all_series for _, value in series.points), default=0) or 1
    marks: list[str] = []
    for share, anchor in ((0, "start"), (0.5, "middle"), (1, "end")):
        x, y = left + wide * share, top + high * (1 - share)
        amount, minutes = _format_value(most * share, unit), f"{span.length_s * share / 60:.3g} min"
        marks.append(f"<path d='M{left} {y}h{wide}' stroke='#2a2d33'/>")
        marks.append(f"<text x='{left - 6}' y='{y + 4}' text-anchor='end'>{amount}</text>")
        marks.append(f"<text x='{x}' y='{top + high + 15}' text-anchor='{anchor}'>{minutes}</text>")
    x, y = left, size[1] - 10
    for series, color in zip(all_series, cycle(TEAM_COLORS)):
        line = " ".join(
            f"{left + wide * (at - span.since) / span.length_s:.1f},"
            f"{top + high * (1 - value / most):.1f}"
            for at, value in series.points
        )
        marks.append(f"<polyline points='{line}' fill='none' stroke='{color}' stroke-width='1.5'/>")
        marks.append(f"<path d='M{x} {y - 4}h14' stroke='{color}' stroke-width='3'/>")
        marks.append(f"<text x='{x + 18}' y='{y}'>{escape(series.name)}</text>")
        x += 32 + LETTER_PX * len(series.name)
    return f"<svg width='{size[0]}' height='{size[1]}'>{''.join(marks)}</svg>"


def _format_value(value: float, unit: str) -> str:
    """Return a value with its unit, as short as Grafana writes it."""
    if unit == "bool_yes_no":
        return "Yes" if value else "No"
    if unit == "bytes":
        steps = 0
        while value >= 1_000 and steps + 1 < len(SIZES):
            value, steps = value / 1_000, steps + 1
        return f"{value:.3g} {SIZES[steps]}"
    if unit == "s":
        return f"{value * 1_000:.3g} ms" if 0 < value < 1 else f"{value:.4g} s"
    suffix = {"reqps": "/s", "ops": "/s"}.get(unit, "")
    return f"{value / 1_000:.3g} K{suffix}" if value >= 1_000 else f"{value:.3g}{suffix}"
