"""What the author of a bot should do about a fault, who has its file: loops are named, say."""

import re
from pathlib import Path

from engine.bots.fault_advice import advice_on
from engine.bots.finding import entry_of
from engine.bots.remedies import is_remedied
from engine.fault import Cause, Fault
from engine.limits import Limits

PLACE = re.compile(r"\((?P<file>[^()]*), line (?P<line>\d+)\)$")
"""How the words of a fault name a line of a bot: `(player_x/search.py, line 7)`."""
LOOP = re.compile(r"(async\s+for|for|while)\b")
MOST_LINES = 100_000
LONGEST_LINE = 60


def fix_for(fault: Fault, limits: Limits, file: Path) -> str:
    """Return what to do about a fault of a bot whose file is at hand."""
    if fault.cause is Cause.OUT:
        return "correct what is said above: too many of those, and a bot is asked no more"
    place = PLACE.search(fault.detail)
    if place is None:
        return advice_on(fault, limits, file)
    number = int(place["line"])
    if fault.cause is Cause.EXCEPTION and not is_remedied(fault.detail):
        return "correct that line, or what leads there; print() and self.log show values"
    if fault.cause in (Cause.TIMEOUT, Cause.SLEPT):
        loop = loop_around(_lines_of(file, place["file"]), number)
        if loop is not None:
            return f"it was in {loop}: see that it ends in time; {advice_on(fault, limits, file)}"
    return advice_on(fault, limits, file)


def loop_around(lines: list[str], number: int) -> str | None:
    """Return the loop in which a line stands: `the loop of line 6, while True:`; None without one.

    It goes by how far lines are indented: the source of a bot is not parsed here.
    """
    if not 1 <= number <= len(lines):
        return None
    depth = _depth(lines[number - 1]) + 1
    for place in range(number, 0, -1):
        line = lines[place - 1]
        if not line.strip() or _depth(line) >= depth:
            continue
        depth, words = _depth(line), line.strip()
        if LOOP.match(words):
            return f"the loop of line {place}, `{words[:LONGEST_LINE]}`"
        if words.startswith(("def ", "async def ", "class ")):
            return None
    return None


def _lines_of(bot: Path, shown: str) -> list[str]:
    """Return the lines of the file that is shown by this name; none if it cannot be read."""
    inside = shown.partition("/")[2]
    file = bot / inside if bot.is_dir() and inside else entry_of(bot)
    try:
        return file.read_text("utf-8", "replace").splitlines()[:MOST_LINES]
    except OSError:
        return []


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
