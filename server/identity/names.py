"""The names that people choose."""

from unicodedata import normalize

from engine.support.sanitizing import printable
from runners.storage.name_keys import MOST_TYPED, name_key
from server.identity.look_alikes import mixed_scripts

FEWEST, MOST = 2, 24
MOST_KEY = 60
"""Letters of a key; the database holds no more, and one letter can stand for 18."""
MARKS = ("(guest)", "(remote bot)")
"""What stands behind the names of those who play without an account, and of programs."""
DELETED = "deleted"
"""What stands where a person's name was."""


class BadName(Exception):
    """Why a name is not allowed."""


def checked_name(typed: str) -> str:
    """Return a name as it is shown: its blanks are single. Raises: BadName."""
    if len(typed) > MOST_TYPED:
        raise BadName(f"a name has {FEWEST} to {MOST} letters; this one has {len(typed)}")
    name = " ".join(normalize("NFC", typed).split())
    if printable(name) != name:
        raise BadName("a name has printable letters only")
    if not FEWEST <= len(name) <= MOST:
        raise BadName(f"a name has {FEWEST} to {MOST} letters; this one has {len(name)}")
    if not any(letter.isalnum() for letter in name):
        raise BadName("a name has at least one letter or digit")
    if scripts := mixed_scripts(name):
        raise BadName(f"a word is written in one script; this one mixes {' and '.join(scripts)}")
    if len(name_key(name)) > MOST_KEY:
        raise BadName("a name has no letters that stand for whole words")
    if name.casefold().endswith(MARKS):
        raise BadName("a name does not end as those of guests and remote bots do")
    if name_key(name) == DELETED:
        raise BadName("this name stands for people who have left; choose another")
    return name
