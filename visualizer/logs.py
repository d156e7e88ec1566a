"""What bots printed, by the turn and the piece they were asked about."""

import re
from pathlib import Path

HEADING = re.compile(r"--- turn (\d+)(?:.*?(\d+))?$")
LINES_KEPT = 200
"""Of one round."""
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

Place = tuple[int, int, int]
"""Turn, team, and what was asked about (0: nothing in particular)."""


def logs_in(folder: Path) -> list[Path]:
    """The files of a match's folder that bots have printed to."""
    return sorted(folder.glob("[1-9]*-*.log"))


def read_logs(folder: Path) -> dict[Place, list[str]]:
    """Of a match's folder: the files `TEAM-NAME.log`. Strangers' text, without control letters."""
    lines: dict[Place, list[str]] = {}
    for path in logs_in(folder):
        team = int(path.name.split("-")[0])
        place = (0, team, 0)
        for line in path.read_text(errors="replace").split("\n"):
            heading = HEADING.match(line)
            if heading:
                place = (int(heading[1]), team, int(heading[2] or 0))
            elif line and len(lines.setdefault(place, [])) < LINES_KEPT:
                lines[place].append(CONTROL.sub("·", line))
    return lines
