"""Ladder bots that people may play against, since their authors let them."""

from collections.abc import Mapping

from sqlalchemy import Connection, select

from runners.contests.ladder_ratings import latest
from runners.contests.ladders import all_ladders
from runners.contests.visibility import is_met, visible_until
from runners.storage.database import Database, now
from runners.storage.game_tables import people
from runners.storage.ladder_tables import EntryState, bots, entries, versions
from server.games.new_games import OpenBot


def open_bots(database: Database, game: str) -> list[OpenBot]:
    """Return the bots of a game that people may play against, the strongest first.

    Those of authors who were banned, and those disqualified on any ladder, are not among them. No
    version is that was handed in under a seal: the newest from before it plays, if there is one.
    """
    disqualified = select(entries.c.bot).where(entries.c.state == EntryState.DISQUALIFIED)
    query = (
        select(
            bots.c.id, bots.c.name, people.c.name.label("author"), versions.c.digest, versions.c.id
        )
        .join(people, people.c.id == bots.c.person)
        .join(versions, versions.c.bot == bots.c.id)
        .where(bots.c.game == game, bots.c.is_open.is_(True))
        .where(is_met())
        .where(people.c.is_banned.is_(False), people.c.deleted_at.is_(None))
        .where(bots.c.id.not_in(disqualified))
        .order_by(versions.c.number)
    )
    with database.reading() as connection:
        elo = _known_elo(connection, game)
        found = {
            row[0]: OpenBot(
                id=row[0], name=row[1], author=row[2], digest=row[3], elo=elo.get(row[4])
            )
            for row in connection.execute(query)  # the last version stays
        }
    return sorted(found.values(), key=lambda bot: (bot.elo is None, -(bot.elo or 0.0), bot.title))


def _known_elo(connection: Connection, game: str) -> Mapping[str, float]:
    """Return the ratings of versions that everybody may know, the best of all ladders of a game."""
    at = now()
    found: dict[str, float] = {}
    for ladder in all_ladders(connection):
        if ladder.spec.game == game:
            for version, rating in latest(
                connection, ladder.id, visible_until(ladder, None, at)
            ).items():
                if rating.elo is not None:
                    found[version] = max(rating.elo, found.get(version, rating.elo))
    return found
