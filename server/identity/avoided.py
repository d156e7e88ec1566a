"""Whom people have muted or blocked everywhere."""

from datetime import datetime
from enum import StrEnum

import msgspec
from sqlalchemy import Select, delete, func, insert, or_, select

from runners.storage.database import Database, aware, now
from runners.storage.game_tables import avoided_people, people, sessions
from runners.storage.together import Lookup, Rows
from server.identity.people import hash_key

MAX_AVOIDED_PEOPLE = 1_000
"""People whom one person mutes or blocks; a list that only grows would slow down every look."""


class Avoiding(StrEnum):
    """How somebody is avoided."""

    MUTE = "mute"
    """Their messages are not shown."""
    BLOCK = "block"
    """Besides, neither writes to the other, or sits down in a game that the other has made."""


class TooManyAvoided(Exception):
    """Somebody avoids as many people as anybody may."""


class AvoidedPerson(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who is avoided, as whoever does it is told."""

    person: str
    """The id."""
    name: str
    kind: Avoiding
    since: datetime


class AvoidedPeople:
    """The lists of all people. All methods may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def set(self, person_id: str, other_id: str, kind: Avoiding | None) -> bool:
        """Avoid somebody so from now on, None: not any more; return whether that changes anything.

        Raises: TooManyAvoided.
        """
        mine = avoided_people.c.person == person_id
        same = mine, avoided_people.c.other == other_id
        with self._database.writing() as connection:
            before = connection.execute(select(avoided_people.c.kind).where(*same)).scalar()
            if before == kind:
                return False
            connection.execute(delete(avoided_people).where(*same))
            if kind is None:
                return True
            count = select(func.count()).select_from(avoided_people).where(mine)
            if connection.execute(count).scalar_one() >= MAX_AVOIDED_PEOPLE:
                raise TooManyAvoided
            row = {"person": person_id, "other": other_id, "kind": kind, "since": now()}
            connection.execute(insert(avoided_people).values(row))
        return True

    def of(self, person_id: str) -> list[AvoidedPerson]:
        """Return whom somebody avoids, by name."""
        return self._database.find(block_list(person_id))

    def apart_from(self, person_id: str) -> frozenset[str]:
        """Return the ids of those whom somebody has blocked, and who have blocked them."""
        return self._database.find(people_apart(person_id))

    def forget(self, person_id: str) -> None:
        """Forget whom somebody avoids who leaves.

        Those who avoid them go on to do so: what was written to them stays hidden.
        """
        mine = avoided_people.c.person == person_id
        with self._database.writing() as connection:
            connection.execute(delete(avoided_people).where(mine))


def block_list(person_id: str) -> Lookup[list[AvoidedPerson]]:
    """Look up whom somebody avoids and who has not left, by name."""
    query = (
        select(avoided_people, people.c.name)
        .join(people, people.c.id == avoided_people.c.other)
        .where(avoided_people.c.person == person_id, people.c.deleted_at.is_(None))
        .order_by(people.c.name_key)
    )
    return Lookup(
        query,
        lambda rows: [
            AvoidedPerson(
                person=row.other, name=row.name, kind=Avoiding(row.kind), since=aware(row.since)
            )
            for row in rows
        ],
    )


def kind_of_avoiding(person_id: str, other_id: str) -> Lookup[Avoiding | None]:
    """Look up how somebody avoids another person."""
    query = select(avoided_people.c.kind).where(
        avoided_people.c.person == person_id, avoided_people.c.other == other_id
    )
    return Lookup(query, lambda rows: Avoiding(rows[0].kind) if rows else None)


def people_apart(person_id: str) -> Lookup[frozenset[str]]:
    """Look up the people whom somebody has blocked, and who have blocked them."""
    return Lookup(blocks_query(person_id), _others)


def apart_in_session(token: str) -> Lookup[frozenset[str]]:
    """Look up from whom a block keeps the person of a session apart; nobody without one."""
    person = select(sessions.c.person).where(sessions.c.hash == hash_key(token)).scalar_subquery()
    return Lookup(blocks_query(person), _others)


def blocks_query(person: object) -> Select[tuple[str, str, str]]:
    """Return the query of the blocks between a person and others: who, whom, and the person."""
    me = select(people.c.id.label("me")).where(people.c.id == person).subquery()
    either = or_(avoided_people.c.person == me.c.me, avoided_people.c.other == me.c.me)
    return (
        select(avoided_people.c.person, avoided_people.c.other, me.c.me)
        .join(me, either)
        .where(avoided_people.c.kind == Avoiding.BLOCK)
    )


def _others(rows: Rows) -> frozenset[str]:
    return frozenset(row.other if row.person == row.me else row.person for row in rows)
