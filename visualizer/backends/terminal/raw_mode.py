"""The modes of the terminal: raw for pictures and keys, and restored afterwards."""

import os
import signal
import sys
from contextlib import suppress
from typing import Any

from engine.errors import UsageError

if sys.platform != "win32":
    import termios

TERMINAL = "/dev/tty"
ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J"
"""The alternate screen, no cursor, no line wrap, all cleared."""
LEAVE = "\x1b[?2026l\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
KEYS_AT_ONCE = 1_024
UNHEARD = ("VSUSP", "VQUIT", "VDSUSP", "VLNEXT", "VDISCARD")
"""Keys that would stop or kill us in raw mode are disabled; Ctrl-Z arrives as a letter."""


class NoTerminal(UsageError):
    """There is no terminal; what can be done instead."""


class Modes:
    """The terminal of our session and its original modes."""

    descriptor: int
    _before: list[Any]

    def __init__(self) -> None:
        """Open the terminal and keep its modes. Raises: NoTerminal."""
        if sys.platform == "win32":
            raise NoTerminal(
                "matches are not shown in a Windows terminal: take --render window, or WSL"
            )
        else:  # noqa: RET506 - mypy finds unreachable what follows a check without it
            try:
                self.descriptor = os.open(TERMINAL, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
                self._before = termios.tcgetattr(self.descriptor)
            except (OSError, termios.error) as error:
                raise NoTerminal(f"there is no terminal here: {error.args[-1]}") from error

    def take_over(self) -> None:
        """Switch to raw mode: keys arrive at once and without echo, Ctrl-C stays a signal."""
        if sys.platform != "win32":
            # Should whoever started us end before us, the terminal is another's, and we still give
            # it back as it was.
            signal.signal(signal.SIGTTOU, signal.SIG_IGN)
            # No XON/XOFF and no CR-to-NL translation, no line editing and no echo. ISIG stays on:
            # Ctrl-C is a signal.
            modes = termios.tcgetattr(self.descriptor)
            modes[0] &= ~(termios.IXON | termios.ICRNL)
            modes[3] &= ~(termios.ICANON | termios.ECHO)
            letters = modes[6]
            letters[termios.VMIN], letters[termios.VTIME] = 0, 0
            for name in UNHEARD:
                # VDSUSP exists on BSD and macOS only.
                if hasattr(termios, name):
                    letters[getattr(termios, name)] = b"\x00"
            termios.tcsetattr(self.descriptor, termios.TCSADRAIN, modes)
            self.write(ENTER)

    def restore(self) -> None:
        """Restore the terminal, if it still exists."""
        if sys.platform != "win32":
            with suppress(OSError, termios.error):
                self.write(LEAVE)
            with suppress(OSError, termios.error):
                termios.tcsetattr(self.descriptor, termios.TCSADRAIN, self._before)

    def read(self) -> bytes:
        """Return the bytes of pressed keys; nothing if the terminal is gone."""
        with suppress(OSError):
            return os.read(self.descriptor, KEYS_AT_ONCE)
        return b""

    def write(self, text: str) -> None:
        """Write all of a text: one call may write only a part of it."""
        content = text.encode(errors="replace")
        while content:
            content = content[os.write(self.descriptor, content) :]
