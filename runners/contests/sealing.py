"""Ladders that play no matches for a while, so that nobody sees what others have handed in."""

from sqlalchemy import select

from runners.storage.ladder_tables import scheduled_tournaments
from runners.storage.together import Lookup


def sealed_ladders() -> Lookup[frozenset[str]]:
    """Look up the ids of the ladders whose bots stay sealed until a tournament of theirs begins."""
    query = (
        select(scheduled_tournaments.c.ladder)
        .where(scheduled_tournaments.c.is_sealed, scheduled_tournaments.c.settled_at.is_(None))
        .distinct()
    )
    return Lookup(query, lambda rows: frozenset(row.ladder for row in rows))
