"""Pages of accounts: joining by a link, signing in and out, one's own page and its tokens."""

from collections.abc import Sequence
from datetime import timedelta
from http import HTTPStatus

import msgspec
from msgspec.structs import replace
from starlette.responses import Response
from starlette.routing import BaseRoute

from engine.support.sanitizing import one_line
from runners.storage.tables import name_key
from server.accounts.member_admin_pages import Banning, MemberAdminPages
from server.accounts.request_pages import RequestPages, count_sign_in
from server.http.errors import Denied
from server.http.openapi import Operation
from server.http.page_requests import ME, PageRequest, Pages, own_path, redirect_to
from server.http.parts import Part
from server.http.permissions import NOT_HERE, Permission
from server.identity.account_requests import AccountRequests
from server.identity.groups import person_groups
from server.identity.names import BadName, validate_name
from server.identity.passwords import BadPassword, is_password, password_hash, validate_password
from server.identity.people import (
    DEVICE_MINUTES,
    Invitation,
    Kind,
    LinkGone,
    NameTaken,
    Person,
    person_sessions,
)
from server.identity.recovery_codes import RecoveryCodes, count_recovery_codes
from server.identity.tokens import MAX_TOKENS, Scope, Tokens, TooManyTokens, person_tokens
from server.identity.visitors import SESSION
from server.messages.block_list import block_list

MAX_AUDIT_ROWS = 100_000
"""Rows of the audit log in a download."""
LINK_GONE = "this link was used already, has expired, or is mistyped; ask for a new one"
NAME_TAKEN = "somebody has this name already, or one that looks like it; choose another"
WRONG_PASSWORD = "name and password do not belong together; who has no password uses a sign-in link"
ACCOUNT_BANNED = "this account was banned; ask the organizer"
WRONG_CODE = "this name has no such code: each works once, and new ones replace all former ones"
MAX_NAME_LENGTH = 40
"""Letters of the name of a token."""
BOTH_SCOPES = "both"
"""What a form says for a token that may do everything that tokens may."""


