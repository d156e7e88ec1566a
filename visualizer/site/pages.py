"""The pages of a report, and what all of them are told."""

from pathlib import Path
from typing import Any

from visualizer.site.rendering import render, script, style
from visualizer.site.report import Report

MOST_DRAWN = 2_000
"""Pairings in a drawing of rounds; of more there is none."""


class Pages:
    """Writes pages into a folder."""

    def __init__(self, folder: Path, report: Report) -> None:
        self._folder = folder
        self._report = report
        self._common = {
            "report": report,
            "bots": {bot.number: bot for bot in report.bots},
            "replays": {
                highlight.match.key: highlight.page
                for highlight in report.highlights
                if highlight.page is not None
            },
            "has_drawing": bool(report.bracket) or 0 < len(report.rounds) <= MOST_DRAWN,
        }

    def write(self, path: str, template: str, **values: Any) -> None:
        """`path` as links name it, from the first page."""
        place = self._folder / path
        place.parent.mkdir(exist_ok=True)
        up = "../" * path.count("/")
        place.write_bytes(render(template, up=up, page=path, **self._common, **values))

    def write_style(self) -> None:
        (self._folder / "site.css").write_bytes(style(self._report.team_colours))
        (self._folder / "site.js").write_bytes(script())

    @property
    def has_drawing(self) -> bool:
        """Whether a bracket or rounds can be drawn."""
        return bool(self._common["has_drawing"])
