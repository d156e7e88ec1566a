"""Who may read the source of a version, beside its authors: what the ladders of its bot say."""

from collections.abc import Collection, Iterable

from runners.contests.contests import Ladder
from runners.contests.visibility import is_visible, visible_until
from runners.storage.database import now
from runners.storage.ladder_tables import SourceRule, VersionState
from server.bots.bots import Bot, Version
from server.identity.people import Person

NEVER_SHOWN = (VersionState.CHECKING, VersionState.REFUSED)
"""Versions that have not played are nobody's but their authors'."""


def may_read(
    entered: Iterable[Ladder],
    bot: Bot,
    version: Version,
    who: Person | None,
    sealed: Collection[str],
) -> bool:
    """Return whether somebody may read a version's source; `who`: None for who is not signed in.

    `entered`: the ladders on which the bot plays, or did. `sealed`: the ids of versions under a
    seal, which no rule of another ladder opens.
    """
    if who is not None and bot.is_by(who.id):
        return True
    if version.state in NEVER_SHOWN or version.id in sealed:
        return False
    return any(_opens_source_to(ladder, version, who) for ladder in entered)


def _opens_source_to(ladder: Ladder, version: Version, who: Person | None) -> bool:
    """Return whether a ladder lets others than the author read the source of a version."""
    at = now()
    if not is_visible(version.handed_in_at, visible_until(ladder, who, at)):
        return False
    match ladder.source_rule:
        case SourceRule.NOBODY:
            return False
        case SourceRule.ORGANIZERS:
            return who is not None and who.is_organizer
        case SourceRule.EVERYBODY_AFTER_END:
            return ladder.is_over(at)
        case SourceRule.EVERYBODY:
            return True
