"""Asking for an account, where accounts are open with approval; and what organizers decide."""

from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated

from anyio import to_thread
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from engine.support.sanitizing import make_printable
from runners.storage.tables import name_key
from server.http.errors import Denied
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.permissions import Permission
from server.http.responses import Empty, json_response, read, set_cookie
from server.identity.account_requests import (
    MAX_NOTE_LENGTH,
    MAX_TEXT_LENGTH,
    AccountRequest,
    AccountRequests,
    Decided,
    Secret,
    TooManyWaiting,
    requests_that_wait,
)
from server.identity.names import BadName, validate_name
from server.identity.passwords import BadPassword, is_password, password_hash, validate_password
from server.identity.people import NameTaken, Person
from server.identity.rate_limits import address_blocks
from server.identity.text_limits import parse_whole_number
from server.identity.visitors import KNOWN_BROWSER_COOKIE, is_known

MAX_LISTED_REQUESTS = 80
"""Requests on the page of organizers: a form has at most 100 fields."""
PAGE = "/admin/requests"
REQUEST_PAGE, REQUEST_COOKIE = "/register/request", "account-request"
"""Where whoever waits, or was refused, reads so, and what shows whose request that is."""
BECAME = ("approved", "refused", "taken")
"""What the page says after a decision: how many became what."""
INVITED_ONLY = "accounts are made by invitation here: ask the organizer of this server for one"
NAME_TAKEN = "somebody has this name already, or one that looks like it; choose another"
FULL = "too many people wait for an account already: try again in a few days"
WRONG_PASSWORD = "name and password do not belong together, or nothing waits under this name"
ASKING = (
    *(HTTPStatus.FORBIDDEN, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY),
    HTTPStatus.TOO_MANY_REQUESTS,
)
DECISION_REFUSALS = (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND)

Name = Annotated[str, Meta(max_length=200)]
Password = Annotated[str, Meta(max_length=1_000)]
Numbers = Annotated[list[int], Meta(max_length=500, description="The `id` of each.")]


class AccountRequestBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody asks for an account with."""

    name: Name
    password: Password
    words: Annotated[
        str, Meta(max_length=2_000, description=f"Who you are: one line of 1 to {MAX_TEXT_LENGTH}.")
    ]


class AccountRequestStateBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose request is asked for."""

    name: Name
    password: Password


class AccountRequestList(Struct, frozen=True):
    """The requests that wait."""

    requests: list[AccountRequest]


class DecideBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What an organizer decides of requests."""

    approve: Numbers = []
    refuse: Numbers = []
    note: Annotated[
        str, Meta(max_length=MAX_NOTE_LENGTH, description="Those who are refused are told this.")
    ] = ""


class DecidedAnswer(Struct, frozen=True):
    """What became of them."""

    approved: list[str]
    """Names."""
    refused: int
    taken: list[str]
    """The names that somebody else has by now: those requests wait."""


class RequestPages:
    """Asking for an account, and deciding; each act of an organizer is in the audit log."""

    def __init__(self, pages: Pages, requests: AccountRequests) -> None:
        self._pages = pages
        self._requests = requests

    @property
    def routes(self) -> Sequence[Route]:
        anybody, organizer = Permission.ANYBODY, Permission.ORGANIZER
        password_route, route = self._pages.password_route, self._pages.route
        return [
            password_route("/register", anybody, self._register),
            password_route("/register/withdraw", anybody, self._withdraw, "POST"),
            route(REQUEST_PAGE, anybody, self._request_page),
            route(PAGE, organizer, self._requests_page),
            route(PAGE, organizer, self._decide_by_form, "POST"),
        ]

    @property
    def operations(self) -> Sequence[Operation]:
        path, refusals = "/account-requests", (HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS)
        own = partial(Operation, "POST", body=AccountRequestStateBody, refusals=refusals)
        deciding = partial(Operation, refusals=DECISION_REFUSALS, permission=Permission.ORGANIZER)
        return [
            Operation("POST", path, self._ask, AccountRequest, AccountRequestBody, refusals=ASKING),
            own(f"{path}/state", self._state, AccountRequest),
            own(f"{path}/withdraw", self._take_back, Empty),
            deciding("GET", path, self._list, AccountRequestList),
            deciding("POST", f"{path}/decide", self._decide_by_program, DecidedAnswer, DecideBody),
        ]

    # -- asking -------------------------------------------------------------------------------

    def _register(self, request: PageRequest) -> Response:
        """Let a visitor ask for an account."""
        if request.person is not None:
            return redirect_to("/me")
        self._require_open()
        if request.method != "POST":
            return request.html("register.html")
        fields = (request.field(name) for name in ("name", "password", "words"))
        try:
            asked = self._save_request(request, *fields)
        except Denied as error:
            if error.status == HTTPStatus.TOO_MANY_REQUESTS:
                raise
            return request.html("register.html", error.status, why=str(error))
        return self.lead_to_request(request, asked)

    def lead_to_request(self, request: PageRequest, asked: Secret) -> Response:
        """Lead whoever waits, or was refused, to where they read how the request stands."""
        response = redirect_to(REQUEST_PAGE)
        set_cookie(request, response, REQUEST_COOKIE, asked.mark)
        return response

    def _request_page(self, request: PageRequest) -> Response:
        """Show the request of this browser, as long as it waits or was refused."""
        mark = request.cookies.get(REQUEST_COOKIE, "")
        return request.html("account_request.html", asked=self._requests.of_mark(mark))

    def _require_open(self) -> None:
        """Raises: Denied."""
        if not self._pages.is_open:
            raise Denied(HTTPStatus.FORBIDDEN, INVITED_ONLY)

    def _save_request(
        self, request: PageRequest, typed_name: str, typed_password: str, typed_words: str
    ) -> Secret:
        """Keep a request. Raises: Denied."""
        self._require_open()
        request.count("request")
        text = " ".join(make_printable(typed_words, " ").split())
        try:
            name, password = validate_name(typed_name), validate_password(typed_password)
            if password is None:
                raise BadPassword("an account that waits needs a password: you sign in with it")
            if not 1 <= len(text) <= MAX_TEXT_LENGTH:
                raise BadName(f"say who you are, in 1 to {MAX_TEXT_LENGTH} letters")
            asked = self._requests.ask(
                name,
                password_hash(password),
                text,
                address_blocks(request.address)[0],
                self._pages.limits.allowed_rate("request.address"),
            )
        except (BadName, BadPassword) as error:
            raise self._make_refusal(
                request, HTTPStatus.UNPROCESSABLE_ENTITY, str(error)
            ) from error
        except NameTaken as error:
            raise self._make_refusal(request, HTTPStatus.CONFLICT, NAME_TAKEN) from error
        except TooManyWaiting as error:
            raise self._make_refusal(request, HTTPStatus.TOO_MANY_REQUESTS, FULL) from error
        request.note("account asked for", f"number {asked.request.id}")
        return asked

    def _make_refusal(self, request: PageRequest, status: HTTPStatus, why: str) -> Denied:
        request.note("account refused", why)
        return Denied(status, why)

    def _withdraw(self, request: PageRequest) -> Response:
        """Forget a request whose maker takes it back."""
        asked = self._own_request(request, request.field("name"), request.field("password"))
        self._requests.withdraw(asked.id)
        response = redirect_to(REQUEST_PAGE)
        response.delete_cookie(REQUEST_COOKIE)
        return response

    def _own_request(self, request: PageRequest, name: str, password: str) -> AccountRequest:
        """Return the request of a name, for who knows its password. Raises: Denied."""
        give_back = count_sign_in(request, name, None)
        secret = self._requests.find_request(name)
        if not is_password(None if secret is None else secret.password, password):
            request.note("sign-in refused")
            raise Denied(HTTPStatus.FORBIDDEN, WRONG_PASSWORD)
        assert secret is not None
        give_back()
        return secret.request

    # -- deciding -----------------------------------------------------------------------------

    def _requests_page(self, request: PageRequest, why: str = "") -> Response:
        (waiting,) = request.read(requests_that_wait(MAX_LISTED_REQUESTS + 1))
        return request.html(
            "admin_requests.html",
            HTTPStatus.CONFLICT if why else HTTPStatus.OK,
            waiting=waiting[:MAX_LISTED_REQUESTS],
            has_more=len(waiting) > MAX_LISTED_REQUESTS,
            **{
                what: parse_whole_number(request.query_params.get(what, "")) or 0 for what in BECAME
            },
            why=why,
        )

    def _decide_by_form(self, request: PageRequest) -> Response:
        do, _, which = request.field("do").partition(" ")
        if do not in ("approve", "refuse"):
            return self._requests_page(request, why="choose whether to approve or to refuse")
        if which == "all":  # that the organizer has seen
            newest = parse_whole_number(request.field("up_to")) or 0
            found = self._pages.people.database.find(requests_that_wait())
            numbers = [one.id for one in found if one.id <= newest]
        else:
            chosen = [name for name in request.fields if name.startswith("request-")]
            numbers = [parse_whole_number(name.removeprefix("request-")) or 0 for name in chosen]
        if not numbers:
            return self._requests_page(request, why="choose somebody first")
        approved, refused = (numbers, []) if do == "approve" else ([], numbers)
        decided = self._decide(request, approved, refused, request.field("reason"))
        counts = len(decided.approved), decided.refused, len(decided.taken)
        became = "&".join(f"{what}={count}" for what, count in zip(BECAME, counts, strict=True))
        return redirect_to(f"{PAGE}?{became}")

    def _decide(
        self, request: PageRequest, approved: Sequence[int], refused: Sequence[int], note: str
    ) -> Decided:
        note = " ".join(make_printable(note, " ").split())[:MAX_NOTE_LENGTH]
        decided = self._requests.decide(approved, refused, note)
        for person in decided.approved:
            request.note("account approved", about=person.id)
        if decided.refused:
            request.note("accounts not approved", f"{decided.refused}: {note}")
        return decided

    # -- API ----------------------------------------------------------------------------------

    async def _ask(self, request: Request) -> Response:
        """Ask for an account; whoever has asked waits for an organizer."""
        body = await read(request, AccountRequestBody)
        return await self._run_on_password_thread(
            request,
            lambda asking: self._save_request(asking, body.name, body.password, body.words).request,
        )

    async def _state(self, request: Request) -> Response:
        """Return how one's own request stands."""
        body = await read(request, AccountRequestStateBody)
        return await self._run_on_password_thread(
            request, lambda asking: self._own_request(asking, body.name, body.password)
        )

    async def _take_back(self, request: Request) -> Response:
        """Take one's own request back: nothing of it is kept."""
        body = await read(request, AccountRequestStateBody)

        def take_back(asking: PageRequest) -> Empty:
            self._requests.withdraw(self._own_request(asking, body.name, body.password).id)
            return Empty()

        return await self._run_on_password_thread(request, take_back)

    async def _run_on_password_thread(
        self, request: Request, do: Callable[[PageRequest], object]
    ) -> Response:
        """Answer on one of the few threads on which passwords are looked at."""
        asking, threads = PageRequest(self._pages, request), self._pages.password_threads
        return json_response(await to_thread.run_sync(do, asking, limiter=threads))

    def _list(self, request: Request) -> AccountRequestList:
        """Return the requests for an account that wait."""
        return AccountRequestList(self._pages.people.database.find(requests_that_wait()))

    def _decide_by_program(self, request: Request, body: DecideBody) -> DecidedAnswer:
        """Approve and refuse requests for an account."""
        asking = PageRequest(self._pages, request)
        decided = self._decide(asking, body.approve, body.refuse, body.note)
        names = [person.name for person in decided.approved]
        return DecidedAnswer(names, decided.refused, decided.taken)


def count_sign_in(request: PageRequest, name: str, person: Person | None) -> Callable[[], None]:
    """Count a sign-in; return what is called where the password was right: that does not count.

    So nobody guesses a password, and nobody is kept out: wrong ones count for the address and for
    the name at that address. Many addresses together have a limit for a name, too, which does not
    count in browsers where its owner has signed in before.
    `person`: whose name it is. Raises: TooOften.
    """
    cookie = request.cookies.get(KNOWN_BROWSER_COOKIE, "")
    if person is not None and is_known(cookie, person):
        return request.count("known_sign_in", person.id)
    return request.count("sign_in", name_key(name))
