"""The accounts of a site: its part of the pages, and what it keeps of people."""

from collections.abc import Sequence

from starlette.routing import BaseRoute

from server.accounts.account_pages import AccountPages, TokenPages
from server.accounts.member_admin_pages import Banning, MemberAdminPages
from server.http.openapi import Operation
from server.http.page_requests import Pages
from server.http.parts import Part
from server.identity.account_requests import AccountRequests
from server.identity.tokens import Tokens


class AccountsPart(Part):
    """Joining, signing in, one's own page, tokens, and what organizers do about people."""

    def __init__(self, pages: Pages, tokens: Tokens, others: Sequence[Part]) -> None:
        """`others`: the parts that keep something of people besides."""
        self._tokens = tokens
        ordered = sorted(others, key=lambda part: part.leaving)
        self._accounts = AccountPages(pages, [*ordered, self], AccountRequests(pages.people))
        self.banning = Banning(pages.people, pages.audit, ordered)
        self._organizing = MemberAdminPages(pages, self.banning)
        self._token_pages = TokenPages(pages, tokens)

    @property
    def routes(self) -> Sequence[BaseRoute]:
        return [*self._accounts.routes, *self._organizing.routes, *self._token_pages.routes]

    @property
    def operations(self) -> Sequence[Operation]:
        return self._accounts.request_pages.operations

    def personal_data(self, person_id: str) -> dict[str, object]:
        return {"tokens": self._tokens.find_tokens(person_id)}

    def forget(self, person_id: str) -> None:
        self._tokens.forget(person_id)
