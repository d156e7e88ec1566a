"""The names that people choose."""

from unicodedata import normalize

from engine.printable import printable

FEWEST, MOST = 2, 24
DELETED = "deleted"
"""What stands where a person's name was."""


class BadName(Exception):
    """Why a name cannot be had."""


def checked_name(typed: str) -> str:
    """Return a name as it is shown: its blanks are single. Raises: BadName."""
    name = " ".join(normalize("NFC", typed).split())
    if printable(name) != name:
        raise BadName("a name has printable letters only")
    if not FEWEST <= len(name) <= MOST:
        raise BadName(f"a name has {FEWEST} to {MOST} letters; this one has {len(name)}")
    if not any(letter.isalnum() for letter in name):
        raise BadName("a name has at least one letter or digit")
    if name_key(name) == DELETED:
        raise BadName("this name stands for people who have left; choose another")
    return name


def name_key(name: str) -> str:
    """Return what two names that look alike share: nobody may take a name in other letters."""
    return normalize("NFKC", normalize("NFKC", name).casefold())
