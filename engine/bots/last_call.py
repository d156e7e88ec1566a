"""What a bot did last before an exception: its own expression, and the modules it led through."""

import linecache
from itertools import islice
from pathlib import Path
from types import CodeType, TracebackType

from engine.bot_modules import is_own_file
from engine.bots.remedies import Done

SHOWN_LETTERS = 50
"""The beginning of an expression that is shown."""


def last_done(trace: TracebackType | None, entry: Path) -> Done:
    """Return the last expression of a bot's own files in a traceback."""
    last: TracebackType | None = None
    modules: list[str] = []
    while trace is not None:
        if is_own_file(trace.tb_frame.f_code.co_filename, entry):
            last, modules = trace, []
        else:
            modules.append(str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0])
        trace = trace.tb_next
    if last is None:
        return Done()
    return Done(_text_at(last.tb_frame.f_code, last.tb_lasti), tuple(modules))


def _text_at(code: CodeType, instruction: int) -> str:
    """Return the source of an instruction; '' where it is not on one line."""
    place = next(islice(code.co_positions(), instruction // 2, None), None)
    line, last_line, begin, end = place or (None, None, None, None)
    if line is None or line != last_line or begin is None or end is None:
        return ""
    text = linecache.getline(code.co_filename, line).encode()[begin:end].decode(errors="replace")
    return text if len(text) <= SHOWN_LETTERS else f"{text[: SHOWN_LETTERS - 1]}…"
