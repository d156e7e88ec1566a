"""What a user asks of a tournament."""

from collections.abc import Sequence
from typing import Any

import msgspec

from runners.match_request import MatchRequest


class TournamentRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request to register bots. What is left open is as it was stored, or else the default."""

    name: str
    bots: Sequence[str] = ()
    """The bots as they were named; none: those registered before, or else all there are."""
    said: dict[str, Any] = {}
    """Fields of the plan that were given."""
    match: MatchRequest
    """What was asked of its matches; the secret is that of the maps of new bots."""
