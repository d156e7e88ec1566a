"""The pages of a report, and the values that all templates have."""

from pathlib import Path

from report.rendering import render, script, style
from report.report import Report
from runners.contests.standings_table import published, sandbox_gaps
from visualizer.scene import scene_class

MOST_DRAWN = 2_000
"""The most pairings in a drawing of rounds; if there are more, none is made."""


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
            "secrets": list(published(report.standings, report.field)),
            "sandbox_gaps": [line.strip() for line in sandbox_gaps(report.standings)],
            "has_drawing": bool(report.bracket) or 0 < len(report.rounds) <= MOST_DRAWN,
        }

    def write(self, path: str, template: str, **values: object) -> None:
        """Render a template to `path`, which is relative to the first page."""
        place = self._folder / path
        place.parent.mkdir(exist_ok=True)
        up = "../" * path.count("/")
        place.write_bytes(render(template, up=up, page=path, **self._common, **values))

    def write_style(self) -> None:
        colors = scene_class(self._report.plan.game).team_colors
        (self._folder / "site.css").write_bytes(style(colors))
        (self._folder / "site.js").write_bytes(script())

    @property
    def has_drawing(self) -> bool:
        """Return whether a bracket or rounds can be drawn."""
        return bool(self._common["has_drawing"])
