"""Requests of pages: who sends one, what its form says, and how a template answers it."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, tzinfo
from functools import cache, partial
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from anyio import CapacityLimiter, to_thread
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from engine.support.typed_commands import detect_commands
from report.rendering import SharedTemplates
from runners.contests.tournament_request import tournament_title
from runners.formats import format_title
from runners.storage.together import Lookup
from server.http.connections import LongBodies
from server.http.errors import Denied
from server.http.guard import FORM, TooLong
from server.http.limits import RateLimits, TooOften
from server.http.permissions import Permission, PermittedRoute, require, require_person
from server.http.responses import client_address, set_cookie
from server.identity import visitors
from server.identity.audit_log import AuditLog
from server.identity.people import People, Person
from server.identity.rate_limits import Asker
from server.identity.shown_once import ShownOnce, has_text
from server.identity.text_limits import MAX_FORM_BYTES, BadText, validate_fields
from server.identity.visitors import SESSION, Visitor

MAX_FIELDS = 100
PASSWORD_THREADS = 2
FORM_THREADS = 20
"""On which forms are answered, half of all: those wait for each other, and pages not for them."""
ME = "/me"
"""The page of one's own account."""
Endpoint = Callable[[Request], Awaitable[Response]]


class Pages:
    """Makes the routes of pages, and holds what they need to be answered."""

    def __init__(
        self,
        people: People,
        audit: AuditLog,
        limits: RateLimits | None = None,
        public_path: str = "",
        *,
        zone: tzinfo = UTC,
        is_open: bool = False,
        home_bot: str = "",
    ) -> None:
        """`public_path`, `home_bot`: see make_environment.

        `zone`: whose clocks forms show; `is_open`: whether visitors may ask for an account.
        """
        self.is_open = is_open
        self.people = people
        self.audit = audit
        self.limits = limits or RateLimits()
        self.public_path = public_path
        self.zone = zone
        self.templates: Environment = make_environment(public_path, zone, home_bot)
        self.long_bodies = LongBodies()
        self.password_threads = CapacityLimiter(PASSWORD_THREADS)
        self._form_threads = CapacityLimiter(FORM_THREADS)
        self.shown_once = ShownOnce(people.database)

    def route(
        self, path: str, permission: Permission, handler: "Handler", methods: str = "GET"
    ) -> PermittedRoute:
        """Return a route whose handler runs on a thread, once the permission was asked for."""
        endpoint = self._make_endpoint(permission, _require_before(permission, handler))
        return PermittedRoute(path, permission, endpoint, methods.split())

    def reading_route(
        self, path: str, permission: Permission, handler: "Handler"
    ) -> PermittedRoute:
        """Return a route whose handler begins with `request.read`, which asks for the permission.

        So who is signed in is looked up together with what the page shows: one round trip less.
        """
        endpoint = self._make_endpoint(permission, _permitted_by_reading(handler))
        return PermittedRoute(path, permission, endpoint, ["GET"])

    def password_route(
        self, path: str, permission: Permission, handler: "Handler", methods: str = "GET POST"
    ) -> PermittedRoute:
        """Return a route whose forms hold passwords, which take a while and much memory to hash.

        Few are looked at side by side; the others wait, and take no thread from other requests.
        """
        handler = _require_before(permission, handler)
        endpoint = self._make_endpoint(permission, handler, self.password_threads)
        return PermittedRoute(path, permission, endpoint, methods.split())

    def upload_route(
        self, path: str, handler: "Handler", require: "Callable[[PageRequest], object]"
    ) -> PermittedRoute:
        """Return a route for a form with files, which is read only if somebody is signed in.

        `require` is called before it is read; what it raises is the answer.
        """
        endpoint = self._upload_endpoint(handler, require)
        return PermittedRoute(path, Permission.MEMBER, endpoint, ["POST"])

    def _make_endpoint(
        self, permission: Permission, handler: "Handler", threads: CapacityLimiter | None = None
    ) -> Endpoint:
        """Return what answers; `threads`: on which forms are looked at, None for the usual."""

        async def answer(plain: Request) -> Response:
            request = PageRequest(self, plain, permission)
            if request.method != "POST":
                return await run_in_threadpool(handler, request)
            request.fields = read_form(request.headers, await request.body())
            limiter = threads or self._form_threads
            return await to_thread.run_sync(handler, request, limiter=limiter)

        return answer

    def _upload_endpoint(
        self, handler: "Handler", require: "Callable[[PageRequest], object]"
    ) -> Endpoint:
        async def answer(plain: Request) -> Response:
            request = PageRequest(self, plain)
            me = await run_in_threadpool(lambda: request.me)
            await run_in_threadpool(require, request)
            try:
                async with self.long_bodies.read(request, me.id) as request.upload:
                    return await run_in_threadpool(handler, request)
            except TooLong as error:
                why = "these files are too large: a bot may have 1 MB of source, and 32 MB in all"
                raise Denied(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, why) from error

        return answer