class AccountsPart(Part):
    """Joining, signing in, one's own page, tokens, and what organizers do about people."""

    def __init__(self, pages: Pages, tokens: Tokens, others: Sequence[Part]) -> None:
        """`others`: the parts that keep something of people besides."""
        ordered = sorted(others, key=lambda part: part.leaving)
        self._requests = AccountRequests(pages.people)
        self._tokens = tokens
        self._others = [*ordered, self]
        self._pages = pages
        self._people = pages.people
        self._audit = pages.audit
        self.banning = Banning(pages.people, pages.audit, ordered)
        self._organizing = MemberAdminPages(pages, self.banning)
        self._request_pages = RequestPages(pages, self._requests)
        self._codes = RecoveryCodes(pages.people.database)

    @property
    def routes(self) -> Sequence[BaseRoute]:
        route = self._pages.route
        return [
            self._pages.password_route("/sign-in", Permission.ANYBODY, self._sign_in),
            route("/sign-in/recover", Permission.ANYBODY, self._recover, "GET POST"),
            route("/sign-out", Permission.ANYBODY, self._sign_out, "POST"),
            self._pages.password_route("/welcome/{key}", Permission.ANYBODY, self._show_invitation),
            route("/device/{key}", Permission.ANYBODY, self._sign_in_by_link, "GET POST"),
            route("/me", Permission.MEMBER, self._show_account),
            self._pages.password_route(
                "/me/password", Permission.MEMBER, self._set_password, "POST"
            ),
            route("/me/device-link", Permission.MEMBER, self._new_device_link, "POST"),
            route("/me/recovery-codes", Permission.MEMBER, self._new_codes, "POST"),
            route("/me/feed", Permission.MEMBER, self._new_feed, "POST"),
            route("/me/sign-out-others", Permission.MEMBER, self._sign_out_others, "POST"),
            route("/me/export", Permission.MEMBER, self._send_own_data),
            route("/me/delete", Permission.MEMBER, self._delete, "GET POST"),
            route("/me/tokens", Permission.MEMBER, self._make_token, "POST"),
            route("/me/tokens/{id}/revoke", Permission.MEMBER, self._revoke, "POST"),
            *self._request_pages.routes,
            *self._organizing.routes,
        ]

    @property
    def operations(self) -> Sequence[Operation]:
        return self._request_pages.operations

    def personal_data(self, person_id: str) -> dict[str, object]:
        return {"tokens": self._tokens.find_tokens(person_id)}

    # -- joining and signing in ---------------------------------------------------------------

    def _show_invitation(self, request: PageRequest) -> Response:
        """Let somebody who has an invitation choose a name."""
        link = self._link(request, Kind.ORGANIZER, Kind.PERSON)
        if request.method != "POST":
            return request.html("welcome.html", link=link)
        # Of a link for a whole class, the tries for each of its accounts.
        request.count("join", f"{link.id} {link.uses_left}")
        try:
            name = validate_name(request.field("name"))
            password = validate_password(request.field("password"))
            hashed = None if password is None else password_hash(password)
            person = self._people.join(request.part("key"), name, hashed)
        except (BadName, BadPassword) as error:
            return self._not_welcome(request, link, str(error))
        except NameTaken:
            return self._not_welcome(request, link, NAME_TAKEN)
        except LinkGone as error:  # used in another window meanwhile
            raise Denied(HTTPStatus.NOT_FOUND, LINK_GONE) from error
        self._audit.note("joined", link.kind, address=request.address, person=person.id)
        self._move_guest_data(request, person.id)
        return request.start_session(person, "/")

    def _move_guest_data(self, request: PageRequest, person_id: str) -> None:
        """Give whoever has a new account what this browser had as a guest."""
        for part in self._others:
            part.adopt(request, person_id)

    def _not_welcome(self, request: PageRequest, link: Invitation, why: str) -> Response:
        request.note("account refused", why)
        return request.html("welcome.html", link=link, why=why)

    def _sign_in_by_link(self, request: PageRequest) -> Response:
        """Sign in by a link; only when asked to, since programs open links, too."""
        self._link(request, Kind.DEVICE)
        if request.method != "POST":
            return request.html("device.html", next=request.query_params.get("next", ""))
        try:
            person = self._people.use_device_link(request.part("key"))
        except LinkGone as error:
            raise Denied(HTTPStatus.NOT_FOUND, LINK_GONE) from error
        self._audit.note("signed in", "by a link", address=request.address, person=person.id)
        return request.start_session(person, own_path(request.field("next")))

    def _link(self, request: PageRequest, *kinds: Kind) -> Invitation:
        """Return the link of a path. Raises: Denied for one that is not good."""
        link = self._people.link(request.part("key"))
        if link is None or link.kind not in kinds:
            request.count("wrong_link")
            request.note("link refused")
            raise Denied(HTTPStatus.NOT_FOUND, LINK_GONE)
        return link

    def _sign_in(self, request: PageRequest) -> Response:
        target = own_path(request.field("next") or request.query_params.get("next", "/"))
        if request.method != "POST":
            return (
                redirect_to(target) if request.person else request.html("sign_in.html", next=target)
            )
        name = request.field("name")
        person = self._people.find_person_by_name(name)
        give_back = count_sign_in(request, name, person)
        asked = self._requests.find_request(name) if person is None else None
        current = person.password if person is not None else asked and asked.password
        is_right = is_password(current, request.field("password"))
        if is_right:
            give_back()
        if is_right and asked is not None:
            return self._request_pages.lead_to_request(request, asked)
        why = WRONG_PASSWORD if not is_right else ""
        if person is not None and is_right and person.is_banned:
            why = ACCOUNT_BANNED
        if why or person is None:
            about = None if person is None else person.id  # what else was typed may be a password
            request.note("sign-in refused", about=about)
            return request.html("sign_in.html", HTTPStatus.FORBIDDEN, next=target, why=why)
        self._audit.note("signed in", "by password", address=request.address, person=person.id)
        if self._requests.first_sign_in(person.id):
            self._move_guest_data(request, person.id)
        return request.start_session(person, target)

    def _recover(self, request: PageRequest) -> Response:
        """Sign in with a recovery code, which is used up by that."""
        if request.method != "POST":
            return request.html("recover.html")
        name, code = request.field("name"), request.field("code")
        if not code:  # which is no guess
            return request.html("recover.html", HTTPStatus.FORBIDDEN, why=WRONG_CODE)
        person = self._people.find_person_by_name(name)
        give_back = count_sign_in(request, name, person)
        if person is None or not self._codes.use(person.id, code):
            request.note("recovery refused", about=None if person is None else person.id)
            return request.html("recover.html", HTTPStatus.FORBIDDEN, why=WRONG_CODE)
        give_back()
        if person.is_banned:
            return request.html("recover.html", HTTPStatus.FORBIDDEN, why=ACCOUNT_BANNED)
        message = "by a recovery code"
        self._audit.note("signed in", message, address=request.address, person=person.id)
        return request.start_session(person, "/me")

    def _sign_out(self, request: PageRequest) -> Response:
        self._people.end_session(request.session_token)
        response = redirect_to("/")
        response.delete_cookie(SESSION)
        return response

    # -- one's own page -----------------------------------------------------------------------

    def _show_account(
        self, request: PageRequest, status: int = HTTPStatus.OK, why: str = ""
    ) -> Response:
        me = request.me
        sessions, tokens, avoided, codes, groups, has_text = request.read(
            person_sessions(me.id),
            person_tokens(me.id),
            block_list(me.id),
            count_recovery_codes(me.id),
            person_groups(me.id),
            request.has_text(ME),
        )
        return request.html(
            "me.html",
            status,
            person=me,
            sessions=sessions,
            tokens=tokens,
            has_remote_bots=request.visitor.has_remote_bots,
            avoided=avoided,
            codes=codes,
            groups=groups,
            shown=request.take_one_time_texts(ME, has_text),
            device_minutes=DEVICE_MINUTES,
            why=why,
        )

    def _set_password(self, request: PageRequest) -> Response:
        """Set, change or remove a password; who has one must know it."""
        current = request.me.password
        request.count("password")
        if current is not None and not is_password(current, request.field("old")):
            request.note("password refused")
            return self._show_account(
                request, HTTPStatus.FORBIDDEN, "the present password is another one"
            )
        try:
            password = validate_password(request.field("password"))
        except BadPassword as error:
            return self._show_account(request, HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
        hashed = None if password is None else password_hash(password)
        me = self._people.set_password(request.me.id, hashed)
        self._people.end_sessions(me.id, but=request.session_token)
        request.note("password changed" if hashed else "password removed")
        response = redirect_to("/me")
        request.remember(response, me)
        return response

    def _new_device_link(self, request: PageRequest) -> Response:
        request.count("new_link")
        minutes = timedelta(minutes=DEVICE_MINUTES)
        key = self._people.new_link(Kind.DEVICE, made_by=request.me.id, good_for=minutes)
        request.show_once(ME, request.link(f"/device/{key}"), "device")
        request.note("sign-in link made")
        return redirect_to("/me")

    def _new_codes(self, request: PageRequest) -> Response:
        request.count("new_link")
        codes = self._codes.renew(request.me.id)
        request.show_once(ME, "\n".join(codes), "recovery")
        request.note("recovery codes made")
        return redirect_to("/me")

    def _new_feed(self, request: PageRequest) -> Response:
        secret = self._people.new_feed(request.me.id)
        request.show_once(ME, request.link(f"/feeds/{secret}.atom"), "feed")
        return redirect_to("/me")

    def _sign_out_others(self, request: PageRequest) -> Response:
        self._people.end_sessions(request.me.id, but=request.session_token)
        return redirect_to("/me")

    def _send_own_data(self, request: PageRequest) -> Response:
        """Send all that is kept of a person."""
        me = request.me
        elsewhere: dict[str, object] = {}
        for part in self._others:
            elsewhere |= part.personal_data(me.id)
        content = {
            "name": me.name,
            "joined": me.created_at,
            "is_organizer": me.is_organizer,
            "has_password": me.password is not None,
            "has_feed": me.has_feed,
            "recovery_codes_left": request.read(count_recovery_codes(me.id))[0],
            "sessions": self._people.find_sessions(me.id),
            "invitations_made": [
                {"note": one.note, "made": one.created_at, "used": one.used_at}
                for one in self._people.find_invitations(me.id)
            ],
            "audit": [
                row if row.person == me.name else replace(row, address="")  # somebody else's
                for row in self._audit.rows(MAX_AUDIT_ROWS, me.id)
            ],
            **elsewhere,
        }
        return Response(
            msgspec.json.format(msgspec.json.encode(content)),
            media_type="application/json",
            headers={
                "content-disposition": 'attachment; filename="account.json"',
                "cache-control": "no-store",
            },
        )

    def _after_leaving(self, me: Person) -> list[str]:
        """Return what becomes of what somebody has, if they leave."""
        return [text for part in self._others for text in part.before_leaving(me.id)]

    def _delete(self, request: PageRequest) -> Response:
        """Delete an account whose owner has typed its name."""
        me = request.me
        if request.method != "POST":
            return request.html("delete.html", person=me, after=self._after_leaving(me))
        if name_key(" ".join(request.field("name").split())) != name_key(me.name):
            return request.html(
                "delete.html",
                person=me,
                after=self._after_leaving(me),
                why="that is not your name: type it as it stands above",
            )
        for part in self._others:
            part.forget(me.id)
        self._people.delete(me.id)
        response = redirect_to("/")
        response.delete_cookie(SESSION)
        return response

    # -- tokens ---------------------------------------------------------------------------------

    def _make_token(self, request: PageRequest) -> Response:
        me = request.me
        request.count("new_token")
        name = one_line(request.field("name"))[:MAX_NAME_LENGTH] or "a token"
        scopes = self._parse_scopes(request.field("scope"))
        try:
            token = self._tokens.create_token(me.id, name, scopes)
        except TooManyTokens as error:
            why = f"you have {MAX_TOKENS} tokens, and nobody may have more: revoke one first"
            raise Denied(409, why) from error
        request.show_once(ME, token)
        request.note("token made", name)
        return redirect_to("/me")

    def _parse_scopes(self, said: str) -> frozenset[Scope]:
        """Return what a form allows a token. Raises: Denied."""
        if not said:
            return frozenset({Scope.HAND_IN})
        known = {Scope.HAND_IN: {Scope.HAND_IN}, Scope.PLAY: {Scope.PLAY}, BOTH_SCOPES: set(Scope)}
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
