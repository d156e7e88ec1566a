"""The numbers of Smack!'s rules, typed and validated."""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

NERD_POINTS, BULLY_POINTS = 1, 4
"""Points for removing a piece (rules 7.1)."""
MAX_POINTS = 32
"""The most points of a side in a half: 32 nerds, or 8 bullies (rules 7.1)."""


class Pace(StrEnum):
    """How the two boards follow one another (rules 7.4, 7.7)."""

    LOCKSTEP = "lockstep"
    FREE = "free"


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One match's numbers."""

    pace: Annotated[
        Pace,
        Meta(description="lockstep: a ply on each board per round; free: each board is a game"),
    ] = Pace.LOCKSTEP
    opening_plies: Annotated[
        int, Meta(ge=0, le=100, description="plies drawn at random before the bots are asked")
    ] = 0
    no_capture_limit: Annotated[
        int, Meta(ge=1, le=10_000, description="a half ends after so many plies without capture")
    ] = 100
    repetition_limit: Annotated[
        int, Meta(ge=2, le=100, description="a half ends when a position comes up so often")
    ] = 3
    ply_limit: Annotated[
        int, Meta(ge=1, le=10_000, description="a half ends after so many plies")
    ] = 400

    def __post_init__(self) -> None:
        """Refuse halves that would be over before the bots are asked."""
        if self.opening_plies >= min(self.ply_limit, self.no_capture_limit):
            raise ValueError(
                f"opening_plies = {self.opening_plies} would end the half by ply_limit = "
                f"{self.ply_limit} or no_capture_limit = {self.no_capture_limit}"
            )