class PageRequest(Request):
    """A request of a page, with what our pages ask of it."""

    def __init__(
        self, pages: Pages, request: Request, permission: Permission = Permission.ANYBODY
    ) -> None:
        super().__init__(request.scope, request.receive)
        self._permission = permission
        self.is_permitted = False
        """Whether its sender was found to have the permission of its route."""
        self.pages = pages
        self.fields: Mapping[str, str] = {}
        """Those of the form that was sent."""
        self.upload = b""
        """What a form with files is read from."""

    @property
    def visitor(self) -> Visitor:
        """Return who sends it."""
        visitor: Visitor = self.user
        return visitor

    @property
    def session_token(self) -> str:
        """Return the token of the browser's session, good or not."""
        return self.visitor.session_token

    @property
    def address(self) -> str:
        """Return the address that the request comes from."""
        return client_address(self)

    @property
    def person(self) -> Person | None:
        """Return who is signed in."""
        return self.visitor.person

    def read(self, *lookups: Lookup[Any]) -> list[Any]:
        """Return what lookups find, together with who is signed in: see Visitor.read."""
        found = self.visitor.read(*lookups)
        self.require_permission()
        return found

    @property
    def _id(self) -> str | None:
        return None if self.person is None else self.person.id

    @property
    def me(self) -> Person:
        """Return who is signed in. Raises: SignInFirst."""
        return require_person(self.visitor)

    def require_permission(self) -> None:
        """Ask for the permission of the route. Raises: Denied, SignInFirst."""
        try:
            require(self._permission, self.visitor)
        except Denied:
            self.note("not an organizer", self.url.path)
            raise
        self.is_permitted = True

    def part(self, name: str) -> str:
        """Return a part of the path."""
        return str(self.path_params[name])

    def field(self, name: str) -> str:
        """Return a field of the form; '' where it has none."""
        return self.fields.get(name, "")

    def link(self, path: str) -> str:
        """Return the whole address of a path, as this browser reaches us."""
        return str(self.base_url).rstrip("/") + self.pages.public_path + path

    def show_once(self, page: str, text: str, subject: str | None = None) -> None:
        """Let a page of ours show a link or token when this browser asks for it next.

        `subject`: what the text is about, where only the newest one is good.
        """
        self.pages.shown_once.save(self.session_token, page, text, subject)

    def has_text(self, page: str) -> Lookup[bool]:
        """Look up whether there is something that a page shows once."""
        return has_text(self.session_token, page)

    def take_one_time_texts(self, page: str, has_text: bool) -> list[str]:
        """Return what a page shows now, and never again; `has_text`: as was looked up."""
        is_seen = self.session_token and self.method != "HEAD"
        return self.pages.shown_once.take(self.session_token, page) if has_text and is_seen else []

    def note(self, what: str, message: str = "", about: str | None = None) -> None:
        """Write a row of the audit log: what was done, or was refused."""
        self.pages.audit.note(what, message, address=self.address, person=self._id, about=about)

    def count(
        self, action: str, key: str = "", *, person: Person | None = None
    ) -> Callable[[], None]:
        """Count a try; return what counts it no more. Raises: TooOften.

        `key`: see RateLimits.count; `person`: who asks, where that is known by a token.
        """
        by = Asker(self.address, self._id if person is None else person.id)
        try:
            return self.pages.limits.count(action, by, key)
        except TooOften as error:
            self.note("too many tries", error.what)
            raise

    def html(self, template: str, status: int = 0, /, **values: object) -> Response:
        """Return a page; `why` says what was wrong, `typed` what a form is filled with.

        Unless `status` says otherwise the answer is 422 where something was wrong.
        """
        usual = HTTPStatus.UNPROCESSABLE_ENTITY if values.get("why") else HTTPStatus.OK
        common = {
            "me": self.person,
            "is_open": self.pages.is_open,
            "why": "",
            "typed": defaultdict(str, self.fields),
            "path": self.url.path,
        }
        headers = {"cache-control": "no-store"}
        return render_page(
            self.pages.templates, template, status or usual, values=common | values, headers=headers
        )

    def start_session(self, person: Person, target: str) -> Response:
        """Begin a session of a person, in place of this browser's former one."""
        if self.session_token:
            self.pages.people.end_session(self.session_token)
        response = redirect_to(target)
        set_cookie(self, response, SESSION, self.pages.people.new_session(person.id))
        self.remember(response, person)
        return response

    def remember(self, response: Response, person: Person) -> None:
        """Let the browser know that somebody with a password has signed in there."""
        before = self.cookies.get(visitors.KNOWN_BROWSER_COOKIE, "")
        cookie = visitors.remember_person(before, person)
        if cookie:
            set_cookie(self, response, visitors.KNOWN_BROWSER_COOKIE, cookie)


