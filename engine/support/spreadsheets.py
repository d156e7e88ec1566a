"""Make untrusted words safe in cells of CSV files, which spreadsheets open."""

from engine.support.sanitizing import printable

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins with one of these is run by spreadsheets.

Source: OWASP, CSV Injection.
"""


def harmless(value: object) -> object:
    """Return the cell so that no spreadsheet takes it for a formula; numbers stay numbers."""
    if not isinstance(value, str):
        return value
    text = printable(value)
    return f"'{text}" if text.startswith(FORMULA) else text
