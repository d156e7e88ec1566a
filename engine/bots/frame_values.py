"""The values that mattered to an exception: what the names in the bot's line stood for."""

import linecache
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from reprlib import Repr
from types import BuiltinFunctionType, FrameType, FunctionType, ModuleType, TracebackType

from engine.bot_modules import is_own_file
from engine.support.sanitizing import one_line

VALUES_HEADING = "Values in that line:"
"""The line of a log below which they stand, one in a line, as `    name = value`."""
MAX_VALUES = 8
VALUE_LETTERS = 120
MAX_LINES = 10
"""The lines of a statement that are looked at."""
SHOWN_ITEMS = 6
NAME_PATTERN = re.compile(r"self\.[A-Za-z_]\w*|(?<![\w.])[A-Za-z_]\w*")
"""Names, and attributes of the player."""
NOT_SHOWN = (ModuleType, FunctionType, BuiltinFunctionType, type)

_repr = Repr()
_repr.maxlist = _repr.maxtuple = _repr.maxset = _repr.maxdict = _repr.maxdeque = SHOWN_ITEMS
_repr.maxlevel = 3
_repr.maxstring = _repr.maxother = _repr.maxlong = VALUE_LETTERS


def values_in(error: BaseException, entry: Path) -> str:
    """Return the values below their heading; '' where none are known."""
    trace = _innermost_own_traceback(error, entry)
    if trace is None:
        return ""
    lines = [
        f"    {name} = {_format_value(value)}"
        for name, value in islice(_find_values(trace.tb_frame, _source_lines(trace)), MAX_VALUES)
    ]
    return "\n".join([VALUES_HEADING, *lines, ""]) if lines else ""


def _innermost_own_traceback(error: BaseException, entry: Path) -> TracebackType | None:
    """Return where the bot's own code was."""
    found, trace = None, error.__traceback__
    while trace is not None:
        if is_own_file(trace.tb_frame.f_code.co_filename, entry):
            found = trace
        trace = trace.tb_next
    return found


def _source_lines(trace: TracebackType) -> str:
    """Return the lines of what was being run: an expression may have several."""
    code = trace.tb_frame.f_code
    position = next(islice(code.co_positions(), trace.tb_lasti // 2, None), None)
    first = trace.tb_lineno or (position and position[0]) or code.co_firstlineno
    last = max(first, (position and position[1]) or first)
    numbers = range(first, min(last, first + MAX_LINES) + 1)
    return "".join(linecache.getline(code.co_filename, number) for number in numbers)


def _find_values(frame: FrameType, source: str) -> Iterator[tuple[str, object]]:
    """Yield what the names of a source stand for, as they come; no property is asked."""
    known = frame.f_locals
    for name in dict.fromkeys(NAME_PATTERN.findall(source)):
        own, _, attribute = name.partition(".")
        if attribute:
            found = getattr(known.get(own), "__dict__", {})
            is_known, value = attribute in found, found.get(attribute)
        else:
            is_known, value = name in known and name != "self", known.get(name)
        if is_known and not isinstance(value, NOT_SHOWN):
            yield name, value


def _format_value(value: object) -> str:
    text = one_line(_repr.repr(value))
    text = text if len(text) <= VALUE_LETTERS else f"{text[: VALUE_LETTERS - 1]}…"
    is_long = isinstance(value, list | tuple | set | frozenset | dict) and len(value) > SHOWN_ITEMS
    return f"{text} ({len(value)} items)" if is_long else text  # type: ignore[arg-type]
