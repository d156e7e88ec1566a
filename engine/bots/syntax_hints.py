"""Why Python cannot read a source, where more is known of it than Python says."""

import re
import sys
from typing import NamedTuple

from engine.support.text_decoding import detect_file_kind, why_not_source

THIS_PYTHON = "Python {}.{}".format(*sys.version_info)
"""The Python in which bots play here."""
Version = tuple[int, int]


class Newer(NamedTuple):
    """A piece of syntax that older Pythons do not have."""

    since: Version
    what: str
    line: re.Pattern[str]
    """What the line looks like that cannot be read."""
    message: str = ""
    """What is in the message of an older Python."""


NEWER_SYNTAX = (
    Newer(
        (3, 13),
        "a default of a type parameter",
        re.compile(r"\s*(?:(?:async\s+)?def|class|type)\s+\w+\[[^\]]*\w\s*="),
    ),
    Newer((3, 12), "a `type` statement", re.compile(r"\s*type\s+\w+\s*(?:\[.*\])?\s*=")),
    Newer(
        (3, 12), "a list of type parameters", re.compile(r"\s*(?:(?:async\s+)?def|class)\s+\w+\[")
    ),
    Newer(
        (3, 12),
        "a quote, backslash or comment inside the braces of an f-string",
        re.compile(r""".*\b[rR]?f[rR]?(["']).*\{[^{}]*(?:\1|\\|#)[^{}]*\}""", re.IGNORECASE),
    ),
    Newer(
        (3, 14),
        "a template string, t'...',",
        re.compile(r""".*\b[rR]?t[rR]?["']"""),
        "invalid syntax",
    ),
    Newer(
        (3, 14),
        "`except A, B:` without parentheses",
        re.compile(r"\s*except\s"),
        "multiple exception types must be parenthesized",
    ),
)
NO_SOURCE = "it is no Python source"
MAX_LINE_LENGTH = 500
"""The letters of a line that are looked at: patterns take more than linear time."""
NOTEBOOK_MAGIC = re.compile(r"\s*(?:[%!]{1,2}|\?)\s*(\w+)")


def why_unreadable(error: Exception, source: bytes) -> str:
    """Return why Python cannot read a source, and what to do; '' where its own words say it."""
    kind = detect_file_kind(source)
    if kind:
        return f"it is {kind}; {NO_SOURCE}"
    why = why_not_source(source)
    if why:
        return why
    line = _source_line(source, getattr(error, "lineno", None))
    magic = NOTEBOOK_MAGIC.match(line)
    if magic:
        return f"`{line.strip():.40}` is of a notebook, and not Python: take that line out"
    return _newer_python_hint(line, str(getattr(error, "msg", "")), find_bot_python())


def find_bot_python() -> Version:
    """Return the version of the Python in which bots play."""
    return sys.version_info[:2]


def _newer_python_hint(line: str, message: str, version: Version) -> str:
    """Return which Python has what stands in a line; '' if it is not known, or this one has it."""
    for newer in NEWER_SYNTAX:
        if version < newer.since and newer.message in message and newer.line.match(line):
            major, minor = newer.since
            return (
                f"{newer.what} needs Python {major}.{minor} or newer, and bots play in "
                f"{THIS_PYTHON} here: write it without"
            )
    return ""


def _source_line(source: bytes, number: int | None) -> str:
    lines = source.splitlines()
    if number is None or not 0 < number <= len(lines):
        return ""
    return lines[number - 1][:MAX_LINE_LENGTH].decode("utf-8", "replace")
