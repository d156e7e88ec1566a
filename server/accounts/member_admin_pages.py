"""Pages of the organizer: invitations, bans, the audit log."""

from collections.abc import Sequence
from datetime import timedelta
from http import HTTPStatus

from starlette.responses import Response
from starlette.routing import Route

from engine.support.sanitizing import one_line
from server.accounts.banning import Banning
from server.accounts.invitation_lists import BadList, read_names, table_of
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.permissions import Permission
from server.identity.audit_log import newest_rows
from server.identity.groups import every_group, group_of_id
from server.identity.membership import NotPossible
from server.identity.people import INVITATION_DAYS, Kind, Person, everybody, invitations_by
from server.identity.rate_limits import MOST_INVITATION_DAYS

MOST_ROWS = 200
"""Rows of the audit log on the page."""
MOST_NOTE = 60
PAGE = "/admin"
"""The page that shows a new invitation."""
MOST_USES = 500
"""Accounts that one invitation makes."""


BAD_DAYS = f"an invitation is good for 1 to {MOST_INVITATION_DAYS} days"


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
            route("/admin", Permission.ORGANIZER, self._page),
            route("/admin/invitations", Permission.ORGANIZER, self._invite, "POST"),
            route("/admin/invitations/list", Permission.ORGANIZER, self._invite_list, "POST"),
            route("/admin/invitations/{id}/withdraw", Permission.ORGANIZER, self._withdraw, "POST"),
            route("/admin/people/{id}/ban", Permission.ORGANIZER, self._ban, "POST"),
            route("/admin/people/{id}/unban", Permission.ORGANIZER, self._unban, "POST"),
        ]

    def _page(self, request: PageRequest, status: int = HTTPStatus.OK, why: str = "") -> Response:
        me = request.me
        people, invitations, audit, groups, has_text = request.read(
            everybody(),
            invitations_by(),
            newest_rows(MOST_ROWS),
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
            shown=request.shown_once(PAGE, has_text),
            days=INVITATION_DAYS,
            most_days=MOST_INVITATION_DAYS,
            most_uses=MOST_USES,
            why=why,
        )

    def _invite(self, request: PageRequest) -> Response:
        me = request.me
        note, days = one_line(request.field("note"))[:MOST_NOTE], _days(request)
        if days is None:
            return self._page(request, HTTPStatus.UNPROCESSABLE_ENTITY, BAD_DAYS)
        accounts = request.field("accounts") or "1"
        if not (accounts.isascii() and accounts.isdigit() and 1 <= int(accounts[:9]) <= MOST_USES):
            why = f"an invitation makes 1 to {MOST_USES} accounts"
            return self._page(request, HTTPStatus.UNPROCESSABLE_ENTITY, why)
        try:
            group = self._group(request)
        except NotPossible as error:
            return self._page(request, HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
        key = self._people.new_link(
            Kind.PERSON,
            made_by=me.id,
            note=note,
            good_for=days,
            uses=int(accounts),
            group=group,
        )
        request.note("invitation made", note)
        request.show_once(PAGE, request.link(f"/welcome/{key}"))
        return redirect_to("/admin")

    def _invite_list(self, request: PageRequest) -> Response:
        """Make an invitation for each name of a list, and send the links as a table: once."""
        days = _days(request)
        if days is None:
            return self._page(request, HTTPStatus.UNPROCESSABLE_ENTITY, BAD_DAYS)
        try:
            names = read_names(request.field("names"))
            group = self._group(request)
        except (BadList, NotPossible) as error:
            return self._page(request, HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
        keys = self._people.new_invitations(
            names, made_by=request.me.id, good_for=days, group=group
        )
        request.note("invitations made", f"{len(names)} from a list")
        links = [request.link(f"/welcome/{key}") for key in keys]
        headers = {
            "content-disposition": 'attachment; filename="invitations.csv"',
            "cache-control": "no-store",
        }
        content = table_of(("name", "link"), zip(names, links, strict=True))
        return Response(content, media_type="text/csv; charset=utf-8", headers=headers)

    def _withdraw(self, request: PageRequest) -> Response:
        if not self._people.withdraw(request.part("id")):
            raise Denied(HTTPStatus.CONFLICT, "this invitation was used, or withdrawn before")
        request.note("invitation withdrawn")
        return redirect_to("/admin")

    def _ban(self, request: PageRequest) -> Response:
        self._banning.ban(request.me, self._somebody(request), request.address)
        return redirect_to("/admin")

    def _unban(self, request: PageRequest) -> Response:
        self._banning.unban(request.me, self._somebody(request), request.address)
        return redirect_to("/admin")

    def _group(self, request: PageRequest) -> str | None:
        """Return the id of the group that invitations are for, if any. Raises: NotPossible."""
        typed = request.field("group")
        if typed and request.read(group_of_id(typed)) == [None]:
            raise NotPossible("this group is not there any more: choose another one, or none")
        return typed or None

    def _somebody(self, request: PageRequest) -> Person:
        found = self._people.person(request.part("id"))
        if found is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such person")
        return found


def _days(request: PageRequest) -> timedelta | None:
    """Return how long an invitation is to be good; None if that was typed wrongly."""
    days = request.field("days")
    if days.isascii() and days.isdigit() and 1 <= int(days[:9]) <= MOST_INVITATION_DAYS:
        return timedelta(days=int(days))
    return None
