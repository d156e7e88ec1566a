"""What bots drew on the board, logged and printed, turn by turn."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import msgspec

from engine.bot_output import Circle, Drawing, Line, LogLine, Rectangle, Words
from engine.replays.writing import NotesAside
from visualizer.scene import AnyScene

NOTES_CUT_OFF = "(no more notes of this team are kept: they are too many)"

Group = tuple[int, str]
"""A team and a key: what those who watch switch on and off together."""
At = Callable[[float, float], tuple[float, float]]
TURN_HEADING = re.compile(r"--- turn (\d+)(?:.*?(\d+))?$")
MAX_LINES = 200
"""The most lines kept of one decision."""
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
DecisionKey = tuple[int, int, int]
"""Turn, team and the id of the piece a decision was about (0: no piece)."""


class Drawn(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A drawing of a bot, as it is shown."""

    team: int
    piece_id: int
    key: str
    color: str
    """`#rrggbb`."""
    form: str
    """`path`, `circle` or `text`."""
    numbers: tuple[float, ...]
    """A path: its points. A circle: its middle and radius. A text: its middle."""
    text: str = ""

    @property
    def group(self) -> Group:
        return self.team, self.key


class BotNotes:
    """The drawings and log lines of all bots, as far as they are read."""

    def __init__(self, scene: AnyScene) -> None:
        self._scene = scene
        self.turns: defaultdict[int, list[Drawn]] = defaultdict(list)
        """All drawings by their turn."""
        self.groups: dict[Group, str] = {}
        """All groups there are, in the order of their first use, with the color of that."""
        self.logged: dict[DecisionKey, list[str]] = {}

    def take(self, aside: NotesAside) -> None:
        """Take in the notes of a decision."""
        key = (aside.turn, aside.team, aside.piece_id)
        for note in aside.notes:
            if isinstance(note, LogLine):
                self._log(key, _format_log_line(note))
            else:
                self._draw(aside, note)
        if aside.is_last:
            self._log(key, NOTES_CUT_OFF)

    def at(self, turn: int, hidden: Collection[Group] = ()) -> list[Drawn]:
        """Return what was drawn in a turn but what is switched off."""
        return [drawn for drawn in self.turns.get(turn, ()) if drawn.group not in hidden]

    def clear(self) -> None:
        """Forget them all, for those who are not to see them."""
        for collection in (self.turns, self.groups, self.logged):
            collection.clear()

    def with_log_lines(self, logs: Mapping[DecisionKey, list[str]]) -> dict[DecisionKey, list[str]]:
        """Return the lines that bots printed, and those they logged after them."""
        lines = {key: list(printed) for key, printed in logs.items()}
        for key, logged in self.logged.items():
            lines.setdefault(key, []).extend(logged)
        return lines

    def _log(self, key: DecisionKey, line: str) -> None:
        lines = self.logged.setdefault(key, [])
        if len(lines) < MAX_LINES:
            lines.append(line)

    def _draw(self, aside: NotesAside, note: Drawing) -> None:
        color = note.color or self._scene.team_color(aside.team)
        numbers, text = _drawing_geometry(
            note, lambda x, y: self._scene.place_of(x, y, aside.piece_id)
        )
        form = FORMS.get(type(note), PATH)
        drawn = Drawn(aside.team, aside.piece_id, note.key, color, form, numbers, text)
        self.turns[aside.turn].append(drawn)
        self.groups.setdefault(drawn.group, color)


PATH = "path"
"""The form of lines: `numbers` are the coordinates of their points, one after the other."""
FORMS: Mapping[type[Any], str] = {Circle: "circle", Words: "text"}
"""All others are paths."""
ARM = 0.28
"""Half the side of a cross, squares."""


def _drawing_geometry(note: Drawing, at: At) -> tuple[tuple[float, ...], str]:
    """Return the numbers and the text of a drawing, in the plane."""
    x, y = first = at(note.x, note.y)
    if isinstance(note, Line):
        return (*first, *at(note.x2, note.y2)), ""
    if isinstance(note, Rectangle):
        last = at(note.x + note.width - 1, note.y + note.height - 1)
        left, top = (min(one, other) - 0.5 for one, other in zip(first, last, strict=True))
        right, bottom = left + note.width, top + note.height
        return (left, top, right, top, right, bottom, left, bottom, left, top), ""
    if isinstance(note, Circle):
        return (*first, note.radius), ""
    if isinstance(note, Words):
        return first, note.text
    ends = ((-ARM, -ARM), (ARM, ARM), (0, 0), (ARM, -ARM), (-ARM, ARM))
    return tuple(round(number, 3) for dx, dy in ends for number in (x + dx, y + dy)), ""


def _format_log_line(note: LogLine) -> str:
    """Return a log line as it is shown; what is usual is not said."""
    level = "" if note.level == "info" else f"{note.level}: "
    key = f"[{note.key}] " if note.key else ""
    return f"{key}{level}{note.text}"


def logs_in(folder: Path) -> list[Path]:
    """Return the bots' log files in the folder of a match."""
    return sorted(folder.glob("[1-9]*-*.log"))


def read_logs(folder: Path) -> dict[DecisionKey, list[str]]:
    """Return the lines of a match's files `TEAM-NAME.log`, their control characters replaced."""
    lines: dict[DecisionKey, list[str]] = {}
    for path in logs_in(folder):
        team = int(path.name.split("-")[0])
        key = (0, team, 0)
        for line in path.read_text(errors="replace").split("\n"):
            heading = TURN_HEADING.match(line)
            if heading:
                key = (int(heading[1]), team, int(heading[2] or 0))
            elif line and len(lines.setdefault(key, [])) < MAX_LINES:
                lines[key].append(CONTROL.sub("·", line))
    return lines
