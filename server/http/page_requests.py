"""A request of a page for people with names: who sends it, what its form says, the answer."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, quote

from anyio import CapacityLimiter, to_thread
from jinja2 import Environment
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from runners.storage.together import Lookup
from server.http.errors import Denied, SignInFirst
from server.http.guard import TooLong
from server.http.long_bodies import LongBodies, NotRead
from server.http.openapi import SESSION as SESSION
from server.http.responses import address_of, set_cookie
from server.http.templates import templates
from server.identity import known_browsers
from server.identity.audit_log import AuditLog
from server.identity.people import People, Person, session_of
from server.identity.rate_limits import AddressLimits, RateLimit, address_block, in_words
from server.identity.shown_once import ShownOnce, has_text
from server.identity.text_limits import MOST_FORM, BadText, bounded_fields

MOST_FIELDS = 100
PASSWORD_THREADS = 2
ME = "/me"
"""The page of one's own account."""
FORM = "application/x-www-form-urlencoded"


class Desk:
    """What every visit needs."""

    def __init__(
        self,
        people: People,
        audit: AuditLog,
        address_limits: AddressLimits | None = None,
        public_path: str = "",
    ) -> None:
        """`public_path`: see server/http/public_path.py."""
        self.people = people
        self.audit = audit
        self.address_limits = address_limits or AddressLimits()
        self.public_path = public_path
        self.pages: Environment = templates(public_path)
        self.long_bodies = LongBodies()
        self._password_threads = CapacityLimiter(PASSWORD_THREADS)
        self.shown_once = ShownOnce(people.database)

    def route(
        self, path: str, handler: "Callable[[Visit], Response]", methods: str = "GET"
    ) -> Route:
        """Return a route whose handler runs on a thread, with a visit."""
        return Route(path, self._endpoint(handler), methods=methods.split())

    def password_route(
        self, path: str, handler: "Callable[[Visit], Response]", methods: str = "GET POST"
    ) -> Route:
        """Return a route whose forms hold passwords, which take a while and much memory to hash.

        Few are looked at side by side; the others wait, and take no thread from other requests.
        """
        endpoint = self._endpoint(handler, self._password_threads)
        return Route(path, endpoint, methods=methods.split())

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

    def _endpoint(
        self, handler: "Callable[[Visit], Response]", threads: CapacityLimiter | None = None
    ) -> Callable[[Request], Awaitable[Response]]:
        """Return what answers; `threads`: on which forms are looked at, None for any."""

        async def answer(visit: Visit) -> Response:
            if visit.request.method != "POST":
                return await run_in_threadpool(handler, visit)
            visit.form = read_form(visit.request.headers, await visit.request.body())
            return await to_thread.run_sync(handler, visit, limiter=threads)

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
                response = await run_in_threadpool(
                    visit.html, "problem.html", problem.status, why=str(problem)
                )
                response.headers.update(problem.headers)
                return response

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
        return address_of(self.request)

    @property
    def person(self) -> Person | None:
        """Return who is signed in."""
        if not self._is_known:
            self.read()
        return self._person

    def read(self, *lookups: Lookup[Any]) -> list[Any]:
        """Return what lookups find; who is signed in is looked up with them, if that is unknown."""
        people = self.desk.people
        if self._is_known or not self.session:
            self._is_known = True
            return people.database.read(*lookups)
        session, *found = people.database.read(session_of(self.session), *lookups)
        self._person, self._is_known = people.person_of_session(session), True
        return found

    @property
    def _id(self) -> str | None:
        return None if self.person is None else self.person.id

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
        return str(self.request.base_url).rstrip("/") + self.desk.public_path + path

    def show_once(self, page: str, text: str, subject: str | None = None) -> None:
        """Let a page of ours show a link or token when this browser asks for it next.

        `subject`: what the text is about, where only the newest one is good.
        """
        self.desk.shown_once.keep(self.session, page, text, subject)

    def has_text(self, page: str) -> Lookup[bool]:
        """Look up whether there is something that a page shows once."""
        return has_text(self.session, page)

    def shown_once(self, page: str, has_text: bool) -> list[str]:
        """Return what a page shows now, and never again; `has_text`: as was looked up."""
        is_seen = self.session and self.request.method != "HEAD"
        return self.desk.shown_once.take(self.session, page) if has_text and is_seen else []

    def note(self, what: str, words: str = "", about: str | None = None) -> None:
        """Write a row of the audit log: what was done, or was refused."""
        self.desk.audit.note(what, words, address=self.address, person=self._id, about=about)

    def require(self, limit: RateLimit, key: str, what: str) -> None:
        """Count a try. Raises: Denied where there were too many."""
        if not limit.allows(key):
            self.note("too many tries", what)
            raise too_often(what, limit.wait_s(key))

    def require_of_address(self, limit: RateLimit, what: str) -> None:
        """Count a try of the request's address. Raises: Denied where there were too many."""
        self.require(limit, address_block(self.address), f"{what} from your address")

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
        set_cookie(self.request, response, SESSION, self.desk.people.new_session(person.id))
        self.remember(response, person)
        return response

    def remember(self, response: Response, person: Person) -> None:
        """Let the browser know that somebody with a password has signed in there."""
        before = self.request.cookies.get(known_browsers.COOKIE, "")
        cookie = known_browsers.remembered(before, person)
        if cookie:
            set_cookie(self.request, response, known_browsers.COOKIE, cookie)


def see(path: str) -> RedirectResponse:
    """Return a redirection after a form."""
    return RedirectResponse(path, status_code=HTTPStatus.SEE_OTHER)


def too_often(what: str, wait_s: float) -> Denied:
    """Return the refusal of what was tried too often, and says how long it lasts."""
    words = f"too often: {what}. Please try again in {in_words(wait_s)}"
    return Denied(HTTPStatus.TOO_MANY_REQUESTS, words, max(1.0, wait_s))


def own_path(typed: str) -> str:
    """Return a path of ours that somebody wants to see next; '/' for anything else."""
    is_ours = typed.startswith("/") and not typed.startswith(("//", "/\\"))
    return typed if is_ours and typed.isprintable() else "/"


def read_form(headers: Mapping[str, str], body: bytes) -> dict[str, str]:
    """Return the fields of a form. Raises: Denied."""
    if headers.get("content-type", FORM).partition(";")[0].strip().lower() != FORM:
        raise Denied(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a form is sent as its browser does it")
    if len(body) > MOST_FORM:
        raise Denied(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "that is too much for a form of ours")
    try:
        fields = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
        return bounded_fields(dict(fields))
    except (ValueError, BadText) as error:
        raise Denied(HTTPStatus.BAD_REQUEST, f"the form cannot be read: {error}") from error
