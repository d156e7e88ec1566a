"""Tokens, with which programs act for their owner: shown to them once, and kept as hashes."""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

import msgspec
from sqlalchemy import delete, func, insert, select, update

from runners.storage.database import Database, now, struct_from_row, with_time_zone
from runners.storage.game_tables import people
from runners.storage.ladder_tables import tokens
from runners.storage.together import Lookup
from server.identity.people import People, Person, hash_key

PREFIX = "slime_"
"""How tokens begin, so that programs that look for lost secrets find them."""
MAX_TOKENS = 20
"""Tokens of one person."""
REFRESH_INTERVAL = timedelta(minutes=1)
"""A token's last use is noted so coarsely."""
ONLINE_PERIOD = timedelta(minutes=3)
"""A remote bot is online if its token was used so lately: its stream uses it all the time."""


class Scope(StrEnum):
    """What a token may be used for."""

    HAND_IN = "hand_in"
    """To hand in bots, and for all else that its owner does by a program, except playing."""
    PLAY = "play"
    """To play games of people, as a remote bot."""


class Bearer(NamedTuple):
    """Who has sent a token, and what it may be used for."""

    person: Person
    scopes: frozenset[Scope]


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """A token as its owner sees it; the token itself was shown once."""

    id: str
    name: str
    created_at: datetime
    used_at: datetime | None
    scopes: frozenset[Scope] = frozenset({Scope.HAND_IN})

    @property
    def may(self) -> str:
        """Return what it may be used for, in words."""
        return " and ".join(IN_WORDS[scope] for scope in Scope if scope in self.scopes)


IN_WORDS = {Scope.HAND_IN: "hand in bots", Scope.PLAY: "play games"}


class TooManyTokens(Exception):
    """Somebody has as many tokens as anybody may have."""


class Tokens:
    """The tokens of a server."""

    def __init__(self, database: Database, people: People, *, has_remote_bots: bool = True) -> None:
        """`has_remote_bots`: whether tokens may play games of people."""
        self._database = database
        self._people = people
        self.has_remote_bots = has_remote_bots

    def create_token(
        self, person_id: str, name: str, scopes: Collection[Scope] = (Scope.HAND_IN,)
    ) -> str:
        """Return a new token. Raises: TooManyTokens."""
        token = PREFIX + secrets.token_urlsafe(32)
        row = {
            "id": secrets.token_hex(8),
            "hash": hash_key(token),
            "person": person_id,
            "name": name,
            "created_at": now(),
            "scopes": " ".join(sorted(scopes)),
        }
        query = select(func.count()).select_from(tokens).where(tokens.c.person == person_id)
        with self._database.transaction() as connection:
            if connection.execute(query).scalar_one() >= MAX_TOKENS:
                raise TooManyTokens
            connection.execute(insert(tokens).values(row))
        return token

    def find_tokens(self, person_id: str) -> list[Token]:
        """Return somebody's tokens, the newest first."""
        return self._database.find(person_tokens(person_id))

    def revoke(self, person_id: str, token_id: str) -> bool:
        """Revoke a token of somebody's; return whether there was such a one."""
        where = tokens.c.person == person_id, tokens.c.id == token_id
        return self._database.write(delete(tokens).where(*where)) == 1

    def find_bearer(self, token: str) -> Bearer | None:
        """Return whose token it is; None for one that was revoked, or of somebody banned."""
        query = select(tokens).where(tokens.c.hash == hash_key(token))
        row = self._database.fetch_row(query)
        if row is None:
            return None
        person = self._people.find_person(row.person)
        if person is None or person.is_banned:
            return None
        if row.used_at is None or with_time_zone(row.used_at) < now() - REFRESH_INTERVAL:
            with self._database.transaction() as connection:
                used = update(tokens).where(tokens.c.id == row.id)
                connection.execute(used.values(used_at=now()))
        return Bearer(person, _parse_scopes(row.scopes))


def person_tokens(person_id: str) -> Lookup[list[Token]]:
    """Look up somebody's tokens, the newest first."""
    query = select(tokens).where(tokens.c.person == person_id)
    newest_first = query.order_by(tokens.c.created_at.desc(), tokens.c.id)
    return Lookup(
        newest_first,
        lambda rows: [
            struct_from_row(Token, row, scopes=_parse_scopes(row.scopes)) for row in rows
        ],
    )


def remote_bots_online() -> Lookup[list[tuple[str, str]]]:
    """Look up the people whose remote bots are online, by name: id and name of each."""
    query = (
        select(people.c.id, people.c.name)
        .join(tokens, tokens.c.person == people.c.id)
        .where(
            tokens.c.used_at >= now() - ONLINE_PERIOD,
            tokens.c.scopes.contains(Scope.PLAY),
            people.c.is_banned.is_(False),
        )
        .distinct()
        .order_by(people.c.name)
    )
    return Lookup(query, lambda rows: [(row.id, row.name) for row in rows])


def _parse_scopes(text: str) -> frozenset[Scope]:
    return frozenset(Scope(word) for word in text.split())
