"""Pages of the organizer: invitations, bans, the audit log."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from http import HTTPStatus

from starlette.responses import Response
from starlette.routing import Route

from engine.support.sanitizing import one_line
from server.http.errors import Denied
from server.http.page_requests import Desk, Visit, see
from server.identity.audit_log import newest_rows
from server.identity.people import INVITATION_DAYS, Kind, Person, everybody, invitations_by
from server.identity.rate_limits import MOST_INVITATION_DAYS

MOST_ROWS = 200
"""Rows of the audit log on the page."""
MOST_NOTE = 60
PAGE = "/admin"
"""The page that shows a new invitation."""


class Organizing:
    """What organizers do. Every act of theirs is in the audit log."""

    def __init__(self, desk: Desk, withdraw: Callable[[str], None]) -> None:
        """`withdraw` takes somebody out of the games that wait for players."""
        self._desk = desk
        self._withdraw_from_games = withdraw
        self._people = desk.people

    @property
    def routes(self) -> Sequence[Route]:
        route = self._desk.route
        return [
            route("/admin", self._page),
            route("/admin/invitations", self._invite, "POST"),
            route("/admin/invitations/{id}/withdraw", self._withdraw, "POST"),
            route("/admin/people/{id}/ban", self._ban, "POST"),
            route("/admin/people/{id}/unban", self._unban, "POST"),
        ]

    def _page(self, visit: Visit, status: int = HTTPStatus.OK, why: str = "") -> Response:
        me = visit.require_organizer()
        people, invitations, audit, has_text = visit.read(
            everybody(), invitations_by(), newest_rows(MOST_ROWS), visit.has_text(PAGE)
        )
        return visit.html(
            "admin.html",
            status,
            person=me,
            people=people,
            invitations=invitations,
            audit=audit,
            shown=visit.shown_once(PAGE, has_text),
            days=INVITATION_DAYS,
            most_days=MOST_INVITATION_DAYS,
            why=why,
        )

    def _invite(self, visit: Visit) -> Response:
        me = visit.require_organizer()
        note, days = one_line(visit.typed("note"))[:MOST_NOTE], visit.typed("days")
        if not (days.isascii() and days.isdigit() and 1 <= int(days[:9]) <= MOST_INVITATION_DAYS):
            why = f"an invitation is good for 1 to {MOST_INVITATION_DAYS} days"
            return self._page(visit, HTTPStatus.UNPROCESSABLE_ENTITY, why)
        good_for = timedelta(days=int(days))
        key = self._people.new_link(Kind.PERSON, made_by=me.id, note=note, good_for=good_for)
        visit.note("invitation made", note)
        visit.show_once(PAGE, visit.link(f"/welcome/{key}"))
        return see("/admin")

    def _withdraw(self, visit: Visit) -> Response:
        visit.require_organizer()
        if not self._people.withdraw(visit.part("id")):
            raise Denied(HTTPStatus.CONFLICT, "this invitation was used, or withdrawn before")
        visit.note("invitation withdrawn")
        return see("/admin")

    def _ban(self, visit: Visit) -> Response:
        who = self._somebody(visit)
        if who.id == visit.me.id:
            raise Denied(HTTPStatus.CONFLICT, "you cannot ban yourself")
        self._people.set_banned(who.id, True)
        self._withdraw_from_games(who.id)
        visit.note("banned", about=who.id)
        return see("/admin")

    def _unban(self, visit: Visit) -> Response:
        who = self._somebody(visit)
        self._people.set_banned(who.id, False)
        visit.note("unbanned", about=who.id)
        return see("/admin")

    def _somebody(self, visit: Visit) -> Person:
        visit.require_organizer()
        found = self._people.person(visit.part("id"))
        if found is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such person")
        return found
