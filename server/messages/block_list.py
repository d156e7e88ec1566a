"""Whom people have muted or blocked everywhere."""

from datetime import datetime
from enum import StrEnum

import msgspec
from sqlalchemy import Select, delete, func, insert, or_, select

from runners.storage.database import Database, now, struct_from_row
from runners.storage.game_tables import avoided_people, people, sessions
from runners.storage.together import Lookup, Rows
from server.identity.people import hash_key

MAX_BLOCKED_PEOPLE = 1_000
"""People whom one person mutes or blocks; a list that only grows would slow down every look."""


class Restriction(StrEnum):
    """What somebody has decided against somebody."""

    MUTE = "mute"
    """Their messages are not shown."""
    BLOCK = "block"
    """Besides, neither writes to the other, or sits down in a game that the other has made."""


class BlockListFull(Exception):
    """Somebody mutes and blocks as many people as anybody may."""


class BlockedPerson(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who is muted or blocked, as whoever does it is told."""

    person: str
    """The id."""
    name: str
    kind: Restriction
    since: datetime


class BlockList:
    """The lists of all people. All methods may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def set(self, person_id: str, other_id: str, kind: Restriction | None) -> bool:
        """Mute or block somebody, None: not any more; return whether that changes anything.

        Raises: BlockListFull.
        """
        where = avoided_people.c.person == person_id
        same = where, avoided_people.c.other == other_id
        with self._database.transaction() as connection:
            before = connection.execute(select(avoided_people.c.kind).where(*same)).scalar()
            if before == kind:
                return False
            connection.execute(delete(avoided_people).where(*same))
            if kind is None:
                return True
            count = select(func.count()).select_from(avoided_people).where(where)
            if connection.execute(count).scalar_one() >= MAX_BLOCKED_PEOPLE:
                raise BlockListFull
            row = {"person": person_id, "other": other_id, "kind": kind, "since": now()}
            connection.execute(insert(avoided_people).values(row))
        return True

    def blocked_with(self, person_id: str) -> frozenset[str]:
        """Return the ids of those whom somebody has blocked, and who have blocked them."""
        return self._database.find(blocked_either_way(person_id))


def block_list(person_id: str) -> Lookup[list[BlockedPerson]]:
    """Look up whom somebody mutes or blocks and who has not left, by name."""
    query = (
        select(avoided_people, people.c.name)
        .join(people, people.c.id == avoided_people.c.other)
        .where(avoided_people.c.person == person_id, people.c.deleted_at.is_(None))
        .order_by(people.c.name_key)
    )
    return Lookup(
        query,
        lambda rows: [struct_from_row(BlockedPerson, row, person=row.other) for row in rows],
    )


def find_restriction(person_id: str, other_id: str) -> Lookup[Restriction | None]:
    """Look up how somebody mutes or blocks another person."""
    query = select(avoided_people.c.kind).where(
        avoided_people.c.person == person_id, avoided_people.c.other == other_id
    )
    return Lookup(query, lambda rows: Restriction(rows[0].kind) if rows else None)


def blocked_either_way(person_id: str) -> Lookup[frozenset[str]]:
    """Look up the people whom somebody has blocked, and who have blocked them."""
    return Lookup(blocks_query(person_id), _other_people)


def blocked_in_session(token: str) -> Lookup[frozenset[str]]:
    """Look up from whom a block keeps the person of a session apart; nobody without one."""
    person = select(sessions.c.person).where(sessions.c.hash == hash_key(token)).scalar_subquery()
    return Lookup(blocks_query(person), _other_people)


def blocks_query(person: object) -> Select[tuple[str, str, str]]:
    """Return the query of the blocks between a person and others: who, whom, and the person."""
    me = select(people.c.id.label("me")).where(people.c.id == person).subquery()
    either = or_(avoided_people.c.person == me.c.me, avoided_people.c.other == me.c.me)
    return (
        select(avoided_people.c.person, avoided_people.c.other, me.c.me)
        .join(me, either)
        .where(avoided_people.c.kind == Restriction.BLOCK)
    )


def _other_people(rows: Rows) -> frozenset[str]:
    return frozenset(row.other if row.person == row.me else row.person for row in rows)
