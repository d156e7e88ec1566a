"""A request of a page for people with names: who sends it, what its form says, the answer."""

from collections import OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

from jinja2 import Environment
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from server.api import SESSION as SESSION
from server.guard import TooLong
from server.limits import RateLimit
from server.long_bodies import LongBodies, NotRead
from server.pages import templates
from server.people import SESSION_DAYS, People, Person, hash_of

DAY_S = 86_400
MOST_FIELDS = 100
MOST_LINKS = 1_000
"""Links that wait to be shown once."""
FORM = "application/x-www-form-urlencoded"


class Denied(Exception):
    """Why a page cannot be had, or nothing was done."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class SignInFirst(Exception):
    """A page is for people who are signed in."""


class Desk:
    """What every visit needs."""

    def __init__(self, people: People) -> None:
        self.people = people
        self.pages: Environment = templates()
        self.long_bodies = LongBodies()
        self._links = OrderedDict[str, str]()
        """A link that the next page shows, once, by session."""

    def route(
        self, path: str, handler: "Callable[[Visit], Response]", methods: str = "GET"
    ) -> Route:
        """Return a route whose handler runs on a thread, with a visit."""
        return Route(path, self._endpoint(handler), methods=methods.split())

    def upload_route(
        self,
        path: str,
        handler: "Callable[[Visit], Response]",
        require: "Callable[[Visit], object]",
    ) -> Route:
        """Return a route for a form with files, which is read only if somebody is signed in.

        `require` is called before it is read; what it raises is the answer.
        """
        return Route(path, self._upload_endpoint(handler, require), methods=["POST"])

    def keep_link(self, session: str, link: str) -> None:
        """Keep a link for the next page of a session: a page that is loaded again shows none."""
        self._links[hash_of(session)] = link
        while len(self._links) > MOST_LINKS:
            self._links.popitem(last=False)

    def kept_link(self, session: str) -> str:
        """Return the link that is to be shown now; '' for none."""
        return self._links.pop(hash_of(session), "")

    def _endpoint(
        self, handler: "Callable[[Visit], Response]"
    ) -> Callable[[Request], Awaitable[Response]]:
        async def answer(visit: Visit) -> Response:
            if visit.request.method == "POST":
                visit.form = read_form(visit.request.headers, await visit.request.body())
            return await run_in_threadpool(handler, visit)

        return self._answering(answer)

    def _upload_endpoint(
        self, handler: "Callable[[Visit], Response]", require: "Callable[[Visit], object]"
    ) -> Callable[[Request], Awaitable[Response]]:
        async def answer(visit: Visit) -> Response:
            me = await run_in_threadpool(lambda: visit.me)
            await run_in_threadpool(require, visit)
            try:
                async with self.long_bodies.read(visit.request, me.id) as visit.body:
                    return await run_in_threadpool(handler, visit)
            except NotRead as error:
                raise Denied(HTTPStatus.TOO_MANY_REQUESTS, str(error)) from error
            except TooLong as error:
                why = "these files are too large: a bot may have 1 MB of source, and 32 MB in all"
                raise Denied(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, why) from error

        return self._answering(answer)

    def _answering(
        self, answer: "Callable[[Visit], Awaitable[Response]]"
    ) -> Callable[[Request], Awaitable[Response]]:
        """Return an endpoint that makes pages of what `answer` raises."""

        async def endpoint(request: Request) -> Response:
            visit = Visit(self, request)
            try:
                return await answer(visit)
            except SignInFirst:
                path = quote(request.url.path, safe="/")
                return see(f"/sign-in?next={path}" if request.method == "GET" else "/sign-in")
            except Denied as problem:
                return await run_in_threadpool(
                    visit.html, "problem.html", problem.status, why=str(problem)
                )

        return endpoint


class Visit:
    """One request."""

    def __init__(self, desk: Desk, request: Request) -> None:
        self.desk = desk
        self.request = request
        self.form: Mapping[str, str] = {}
        self.body = b""
        """What a form with files is read from."""
        self._person: Person | None = None
        self._is_known = False

    @property
    def session(self) -> str:
        """The token of the browser's session, good or not."""
        return self.request.cookies.get(SESSION, "")

    @property
    def address(self) -> str:
        """Return the address that the request comes from."""
        return "" if self.request.client is None else self.request.client.host

    @property
    def person(self) -> Person | None:
        """Return who is signed in."""
        if not self._is_known:
            self._person = self.desk.people.signed_in(self.session) if self.session else None
            self._is_known = True
        return self._person

    @property
    def me(self) -> Person:
        """Return who is signed in. Raises: SignInFirst."""
        if self.person is None:
            raise SignInFirst
        return self.person

    def require_organizer(self) -> Person:
        """Return who is signed in, if that is an organizer. Raises: Denied, SignInFirst."""
        if not self.me.is_organizer:
            self.note("not an organizer", self.request.url.path)
            raise Denied(HTTPStatus.NOT_FOUND, "there is nothing here")
        return self.me

    def part(self, name: str) -> str:
        """Return a part of the path."""
        return str(self.request.path_params[name])

    def typed(self, name: str) -> str:
        """Return a field of the form; '' where it has none."""
        return self.form.get(name, "")

    def link(self, path: str) -> str:
        """Return the whole address of a path, as this browser reaches us."""
        return str(self.request.base_url).rstrip("/") + path

    def note(self, what: str, words: str = "", about: str | None = None) -> None:
        """Write a row of the audit log."""
        person = self.person
        self.desk.people.note(
            what,
            words,
            address=self.address,
            person=None if person is None else person.id,
            about=about,
        )

    def require(self, limit: RateLimit, key: str, what: str) -> None:
        """Count a try. Raises: Denied where there were too many."""
        if not limit.allows(key):
            self.note("too many tries", what)
            raise Denied(
                HTTPStatus.TOO_MANY_REQUESTS,
                f"too often: {what}. Please wait some minutes, then try again",
            )

    def html(self, template: str, status: int = HTTPStatus.OK, **values: Any) -> Response:
        """Return a page; `why` says what was wrong, `typed` what a form is filled with."""
        common = {
            "me": self.person,
            "why": "",
            "typed": defaultdict(str, self.form),
            "path": self.request.url.path,
        }
        page = self.desk.pages.get_template(template).render(common | values)
        response = HTMLResponse(page, status_code=status)
        response.headers["cache-control"] = "no-store"
        return response

    def signed_in(self, person: Person, target: str) -> Response:
        """Begin a session of a person, in place of this browser's former one."""
        if self.session:
            self.desk.people.end_session(self.session)
        response = see(target)
        response.set_cookie(
            SESSION,
            self.desk.people.new_session(person.id),
            max_age=SESSION_DAYS * DAY_S,
            httponly=True,
            samesite="lax",
            secure=self.request.url.scheme == "https",
        )
        return response


def see(path: str) -> RedirectResponse:
    """Return a redirection after a form."""
    return RedirectResponse(path, status_code=HTTPStatus.SEE_OTHER)


def own_path(typed: str) -> str:
    """Return a path of ours that somebody wants to see next; '/' for anything else."""
    parts = urlsplit(typed)
    is_ours = typed.startswith("/") and not typed.startswith(("//", "/\\"))
    return typed if is_ours and not (parts.scheme or parts.netloc) and typed.isprintable() else "/"


def read_form(headers: Mapping[str, str], body: bytes) -> dict[str, str]:
    """Return the fields of a form. Raises: Denied."""
    if headers.get("content-type", FORM).partition(";")[0].strip().lower() != FORM:
        raise Denied(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a form is sent as its browser does it")
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError as error:
        raise Denied(HTTPStatus.BAD_REQUEST, f"the form cannot be read: {error}") from error
