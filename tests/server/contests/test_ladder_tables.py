"""A ladder's table follows whatever changes in it, and its matches are counted once."""

from datetime import datetime, timedelta

from runners.contests.contests import Ladder
from runners.storage.database import Database, now
from runners.storage.ladder_tables import VersionState
from server.bots.bots import Bots
from server.contests.ladder_tables import SETTLED_AFTER, LadderTables, MatchCounts
from tests.server.contests.field import add_match, bots_in, enter_all, ladder_in, version_in


def numbers_in(tables: LadderTables, ladder: Ladder) -> dict[str, int]:
    return {one.name: one.number for one in tables.table(ladder, None).standings}


def test_a_former_version_that_is_active_again_stands_in_the_table(database: Database) -> None:
    ladder, tables = ladder_in(database), LadderTables(database)
    ann, bob = bots_in(database, "ann", "bob")
    enter_all(database, ladder, [ann, bob])
    version_in(database, ann, "second", number=2, state=VersionState.FORMER)
    version_in(database, bob, "newest", number=2, state=VersionState.FORMER)
    assert numbers_in(tables, ladder) == {"ann": 1, "bob": 1}
    for version_id, number in (("second", 2), (ann.version, 1), ("second", 2)):
        Bots(database).activate_again(version_id)
        assert numbers_in(tables, ladder) == {"ann": number, "bob": 1}


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
