"""The names that people choose."""

from unicodedata import name as name_in_unicode
from unicodedata import normalize

from engine.support.sanitizing import make_printable
from runners.storage.tables import MAX_TYPED_LENGTH, name_key
from server.identity.look_alikes import (
    looks_like_one_of,
    mixed_scripts,
    skeletons,
    stray_mark,
    without_invisible,
)

MIN_NAME_LENGTH, MAX_NAME_LENGTH = 2, 24
MAX_KEY_LENGTH = 60
"""Letters of a key; the database holds no more, and one letter can stand for 18."""
NAME_MARKS = ("(guest)", "(remote bot)")
"""What stands behind the names of those who play without an account, and of programs."""
DELETED_NAME = "deleted"
"""What stands where a person's name was."""
RESERVED = ("house", "the house")
"""What the author of the built-in bots is called."""


class BadName(Exception):
    """Why a name is not allowed."""


def validate_name(typed: str) -> str:
    """Return a name as it is shown: its blanks are single. Raises: BadName."""
    if len(typed) > MAX_TYPED_LENGTH:
        raise BadName(
            f"a name has {MIN_NAME_LENGTH} to {MAX_NAME_LENGTH} letters; this one has {len(typed)}"
        )
    name = " ".join(normalize("NFC", typed).split())
    if make_printable(name) != name:
        raise BadName("a name has printable letters only")
    seen = len(without_invisible(name))
    if seen < MIN_NAME_LENGTH or len(name) > MAX_NAME_LENGTH:
        has = min(seen, len(name)) if seen < MIN_NAME_LENGTH else len(name)
        raise BadName(
            f"a name has {MIN_NAME_LENGTH} to {MAX_NAME_LENGTH} letters; this one has {has}"
        )
    if not any(letter.isalnum() for letter in name):
        raise BadName("a name has at least one letter or digit")
    if mark := stray_mark(name):
        text = f"U+{ord(mark):04X} {name_in_unicode(mark, '')}".strip()
        raise BadName(f"no language writes the mark {text} there: a name has none such")
    if scripts := mixed_scripts(name):
        raise BadName(f"a word is written in one script; this one mixes {' and '.join(scripts)}")
    if len(name_key(name)) > MAX_KEY_LENGTH:
        raise BadName("a name has no letters that stand for whole words")
    _require_free(name)
    return name


def _require_free(name: str) -> None:
    """Raises: BadName for a name that stands for somebody else, or looks as if it did."""
    ends = tuple(form for mark in NAME_MARKS for form in skeletons(mark))  # its table is large
    if any(one.endswith(ends) for one in skeletons(name)):
        raise BadName("a name does not end as those of guests and remote bots do")
    if looks_like_one_of(name, (DELETED_NAME,)):
        raise BadName("this name stands for people who have left; choose another")
    if looks_like_one_of(name, RESERVED):
        raise BadName("this name stands for the bots that came with the server; choose another")
