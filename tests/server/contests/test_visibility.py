"""Who sees which results of a frozen season."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from sqlalchemy import ColumnElement, select

from runners.contests.visibility import is_visible, visible_until, was_played_before
from runners.storage.database import Database
from runners.storage.ladder_tables import fixtures
from tests.server.contests.field import add_match, ladder_in

HOUR = timedelta(hours=1)
BEGIN = datetime(2026, 5, 1, tzinfo=UTC)
FREEZE, END = BEGIN + HOUR, BEGIN + 2 * HOUR


class Viewer(msgspec.Struct):
    is_organizer: bool


ROLES = {"nobody": None, "author": Viewer(False), "organizer": Viewer(True)}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    ("at", "is_frozen"),
    [
        (BEGIN - HOUR, False),
        (BEGIN, False),
        (FREEZE - timedelta(microseconds=1), False),
        (FREEZE, True),
        (END - timedelta(microseconds=1), True),
        (END, False),
        (END + HOUR, False),
    ],
)
def test_only_organizers_see_what_was_played_since_the_freeze(
    database: Database, role: str, at: datetime, is_frozen: bool
) -> None:
    season = ladder_in(database, begins_at=BEGIN, freezes_at=FREEZE, ends_at=END, concluded_at=END)
    until = visible_until(season, ROLES[role], at)
    assert until == (FREEZE if is_frozen and role != "organizer" else None)


def test_a_pause_and_a_later_end_keep_a_frozen_table_frozen(database: Database) -> None:
    season = ladder_in(
        database, begins_at=BEGIN, freezes_at=FREEZE, ends_at=END + HOUR, is_paused=True
    )
    assert visible_until(season, None, END) == FREEZE


def test_the_final_of_a_frozen_season_is_hidden_too(database: Database) -> None:
    season = ladder_in(database, begins_at=BEGIN, freezes_at=FREEZE, ends_at=END)
    assert visible_until(season, None, END + HOUR) == FREEZE


def test_a_ladder_without_a_freeze_hides_nothing(database: Database) -> None:
    assert visible_until(ladder_in(database), None, BEGIN + HOUR) is None


def test_queries_find_what_is_visible_and_nothing_else(database: Database) -> None:
    season = ladder_in(database, begins_at=BEGIN, freezes_at=FREEZE, ends_at=END, concluded_at=END)
    times = {
        "before": (BEGIN, FREEZE - timedelta(seconds=1)),
        "just after": (BEGIN, FREEZE),
        "made after": (FREEZE, FREEZE + timedelta(seconds=1)),
        "open": (BEGIN, None),
    }
    for key, (made, played) in times.items():
        add_match(database, season.id, key=key, created_at=made, played_at=played)

    def found(*conditions: ColumnElement[bool]) -> set[str]:
        return set(database.fetch_column(select(fixtures.c.key).where(*conditions)))

    assert found(was_played_before(FREEZE)) == {"before"}
    assert found(was_played_before(None)) == {"before", "just after", "made after"}
    seen = {key for key, (made, _) in times.items() if is_visible(made, FREEZE)}
    assert seen == {"before", "just after", "open"}
    assert all(is_visible(made, None) for made, _ in times.values())
    assert is_visible(FREEZE - HOUR, FREEZE)
    assert not is_visible(FREEZE, FREEZE)
    assert is_visible(END, None)
