"""Ratings over time, in the database."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from server.arena.ladders import Ladder
from server.arena.rating import Published, forget_later, latest, publish
from server.database import Database
from server.people import now
from tests.server.arena.field import bot_in, ladder_in, person_in

HOUR = timedelta(hours=1)


def rate(database: Database, ladder: Ladder, version: str, elo: float, at: datetime) -> None:
    found = Published(version=version, at=at, games=10, elo=elo, low=elo - 9, high=elo + 9)
    publish(database, ladder.id, {version: found}, at)


def elos(database: Database, ladder: Ladder) -> Mapping[str, float | None]:
    with database.reading() as connection:
        return {version: one.elo for version, one in latest(connection, ladder.id).items()}


def test_ratings_of_before_the_clock_was_set_back_do_not_stay_the_newest(
    database: Database,
) -> None:
    ladder, at = ladder_in(database), now()
    bot = bot_in(database, person_in(database, "Ann"), "alpha")
    rate(database, ladder, bot.version, 1600, at)
    forget_later(database, ladder.id, at - HOUR)
    rate(database, ladder, bot.version, 1500, at - HOUR)
    assert elos(database, ladder) == {bot.version: 1500}


def test_ratings_of_a_freeze_stay_though_the_clock_was_set_back(database: Database) -> None:
    ladder, at = ladder_in(database), now()
    bot = bot_in(database, person_in(database, "Ann"), "alpha")
    rate(database, ladder, bot.version, 1600, at)
    forget_later(database, ladder.id, at - HOUR, pinned=at)
    assert elos(database, ladder) == {bot.version: 1600}
