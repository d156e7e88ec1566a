"""Tells authors of tournaments: that theirs begins, whom their bots meet, how they came out."""

from collections.abc import Iterable, Mapping

from sqlalchemy import Connection, select

from engine.support.wording import counted
from runners.contests.authors import authors_of, coauthor_ids
from runners.contests.rounds import RoundAhead
from runners.contests.standings import standings_of
from runners.contests.tournament import Tournament, title_of
from runners.storage.database import Database
from runners.storage.ladder_tables import bots, notices
from server.contests.notices import tell_all


def tell_of_begin(connection: Connection, tournament: Tournament) -> None:
    """Tell everybody whose bots play that a tournament has begun."""
    plan, names = tournament.field.plan, _names(tournament)
    people = frozenset[str]().union(*_authors(connection, plan.game, names).values())
    words = f"{title_of(plan.name)} has begun, with {counted(len(names), 'bot')}."
    tell_all(connection, people, words, page_of(plan.name))


def tell_of_round(database: Database, tournament: Tournament, ahead: RoundAhead) -> None:
    """Tell the authors of a round's bots whom those meet, once."""
    names = _names(tournament)
    title = title_of(ahead.tournament)
    news = {}
    for meeting in ahead.meetings:
        for number in meeting:
            others = " and ".join(names[other] for other in meeting if other != number)
            news[names[number]] = (
                f"{title}: {ahead.label} begins after the break; {names[number]} meets {others}."
            )
    _tell_once(database, tournament, news)


def tell_of_end(database: Database, tournament: Tournament) -> None:
    """Tell the authors of each bot its place, once. Raises: BadResult."""
    title = title_of(tournament.field.plan.name)
    rows = standings_of(tournament.ledger()).rows
    among = counted(len(rows), "bot")
    news = {
        row.bot.name: f"{title} is over: {row.bot.name} took place {row.rank} of {among}."
        for row in rows
    }
    _tell_once(database, tournament, news)


def page_of(name: str) -> str:
    """Return the path of a tournament's page."""
    return f"/tournaments/{name}"


def _tell_once(database: Database, tournament: Tournament, news: Mapping[str, str]) -> None:
    """Tell the authors of bots, by name, what nobody has been told yet."""
    plan = tournament.field.plan
    path = page_of(plan.name)
    with database.writing() as connection:
        authors = _authors(connection, plan.game, news)
        about_it = select(notices.c.words).where(notices.c.path == path)
        told = set(connection.execute(about_it).scalars())
        for name, words in news.items():
            if words not in told:
                tell_all(connection, authors.get(name, frozenset()), words, path)


def _names(tournament: Tournament) -> list[str]:
    return [entrant.bot.name for entrant in tournament.field.entrants]


def _authors(
    connection: Connection, game: str, names: Iterable[str]
) -> Mapping[str, frozenset[str]]:
    """Return the ids of the authors of bots of a game, by name."""
    query = select(bots.c.name, bots.c.person, coauthor_ids())
    of_game = query.where(bots.c.game == game, bots.c.name.in_(list(names)))
    return {row.name: authors_of(row) for row in connection.execute(of_game)}
