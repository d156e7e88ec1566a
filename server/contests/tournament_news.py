"""Tells authors how their bots came out of a tournament."""

from sqlalchemy import select

from engine.support.wording import counted
from runners.contests.names import title_of
from runners.contests.standings import standings_of
from runners.contests.tournament import Tournament
from runners.storage.database import Database
from runners.storage.ladder_tables import bots, notices
from server.contests.notices import tell


def tell_of_end(database: Database, tournament: Tournament) -> None:
    """Tell each author the places of his bots, once. Raises: BadResult."""
    plan = tournament.field.plan
    path = f"/tournaments/{plan.name}"
    rows = standings_of(tournament.ledger()).rows
    with database.writing() as connection:
        authors = {
            row.name: row.person
            for row in connection.execute(
                select(bots.c.name, bots.c.person).where(bots.c.game == plan.game)
            )
        }
        told = set(
            connection.execute(select(notices.c.words).where(notices.c.path == path)).scalars()
        )
        for row in rows:
            words = (
                f"{title_of(plan.name)} is over: {row.bot.name} took place {row.rank} of "
                f"{counted(len(rows), 'bot')}."
            )
            author = authors.get(row.bot.name)
            if author is not None and words not in told:
                tell(connection, author, words, path)
