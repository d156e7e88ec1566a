"""Making and revoking tokens, on the page of one's own account."""

from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import Route

from engine.support.sanitizing import one_line
from server.http.errors import Denied
from server.http.page_requests import ME, Desk, Visit, see
from server.identity.rate_limits import HOUR_S, RateLimit
from server.identity.tokens import MOST_TOKENS, Tokens, TooManyTokens

MOST_NAME = 40
"""Letters of the name of a token."""


class TokenPages:
    """What people do with their tokens on their own page."""

    def __init__(self, desk: Desk, tokens: Tokens) -> None:
        self._desk = desk
        self._tokens = tokens
        self._new_ones = RateLimit(30, HOUR_S)

    @property
    def routes(self) -> Sequence[Route]:
        return [
            self._desk.route("/me/tokens", self._make, "POST"),
            self._desk.route("/me/tokens/{id}/revoke", self._revoke, "POST"),
        ]

    def _make(self, visit: Visit) -> Response:
        me = visit.me
        visit.require(self._new_ones, me.id, "new tokens")
        name = one_line(visit.typed("name"))[:MOST_NAME] or "a token"
        try:
            token = self._tokens.new(me.id, name)
        except TooManyTokens as error:
            why = f"you have {MOST_TOKENS} tokens, and nobody may have more: revoke one first"
            raise Denied(409, why) from error
        visit.show_once(ME, token)
        visit.note("token made", name)
        return see("/me")

    def _revoke(self, visit: Visit) -> Response:
        if not self._tokens.revoke(visit.me.id, visit.part("id")):
            raise Denied(409, "this token was revoked before")
        visit.note("token revoked")
        return see("/me#tokens")
