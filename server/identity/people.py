"""People in the database: accounts, sessions, invitations, and the audit log.

Of every key and token only the hash is kept.
"""

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from runners.storage.database import Database, now, struct_from_row, with_time_zone
from runners.storage.game_tables import (
    account_requests,
    audit,
    avoided_people,
    course_steps,
    designs,
    group_members,
    invitations,
    people,
    people_groups,
    recovery_codes,
    reports,
    sessions,
)
from runners.storage.ladder_tables import tokens
from runners.storage.tables import name_key
from runners.storage.together import AnyRow, Lookup, only_one
from server.identity.groups import NotPossible, add_member
from server.identity.names import DELETED_NAME, looks_like_one_of

BUILT_IN_OWNER = "house"
"""The id of the account to which the built-in bots belong; it is nobody's."""
SESSION_DAYS = 365
"""A session ends when it was not used for so long."""
INVITATION_DAYS = 7
DEVICE_MINUTES = 30
"""How long a link that signs in on another device is good."""
REQUESTS_WAIT = timedelta(days=30)
"""A request for an account expires after so long."""
REFRESH_INTERVAL = timedelta(days=1)
"""A session's last use is noted so coarsely."""
OF_ACCOUNT = (
    *(sessions, account_requests, tokens, recovery_codes, group_members, designs, course_steps),
    avoided_people,
)
"""The tables whose rows go with the account. Those who mute or block somebody who has left go on
to do so: what was written to them stays hidden."""
_PRESENT = people.c.deleted_at.is_(None) & (people.c.id != BUILT_IN_OWNER)
"""All people but those deleted, and the owner of the built-in bots."""


class Kind(StrEnum):
    """What a link is good for."""

    ORGANIZER = "organizer"
    PERSON = "person"
    DEVICE = "device"


class RequestState(StrEnum):
    """What became of a request for an account."""

    WAITING = "waiting"
    REFUSED = "refused"
    APPROVED = "approved"


class NameTaken(Exception):
    """Somebody has this name already, or one that looks like it."""


class LinkGone(Exception):
    """A link was used, has expired, or never was."""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """An account."""

    id: str
    name: str
    password: str | None
    """Its hash."""
    has_feed: bool
    is_organizer: bool
    is_banned: bool
    created_at: datetime
    joined_by: str = ""
    """The note of the invitation by which they joined; looked up for lists alone."""
    open_reports: int = 0
    """How many reports wait, where an organizer is looked up by a session."""
    account_requests: int = 0
    """How many requests for an account do."""


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    """A link as its maker sees it; the link itself was shown once."""

    id: str
    kind: Kind
    note: str
    made_by: str | None
    created_at: datetime
    expires_at: datetime | None
    used_at: datetime | None
    used_by: str | None
    """The name of who used it last."""
    uses_left: int = 1
    """How many accounts it still makes."""
    group: str | None = None
    """The name of the group that they are in."""

    @property
    def is_open(self) -> bool:
        """Return whether it can still be used."""
        return self.used_at is None and (self.expires_at is None or now() < self.expires_at)


