"""Tells authors of tournaments: who meets whom in a round, and how their bots came out."""

from collections.abc import Mapping

from sqlalchemy import select

from engine.support.wording import counted
from runners.contests.names import title_of
from runners.contests.rounds import RoundAhead
from runners.contests.standings import standings_of
from runners.contests.tournament import Tournament
from runners.storage.database import Database
from runners.storage.ladder_tables import bots, notices
from server.contests.notices import tell


def tell_of_round(database: Database, tournament: Tournament, ahead: RoundAhead) -> None:
    """Tell the authors of a round's bots whom those meet, once."""
    names = [entrant.bot.name for entrant in tournament.field.entrants]
    title = title_of(ahead.tournament)
    news = {}
    for meeting in ahead.meetings:
        for number in meeting:
            others = " and ".join(names[other] for other in meeting if other != number)
            news[names[number]] = (
                f"{title}: {ahead.label} begins after the break; {names[number]} meets {others}."
            )
    _tell_authors(database, tournament, news)


def tell_of_end(database: Database, tournament: Tournament) -> None:
    """Tell each author the places of his bots, once. Raises: BadResult."""
    title = title_of(tournament.field.plan.name)
    rows = standings_of(tournament.ledger()).rows
    among = counted(len(rows), "bot")
    news = {
        row.bot.name: f"{title} is over: {row.bot.name} took place {row.rank} of {among}."
        for row in rows
    }
    _tell_authors(database, tournament, news)


def _tell_authors(database: Database, tournament: Tournament, news: Mapping[str, str]) -> None:
    """Tell the authors of bots, by name, what they have not been told yet."""
    plan = tournament.field.plan
    path = f"/tournaments/{plan.name}"
    with database.writing() as connection:
        authors = {
            row.name: row.person
            for row in connection.execute(
                select(bots.c.name, bots.c.person).where(bots.c.game == plan.game)
            )
        }
        about_it = select(notices.c.words).where(notices.c.path == path)
        told = set(connection.execute(about_it).scalars())
        for name, words in news.items():
            author = authors.get(name)
            if author is not None and words not in told:
                tell(connection, author, words, path)
