"""A bot's log: where its prints and tracebacks go. Writing never fails, reading is safe."""

import io
import os
from collections.abc import Callable
from pathlib import Path

LOG_BYTES = 1_000_000
NOTE = "\n[log full: the rest is dropped]\n"


def clean_log(path: Path) -> None:
    """Make a log fit to be shown by anything; an empty one is none.

    A bot can write past its `BotLog`, so this is done when its process has ended.
    """
    text = path.read_text(encoding="utf-8", errors="replace")
    if text:
        path.write_text("\n".join(map(_printable, text.split("\n"))), encoding="utf-8")
    else:
        path.unlink()


def _printable(line: str) -> str:
    """Without characters that could command a terminal; most lines have none."""
    if line.isprintable():
        return line
    return "".join(letter if letter.isprintable() or letter == "\t" else "?" for letter in line)


class BotLog(io.TextIOBase):
    """Stands in for stdout and stderr; each ask that prints gets a heading of its own."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._left = LOG_BYTES - os.fstat(descriptor).st_size
        self.place: Callable[[int], str] = str
        self.asked_about: int | None = None
        """What the bot is being asked about, until something is written."""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self._left > 0:
            self._append(self._heading() + text)
        return len(text)

    def _heading(self) -> str:
        if self.asked_about is None:
            return ""
        heading, self.asked_about = f"--- {self.place(self.asked_about)}\n", None
        return heading

    def _append(self, text: str) -> None:
        content = text.encode("utf-8", "backslashreplace")[: self._left]
        self._left -= len(content)
        if self._left <= 0:
            content += NOTE.encode()
        try:
            os.write(self._descriptor, content)
        except OSError:
            self._left = 0
