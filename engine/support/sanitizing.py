"""Make untrusted words fit to be shown: in a terminal, a window, a page, an error, a table."""

import os
from itertools import chain, groupby
from pathlib import Path
from unicodedata import category

from engine.support.wording import THOUSANDS

LINE_LETTERS = 300
"""The longest untrusted text in one line."""
INVISIBLE_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"
"""Invisible letters."""
MAX_COMBINING_MARKS = 4
"""Marks upon one letter. Writing systems need up to three; hundreds cover the lines around."""
FORMULA_BEGINNINGS = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins with one of these is run by spreadsheets.

Source: OWASP, CSV Injection.
"""


def make_printable(text: str, instead: str = "·") -> str:
    """Return the text without control characters, invisible ones and those that turn its direction.

    What is left of a line break or an escape is `instead`.
    """
    if text.isascii() and text.isprintable():
        return text
    plain = text.replace(THOUSANDS, " ")  # no console of an old code page has thin spaces
    shown = (letter if _is_shown(letter) else instead for letter in plain)
    runs = groupby(shown, key=_is_mark)
    return "".join(
        chain.from_iterable(
            list(run)[:MAX_COMBINING_MARKS] if are_marks else run for are_marks, run in runs
        )
    )


def one_line(text: object) -> str:
    """Make untrusted words fit to print: one line, no control characters, not endless."""
    clean = make_printable(str(text)[: 8 * LINE_LETTERS], " ")
    return " ".join(clean.split())[:LINE_LETTERS]


def path_text(path: Path) -> str:
    """Return a path as JSON can have it, whatever bytes its names are."""
    return os.fsencode(path).decode(errors="backslashreplace")


def printable_lines(text: str) -> str:
    """Do the same with several lines, which stay lines."""
    return "\n".join(make_printable(line) for line in text.split("\n"))


def _is_shown(letter: str) -> bool:
    return letter.isprintable() and letter not in INVISIBLE_LETTERS


def _is_mark(letter: str) -> bool:
    """Return whether it is drawn upon the letter before it."""
    return category(letter).startswith("M")


def escape_formula(value: object) -> object:
    """Return the cell so that no spreadsheet takes it for a formula; numbers stay numbers."""
    if not isinstance(value, str):
        return value
    text = make_printable(value)
    return f"'{text}" if text.startswith(FORMULA_BEGINNINGS) else text
