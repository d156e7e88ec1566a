"""Templates, and values that all have -> pages. Strangers' text goes in as text, never as HTML."""

from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from engine.streams import seed_text
from engine.support.interpreter_state import ONE_THREAD
from engine.support.sanitizing import make_printable
from report.report import Report
from runners.contests.standings_table import sandbox_gaps, secret_lines
from runners.contests.tournament_request import tournament_title
from runners.formats import format_title
from visualizer import theme
from visualizer.backends.page.bundling import WEB, bundle

TEMPLATES = Path(__file__).parent / "templates"
STYLES = ("shared/podium.css", "report/site.css")
DASH, MINUS = "\u2013", "\u2212"
TEAM_CLASSES = len(theme.TEAM_COLORS)
"""How many CSS classes of teams there are."""
SHARE_STEPS = 10
"""Steps of the color in which a share of the points is shown."""
MAX_DRAWN_ROUNDS = 2_000
"""The most pairings in a drawing of rounds; if there are more, none is made."""


def render(template: str, **values: object) -> bytes:
    """Return a whole page. Raises: jinja2.UndefinedError for a value that was not given."""
    return _make_environment().get_template(template).render(**values).encode()


def load_style() -> bytes:
    """Return the style sheet of all pages, with the colors of the theme."""
    own = [(WEB / name).read_text(encoding="utf-8") for name in STYLES]
    return "\n".join([theme.font_faces(), theme.site_style(), *own]).encode()


@cache
def _make_environment() -> Environment:
    environment = SharedTemplates(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_strip_control_characters,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "contest_title": tournament_title,
        "format_title": format_title,
        "day": format_day,
        "figure": format_figure,
        "percent": percent,
        "micros": format_microseconds,
        "step": share_step,
        "team": team_class,
        "seed": seed_text,
    }
    return environment


def _strip_control_characters(value: object) -> object:
    """Return text without control characters; markup, which is ours, as it is."""
    return make_printable(value) if type(value) is str and not value.isprintable() else value


def format_day(at: datetime) -> str:
    """Return the day of a time, UTC, in words."""
    return f"{at.day} {at:%B %Y}"


def format_figure(value: float | None, digits: int = 1) -> str:
    """Return a number with a few digits at most; a dash for None."""
    if value is None:
        return DASH
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text.replace("-", MINUS)


def percent(share: float | None) -> str:
    return DASH if share is None else format_figure(100 * share)


def format_microseconds(value: float) -> str:
    """Return microseconds in a unit that is read easily."""
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.0f} µs"


def share_step(share: float) -> int:
    return round(SHARE_STEPS * share)


def team_class(number: int) -> str:
    """Return the CSS class of a team, from 1: colors come again after the last."""
    return f"team-{(number - 1) % TEAM_CLASSES + 1}"


class Pages:
    """Writes pages into a folder."""

    def __init__(self, folder: Path, report: Report) -> None:
        self._folder = folder
        self._report = report
        self._common = {
            "report": report,
            "plan": report.plan,
            "replays": report.replays,
            "standings": report.standings,
            "entrants": {row.number: row for row in report.rows},
            "secrets": list(secret_lines(report.standings, report.field)),
            "sandbox_gaps": [line.strip() for line in sandbox_gaps(report.standings)],
            "has_drawing": bool(report.bracket) or 0 < len(report.rounds) <= MAX_DRAWN_ROUNDS,
        }

    def write(self, path: str, template: str, **values: object) -> None:
        """Render a template to `path`, which is relative to the first page."""
        place = self._folder / path
        place.parent.mkdir(exist_ok=True)
        up = "../" * path.count("/")
        place.write_bytes(render(template, up=up, page=path, **self._common, **values))

    def write_style(self) -> None:
        (self._folder / "site.css").write_bytes(load_style())
        (self._folder / "site.js").write_bytes(bundle("report/site").encode())

    @property
    def has_drawing(self) -> bool:
        """Return whether a bracket or rounds can be drawn."""
        return bool(self._common["has_drawing"])


class SharedTemplates(Environment):
    """Compiles each template in one thread, since Jinja parses the numbers in it as Python does.

    A template that is compiled already is rendered without waiting for whoever parses something.
    """

    def compile(self, *source: Any, **options: Any) -> Any:
        """Do as Jinja does, which calls this for each template that it has not loaded yet."""
        with ONE_THREAD:
            return super().compile(*source, **options)
