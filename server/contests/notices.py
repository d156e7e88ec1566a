"""What people are told: their bot was quarantined, has a new best rank, and the like."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from http import HTTPStatus

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update
from starlette.responses import Response
from starlette.routing import Route

from engine.support.wording import pluralize
from runners.contests.authors import author_ids, coauthor_ids
from runners.contests.open_tournaments import NextRound
from runners.contests.plan import Field
from runners.contests.standings import compute_standings
from runners.contests.tournament import Tournament
from runners.contests.tournament_request import tournament_title
from runners.storage.database import Database, now, struct_from_row
from runners.storage.ladder_tables import bots, notices
from runners.storage.together import Lookup, only_value, read_lookups
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part
from server.http.permissions import Permission
from server.identity.people import BUILT_IN_OWNER
from server.identity.text_limits import parse_whole_number

MAX_NOTICES_PER_PERSON = 200
"""Notices of one person; older ones are dropped."""
MAX_NOTICE_LENGTH = 300
MAX_SHOWN_NOTICES = 50


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a person is told."""

    id: int
    words: str
    path: str
    """The page that it is about."""
    at: datetime
    is_seen: bool


class Notices:
    """The notices of a server."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, person_id: str, most: int) -> list[Notice]:
        """Return the newest notices of somebody, the newest first."""
        query = select(notices).where(notices.c.person == person_id)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(notices.c.id.desc()).limit(most))
            return [struct_from_row(Notice, row, is_seen=row.seen_at is not None) for row in rows]

    def mark_seen(self, person_id: str, up_to: int) -> None:
        """Note that somebody has seen the notices up to this one."""
        condition = (
            notices.c.person == person_id,
            notices.c.id <= up_to,
            notices.c.seen_at.is_(None),
        )
        with self._database.transaction() as connection:
            connection.execute(update(notices).where(*condition).values(seen_at=now()))

    def tell(self, people: Collection[str], message: str, path: str) -> None:
        """Tell people something, and where to read more."""
        with self._database.transaction() as connection:
            tell_all(connection, people, message, path)


class NoticePages(Part):
    """The notices of whoever is signed in."""

    def __init__(self, pages: Pages, notices_of_all: Notices) -> None:
        self._pages = pages
        self._notices = notices_of_all

    @property
    def routes(self) -> Sequence[Route]:
        route, member = self._pages.route, Permission.MEMBER
        return [
            route("/notices", member, self._show),
            route("/notices/seen", member, self._mark_seen, "POST"),
        ]

    def _show(self, request: PageRequest) -> Response:
        found = self._notices.of(request.me.id, MAX_SHOWN_NOTICES)
        return request.html("notices.html", notices=found)

    def _mark_seen(self, request: PageRequest) -> Response:
        """Note that somebody has seen the notices up to a number."""
        me, up_to = request.me, parse_whole_number(request.field("up_to"), 15)
        if up_to is None:
            raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, "there is no such notice")
        self._notices.mark_seen(me.id, up_to)
        return redirect_to("/notices")


def tell(connection: Connection, person_id: str, message: str, path: str) -> None:
    """Tell somebody something, in the transaction in which it happens."""
    if person_id == BUILT_IN_OWNER:
        return
    if len(message) > MAX_NOTICE_LENGTH:
        message = message[: MAX_NOTICE_LENGTH - 3] + "..."
    row = {"person": person_id, "words": message, "path": path, "at": now()}
    connection.execute(insert(notices).values(row))
    condition = notices.c.person == person_id
    oldest = (
        select(notices.c.id)
        .where(condition)
        .order_by(notices.c.id.desc())
        .offset(MAX_NOTICES_PER_PERSON)
    )
    connection.execute(
        delete(notices).where(notices.c.id.in_(oldest.limit(MAX_NOTICES_PER_PERSON)))
    )


def tell_all(connection: Connection, people: Collection[str], message: str, path: str) -> None:
    """Tell people something, in the transaction in which it happens."""
    for person_id in sorted(people):
        tell(connection, person_id, message, path)


def count_unseen(person_id: str) -> Lookup[int]:
    """Look up how many notices somebody has yet to see."""
    unseen = notices.c.person == person_id, notices.c.seen_at.is_(None)
    return Lookup(select(func.count()).where(*unseen), only_value)


def tell_of_begin(connection: Connection, field: Field) -> None:
    """Tell everybody whose bots play that a tournament has begun."""
    plan, names = field.plan, _entrant_names(field)
    (authors,) = read_lookups(connection, authors_by_name(plan.game, names))
    people = frozenset[str]().union(*authors.values())
    message = f"{tournament_title(plan.name)} has begun, with {pluralize(len(names), 'bot')}."
    tell_all(connection, people, message, page_of(plan.name))


def tell_of_round(database: Database, tournament: Tournament, upcoming: NextRound) -> None:
    """Tell the authors of a round's bots whom those meet, once."""
    names = _entrant_names(tournament.field)
    title = tournament_title(upcoming.tournament)
    news = {}
    for meeting in upcoming.meetings:
        for number in meeting:
            others = " and ".join(names[other] for other in meeting if other != number)
            news[names[number]] = (
                f"{title}: {upcoming.label} begins after the break; {names[number]} meets {others}."
            )
    _tell_authors_once(database, tournament, news)


def tell_of_end(database: Database, tournament: Tournament) -> None:
    """Tell the authors of each bot its place, once. Raises: BadResult."""
    title = tournament_title(tournament.field.plan.name)
    rows = compute_standings(tournament.ledger()).rows
    news = {row.bot.name: place_words(title, row.bot.name, row.rank, len(rows)) for row in rows}
    _tell_authors_once(database, tournament, news)


def place_words(contest: str, bot: str, rank: int | None, count: int) -> str:
    """Return what the authors of a bot are told at the end of a contest."""
    return f"{contest} is over: {bot} took place {rank} of {pluralize(count, 'bot')}."


def page_of(contest: str) -> str:
    """Return the path of the page of a contest: a ladder's id, or a tournament's name."""
    return f"/contests/{contest}"


def _tell_authors_once(database: Database, tournament: Tournament, news: Mapping[str, str]) -> None:
    """Tell the authors of bots, by name, what nobody has been told yet."""
    plan = tournament.field.plan
    authors = database.find(authors_by_name(plan.game, news))
    by_words = {message: authors.get(name, frozenset()) for name, message in news.items()}
    tell_once(database, plan.name, by_words)


def tell_once(database: Database, contest: str, news: Mapping[str, Collection[str]]) -> None:
    """Tell people, by words, what nobody has been told yet of a contest."""
    path = page_of(contest)
    with database.transaction() as connection:
        about_it = select(notices.c.words).where(notices.c.path == path)
        told = set(connection.execute(about_it).scalars())
        for message, people in news.items():
            if message not in told:
                tell_all(connection, people, message, path)


def _entrant_names(field: Field) -> list[str]:
    return [entrant.bot.name for entrant in field.entrants]


def authors_by_name(game: str, names: Iterable[str]) -> Lookup[Mapping[str, frozenset[str]]]:
    """Look up the ids of the authors of bots of a game, by name."""
    query = select(bots.c.name, bots.c.person, coauthor_ids())
    of_game = query.where(bots.c.game == game, bots.c.name.in_(list(names)))
    return Lookup(of_game, lambda rows: {row.name: author_ids(row) for row in rows})
