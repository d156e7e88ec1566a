"""Who comes into a group: by its code, or by an invitation that is for the group."""

from sqlalchemy import Connection, func, insert, select

from runners.storage.database import now
from runners.storage.game_tables import group_members

MOST_MEMBERS = 500
"""Members of one group."""


class NotPossible(Exception):
    """Why something cannot be done with a group, in words."""


def add_member(connection: Connection, group_id: str, person_id: str) -> None:
    """Let somebody into a group, in the transaction in which it happens. Raises: NotPossible."""
    mine = group_members.c.group == group_id
    if connection.execute(
        select(group_members.c.person).where(mine, group_members.c.person == person_id)
    ).first():
        return
    count = select(func.count()).select_from(group_members).where(mine)
    if connection.execute(count).scalar_one() >= MOST_MEMBERS:
        raise NotPossible(f"this group has {MOST_MEMBERS} members, and none may have more")
    row = {"group": group_id, "person": person_id, "joined_at": now()}
    connection.execute(insert(group_members).values(row))
