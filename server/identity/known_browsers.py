"""Browsers in which somebody has signed in by password before; they remember it in a cookie.

Whoever types wrong passwords of somebody's from anywhere keeps strange browsers out, and not these
(OWASP calls it a device cookie). A cookie shows nothing without the hash of the password, and is
worth nothing once that has changed.
"""

import hmac
from hashlib import sha256

from server.identity.people import Person

COOKIE = "known-browser"
MOST_PEOPLE = 5
"""People of one browser that are remembered: those who signed in last."""
BETWEEN = "."


def is_known(cookie: str, person: Person) -> bool:
    """Return whether a cookie says that somebody has signed in there before."""
    if person.password is None:
        return False
    expected = _mark(person, person.password)
    return any(hmac.compare_digest(mark.encode(), expected) for mark in _marks(cookie))


def remembered(cookie: str, person: Person) -> str:
    """Return the cookie of a browser in which somebody has just signed in."""
    if person.password is None:
        return cookie
    mine = _mark(person, person.password).decode()
    others = [mark for mark in _marks(cookie) if mark != mine]
    return BETWEEN.join([mine, *others][:MOST_PEOPLE])


def _marks(cookie: str) -> list[str]:
    return [mark for mark in cookie.split(BETWEEN)[:MOST_PEOPLE] if mark]


def _mark(person: Person, password: str) -> bytes:
    """Return what shows that the owner of an account was there; `password` is its hash."""
    key = password.encode()
    return hmac.new(key, f"known browser of {person.id}".encode(), sha256).hexdigest().encode()
