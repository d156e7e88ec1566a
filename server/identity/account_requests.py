"""Who has asked for an account, where accounts are open with approval, and what became of it."""

import hmac
from collections.abc import Collection
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from runners.storage.database import now, struct_from_row
from runners.storage.game_tables import account_requests, people
from runners.storage.tables import name_key
from runners.storage.together import AnyRow, Lookup
from server.identity.people import (
    REQUESTS_WAIT,
    NameTaken,
    People,
    Person,
    RequestState,
    is_waiting,
    new_account,
)
from server.identity.text_limits import parse_whole_number

REFUSED_RETENTION = timedelta(days=14)
"""So long who was refused is told so on signing in."""
MAX_WAITING_REQUESTS = 500
"""Requests that wait at once, from all addresses together."""
MAX_TEXT_LENGTH, MAX_NOTE_LENGTH = 300, 300
"""Letters of the line about oneself, and of the reason why one was refused."""


class RegistrationMode(StrEnum):
    """How accounts are made."""

    INVITATION = "invitation"
    OPEN = "open"
    """Besides, whoever wants one asks for it, and waits until an organizer approves."""


class TooManyWaiting(Exception):
    """So many requests wait that no more are taken."""


class AccountRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request for an account."""

    id: int
    name: str
    words: str
    """What somebody says about themselves."""
    address: str
    """What limits count their address as."""
    state: RequestState
    note: str
    """Why it was refused."""
    asked_at: datetime

    @property
    def expires_at(self) -> datetime:
        """Return until when it waits."""
        return self.asked_at + REQUESTS_WAIT


class Secret(NamedTuple):
    """A request, and the hash of its password."""

    request: AccountRequest
    password: str

    @property
    def mark(self) -> str:
        """Return what shows that somebody has made the request, or knows its password."""
        number = str(self.request.id)
        key = f"account request {number}".encode()
        return f"{number}.{hmac.new(self.password.encode(), key, sha256).hexdigest()}"


class Decided(msgspec.Struct, frozen=True, kw_only=True):
    """What became of requests."""

    approved: list[Person]
    refused: int
    taken: list[str]
    """The names that somebody else has by now: those requests wait."""


class AccountRequests:
    """The requests of a server. All methods may be called from any thread."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._database = people.database

    def ask(
        self, name: str, password: str, text: str, address: str, most_of_address: int
    ) -> Secret:
        """Keep a request; `password` is a hash. Raises: NameTaken, TooManyWaiting."""
        if self._people.is_taken(name):
            raise NameTaken(name)
        row = {
            "name": name,
            "name_key": name_key(name),
            "password": password,
            "words": text,
            "address": address,
            "state": RequestState.WAITING,
            "note": "",
            "asked_at": now(),
        }
        same_name = account_requests.c.name_key == name_key(name)
        with self._database.transaction() as connection:
            if (
                connection.execute(
                    select(people.c.id).where(people.c.name_key == name_key(name))
                ).first()
                is not None
            ):
                raise NameTaken(name)
            if _count(connection, same_name):
                raise NameTaken(name)
            of_address = account_requests.c.address == address
            if (
                _count(connection) >= MAX_WAITING_REQUESTS
                or _count(connection, of_address) >= most_of_address
            ):
                raise TooManyWaiting
            connection.execute(delete(account_requests).where(same_name))  # refused, or expired
            connection.execute(insert(account_requests).values(row))
        found = self.find_request(name)
        assert found is not None
        return found

    def find_request(self, name: str) -> Secret | None:
        """Return the request for a name, if it waits or was refused."""
        return self._find(account_requests.c.name_key == name_key(name))

    def of_mark(self, mark: str) -> AccountRequest | None:
        """Return the request whose mark a browser shows, if it waits or was refused."""
        number = parse_whole_number(mark.partition(".")[0])
        found = None if number is None else self._find(account_requests.c.id == number)
        is_own = found is not None and hmac.compare_digest(found.mark.encode(), mark.encode())
        return found.request if found is not None and is_own else None

    def _find(self, condition: ColumnElement[bool]) -> Secret | None:
        is_readable = is_waiting(now()) | (
            (account_requests.c.state == RequestState.REFUSED)
            & (account_requests.c.decided_at > now() - REFUSED_RETENTION)
        )
        query = select(account_requests).where(condition, is_readable)
        query = query.order_by(account_requests.c.id.desc()).limit(1)
        row = self._database.fetch_row(query)
        return None if row is None else Secret(struct_from_row(AccountRequest, row), row.password)

    def withdraw(self, number: int) -> None:
        """Forget a request that its maker takes back."""
        self._database.write(
            delete(account_requests).where(
                account_requests.c.id == number,
                account_requests.c.state != RequestState.APPROVED,
            )
        )

    def decide(
        self, approved: Collection[int], refused: Collection[int], note: str = ""
    ) -> Decided:
        """Approve and refuse requests that wait; the others, and those decided before, stay."""
        ids, taken = [], []
        with self._database.transaction() as connection:
            for row in _lock_waiting_requests(connection, approved):
                if connection.execute(
                    select(people.c.id).where(people.c.name_key == row.name_key)
                ).first():
                    taken.append(row.name)
                    continue
                account = new_account(row.name, row.password)
                connection.execute(insert(people).values(account))
                done = {
                    "state": RequestState.APPROVED,
                    "person": account["id"],
                    "password": "",
                    "decided_at": now(),
                }
                same = account_requests.c.id == row.id
                connection.execute(update(account_requests).where(same).values(done))
                ids.append(str(account["id"]))
            wanted = account_requests.c.id.in_(refused), is_waiting(now())
            done = {"state": RequestState.REFUSED, "note": note, "decided_at": now()}
            count = connection.execute(update(account_requests).where(*wanted).values(done))
        found = (self._people.find_person(person_id) for person_id in ids)
        approved_people = [person for person in found if person is not None]
        return Decided(approved=approved_people, refused=count.rowcount, taken=taken)

    def first_sign_in(self, person_id: str) -> bool:
        """Return whether this is the first time that somebody who was approved signs in.

        Nothing of the request is kept after that.
        """
        where = account_requests.c.person == person_id
        if self._database.fetch_value(select(account_requests.c.id).where(where)) is None:
            return False
        return self._database.write(delete(account_requests).where(where)) > 0


def requests_that_wait(most: int | None = None) -> Lookup[list[AccountRequest]]:
    """Look up the requests that wait, the oldest first."""
    query = select(account_requests).where(is_waiting(now())).order_by(account_requests.c.id)
    return Lookup(
        query.limit(most), lambda rows: [struct_from_row(AccountRequest, row) for row in rows]
    )


def is_old_request(at: datetime) -> ColumnElement[bool]:
    """Return the condition of requests that have expired, or were refused long ago."""
    is_over = account_requests.c.asked_at < at - REQUESTS_WAIT
    was_refused = account_requests.c.state == RequestState.REFUSED
    is_told = account_requests.c.decided_at < at - REFUSED_RETENTION
    return is_over | (was_refused & is_told)


def _count(connection: Connection, *which: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(account_requests).where(is_waiting(now()), *which)
    return int(connection.execute(query).scalar_one())


def _lock_waiting_requests(connection: Connection, numbers: Collection[int]) -> list[AnyRow]:
    query = select(account_requests).where(account_requests.c.id.in_(numbers), is_waiting(now()))
    return list(connection.execute(query.order_by(account_requests.c.id).with_for_update()))
