"""Pages of the organizer: invitations, as lists too, bans, the audit log."""

import csv
import io
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Sequence
from datetime import timedelta
from http import HTTPStatus

from starlette.responses import Response
from starlette.routing import Route

from engine.support.sanitizing import escape_formula, one_line
from runners.storage.tables import name_key
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part
from server.http.permissions import Permission
from server.identity.audit_log import AuditLog, newest_rows
from server.identity.groups import NotPossible, every_group, group_of_id
from server.identity.people import (
    INVITATION_DAYS,
    Kind,
    People,
    Person,
    find_everybody,
    invitations_by,
)
from server.identity.rate_limits import MAX_INVITATION_DAYS
from server.identity.text_limits import parse_whole_number

MAX_AUDIT_ROWS = 200
"""Rows of the audit log on the page."""
MAX_NOTE_LENGTH = 60
PAGE = "/admin"
"""The page that shows a new invitation."""
MAX_INVITATION_USES = 500
"""Accounts that one invitation makes."""
BAD_DAYS = f"an invitation is good for 1 to {MAX_INVITATION_DAYS} days"
MAX_NAMES = 200
MAX_NAME_LENGTH = 60


class Banning:
    """What organizers do about people; each act is in the audit log."""

    def __init__(self, people: People, audit: AuditLog, others: Sequence[Part]) -> None:
        """`others`: the parts of the site from which somebody banned is withdrawn."""
        self._people = people
        self._audit = audit
        self._others = others

    def ban(self, me: Person, who: Person, address: str) -> None:
        """Ban somebody. Raises: Denied."""
        if who.id == me.id:
            raise Denied(HTTPStatus.CONFLICT, "you cannot ban yourself")
        self._people.set_banned(who.id, True)
        for part in self._others:
            part.withdraw(who.id)
        self._audit.note("banned", address=address, person=me.id, about=who.id)

    def unban(self, me: Person, who: Person, address: str) -> None:
        """Let somebody in again."""
        self._people.set_banned(who.id, False)
        self._audit.note("unbanned", address=address, person=me.id, about=who.id)


