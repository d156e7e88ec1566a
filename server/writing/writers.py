"""Who writes, people with accounts and guests, and what drafts are shown to them alone."""

import secrets
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response

from engine.bots.sandbox import Level
from engine.errors import UsageError
from server.http.errors import Denied
from server.http.limits import RateLimits
from server.http.responses import client_address, set_cookie
from server.identity.people import hash_key
from server.identity.rate_limits import Asker
from server.writing.drafts import Draft, Drafts, Owner

OWN_REFUSALS = (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND)
"""How whoever is not the author of a draft is refused."""
CHANGE_REFUSALS = (
    *OWN_REFUSALS,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.TOO_MANY_REQUESTS,
)
COOKIE = "writer"
"""By this cookie a guest's drafts are known."""
SIGN_IN = "to write a bot here, sign in"
NO_SUCH_DRAFT = "there is no such draft of yours: it was deleted, or is somebody else's"


class DraftAccess:
    """Knows by a request who writes, and finds their drafts."""

    def __init__(self, drafts: Drafts, limits: RateLimits, *, has_guests: bool) -> None:
        """`has_guests`: whether those without an account may write."""
        self._drafts = drafts
        self._has_guests = has_guests
        self.limits = limits

    def why_not(self, request: Request) -> str:
        """Return why whoever asks can write nothing; '' where they can."""
        return "" if self._has_guests or request.user.caller is not None else SIGN_IN

    def find_owner(self, request: Request) -> Owner | None:
        """Return who has written before, or is signed in; None for somebody new."""
        person = request.user.caller
        if person is not None:
            return Owner(person=person.id)
        token = request.cookies.get(COOKIE, "")
        return Owner(guest=hash_key(token)) if token and self._has_guests else None

    def require_writer(self, request: Request) -> Owner:
        """Return who asks about what they have written before. Raises: Denied."""
        owner = self.find_owner(request)
        if owner is not None:
            return owner
        if self._has_guests:
            raise Denied(HTTPStatus.NOT_FOUND, NO_SUCH_DRAFT)
        raise Denied(HTTPStatus.UNAUTHORIZED, SIGN_IN)

    def new_writer(self, request: Request) -> tuple[Owner, str]:
        """Return who begins to write; with a new token if that is a guest who is not known yet.

        Raises: Denied.
        """
        owner = self.find_owner(request)
        if owner is not None:
            return owner, ""
        if not self._has_guests:
            raise Denied(HTTPStatus.UNAUTHORIZED, SIGN_IN)
        token = secrets.token_urlsafe(24)
        return Owner(guest=hash_key(token)), token

    def find_draft(self, request: Request, draft_id: str) -> Draft:
        """Return a draft of whoever asks. Raises: Denied."""
        owner = self.require_writer(request)
        draft = self._drafts.find(draft_id, owner)
        if draft is None:
            raise Denied(HTTPStatus.NOT_FOUND, NO_SUCH_DRAFT)
        self.limits.count("write", make_asker(request, owner))
        return draft

    def require_draft(self, request: Request) -> Draft:
        """Return the draft that a path names. Raises: Denied."""
        return self.find_draft(request, request.path_params["draft"])


def make_asker(request: Request, owner: Owner) -> Asker:
    """Return whom limits count: a guest by the address, too, since anybody can make up a cookie."""
    return Asker(client_address(request), owner.person, cookie=owner.guest or "")


def remember(request: Request, response: Response, token: str) -> None:
    """Let a browser keep what a guest's drafts are known by; '' where there is nothing new."""
    if token:
        set_cookie(request, response, COOKIE, token)


def require_strict(level: Level) -> None:
    """Raises: UsageError where strangers may write, and what they write is not confined."""
    if level is not Level.STRICT:
        raise UsageError(
            "--guests-write: bots of people without an account play under --sandbox strict only: "
            f"add that, or leave out --guests-write (the sandbox is {level} now)"
        )


def unprocessable_error(message: str) -> Denied:
    return Denied(HTTPStatus.UNPROCESSABLE_ENTITY, message)