Handler = Callable[[PageRequest], Response]


def _require_before(permission: Permission, handler: Handler) -> Handler:
    def permitted(request: PageRequest) -> Response:
        request.require_permission()
        return handler(request)

    return handler if permission is Permission.ANYBODY else permitted


def _permitted_by_reading(handler: Handler) -> Handler:
    def permitted(request: PageRequest) -> Response:
        response = handler(request)
        if not request.is_permitted:
            raise RuntimeError(f"{request.url.path}: its handler has not read first")
        return response

    return permitted


def redirect_to(path: str) -> RedirectResponse:
    """Return a redirection after a form."""
    return RedirectResponse(path, status_code=HTTPStatus.SEE_OTHER)


def own_path(typed: str) -> str:
    """Return a path of ours that somebody wants to see next; '/' for anything else."""
    is_ours = typed.startswith("/") and not typed.startswith(("//", "/\\"))
    return typed if is_ours and typed.isprintable() else "/"


def read_form(headers: Mapping[str, str], body: bytes) -> dict[str, str]:
    """Return the fields of a form. Raises: Denied."""
    if headers.get("content-type", FORM).partition(";")[0].strip().lower() != FORM:
        raise Denied(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a form is sent as its browser does it")
    if len(body) > MAX_FORM_BYTES:
        raise Denied(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the form is too large")
    try:
        fields = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS)
        return validate_fields(dict(fields))
    except (ValueError, BadText) as error:
        raise Denied(HTTPStatus.BAD_REQUEST, f"the form cannot be read: {error}") from error


MOMENT = "%Y-%m-%d %H:%M %Z"
TEMPLATES = Path(__file__).parents[1] / "templates"


@cache
def make_environment(public_path: str = "", zone: tzinfo = UTC, home_bot: str = "") -> Environment:
    """Return the templates, of which each is compiled once; whatever they are given is escaped.

    They put `site`, the path below which browsers find the server, before its own links. `zone`
    names the time zone of what is typed into forms. `home_bot`: the bot of a server that is there
    to write it at home, and '' of any other.
    """
    environment = SharedTemplates(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    environment.globals["site"] = public_path
    environment.globals["zone"] = str(zone)
    environment.globals["main_command"] = detect_commands().main
    environment.globals["home_bot"] = home_bot
    environment.filters["contest_title"] = tournament_title
    environment.filters["format_title"] = format_title
    environment.filters["when"] = partial(_time_html, zone)
    environment.filters["day"] = lambda at: f"{at.astimezone(zone):%Y-%m-%d}"
    environment.filters["moment"] = lambda at: f"{at.astimezone(zone):{MOMENT}}"
    return environment


def _time_html(zone: tzinfo, at: datetime, is_relative: bool = False) -> Markup:
    """Return a time as HTML, of which web/site/times.js makes one of the reader's own clocks.

    `is_relative`: it is also said how long that is from now.
    """
    kind = Markup(' class="relative"') if is_relative else ""
    utc, shown = f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}", f"{at.astimezone(zone):{MOMENT}}"
    return Markup('<time datetime="{}"{}>{}</time>').format(utc, kind, shown)


def render_page(
    environment: Environment,
    template: str,
    status: int = HTTPStatus.OK,
    *,
    values: Mapping[str, object],
    headers: Mapping[str, str] | None = None,
) -> HTMLResponse:
    """Return a page: `template` by its file's name, and what its first line says that it needs."""
    text = environment.get_template(template).render(values)
    return HTMLResponse(text, status_code=status, headers=headers)