class MemberAdminPages:
    """What organizers do. Every act of theirs is in the audit log."""

    def __init__(self, pages: Pages, banning: Banning) -> None:
        self._pages = pages
        self._banning = banning
        self._people = pages.people

    @property
    def routes(self) -> Sequence[Route]:
        route = self._pages.route
        return [
            route("/admin", Permission.ORGANIZER, self._members_page),
            route("/admin/invitations", Permission.ORGANIZER, self._make_invitation, "POST"),
            route("/admin/invitations/list", Permission.ORGANIZER, self._invite_list, "POST"),
            route("/admin/invitations/{id}/withdraw", Permission.ORGANIZER, self._withdraw, "POST"),
            route("/admin/people/{id}/ban", Permission.ORGANIZER, self._ban_member, "POST"),
            route("/admin/people/{id}/unban", Permission.ORGANIZER, self._unban_member, "POST"),
        ]

    def _members_page(
        self, request: PageRequest, status: int = HTTPStatus.OK, why: str = ""
    ) -> Response:
        me = request.me
        people, invitations, audit, groups, has_text = request.read(
            find_everybody(),
            invitations_by(),
            newest_rows(MAX_AUDIT_ROWS),
            every_group(),
            request.has_text(PAGE),
        )
        return request.html(
            "admin.html",
            status,
            person=me,
            people=people,
            invitations=invitations,
            audit=audit,
            groups=groups,
            into=request.field("group") or request.query_params.get("group", ""),
            shown=request.take_one_time_texts(PAGE, has_text),
            days=INVITATION_DAYS,
            most_days=MAX_INVITATION_DAYS,
            most_uses=MAX_INVITATION_USES,
            why=why,
        )

    def _make_invitation(self, request: PageRequest) -> Response:
        me = request.me
        note, days = one_line(request.field("note"))[:MAX_NOTE_LENGTH], _requested_days(request)
        if days is None:
            return self._members_page(request, HTTPStatus.UNPROCESSABLE_ENTITY, BAD_DAYS)
        accounts = parse_whole_number(request.field("accounts") or "1")
        if accounts is None or not 1 <= accounts <= MAX_INVITATION_USES:
            why = f"an invitation makes 1 to {MAX_INVITATION_USES} accounts"
            return self._members_page(request, HTTPStatus.UNPROCESSABLE_ENTITY, why)
        try:
            group = self._requested_group(request)
        except NotPossible as error:
            return self._members_page(request, HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
        key = self._people.new_link(
            Kind.PERSON, made_by=me.id, note=note, good_for=days, uses=int(accounts), group=group
        )
        request.note("invitation made", note)
        request.show_once(PAGE, request.link(f"/welcome/{key}"))
        return redirect_to("/admin")

    def _invite_list(self, request: PageRequest) -> Response:
        """Make an invitation for each name of a list, and send the links as a table: once."""
        days = _requested_days(request)
        if days is None:
            return self._members_page(request, HTTPStatus.UNPROCESSABLE_ENTITY, BAD_DAYS)
        try:
            names = read_names(request.field("names"))
            group = self._requested_group(request)
        except (BadList, NotPossible) as error:
            return self._members_page(request, HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
        keys = self._people.new_invitations(
            names, made_by=request.me.id, good_for=days, group=group
        )
        request.note("invitations made", f"{len(names)} from a list")
        links = [request.link(f"/welcome/{key}") for key in keys]
        headers = {
            "content-disposition": 'attachment; filename="invitations.csv"',
            "cache-control": "no-store",
        }
        content = make_csv(("name", "link"), zip(names, links, strict=True))
        return Response(content, media_type="text/csv; charset=utf-8", headers=headers)

    def _withdraw(self, request: PageRequest) -> Response:
        if not self._people.withdraw(request.part("id")):
            raise Denied(HTTPStatus.CONFLICT, "this invitation was used, or withdrawn before")
        request.note("invitation withdrawn")
        return redirect_to("/admin")

    def _ban_member(self, request: PageRequest) -> Response:
        self._banning.ban(request.me, self._requested_member(request), request.address)
        return redirect_to("/admin")

    def _unban_member(self, request: PageRequest) -> Response:
        self._banning.unban(request.me, self._requested_member(request), request.address)
        return redirect_to("/admin")

    def _requested_group(self, request: PageRequest) -> str | None:
        """Return the id of the group that invitations are for, if any. Raises: NotPossible."""
        typed = request.field("group")
        if typed and request.read(group_of_id(typed)) == [None]:
            raise NotPossible("this group is not there any more: choose another one, or none")
        return typed or None

    def _requested_member(self, request: PageRequest) -> Person:
        found = self._people.find_person(request.part("id"))
        if found is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such person")
        return found


def _requested_days(request: PageRequest) -> timedelta | None:
    """Return how long an invitation is to be good; None if that was typed wrongly."""
    days = parse_whole_number(request.field("days"))
    return timedelta(days=days) if days and days <= MAX_INVITATION_DAYS else None


class BadList(Exception):
    """What is wrong with a list, and in which line."""


def read_names(text: str) -> list[str]:
    """Return the names in a list: a line each, of tables the first column. Raises: BadList."""
    lines: dict[str, int] = {}
    names = []
    for number, line in enumerate(text.splitlines(), 1):
        # Before the first tab or semicolon: a comma may be part of a name.
        name = one_line(re.split(r"[\t;]", line, maxsplit=1)[0]).strip()
        if not name:
            continue
        if len(name) > MAX_NAME_LENGTH:
            raise BadList(f"line {number}: a name has at most {MAX_NAME_LENGTH} letters")
        before = lines.setdefault(name_key(name), number)
        if before != number:
            raise BadList(f"{name} stands in the list twice, in lines {before} and {number}")
        names.append(name)
    if not 1 <= len(names) <= MAX_NAMES:
        raise BadList(f"expected a list of 1 to {MAX_NAMES} names, and this one has {len(names)}")
    return names


def make_csv(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Return a CSV file that spreadsheets open, with names of every script."""
    content = io.StringIO(newline="")
    lines = csv.writer(content)
    lines.writerow(titles)
    lines.writerows([escape_formula(value) for value in row] for row in rows)
    return BOM_UTF8 + content.getvalue().encode()
