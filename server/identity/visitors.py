"""Who sends a request, looked up once; and the browsers in which somebody has signed in before.

A browser shows the cookie of a session, a program the token of its owner. The seats of a game are
known where games are (server/games/seats.py), from the same visitor.

Whoever types wrong passwords of somebody's from anywhere keeps strange browsers out, and not these
(OWASP calls it a device cookie). A cookie shows nothing without the hash of the password, and is
worth nothing once that has changed.
"""

import hmac
from hashlib import sha256
from typing import Any

from starlette.authentication import AuthCredentials, AuthenticationBackend, BaseUser
from starlette.requests import HTTPConnection

from runners.storage.together import Lookup
from server.identity.people import People, Person, session_by_token
from server.identity.tokens import Bearer, Scope, Tokens

SESSION = "session"
"""The cookie of whoever is signed in."""
BEARER = "bearer "
KNOWN_BROWSER_COOKIE = "known-browser"
MAX_PEOPLE_PER_BROWSER = 5
"""People of one browser that are remembered: those who signed in last."""
MARK_SEPARATOR = "."


class Visitor(BaseUser):
    """Whoever sent a request. Of a server without accounts nobody is known."""

    def __init__(
        self, connection: HTTPConnection, people: People | None, tokens: Tokens | None
    ) -> None:
        self._connection = connection
        self._people = people
        self._tokens = tokens
        self.session_token = connection.cookies.get(SESSION, "")
        """The token of the browser's session, good or not."""
        self._authorization = connection.headers.get("authorization", "")
        self._person: Person | None = None
        self._is_known = people is None or not self.session_token
        self._bearer: Bearer | None = None

    @property
    def has_accounts(self) -> bool:
        """Return whether the server knows people by name at all."""
        return self._people is not None

    def reload(self) -> "Visitor":
        """Return the same visitor, to be looked up once more."""
        return Visitor(self._connection, self._people, self._tokens)

    @property
    def is_authenticated(self) -> bool:
        return self.person is not None

    @property
    def display_name(self) -> str:
        return "" if self.person is None else self.person.name

    @property
    def person(self) -> Person | None:
        """Return who is signed in."""
        if not self._is_known:
            self.read()
        return self._person

    def read(self, *lookups: Lookup[Any]) -> list[Any]:
        """Return what lookups find; who is signed in is looked up with them, if that is unknown.

        Each look into the database of another host takes a round trip.
        """
        assert self._people is not None
        database = self._people.database
        if self._is_known:
            return database.read(*lookups)
        session, *found = database.read(session_by_token(self.session_token), *lookups)
        self._person, self._is_known = self._people.person_of_session(session), True
        return found

    @property
    def caller(self) -> Person | None:
        """Return whose token a program has sent; who is signed in, where it has sent none."""
        return self._bearer_with_scope(Scope.HAND_IN) if self.has_token else self.person

    @property
    def player(self) -> Person | None:
        """Return whose token a program has sent with which it may play; None for any other."""
        return (
            self._bearer_with_scope(Scope.PLAY) if self.has_token and self.has_remote_bots else None
        )

    @property
    def has_token(self) -> bool:
        """Return whether a token was sent, good or not."""
        return self._authorization.lower().startswith(BEARER)

    @property
    def bearer(self) -> Person | None:
        """Return whose token was sent, whatever it may be used for."""
        if self._bearer is None and self._tokens is not None and self.has_token:
            self._bearer = self._tokens.find_bearer(self._authorization[len(BEARER) :].strip())
        return None if self._bearer is None else self._bearer.person

    def _bearer_with_scope(self, scope: Scope) -> Person | None:
        person = self.bearer
        return person if self._bearer is not None and scope in self._bearer.scopes else None

    @property
    def has_remote_bots(self) -> bool:
        """Return whether tokens may play here at all."""
        return self._tokens is not None and self._tokens.has_remote_bots


class Authentication(AuthenticationBackend):
    """Gives each request its visitor, as `request.user`."""

    def __init__(self, people: People | None = None, tokens: Tokens | None = None) -> None:
        """Leave out people for a game at home, where only seats count."""
        self._people = people
        self._tokens = tokens

    async def authenticate(self, conn: HTTPConnection) -> tuple[AuthCredentials, Visitor]:
        return AuthCredentials(), Visitor(conn, self._people, self._tokens)


def is_known(cookie: str, person: Person) -> bool:
    """Return whether a cookie says that somebody has signed in there before."""
    if person.password is None:
        return False
    expected = _known_browser_mark(person, person.password)
    return any(hmac.compare_digest(mark.encode(), expected) for mark in _parse_marks(cookie))


def remember_person(cookie: str, person: Person) -> str:
    """Return the cookie of a browser in which somebody has just signed in."""
    if person.password is None:
        return cookie
    expected = _known_browser_mark(person, person.password).decode()
    others = [mark for mark in _parse_marks(cookie) if mark != expected]
    return MARK_SEPARATOR.join([expected, *others][:MAX_PEOPLE_PER_BROWSER])


def _parse_marks(cookie: str) -> list[str]:
    return [mark for mark in cookie.split(MARK_SEPARATOR)[:MAX_PEOPLE_PER_BROWSER] if mark]


def _known_browser_mark(person: Person, password: str) -> bytes:
    """Return what shows that the owner of an account was there; `password` is its hash."""
    key = password.encode()
    return hmac.new(key, f"known browser of {person.id}".encode(), sha256).hexdigest().encode()
