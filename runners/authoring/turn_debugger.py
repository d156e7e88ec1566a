"""Python's debugger, stopped where a bot's own code begins to decide in a recorded turn."""

import pdb
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from engine.bot_modules import is_own_file

NOT_A_DECISION = ("<module>", "__init__")
"""What runs of a bot's file when an object of its is made."""


class TurnDebugger(pdb.Pdb):
    """Stops at the first line of a bot's own that an ask calls; then it is pdb as always."""

    def __init__(self, entry: Path) -> None:
        """`entry` is the bot's file that is loaded."""
        # With streams of its own pdb edits no lines: a person needs that, a script does not.
        streams = {} if sys.stdin.isatty() else {"stdin": sys.stdin, "stdout": sys.stdout}
        super().__init__(**streams)  # type: ignore[arg-type]
        self.prompt = "(debug) "
        self._entry = entry
        self._is_waiting = False

    def wait_for_ask(self) -> None:
        """Stop in the bot's code that is called next."""
        self.reset()
        self._is_waiting = True
        sys.settrace(self.trace_dispatch)

    def leave(self) -> None:
        """Watch nothing any more: the ask is over."""
        self._is_waiting = False
        sys.settrace(None)

    def stop_here(self, frame: FrameType) -> bool:
        if not self._is_waiting:
            return bool(super().stop_here(frame))
        return self._is_decision(frame)

    def user_call(self, frame: FrameType, argument_list: Any) -> None:
        """Stop on the first line of the method, and not before it."""
        if not self._is_waiting:
            super().user_call(frame, argument_list)

    def user_line(self, frame: FrameType) -> None:
        if self._is_waiting:
            self._is_waiting = False
            self.set_step()
        super().user_line(frame)

    def _is_decision(self, frame: FrameType) -> bool:
        """Return whether the engine calls a method of the bot here."""
        code, caller = frame.f_code, frame.f_back
        is_own = is_own_file(code.co_filename, self._entry) and code.co_name not in NOT_A_DECISION
        return is_own and caller is not None and not self._is_own(caller)

    def _is_own(self, frame: FrameType) -> bool:
        return is_own_file(frame.f_code.co_filename, self._entry)
