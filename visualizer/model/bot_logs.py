"""The output of bots, by turn and piece."""

import re
from pathlib import Path

HEADING = re.compile(r"--- turn (\d+)(?:.*?(\d+))?$")
LINES_KEPT = 200
"""The most lines kept of one decision."""
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

DecisionKey = tuple[int, int, int]
"""Turn, team and the id of the piece a decision was about (0: no piece)."""


def logs_in(folder: Path) -> list[Path]:
    """Return the bots' log files in the folder of a match."""
    return sorted(folder.glob("[1-9]*-*.log"))


def read_logs(folder: Path) -> dict[DecisionKey, list[str]]:
    """Return the lines of a match's files `TEAM-NAME.log`, their control characters replaced."""
    lines: dict[DecisionKey, list[str]] = {}
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
