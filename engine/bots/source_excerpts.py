"""The line of a bot's source that the words of a fault name, for its author to read."""

import re
from pathlib import Path

from engine.bots.finding import find_entry_file
from engine.support.sanitizing import one_line

LINE_REFERENCE = re.compile(
    r"^(?P<begin>[^(),:]*), line (?P<first>\d+):|\((?P<end>[^()]*), line (?P<last>\d+)\)$"
)
"""How the words of a fault name a line: `player_x, line 3: ...`, `... (player_x/y.py, line 7)`."""
MAX_SEARCHED_LINES = 100_000
MAX_EXCERPT_LENGTH = 100


def find_place(text: str) -> tuple[str, int] | None:
    """Return the file, as it is shown, and the line that a fault names; None without one."""
    found = LINE_REFERENCE.search(text)
    if found is None:
        return None
    return found["begin"] or found["end"] or "", int(found["first"] or found["last"])


def read_lines(bot: Path, shown: str) -> list[str]:
    """Return the lines of the file that is shown by this name; none if it cannot be read.

    A bot chooses the words of its faults: a file that is not its own is not read.
    """
    inside = shown.partition("/")[2]
    if ".." in Path(inside).parts or Path(inside).is_absolute():
        return []
    file = bot / inside if bot.is_dir() and inside else find_entry_file(bot)
    try:
        return file.read_text("utf-8", "replace").splitlines()[:MAX_SEARCHED_LINES]
    except OSError:
        return []


def source_excerpt(bot: Path, text: str) -> str:
    """Return the line that a fault names, behind its number; '' where there is none."""
    place = find_place(text)
    if place is None:
        return ""
    shown, number = place
    lines = read_lines(bot, shown)
    if not 1 <= number <= len(lines) or not lines[number - 1].strip():
        return ""
    return f"{number} | {one_line(lines[number - 1].strip())[:MAX_EXCERPT_LENGTH]}"
