"""Matches are counted once, and then only those that are new."""

from datetime import datetime, timedelta

from runners.storage.database import Database, now
from server.contests.ladder_tables import SETTLED_AFTER, MatchCounts
from tests.server.contests.field import add_match, ladder_in


def test_old_and_new_matches_are_counted_each_once(database: Database) -> None:
    ladder, counts = ladder_in(database), MatchCounts()

    def count(until: datetime | None = None) -> int:
        with database.reading() as connection:
            return counts.of(connection, ladder.id, until)

    assert count() == 0
    for ago in (3 * SETTLED_AFTER, 2 * SETTLED_AFTER, timedelta()):
        add_match(database, ladder.id, played_at=now() - ago)
    counts = MatchCounts()
    assert (count(), count()) == (3, 3)
    add_match(database, ladder.id, played_at=now())
    add_match(database, ladder.id, has_result=False)  # it was given up
    assert count() == 4
    assert count(now() - 1.5 * SETTLED_AFTER) == 2


def test_what_was_new_is_counted_when_it_is_old(database: Database) -> None:
    ladder, counts = ladder_in(database), MatchCounts()
    add_match(database, ladder.id, played_at=now() - 3 * SETTLED_AFTER)
    counts._counted[ladder.id] = now() - 4 * SETTLED_AFTER, 7  # as it was counted then
    with database.reading() as connection:
        assert counts.of(connection, ladder.id, None) == 8
        assert counts.of(connection, ladder.id, None) == 8
