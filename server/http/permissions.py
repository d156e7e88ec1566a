"""Who may use a route: said where the route is made, and asked before anything else is done."""

from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from server.http.errors import Denied, SignInFirst
from server.identity.people import Person
from server.identity.visitors import Visitor

NOTHING_HERE = "there is nothing here"
NO_TOKEN = (
    "a token is needed: make one on your own page, and send it as `Authorization: Bearer TOKEN`"
)
OTHER_SCOPE = "this token may not {}: make one that may, on your own page"
NOT_HERE = "remote bots are not allowed on this server"
NO_SEAT = "only who has a seat in this game may do that"
SEAT = "slime_mind.seat"
"""Where a request has its game, and the teams of whoever sends it."""


class Permission(StrEnum):
    """Who may use a route, whatever its path names. Whose a thing is, its handler asks."""

    ANYBODY = "anybody"
    """Where the path holds a secret, or visitors see less than others: the handler decides."""
    MEMBER = "member"
    """Whoever is signed in."""
    CALLER = "caller"
    """A program with the token of somebody, or a page of somebody who is signed in."""
    PLAYER = "player"
    """A program with a token that may play."""
    ORGANIZER = "organizer"
    SEAT = "seat"
    """Whoever has a seat in the game that the path names."""
    SEAT_OR_TOKEN = "seat or token"
    """The same, or a program with a token that plays there."""


class PermittedRoute(Route):
    """A route that says who may use it."""

    def __init__(
        self,
        path: str,
        permission: Permission,
        endpoint: Callable[[Request], Response | Awaitable[Response]],
        methods: Sequence[str],
    ) -> None:
        """`endpoint` is called on a thread, unless it is asynchronous."""
        super().__init__(path, endpoint, methods=methods)
        self.permission = permission


def read_seat(request: Request) -> tuple[str, tuple[int, ...]]:
    """Return the game and the teams of a request whose route is for `Permission.SEAT`."""
    seat: tuple[str, tuple[int, ...]] = request.scope[SEAT]
    return seat


def require_person(visitor: Visitor) -> Person:
    """Return who is signed in. Raises: SignInFirst."""
    if visitor.person is None:
        raise SignInFirst
    return visitor.person


def require_caller(visitor: Visitor) -> Person:
    """Return whose token or session a program has. Raises: Denied."""
    if visitor.caller is None:
        raise _wrong_token(visitor, "hand in bots")
    return visitor.caller


def require_player(visitor: Visitor) -> Person:
    """Return whose token a program has that may play. Raises: Denied."""
    if not visitor.has_remote_bots:
        raise Denied(HTTPStatus.FORBIDDEN, NOT_HERE)
    if visitor.player is None:
        raise _wrong_token(visitor, "play games")
    return visitor.player


def _wrong_token(visitor: Visitor, purpose: str) -> Denied:
    if visitor.bearer is None:
        return Denied(HTTPStatus.UNAUTHORIZED, NO_TOKEN)
    return Denied(HTTPStatus.FORBIDDEN, OTHER_SCOPE.format(purpose))


def require(permission: Permission, visitor: Visitor) -> None:
    """Ask what can be asked of a visitor alone; a seat is asked for where games are known.

    Raises: Denied, SignInFirst.
    """
    match permission:
        case Permission.MEMBER:
            require_person(visitor)
        case Permission.CALLER:
            require_caller(visitor)
        case Permission.PLAYER:
            require_player(visitor)
        case Permission.ORGANIZER:
            if not require_person(visitor).is_organizer:
                raise Denied(HTTPStatus.NOT_FOUND, NOTHING_HERE)
        case Permission.SEAT | Permission.SEAT_OR_TOKEN:
            raise ValueError("a seat is asked for where games are known: server/games/seats.py")
