"""Pages of accounts: joining by a link, signing in and out, and one's own page."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from http import HTTPStatus

import msgspec
from msgspec.structs import replace
from starlette.responses import Response
from starlette.routing import Route

from runners.storage.name_keys import name_key
from runners.storage.together import Lookup
from server.accounts.sign_in_limits import SignInLimits
from server.http.errors import Denied
from server.http.page_requests import ME, SESSION, Desk, Visit, own_path, see
from server.identity.names import BadName, checked_name
from server.identity.passwords import BadPassword, checked_password, is_password, password_hash
from server.identity.people import (
    DEVICE_MINUTES,
    Invitation,
    Kind,
    LinkGone,
    NameTaken,
    Person,
    sessions_of,
)
from server.identity.rate_limits import HOUR_S, RateLimit
from server.identity.tokens import Token

MOST_ROWS = 100_000
"""Rows of the audit log in a download."""
GONE = "this link was used already, has expired, or is mistyped; ask for a new one"
TAKEN = "somebody has this name already, or one that looks like it; choose another"
WRONG = "name and password do not belong together; who has no password uses a sign-in link"


class Accounts:
    """Joining, signing in, and what people decide of themselves."""

    def __init__(
        self,
        desk: Desk,
        export: Callable[[Person], Mapping[str, object]],
        forget: Callable[[str], None],
        tokens: Callable[[str], Lookup[list[Token]]],
    ) -> None:
        """`export` returns what else is kept of a person, `forget` removes their name there.

        `tokens` looks up the tokens of a person.
        """
        self._tokens = tokens
        self._desk = desk
        self._people = desk.people
        self._audit = desk.audit
        self._export = export
        self._forget = forget
        self._sign_ins = SignInLimits(desk.address_limits.wrong_passwords)
        self._joins = RateLimit(60, HOUR_S)
        self._wrong_links = RateLimit(desk.address_limits.wrong_links, HOUR_S)
        self._new_links = RateLimit(60, HOUR_S)
        self._passwords = RateLimit(20, HOUR_S)

    @property
    def routes(self) -> Sequence[Route]:
        route = self._desk.route
        return [
            self._desk.password_route("/sign-in", self._sign_in),
            route("/sign-out", self._sign_out, "POST"),
            self._desk.password_route("/welcome/{key}", self._welcome),
            route("/device/{key}", self._device, "GET POST"),
            route("/me", self._me),
            self._desk.password_route("/me/password", self._set_password, "POST"),
            route("/me/device-link", self._new_device_link, "POST"),
            route("/me/feed", self._new_feed, "POST"),
            route("/me/sign-out-others", self._sign_out_others, "POST"),
            route("/me/export", self._download),
            route("/me/delete", self._delete, "GET POST"),
        ]

    # -- joining and signing in ---------------------------------------------------------------

    def _welcome(self, visit: Visit) -> Response:
        """Let somebody who has an invitation choose a name."""
        link = self._link(visit, Kind.ORGANIZER, Kind.PERSON)
        if visit.request.method != "POST":
            return visit.html("welcome.html", link=link)
        visit.require(self._joins, link.id, "tries with this link")
        try:
            name = checked_name(visit.typed("name"))
            password = checked_password(visit.typed("password"))
            hashed = None if password is None else password_hash(password)
            person = self._people.join(visit.part("key"), name, hashed)
        except (BadName, BadPassword) as error:
            return self._not_welcome(visit, link, str(error))
        except NameTaken:
            return self._not_welcome(visit, link, TAKEN)
        except LinkGone as error:  # used in another window meanwhile
            raise Denied(HTTPStatus.NOT_FOUND, GONE) from error
        self._audit.note("joined", link.kind, address=visit.address, person=person.id)
        return visit.signed_in(person, "/")

    def _not_welcome(self, visit: Visit, link: Invitation, why: str) -> Response:
        visit.note("account refused", why)
        return visit.html("welcome.html", HTTPStatus.UNPROCESSABLE_ENTITY, link=link, why=why)

    def _device(self, visit: Visit) -> Response:
        """Sign in by a link; only when asked to, since programs open links, too."""
        self._link(visit, Kind.DEVICE)
        if visit.request.method != "POST":
            return visit.html("device.html")
        try:
            person = self._people.use_device_link(visit.part("key"))
        except LinkGone as error:
            raise Denied(HTTPStatus.NOT_FOUND, GONE) from error
        self._audit.note("signed in", "by a link", address=visit.address, person=person.id)
        return visit.signed_in(person, "/")

    def _link(self, visit: Visit, *kinds: Kind) -> Invitation:
        """Return the link of a path. Raises: Denied for one that is not good."""
        link = self._people.link(visit.part("key"))
        if link is None or link.kind not in kinds:
            visit.require_of_address(self._wrong_links, "wrong links")
            visit.note("link refused")
            raise Denied(HTTPStatus.NOT_FOUND, GONE)
        return link

    def _sign_in(self, visit: Visit) -> Response:
        target = own_path(visit.typed("next") or visit.request.query_params.get("next", "/"))
        if visit.request.method != "POST":
            return see(target) if visit.person else visit.html("sign_in.html", next=target)
        name = visit.typed("name")
        person = self._people.person_named(name)
        sign_in = self._sign_ins.begin(visit, name, person)
        is_right = is_password(None if person is None else person.password, visit.typed("password"))
        if is_right:
            sign_in.was_right()
        why = WRONG if not is_right else ""
        if person is not None and is_right and person.is_banned:
            why = "this account was banned; ask the organizer"
        if why or person is None:
            about = None if person is None else person.id  # what else was typed may be a password
            visit.note("sign-in refused", about=about)
            return visit.html("sign_in.html", HTTPStatus.FORBIDDEN, next=target, why=why)
        self._audit.note("signed in", "by password", address=visit.address, person=person.id)
        return visit.signed_in(person, target)

    def _sign_out(self, visit: Visit) -> Response:
        self._people.end_session(visit.session)
        response = see("/")
        response.delete_cookie(SESSION)
        return response

    # -- one's own page -----------------------------------------------------------------------

    def _me(self, visit: Visit, status: int = HTTPStatus.OK, why: str = "") -> Response:
        me = visit.me
        sessions, tokens, has_text = visit.read(
            sessions_of(me.id), self._tokens(me.id), visit.has_text(ME)
        )
        return visit.html(
            "me.html",
            status,
            person=me,
            sessions=sessions,
            tokens=tokens,
            shown=visit.shown_once(ME, has_text),
            device_minutes=DEVICE_MINUTES,
            why=why,
        )

    def _set_password(self, visit: Visit) -> Response:
        """Set, change or remove a password; who has one must know it."""
        kept = visit.me.password
        visit.require(self._passwords, visit.me.id, "changes of your password")
        if kept is not None and not is_password(kept, visit.typed("old")):
            visit.note("password refused")
            return self._me(visit, HTTPStatus.FORBIDDEN, "the present password is another one")
        try:
            password = checked_password(visit.typed("password"))
        except BadPassword as error:
            return self._me(visit, HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
        hashed = None if password is None else password_hash(password)
        me = self._people.set_password(visit.me.id, hashed)
        self._people.end_sessions(me.id, but=visit.session)
        visit.note("password changed" if hashed else "password removed")
        response = see("/me")
        visit.remember(response, me)
        return response

    def _new_device_link(self, visit: Visit) -> Response:
        visit.require(self._new_links, visit.me.id, "new links")
        minutes = timedelta(minutes=DEVICE_MINUTES)
        key = self._people.new_link(Kind.DEVICE, made_by=visit.me.id, good_for=minutes)
        visit.show_once(ME, visit.link(f"/device/{key}"), "device")
        visit.note("sign-in link made")
        return see("/me")

    def _new_feed(self, visit: Visit) -> Response:
        secret = self._people.new_feed(visit.me.id)
        visit.show_once(ME, visit.link(f"/feeds/{secret}.atom"), "feed")
        return see("/me")

    def _sign_out_others(self, visit: Visit) -> Response:
        self._people.end_sessions(visit.me.id, but=visit.session)
        return see("/me")

    def _download(self, visit: Visit) -> Response:
        """Send all that is kept of a person."""
        me = visit.me
        content = {
            "name": me.name,
            "joined": me.created_at,
            "is_organizer": me.is_organizer,
            "has_password": me.password is not None,
            "has_feed": me.has_feed,
            "sessions": self._people.sessions_of(me.id),
            "invitations_made": [
                {"note": one.note, "made": one.created_at, "used": one.used_at}
                for one in self._people.invitations(me.id)
            ],
            "audit": [
                row if row.person == me.name else replace(row, address="")  # somebody else's
                for row in self._audit.rows(MOST_ROWS, me.id)
            ],
            **self._export(me),
        }
        return Response(
            msgspec.json.format(msgspec.json.encode(content)),
            media_type="application/json",
            headers={
                "content-disposition": 'attachment; filename="account.json"',
                "cache-control": "no-store",
            },
        )

    def _delete(self, visit: Visit) -> Response:
        """Delete an account whose owner has typed its name."""
        me = visit.me
        if visit.request.method != "POST":
            return visit.html("delete.html", person=me)
        if name_key(" ".join(visit.typed("name").split())) != name_key(me.name):
            return visit.html(
                "delete.html",
                HTTPStatus.UNPROCESSABLE_ENTITY,
                person=me,
                why="that is not your name: type it as it stands above",
            )
        self._forget(me.id)
        self._people.delete(me.id)
        response = see("/")
        response.delete_cookie(SESSION)
        return response
