"""A bot's log: where its prints and tracebacks go. Writing never fails, reading is safe.

While a match is played a log has no name: nobody can look up its size, and its own bot reads off
no path which match it is in. It becomes a file once the bot's process has ended.
"""

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from typing_extensions import Buffer

LOG_BYTES = 1_000_000
LOG_FULL = "\n[log full: the rest is dropped]\n"
MAX_LOG_BYTES = 2 * LOG_BYTES
"""The bytes a bot can get into its log in other ways than by `print`."""
FREE_BYTES = 64_000_000
"""The free space below which a disk is kept for results, and logs are dropped."""
NO_SPACE = "[log dropped: the disk is nearly full]\n"


def open_log() -> BinaryIO:
    """Return a new log, for the processes of one bot, one after the other.

    On Linux it is memory of a size that can no longer be changed, whatever holds of the sandbox.
    Raises: OSError.
    """
    if sys.platform != "linux":
        return cast("BinaryIO", tempfile.TemporaryFile(buffering=0))
    else:  # noqa: RET505 - mypy finds unreachable what follows a check without it
        import fcntl

        memory = os.memfd_create("log", os.MFD_ALLOW_SEALING | os.MFD_CLOEXEC)
        os.fchmod(memory, 0)  # nobody opens it a second time
        log = os.fdopen(memory, "w+b", buffering=0)
        log.truncate(MAX_LOG_BYTES)
        seals = fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
        fcntl.fcntl(log, fcntl.F_ADD_SEALS, seals)
        return log


def read_part(log: int, size: int, offset: int) -> bytes:
    """Return what stands in a log from an offset on, `size` bytes at most. Raises: OSError.

    Whoever writes to it goes on where it was. Nothing on Windows, which has no pread.
    """
    if sys.platform == "win32":
        return b""
    else:  # noqa: RET505 - mypy finds unreachable what follows a check without it
        return os.pread(log, size, offset)


def keep_log(log: BinaryIO, path: Path) -> None:
    """Add what a log holds to a file, fit to be shown by anything; no file if that is nothing.

    A disk that is nearly full, or will not have it, gets no more than a note.
    """
    written = min(log.tell(), MAX_LOG_BYTES)
    if not written:
        return
    log.seek(0)
    content = log.read(written)
    text = "\n".join(map(_make_printable, content.decode("utf-8", "replace").split("\n")))
    try:
        if shutil.disk_usage(path.parent).free < FREE_BYTES:
            text = NO_SPACE
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError:
        with suppress(OSError):
            path.write_text(NO_SPACE, encoding="utf-8")


def _make_printable(line: str) -> str:
    """Return the text without characters that could command a terminal; most lines have none."""
    if line.isprintable():
        return line
    return "".join(letter if letter.isprintable() or letter == "\t" else "?" for letter in line)


class BotLog(io.BufferedIOBase):
    """The bytes below a bot's stdout and stderr; each ask that prints gets a heading of its own.

    What the bot does with its streams, closing included, leaves this open: its tracebacks go here.
    """

    mode = "wb"

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._remaining = LOG_BYTES - os.lseek(descriptor, 0, os.SEEK_CUR)
        self.place: Callable[[int], str] = str
        self.asked_piece_id: int | None = None
        """What the bot is being asked about, until something is written."""

    @property
    def name(self) -> int:
        return self._descriptor

    def open_stream(self) -> io.TextIOWrapper:
        """Return a text stream of its own over this log, which takes whatever is printed."""
        return io.TextIOWrapper(
            self, encoding="utf-8", errors="backslashreplace", newline="\n", write_through=True
        )

    def fileno(self) -> int:
        return self._descriptor

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        """Stay open."""

    def write_text(self, text: str) -> None:
        self.write(text.encode("utf-8", "backslashreplace"))

    def write(self, content: "Buffer") -> int:
        content = bytes(content)  # of bytes no copy is made
        if self._remaining > 0 and content:
            self._append_limited(self._format_heading() + content)
        return len(content)

    def _format_heading(self) -> bytes:
        if self.asked_piece_id is None:
            return b""
        heading, self.asked_piece_id = f"--- {self.place(self.asked_piece_id)}\n", None
        return heading.encode("utf-8", "backslashreplace")

    def _append_limited(self, content: bytes) -> None:
        recorded = content[: self._remaining]
        self._remaining -= len(recorded)
        if self._remaining <= 0:
            recorded += LOG_FULL.encode()
        try:
            os.write(self._descriptor, recorded)
        except OSError:
            self._remaining = 0
