"""Matches are counted once, and then only those that are new."""

from datetime import datetime, timedelta

from sqlalchemy import insert

from runners.storage.database import Database, now
from runners.storage.ladder_tables import fixtures
from server.contests.ladder_tables import SETTLED_AFTER, MatchCounts
from tests.server.contests.field import ladder_in


def add_match(database: Database, ladder_id: str, at: datetime, *, has_result: bool = True) -> None:
    row = {"ladder": ladder_id, "set_number": 1, "seats": "[]", "seed": "1", "key": ""}
    times = {"created_at": at, "played_at": at}
    database.write(insert(fixtures).values(row | times | {"has_result": has_result}))


def test_old_and_new_matches_are_counted_each_once(database: Database) -> None:
    ladder, counts = ladder_in(database).id, MatchCounts()

    def count(until: datetime | None = None) -> int:
        with database.reading() as connection:
            return counts.of(connection, ladder, until)

    assert count() == 0
    for ago in (3 * SETTLED_AFTER, 2 * SETTLED_AFTER, timedelta()):
        add_match(database, ladder, now() - ago)
    counts = MatchCounts()
    assert (count(), count()) == (3, 3)
    add_match(database, ladder, now())
    add_match(database, ladder, now(), has_result=False)  # it was given up
    assert count() == 4
    assert count(now() - 1.5 * SETTLED_AFTER) == 2


def test_what_was_new_is_counted_when_it_is_old(database: Database) -> None:
    ladder, counts = ladder_in(database).id, MatchCounts()
    add_match(database, ladder, now() - 3 * SETTLED_AFTER)
    counts._counted[ladder] = now() - 4 * SETTLED_AFTER, 7  # as it was counted then
    with database.reading() as connection:
        assert counts.of(connection, ladder, None) == 8
        assert counts.of(connection, ladder, None) == 8
