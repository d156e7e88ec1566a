"""What changes groups of people: they are made and deleted, and people join and leave them.

The code by which one joins a group is shown once, and kept as a hash.
"""

import secrets
from contextlib import suppress

from sqlalchemy import Connection, delete, func, insert, select, update

from runners.contests.entries import ENTERED_STATES
from runners.contests.tournament_request import tournament_title
from runners.storage.database import Database, Stale, now
from runners.storage.game_tables import group_members, invitations, people_groups
from runners.storage.ladder_tables import EntryState, bots, entries
from runners.storage.tables import contests, name_key
from server.identity.groups import Group, NotPossible, add_member, group_where
from server.identity.names import looks_like_one_of
from server.identity.people import hash_key
from server.identity.recovery_codes import new_code, normalize_code

CODE_PARTS = 2
"""About 50 bits: guesses are limited, and whoever finds one out is seen by the organizer."""
MAX_GROUPS = 300
IS_OPEN = contests.c.concluded_at.is_(None) & contests.c.settled_at.is_(None)
"""A ladder that is not over, or a tournament that has not begun."""
MAX_NOTE_LENGTH = 300


class Groups:
    """The groups of a server. All methods may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- what organizers do -------------------------------------------------------------------

    def make(self, name: str, note: str) -> tuple[str, str]:
        """Make a group; return its id, and the code by which one joins it. Raises: NotPossible."""
        group_id, code = secrets.token_hex(8), new_code(CODE_PARTS)
        row: dict[str, object] = {"id": group_id, "name": name, "name_key": name_key(name)}
        row |= {"note": note, "code": hash_key(normalize_code(code)), "made_at": now()}
        count = select(func.count()).select_from(people_groups)
        try:
            with self._database.transaction() as connection:
                _require_unlike(connection, name)
                if connection.execute(count).scalar_one() >= MAX_GROUPS:
                    raise NotPossible(f"there are {MAX_GROUPS} groups, and no more can be made")
                connection.execute(insert(people_groups).values(row))
        except Stale as error:
            raise NotPossible(_name_taken_message(name)) from error
        return group_id, code

    def change(self, group_id: str, name: str, note: str) -> None:
        """Give a group another name and note. Raises: NotPossible."""
        try:
            with self._database.transaction() as connection:
                _require_unlike(connection, name, group_id)
                values = {"name": name, "name_key": name_key(name), "note": note}
                _change(connection, group_id, **values)
        except Stale as error:
            raise NotPossible(_name_taken_message(name)) from error

    def renew_code(self, group_id: str) -> str:
        """Return a new code, by which alone one joins from now on."""
        code = new_code(CODE_PARTS)
        self._change(group_id, code=hash_key(normalize_code(code)))
        return code

    def close(self, group_id: str) -> None:
        """Let nobody join by a code any more."""
        self._change(group_id, code=None)

    def delete(self, group_id: str) -> None:
        """Delete a group; its members stay. Raises: NotPossible while a contest is for it alone."""
        only_here = contests.c.only_group == group_id
        named = select(contests.c.name, contests.c.title).where(only_here, IS_OPEN)
        with self._database.transaction() as connection:
            open_ones = connection.execute(named.order_by(contests.c.name_key)).all()
            names = [one.title or tournament_title(one.name) for one in open_ones]
            if names:
                raise NotPossible(
                    f"{', '.join(names)} can be entered by this group alone: change that in the "
                    f"settings of the {'ladder' if open_ones[0].title else 'tournament'} first"
                )
            connection.execute(update(contests).where(only_here).values(only_group=None))
            by_link = invitations.c.group == group_id
            connection.execute(update(invitations).where(by_link).values(group=None))
            connection.execute(delete(group_members).where(group_members.c.group == group_id))
            connection.execute(delete(people_groups).where(people_groups.c.id == group_id))

    # -- what members do ----------------------------------------------------------------------

    def of_code(self, code: str) -> Group | None:
        """Return the group that one joins by a code."""
        return self._database.find(
            group_where(people_groups.c.code == hash_key(normalize_code(code)))
        )

    def join(self, code: str, person_id: str) -> Group | None:
        """Let somebody into the group of a code; None where a code is of none any more.

        Raises: NotPossible.
        """
        group = self.of_code(code)
        if group is None:
            return None
        with (
            suppress(Stale),
            self._database.transaction() as connection,
        ):  # the form was sent twice
            add_member(connection, group.id, person_id)
        return group

    def take_out(self, group_id: str, person_id: str) -> bool:
        """Take somebody out of a group; return whether they were in it.

        In contests that are for the group alone their bots play no more.
        """
        where = group_members.c.group == group_id, group_members.c.person == person_id
        with self._database.transaction() as connection:
            if connection.execute(delete(group_members).where(*where)).rowcount != 1:
                return False
            _withdraw_bots(connection, group_id, person_id)
        return True

    def _change(self, group_id: str, **values: object) -> None:
        with self._database.transaction() as connection:
            _change(connection, group_id, **values)


def _change(connection: Connection, group_id: str, **values: object) -> None:
    this = people_groups.c.id == group_id
    connection.execute(update(people_groups).where(this).values(**values))


def _require_unlike(connection: Connection, name: str, group_id: str = "") -> None:
    """Raises: NotPossible for a new name of a group that looks like another's."""
    rows = connection.execute(select(people_groups.c.id, people_groups.c.name))
    names = {row.id: row.name for row in rows}
    if name != names.pop(group_id, None) and looks_like_one_of(name, names.values()):
        raise NotPossible(_name_taken_message(name))


def _name_taken_message(name: str) -> str:
    return f"there is a group called {name} already, or one that looks like it: choose another name"


def _withdraw_bots(connection: Connection, group_id: str, person_id: str) -> None:
    """Let the bots of somebody play no more in contests that are for a group alone."""
    named = select(people_groups.c.name).where(people_groups.c.id == group_id)
    name = connection.execute(named).scalar_one()
    own = select(bots.c.id).where(bots.c.person == person_id)
    here = select(contests.c.name).where(contests.c.only_group == group_id, IS_OPEN)
    playing = (
        entries.c.bot.in_(own),
        entries.c.contest.in_(here),
        entries.c.state.in_(ENTERED_STATES),
    )
    left = {
        "state": EntryState.WITHDRAWN,
        "why": f"its author has left the group {name}",
        "changed_at": now(),
    }
    connection.execute(update(entries).where(*playing).values(left))
