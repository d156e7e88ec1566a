"""What a user asks of a tournament, and what it can be called: its name is that of a folder, too.

Commands import it for their --help, and so it imports no database.
"""

import re
from collections.abc import Sequence

import msgspec

from engine.result_folder import is_own_name
from runners.match_request import MatchRequest

TOURNAMENT_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,59}")


class TournamentRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request to register bots. What is left open is as it was stored, or else the default."""

    name: str
    bots: Sequence[str] = ()
    """The bots as they were named; none: those registered before, or else all there are."""
    said: dict[str, object] = {}
    """Fields of the plan that were given."""
    match: MatchRequest
    """What was asked of its matches; the secret is that of the maps of new bots."""


def tournament_name(title: str) -> str:
    """Return the name of a tournament that people call so: without the blanks between its words."""
    return "_".join(title.split())


def tournament_title(name: str) -> str:
    """Return what people read for the name of a tournament."""
    return name.replace("_", " ").strip() or name


def why_no_name(name: str) -> str:
    """Return why a tournament cannot be called so; '' if it can."""
    if not TOURNAMENT_NAME.fullmatch(name):
        why = "letters, digits, _, - and . only, and 60 at most"
    elif is_own_name(name):
        why = "a file or folder of results is called so; choose another one"
    else:
        return ""
    return f"'{name}' cannot be the name of a tournament: {why}"
