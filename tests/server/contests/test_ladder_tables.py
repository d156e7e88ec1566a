"""A ladder's table follows whatever changes in it."""

from runners.contests.contests import Ladder
from runners.storage.database import Database
from runners.storage.ladder_tables import VersionState
from server.bots.bots import Bots
from server.contests.ladder_tables import LadderTables
from tests.server.contests.field import bot_in, enter_all, ladder_in, person_in, version_in


def numbers_in(tables: LadderTables, ladder: Ladder) -> dict[str, int]:
    return {one.name: one.number for one in tables.table(ladder, None).standings}


def test_a_former_version_that_is_active_again_stands_in_the_table(database: Database) -> None:
    ladder, tables = ladder_in(database), LadderTables(database)
    ann, bob = (
        bot_in(database, person_in(database, name), f"bot of {name}") for name in ("Ann", "Bob")
    )
    enter_all(database, ladder, [ann, bob])
    version_in(database, ann, "second", number=2, state=VersionState.FORMER)
    version_in(database, bob, "newest", number=2, state=VersionState.FORMER)
    assert numbers_in(tables, ladder) == {"bot of Ann": 1, "bot of Bob": 1}
    for version_id, number in (("second", 2), (ann.version, 1), ("second", 2)):
        Bots(database).activate_again(version_id)
        assert numbers_in(tables, ladder) == {"bot of Ann": number, "bot of Bob": 1}
