"""A terminal to run commands in: a real one of the kernel, with nobody in front of it."""

import os
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.shell import ENVIRONMENT, PATIENCE_S, eventually

with suppress(ImportError):  # Windows has none
    import fcntl
    import pty
    import termios

ENTERED, LEFT, CURSOR = "\x1b[?1049h", "\x1b[?1049l", "\x1b[?25h"
SIZE = (80, 24)


class Terminal:
    """Runs one command; what it says is collected, its keys are pressed by hand."""

    def __init__(self, command: Sequence[str], cwd: Path, **environment: str) -> None:
        self._ours, other = pty.openpty()
        self.resize(*SIZE)
        self.modes_before = self.modes
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            env={**ENVIRONMENT, "TERM": "xterm-256color", **environment},
            stdin=other,
            stdout=other,
            stderr=other,
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509 - a single call of the kernel
        )
        self._theirs = other
        self.said = ""
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    @property
    def modes(self) -> list[Any]:
        return termios.tcgetattr(self._ours)

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def shows(self, text: str, times: int = 1) -> bool:
        """Return whether it said something, or does soon."""
        return eventually(lambda: self.said.count(text) >= times)

    def ends(self) -> int:
        """Its exit code."""
        code = self.process.wait(PATIENCE_S)
        eventually(self._is_quiet)
        return code

    def is_as_it_was(self) -> bool:
        """Return whether whoever sits here finds the terminal as before."""
        return (
            eventually(lambda: self.modes == self.modes_before)
            and self.said.rfind(LEFT) > self.said.rfind(ENTERED)
            and self.said.rfind(CURSOR) > self.said.rfind("\x1b[?25l")
        )

    def after_leaving(self) -> str:
        """Return what was said when the pictures had gone."""
        return self.said.rpartition(LEFT)[2]

    def close(self) -> None:
        """Close it as when its window is closed."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self._theirs)

    def hang_up(self) -> None:
        os.killpg(self.process.pid, signal.SIGHUP)

    def _listen(self) -> None:
        while True:
            try:
                content = os.read(self._ours, 65_536)
            except OSError:
                return
            self.said += content.decode(errors="replace")

    def _is_quiet(self) -> bool:
        before = len(self.said)
        threading.Event().wait(0.1)
        return len(self.said) == before


def _take_terminal() -> None:
    """Make our stdin the terminal of our session."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


Run = Callable[..., Terminal]


def python(*parts: str) -> list[str]:
    return [sys.executable, *parts]
