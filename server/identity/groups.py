"""Groups of people, such as a class, and who is in them."""

from datetime import datetime

import msgspec
from sqlalchemy import ColumnElement, Connection, func, insert, select

from runners.storage.database import now, struct_from_row
from runners.storage.game_tables import group_members, invitations, people, people_groups
from runners.storage.together import AnyRow, AnySelect, Lookup, Rows, only_value

MAX_MEMBERS = 500
"""Members of one group."""


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """A group of people."""

    id: str
    name: str
    note: str
    is_open: bool
    """Whether it has a code by which one joins it."""
    made_at: datetime
    members: int = 0
    """How many there are, where that was looked up."""


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody in a group."""

    id: str
    name: str
    joined_at: datetime
    is_banned: bool
    joined_by: str
    """The note of the invitation by which they have their account."""


def every_group() -> Lookup[list[Group]]:
    """Look up all groups by name, each with how many members it has."""
    return Lookup(_groups_query().order_by(people_groups.c.name_key), _read_groups)


def group_of_id(group_id: str) -> Lookup[Group | None]:
    """Look up a group."""
    return group_where(people_groups.c.id == group_id)


def person_groups(person_id: str) -> Lookup[list[Group]]:
    """Look up the groups that somebody is in, by name."""
    own = select(group_members.c.group).where(group_members.c.person == person_id)
    query = _groups_query().where(people_groups.c.id.in_(own))
    return Lookup(query.order_by(people_groups.c.name_key), _read_groups)


def is_member(group_id: str, person_id: str) -> Lookup[bool]:
    """Look up whether somebody is in a group."""
    where = group_members.c.group == group_id, group_members.c.person == person_id
    return Lookup(select(func.count()).where(*where), lambda rows: bool(only_value(rows)))


def member_list(group_id: str) -> Lookup[list[Member]]:
    """Look up the members of a group, by name."""
    query = (
        select(
            people.c.id,
            people.c.name,
            people.c.is_banned,
            group_members.c.joined_at,
            invitations.c.note,
        )
        .select_from(group_members.join(people, people.c.id == group_members.c.person))
        .outerjoin(invitations, invitations.c.id == people.c.invitation)
        .where(group_members.c.group == group_id, people.c.deleted_at.is_(None))
        .order_by(people.c.name_key)
    )
    return Lookup(
        query, lambda rows: [struct_from_row(Member, row, joined_by=row.note or "") for row in rows]
    )


def _groups_query() -> AnySelect:
    members = (
        select(func.count())
        .where(group_members.c.group == people_groups.c.id)
        .correlate(people_groups)
        .scalar_subquery()
    )
    return select(people_groups, members.label("members"))


def group_where(condition: ColumnElement[bool]) -> Lookup[Group | None]:
    """Look up the first group of which a condition holds."""
    return Lookup(
        _groups_query().where(condition), lambda rows: _group_from_row(rows[0]) if rows else None
    )


def _read_groups(rows: Rows) -> list[Group]:
    return [_group_from_row(row) for row in rows]


def _group_from_row(row: AnyRow) -> Group:
    return struct_from_row(Group, row, is_open=row.code is not None)


class NotPossible(Exception):
    """Why something cannot be done with a group, in words."""


def add_member(connection: Connection, group_id: str, person_id: str) -> None:
    """Let somebody into a group, in the transaction in which it happens. Raises: NotPossible."""
    where = group_members.c.group == group_id
    if connection.execute(
        select(group_members.c.person).where(where, group_members.c.person == person_id)
    ).first():
        return
    count = select(func.count()).select_from(group_members).where(where)
    if connection.execute(count).scalar_one() >= MAX_MEMBERS:
        raise NotPossible(f"this group has {MAX_MEMBERS} members, and none may have more")
    row = {"group": group_id, "person": person_id, "joined_at": now()}
    connection.execute(insert(group_members).values(row))
