"""Reading a bot's log again: what was printed in which ask, and what it raised."""

import re
from collections.abc import Iterator
from itertools import takewhile

import msgspec

from engine.bots import frame_values
from engine.support.sanitizing import printable_lines

ASK_HEADING = re.compile(r"^--- (.*)$", re.MULTILINE)
"""The line that an ask begins with which wrote something."""
SOURCE_INDENT = "    "
"""What stands before a line of source in a traceback."""
TRACEBACK = "Traceback (most recent call last):\n"


class Section(msgspec.Struct, frozen=True):
    """What one ask wrote; what was written while the bot was loaded has no place."""

    place: str
    printed: str
    """What the bot itself wrote."""
    traceback: str
    """What the worker wrote of an exception, without its first line; '' without one."""

    @property
    def values(self) -> list[tuple[str, str]]:
        """Return the names in the line that raised it, each with what it stood for."""
        _, _, listed = self.traceback.partition(f"{frame_values.VALUES_HEADING}\n")
        pairs = (line.strip().partition(" = ") for line in listed.splitlines())
        return [(name, value) for name, equals, value in pairs if equals]

    @property
    def marked_lines(self) -> list[str]:
        """Return the line that raised it, and Python's marks below it."""
        _, _, last = self.traceback.rpartition('  File "')
        lines = takewhile(lambda line: line.startswith(SOURCE_INDENT), last.splitlines()[1:])
        return [line[len(SOURCE_INDENT) :] for line in lines]

    @property
    def text(self) -> str:
        """Return all of it, as it stands in the log."""
        return f"{self.printed}{TRACEBACK}{self.traceback}" if self.traceback else self.printed


def explain_first_exception(log: str) -> list[str]:
    """Return the line that raised the first exception, marked, and what its names stood for."""
    for section in parse_sections(log):
        if section.traceback:
            values = [f"{name} = {value}" for name, value in section.values]
            return [printable_lines(line) for line in (*section.marked_lines, *values)]
    return []


def parse_sections(log: str) -> Iterator[Section]:
    """Yield what a log holds, ask by ask."""
    first, *others = ASK_HEADING.split(log)
    texts = (text.removeprefix("\n") for text in others[1::2])
    for place, text in zip(("", *others[::2]), (first, *texts), strict=True):
        printed, _, traceback = text.partition(TRACEBACK)
        yield Section(place, printed, traceback)


def extract_printed(log: str) -> str:
    """Return what a bot itself wrote, each ask below its heading."""
    return "".join(
        f"--- {section.place}\n{section.printed}" if section.place else section.printed
        for section in parse_sections(log)
        if section.printed
    )
