"""Bots that several people share: who is invited, who has said yes, who comes after the owner."""

from datetime import datetime
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from runners.contests.ladder_fixtures import drop_meetings
from runners.storage.database import Database, Stale, now, struct_from_row
from runners.storage.game_tables import people
from runners.storage.ladder_tables import bots, coauthors
from runners.storage.together import Lookup

MAX_AUTHORS = 8
"""The owner of a bot and those with whom it is shared, also those who have yet to say yes."""


class Coauthor(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody with whom a bot is shared."""

    person: str
    name: str
    invited_at: datetime
    accepted_at: datetime | None
    """None until they have said yes."""


class SharedBot(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that somebody is asked to share."""

    bot: str
    name: str
    game: str
    owner: str
    """The name of its owner."""


class InheritedBot(NamedTuple):
    """A bot whose owner leaves, and who owns it from then on."""

    bot: str
    name: str
    owner: str
    owner_name: str


class NotShared(Exception):
    """Why somebody cannot be invited, in words."""


class Sharing:
    """Who shares which bot. All methods may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def invite(self, bot_id: str, person_id: str, name: str) -> None:
        """Ask somebody to share a bot. Raises: NotShared."""
        row = {"bot": bot_id, "person": person_id, "invited_at": now()}
        try:
            with self._database.transaction() as connection:
                _require_new(connection, bot_id, person_id, name)
                connection.execute(insert(coauthors).values(row))
        except Stale as error:  # the form was sent twice
            raise NotShared(f"{name} was invited already") from error

    def accept(self, bot_id: str, person_id: str) -> None:
        """Make who was invited an author. Raises: Stale for who is not.

        Matches that are yet to be played against other bots of theirs are given up.
        """
        where = coauthors.c.bot == bot_id, coauthors.c.person == person_id
        waiting = update(coauthors).where(*where, coauthors.c.accepted_at.is_(None))
        with self._database.transaction() as connection:
            drop_meetings(connection, bot_id, person_id)
            if connection.execute(waiting.values(accepted_at=now())).rowcount != 1:
                raise Stale

    def remove(self, bot_id: str, person_id: str) -> bool:
        """Let somebody share a bot no more; return whether they did, or were invited."""
        where = coauthors.c.bot == bot_id, coauthors.c.person == person_id
        return self._database.write(delete(coauthors).where(*where)) == 1

    def forget(self, person_id: str) -> list[InheritedBot]:
        """Pass the bots of a person who leaves on to their oldest co-authors; return them.

        The person shares no bot any more.
        """
        with self._database.transaction() as connection:
            passed = _pass_on_to_heirs(connection, person_id)
            for one in passed:
                connection.execute(
                    update(bots).where(bots.c.id == one.bot).values(person=one.owner)
                )
                same = coauthors.c.bot == one.bot, coauthors.c.person == one.owner
                connection.execute(delete(coauthors).where(*same))
            left = select(bots.c.id).where(bots.c.person == person_id)
            gone = (coauthors.c.person == person_id) | coauthors.c.bot.in_(left)
            connection.execute(delete(coauthors).where(gone))
        return passed

    def heirs(self, person_id: str) -> list[InheritedBot]:
        """Return who would own the shared bots of a person who leaves."""
        with self._database.reading() as connection:
            return _pass_on_to_heirs(connection, person_id)


def _require_new(connection: Connection, bot_id: str, person_id: str, name: str) -> None:
    """Raises: NotShared for who shares the bot or was invited, and where it has authors enough."""
    of_bot = coauthors.c.bot == bot_id
    found = select(coauthors.c.accepted_at).where(of_bot, coauthors.c.person == person_id)
    before = connection.execute(found).one_or_none()
    if before is not None:
        is_in = before.accepted_at is not None
        raise NotShared(f"{name} {'is an author' if is_in else 'was invited'} already")
    count = select(func.count()).select_from(coauthors).where(of_bot)
    if connection.execute(count).scalar_one() >= MAX_AUTHORS - 1:
        raise NotShared(f"a bot has at most {MAX_AUTHORS} authors: remove somebody first")


def bot_coauthors(bot_id: str) -> Lookup[list[Coauthor]]:
    """Look up with whom a bot is shared, and who was invited; the first invited first."""
    query = (
        select(coauthors, people.c.name)
        .join(people, people.c.id == coauthors.c.person)
        .where(coauthors.c.bot == bot_id, people.c.deleted_at.is_(None))
        .order_by(coauthors.c.invited_at, people.c.name_key)
    )
    return Lookup(query, lambda rows: [struct_from_row(Coauthor, row) for row in rows])


def sharing_invitations(person_id: str) -> Lookup[list[SharedBot]]:
    """Look up the bots that somebody is asked to share, the newest first."""
    query = (
        select(bots.c.id, bots.c.name, bots.c.game, people.c.name.label("owner"))
        .join(coauthors, coauthors.c.bot == bots.c.id)
        .join(people, people.c.id == bots.c.person)
        .where(coauthors.c.person == person_id, coauthors.c.accepted_at.is_(None))
        .order_by(coauthors.c.invited_at.desc(), bots.c.id)
    )
    return Lookup(
        query,
        lambda rows: [
            SharedBot(bot=row.id, name=row.name, game=row.game, owner=row.owner) for row in rows
        ],
    )


def _pass_on_to_heirs(connection: Connection, person_id: str) -> list[InheritedBot]:
    query = (
        select(bots.c.id, bots.c.name, people.c.id.label("heir"), people.c.name.label("heir_name"))
        .join(coauthors, coauthors.c.bot == bots.c.id)
        .join(people, people.c.id == coauthors.c.person)
        .where(
            bots.c.person == person_id,
            coauthors.c.accepted_at.is_not(None),
            people.c.is_banned.is_(False),
            people.c.deleted_at.is_(None),
        )
        .order_by(bots.c.name_key, coauthors.c.accepted_at, people.c.id)
    )
    oldest: dict[str, InheritedBot] = {}
    for row in connection.execute(query):
        oldest.setdefault(row.id, InheritedBot(row.id, row.name, row.heir, row.heir_name))
    return list(oldest.values())
