"""What of a match somebody may see at this moment: the one place where that is decided."""

from enum import Enum, auto
from typing import NamedTuple

from engine.game import AnyGame


class Role(Enum):
    """In what capacity somebody watches a match."""

    SPECTATOR = auto()
    """Anybody: guests, members, the players' opponents."""
    ORGANIZER = auto()
    """Whoever runs the contest that a match is of."""
    TESTER = auto()
    """The author of a draft that is tried, and whoever was given the address of that run."""
    PLAYER = auto()
    """Whoever watches a battle for which all armies were sealed before it: nothing is to be hidden
    in it but their source."""
    HOST = auto()
    """Whoever has the match played on a computer of their own."""


class VisiblePart(Enum):
    """How much of a match is shown."""

    NOTHING = auto()
    """Not even that it is played."""
    AFTER_THE_END = auto()
    """That it is played, and the rest once it is over."""
    PUBLIC_VIEW = auto()
    """What happens, as it happens, without what the rules hide."""
    PUBLIC_COPY = auto()
    """All that happened, with hashes in place of source that is somebody's own."""
    EVERYTHING = auto()


class WatchedMatch(NamedTuple):
    """What decides on who may see a match."""

    game: AnyGame
    is_over: bool
    is_withheld: bool = False
    """Whether its contest shows no results now, as in the last days of a season."""
    is_confidential: bool = False
    """Whether somebody who plays in it shows no source, also where the rules would disclose it."""


def is_shown_late(game: AnyGame) -> bool:
    """Return whether spectators see a match of a game only once it is over."""
    part = find_visible_part(Role.SPECTATOR, WatchedMatch(game, is_over=False))
    return part is VisiblePart.AFTER_THE_END


def find_visible_part(role: Role, match: WatchedMatch) -> VisiblePart:
    """Return what somebody may see of a match now."""
    if match.is_withheld and role is not Role.ORGANIZER:
        return VisiblePart.NOTHING
    if role is Role.TESTER and not match.is_confidential:
        return VisiblePart.EVERYTHING
    if match.is_over:
        return VisiblePart.EVERYTHING if role is Role.HOST else VisiblePart.PUBLIC_COPY
    # Where the public sees all events, a player would read the opponent's design in them.
    if role is Role.PLAYER:
        return VisiblePart.PUBLIC_VIEW
    if match.is_confidential or match.game.public_is_late:
        return VisiblePart.AFTER_THE_END
    return VisiblePart.PUBLIC_VIEW
