"""Codes that people copy from paper or from a board: of letters that nobody mistakes."""

import secrets

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Those that nobody mistakes for another one on paper: neither 0 nor o, neither 1, l nor i."""
PART = 5
"""Letters between two dashes."""


def new_code(parts: int) -> str:
    """Return a new code of so many parts, such as k7m2p-x9q4w; each part has about 25 bits."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(PART)) for _ in range(parts))


def plain(code: str) -> str:
    """Return a code as it is hashed, however it was typed."""
    return "".join(letter for letter in code.casefold() if letter in LETTERS)
