"""The names of bots: fit to be shown, and to be part of the names of files."""

from engine.bots.finding import PREFIX
from engine.bots.own_files import SOURCE
from server.identity.names import FEWEST, MOST, BadName, checked_name

MARKS = "-_. "
"""What a bot's name may hold besides letters and digits: it is part of the names of files."""


def checked_bot_name(typed: str) -> str:
    """Return the name of a bot as it is shown, fit for the name of a file. Raises: BadName."""
    name = checked_name(typed)
    for letter in name:
        if not (letter.isalnum() or letter in MARKS):
            raise BadName(
                f"a bot's name has letters, digits, blanks and {' '.join(MARKS.strip())} only; "
                f"this one has {letter!r}"
            )
    return name


def default_name(file: str, author: str = "") -> str:
    """Return what a bot is called whose author says nothing: as its file, and as its author."""
    file, after = _fit(file), f" {_fit(author)}" if author else ""
    name = f"{file[: max(0, MOST - len(after))]}{after}".strip()
    return name if len(name) >= FEWEST else f"bot {name}".strip()


def file_name(name: str) -> str:
    """Return the name of the file of a bot that is one."""
    letters = (letter if letter.isalnum() else "_" for letter in name.lower())
    return f"{PREFIX}{''.join(letters)}{SOURCE}"


def _fit(words: str) -> str:
    """Return the letters that a bot's name may have."""
    return "".join(letter for letter in words if letter.isalnum() or letter in MARKS).strip()