class People:
    """The accounts of a server."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # -- accounts -----------------------------------------------------------------------------

    def join(self, key: str, name: str, password: str | None) -> Person:
        """Make the account that a link allows; `password` is a hash.

        Raises: LinkGone, NameTaken.
        """
        if self.is_taken(name):
            raise NameTaken(name)
        with self.database.transaction() as connection:
            link = _open_link(connection, key)
            if link is None or link.kind == Kind.DEVICE:
                raise LinkGone
            taken = select(people.c.id).where(people.c.name_key == name_key(name))
            if connection.execute(taken).first() is not None:
                raise NameTaken(name)
            row = new_account(name, password, is_organizer=link.kind == Kind.ORGANIZER)
            row["invitation"] = link.id
            person_id = str(row["id"])
            connection.execute(insert(people).values(row))
            _use_link(connection, link.id, person_id)
            if link.group is not None:
                with suppress(NotPossible):  # a full group keeps nobody from an account
                    add_member(connection, link.group, person_id)
        found = self.find_person(person_id)
        assert found is not None
        return found

    def find_person(self, person_id: str) -> Person | None:
        return self._find_one(people.c.id == person_id)

    def find_person_by_name(self, name: str) -> Person | None:
        return self._find_one(people.c.name_key == name_key(name))

    def is_taken(self, name: str) -> bool:
        """Return whether somebody who has an account has this name, or one that looks like it.

        Whoever waits for an account counts, too.
        """
        asked = select(account_requests.c.name).where(is_waiting(now()))
        query = select(people.c.name).where(people.c.deleted_at.is_(None)).union_all(asked)
        with self.database.reading() as connection:
            names = list(connection.execute(query).scalars())
        return self.find_person_by_name(name) is not None or looks_like_one_of(name, names)

    def person_of_feed(self, secret: str) -> Person | None:
        """Return whose private feed has this secret in its address."""
        return self._find_one(people.c.feed == hash_key(secret))

    def find_all(self) -> list[Person]:
        """Return all people but those deleted, by name."""
        return self.database.find(find_everybody())

    def has_organizer(self) -> bool:
        query = select(people.c.id).where(_PRESENT, people.c.is_organizer).limit(1)
        return self.database.fetch_value(query) is not None

    def set_password(self, person_id: str, password: str | None) -> Person:
        """Keep the hash of a password, None for none; return whose it is as they are now."""
        self._change(person_id, password=password)
        person = self.find_person(person_id)
        assert person is not None
        return person

    def set_banned(self, person_id: str, is_banned: bool) -> None:
        """Ban somebody, whose sessions end; or let them in again."""
        self._change(person_id, is_banned=is_banned)
        if is_banned:
            self.end_sessions(person_id)

    def new_feed(self, person_id: str) -> str:
        """Return the secret of a new feed; the address of the former one leads nowhere."""
        secret = secrets.token_urlsafe(24)
        self._change(person_id, feed=hash_key(secret))
        return secret

    def delete(self, person_id: str) -> None:
        """Forget a person: what remains is that somebody played, and when."""
        with self.database.transaction() as connection:
            for table in OF_ACCOUNT:
                connection.execute(delete(table).where(table.c.person == person_id))
            gone = {"name": DELETED_NAME, "name_key": None, "password": None, "feed": None}
            connection.execute(
                update(people)
                .where(people.c.id == person_id)
                .values(**gone, is_organizer=False, deleted_at=now())
            )
            where = audit.c.person == person_id
            connection.execute(update(audit).where(where).values(address="", words=""))
            unused = invitations.c.made_by == person_id, invitations.c.used_at.is_(None)
            connection.execute(delete(invitations).where(*unused))
            noted = (invitations.c.made_by == person_id) | (invitations.c.used_by == person_id)
            connection.execute(update(invitations).where(noted).values(note=""))

    # -- sessions -----------------------------------------------------------------------------

    def new_session(self, person_id: str) -> str:
        """Return the token of a new session."""
        token = secrets.token_urlsafe(32)
        row = {"hash": hash_key(token), "person": person_id, "created_at": now(), "used_at": now()}
        self.database.write(insert(sessions).values(row))
        return token

    def person_of_session(self, row: AnyRow | None) -> Person | None:
        """Return whose session a row of `session_by_token` is, and note that it is used.

        None for one that has ended, or of somebody banned.
        """
        if row is None or with_time_zone(row.used_at) < now() - timedelta(days=SESSION_DAYS):
            return None
        if with_time_zone(row.used_at) < now() - REFRESH_INTERVAL:
            with self.database.transaction() as connection:
                where = sessions.c.hash == row.hash
                connection.execute(update(sessions).where(where).values(used_at=now()))
        return None if row.is_banned else _person_from_row(row)

    def end_session(self, token: str) -> None:
        self.database.write(delete(sessions).where(sessions.c.hash == hash_key(token)))

    def end_sessions(self, person_id: str, but: str = "") -> None:
        """End all sessions of a person, but the one that has this token."""
        others = sessions.c.person == person_id, sessions.c.hash != hash_key(but)
        self.database.write(delete(sessions).where(*others))

    def find_sessions(self, person_id: str) -> list[Mapping[str, datetime]]:
        """Return when each session of a person began and was last used."""
        return self.database.find(person_sessions(person_id))

    # -- links --------------------------------------------------------------------------------

    def new_invitations(
        self, notes: Sequence[str], *, made_by: str, good_for: timedelta, group: str | None = None
    ) -> list[str]:
        """Return the keys of new invitations, one for each note: all of them are made, or none.

        `group`: the id of the group that whoever joins by them is in.
        """
        made = [_new_link(Kind.PERSON, made_by, note, good_for, group=group) for note in notes]
        self.database.write(insert(invitations), [row for _, row in made])
        return [key for key, _ in made]

    def new_link(
        self,
        kind: Kind,
        *,
        made_by: str | None,
        note: str = "",
        good_for: timedelta | None = None,
        uses: int = 1,
        group: str | None = None,
    ) -> str:
        """Return the key of a new link; `good_for` None: until it is used.

        `uses`: how many accounts it makes; `group`: the id of the group that they are in.

        Of the kinds ORGANIZER and DEVICE only the newest (of a person) is good.
        """
        key, row = _new_link(kind, made_by, note, good_for, uses, group)
        older = (
            invitations.c.kind == kind,
            invitations.c.made_by == made_by,
            invitations.c.used_at.is_(None),
        )
        with self.database.transaction() as connection:
            if kind is not Kind.PERSON:
                connection.execute(delete(invitations).where(*older))
            connection.execute(insert(invitations).values(row))
        return key

    def link(self, key: str) -> Invitation | None:
        """Return the link of a key, if it is still good."""
        with self.database.reading() as connection:
            row = _open_link(connection, key)
        return None if row is None else _invitation_from_row(row, None)

    def use_device_link(self, key: str) -> Person:
        """Return whom a link signs in; it is used by that. Raises: LinkGone."""
        with self.database.transaction() as connection:
            link = _open_link(connection, key)
            if link is None or link.kind != Kind.DEVICE:
                raise LinkGone
            _use_link(connection, link.id, link.made_by)
        person = self.find_person(link.made_by)
        if person is None or person.is_banned:
            raise LinkGone
        return person

    def find_invitations(self, made_by: str | None = None) -> list[Invitation]:
        """Return the invitations made by one person or all, the newest first."""
        return self.database.find(invitations_by(made_by))

    def withdraw(self, invitation_id: str) -> bool:
        """Withdraw an invitation; return whether it was still unused."""
        unused = invitations.c.id == invitation_id, invitations.c.used_at.is_(None)
        return self.database.write(delete(invitations).where(*unused)) == 1

    def _find_one(self, condition: ColumnElement[bool]) -> Person | None:
        query = select(people).where(condition, people.c.deleted_at.is_(None))
        row = self.database.fetch_row(query)
        return None if row is None else _person_from_row(row)

    def _change(self, person_id: str, **values: object) -> None:
        self.database.write(update(people).where(people.c.id == person_id).values(**values))


def find_everybody() -> Lookup[list[Person]]:
    """Look up all people but those deleted, by name."""
    joined = people.outerjoin(invitations, invitations.c.id == people.c.invitation)
    query = select(people, invitations.c.note.label("joined_by")).select_from(joined)
    query = query.where(_PRESENT).order_by(people.c.name_key)
    return Lookup(query, lambda rows: [_person_from_row(row) for row in rows])


def person_with(person_id: str) -> Lookup[Person | None]:
    """Look up a person by their id."""
    query = select(people).where(people.c.id == person_id, _PRESENT)
    return Lookup(query, lambda rows: _person_from_row(rows[0]) if rows else None)


def invitations_by(made_by: str | None = None) -> Lookup[list[Invitation]]:
    """Look up the invitations made by one person or all, the newest first."""
    query = (
        select(invitations, people.c.name.label("name"), people_groups.c.name.label("group_name"))
        .outerjoin(people, people.c.id == invitations.c.used_by)
        .outerjoin(people_groups, people_groups.c.id == invitations.c.group)
        .where(invitations.c.kind == Kind.PERSON)
        .order_by(invitations.c.created_at.desc())
    )
    if made_by is not None:
        query = query.where(invitations.c.made_by == made_by)
    return Lookup(query, lambda rows: [_invitation_from_row(row, row.name) for row in rows])


def session_by_token(token: str) -> Lookup[AnyRow | None]:
    """Look a session up, with the person whose it is."""
    open_reports = select(func.count()).select_from(reports).where(reports.c.closed_at.is_(None))
    requests = select(func.count()).select_from(account_requests).where(is_waiting(now()))
    query = (
        select(
            people,
            sessions.c.hash,
            sessions.c.used_at,
            _count_for_organizers(open_reports).label("open_reports"),
            _count_for_organizers(requests).label("account_requests"),
        )
        .join(sessions, sessions.c.person == people.c.id)
        .where(sessions.c.hash == hash_key(token), people.c.deleted_at.is_(None))
    )
    return Lookup(query, only_one)


def is_waiting(at: datetime) -> ColumnElement[bool]:
    """Return the condition of requests for an account that wait, and have not expired."""
    is_fresh = account_requests.c.asked_at > at - REQUESTS_WAIT
    return (account_requests.c.state == RequestState.WAITING) & is_fresh


def new_account(
    name: str, password: str | None, *, is_organizer: bool = False
) -> dict[str, object]:
    """Return the row of a new account; `password` is a hash."""
    return {
        "id": secrets.token_hex(8),
        "name": name,
        "name_key": name_key(name),
        "password": password,
        "is_organizer": is_organizer,
        "is_banned": False,
        "created_at": now(),
    }


def person_sessions(person_id: str) -> Lookup[list[Mapping[str, datetime]]]:
    """Look up when each session of a person began and was last used."""
    query = select(sessions.c.created_at, sessions.c.used_at)
    query = query.where(sessions.c.person == person_id).order_by(sessions.c.used_at.desc())
    return Lookup(
        query,
        lambda rows: [
            {"created_at": with_time_zone(row.created_at), "used_at": with_time_zone(row.used_at)}
            for row in rows
        ],
    )


def names_where(condition: ColumnElement[bool]) -> Lookup[dict[str, str]]:
    """Look up the names of people by their ids; those deleted are not among them."""
    query = select(people.c.id, people.c.name).where(condition, people.c.deleted_at.is_(None))
    return Lookup(query, lambda rows: {row.id: row.name for row in rows})


def hash_key(key: str) -> str:
    """Return what is kept of a key or token."""
    return sha256(key.encode()).hexdigest()


def _new_link(
    kind: Kind,
    made_by: str | None,
    note: str,
    good_for: timedelta | None,
    uses: int = 1,
    group: str | None = None,
) -> tuple[str, dict[str, object]]:
    """Return the key of a new link, and what is kept of it."""
    key, at = secrets.token_urlsafe(24), now()
    return key, {
        "id": secrets.token_hex(8),
        "hash": hash_key(key),
        "kind": kind,
        "note": note,
        "made_by": made_by,
        "created_at": at,
        "expires_at": None if good_for is None else at + good_for,
        "uses_left": uses,
        "group": group,
    }


def _open_link(connection: Connection, key: str) -> AnyRow | None:
    query = (
        select(invitations, people_groups.c.name.label("group_name"))
        .outerjoin(people_groups, people_groups.c.id == invitations.c.group)
        .where(
            invitations.c.hash == hash_key(key),
            invitations.c.used_at.is_(None),
            or_(invitations.c.expires_at.is_(None), invitations.c.expires_at > now()),
        )
    )
    return connection.execute(query).one_or_none()


def _use_link(connection: Connection, link_id: str, person_id: str) -> None:
    """Count a use of a link; after the last it is good no more. Raises: LinkGone."""
    is_last = invitations.c.uses_left <= 1
    used = connection.execute(
        update(invitations)
        .where(invitations.c.id == link_id, invitations.c.used_at.is_(None))
        .values(
            uses_left=invitations.c.uses_left - 1,
            used_at=case((is_last, now()), else_=None),
            used_by=case((is_last, person_id), else_=None),
        )
    )
    if used.rowcount != 1:  # somebody else was faster
        raise LinkGone


def _count_for_organizers(count: Select[int]) -> ColumnElement[int]:
    """Return a count that is looked up for organizers alone: for others it is 0."""
    return case((people.c.is_organizer.is_(True), count.scalar_subquery()), else_=0)


def _person_from_row(row: AnyRow) -> Person:
    return struct_from_row(Person, row, has_feed=row.feed is not None)


def _invitation_from_row(row: AnyRow, used_by: str | None) -> Invitation:
    group = getattr(row, "group_name", None)
    return struct_from_row(Invitation, row, used_by=used_by, group=group)
