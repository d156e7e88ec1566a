"""What documents show between fences: programs, commands, and what commands print."""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """What stands between two fences."""

    language: str
    text: str
    line: int
    """The line of the document in which it begins."""

    @property
    def commands(self) -> list[str]:
        """Return what is typed, with lines that a backslash or an open quote joins."""
        found: list[str] = []
        begun = ""
        for line in self.text.replace("\\\n", " ").splitlines():
            begun += line
            try:
                words = split_command(begun)
            except ValueError:  # a quote is still open
                begun += "\n"
                continue
            found += [begun] if words else []
            begun = ""
        return found


def find_blocks(document: Path) -> list[Block]:
    text = document.read_text(encoding="utf-8")
    return [
        Block(found[1], found[2], text.count("\n", 0, found.start()) + 1)
        for found in FENCE.finditer(text)
    ]


def split_command(command: str) -> list[str]:
    """Return the words of a command, without its comment."""
    return shlex.split(command, comments=True)
