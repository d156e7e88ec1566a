"""Making and revoking tokens, on the page of one's own account."""

from collections.abc import Sequence
from http import HTTPStatus

from starlette.responses import Response
from starlette.routing import Route

from engine.support.sanitizing import one_line
from server.http.errors import Denied
from server.http.page_requests import ME, PageRequest, Pages, redirect_to
from server.http.permissions import NOT_HERE, Permission
from server.identity.rate_limits import HOUR_S, RateLimit
from server.identity.tokens import MOST_TOKENS, Scope, Tokens, TooManyTokens

MOST_NAME = 40
"""Letters of the name of a token."""
BOTH = "both"
"""What a form says for a token that may do everything that tokens may."""


class TokenPages:
    """What people do with their tokens on their own page."""

    def __init__(self, pages: Pages, tokens: Tokens) -> None:
        self._pages = pages
        self._tokens = tokens
        self._new_ones = RateLimit(30, HOUR_S)

    @property
    def routes(self) -> Sequence[Route]:
        return [
            self._pages.route("/me/tokens", Permission.MEMBER, self._make, "POST"),
            self._pages.route("/me/tokens/{id}/revoke", Permission.MEMBER, self._revoke, "POST"),
        ]

    def _make(self, request: PageRequest) -> Response:
        me = request.me
        request.require(self._new_ones, me.id, "new tokens")
        name = one_line(request.field("name"))[:MOST_NAME] or "a token"
        scopes = self._scopes(request.field("scope"))
        try:
            token = self._tokens.new(me.id, name, scopes)
        except TooManyTokens as error:
            why = f"you have {MOST_TOKENS} tokens, and nobody may have more: revoke one first"
            raise Denied(409, why) from error
        request.show_once(ME, token)
        request.note("token made", name)
        return redirect_to("/me")

    def _scopes(self, said: str) -> frozenset[Scope]:
        """Return what a form allows a token. Raises: Denied."""
        if not said:
            return frozenset({Scope.HAND_IN})
        known = {Scope.HAND_IN: {Scope.HAND_IN}, Scope.PLAY: {Scope.PLAY}, BOTH: set(Scope)}
        if said not in known:
            raise Denied(
                HTTPStatus.UNPROCESSABLE_ENTITY, "choose what the token may do, of the list"
            )
        if said != Scope.HAND_IN and not self._tokens.has_remote_bots:
            raise Denied(HTTPStatus.FORBIDDEN, NOT_HERE)
        return frozenset(known[said])

    def _revoke(self, request: PageRequest) -> Response:
        if not self._tokens.revoke(request.me.id, request.part("id")):
            raise Denied(409, "this token was revoked before")
        request.note("token revoked")
        return redirect_to("/me#tokens")
