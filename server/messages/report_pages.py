"""Reports as organizers read and close them."""

from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from engine.support.sanitizing import one_line
from server.http.bodies import Empty
from server.http.errors import Denied, NoSuchGame
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part
from server.http.permissions import Permission, require_person
from server.http.responses import client_address
from server.identity.people import People, Person
from server.identity.text_limits import parse_whole_number
from server.messages.conversations import Games
from server.messages.reports import (
    MAX_NOTE_LENGTH,
    REASONS,
    Report,
    Reports,
    closed_reports,
    open_reports,
)

MAX_CLOSED_REPORTS = 50
"""Closed reports on the page."""
Ban = Callable[[Person, Person, str], None]
"""Bans somebody: who does it, whom, from which address."""


class ReportList(Struct, frozen=True):
    """The reports that wait for an organizer."""

    reports: list[Report]


class CloseBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What an organizer makes of a report."""

    note: Annotated[str, Meta(max_length=MAX_NOTE_LENGTH)] = ""
    bans: Annotated[
        bool,
        Meta(
            description="Whether whom it is about is banned; who has no account loses the seat in "
            "that game."
        ),
    ] = False


class ReportPages(Part):
    """What organizers do about reports. Every act of theirs is in the audit log."""

    def __init__(self, pages: Pages, games: Games, reports: Reports, ban: Ban) -> None:
        self._pages = pages
        self._people: People = pages.people
        self._games = games
        self._reports = reports
        self._ban = ban

    @property
    def routes(self) -> Sequence[BaseRoute]:
        route = self._pages.route
        return [
            route("/admin/reports", Permission.ORGANIZER, self._reports_page),
            route("/admin/reports/{report}", Permission.ORGANIZER, self._close_by_form, "POST"),
        ]

    @property
    def operations(self) -> Sequence[Operation]:
        refusals = (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND)
        of = partial(Operation, permission=Permission.ORGANIZER)
        close, closing = "/reports/{report}/close", (*refusals, HTTPStatus.CONFLICT)
        return [
            of("GET", "/reports", self._list, ReportList, refusals=refusals),
            of("POST", close, self._close_by_program, Empty, CloseBody, refusals=closing),
        ]

    def _reports_page(self, request: PageRequest) -> Response:
        found = request.read(open_reports(), closed_reports(MAX_CLOSED_REPORTS))
        waiting, closed = ([one.read_by(request.me.id) for one in reports] for reports in found)
        return request.html("admin_reports.html", waiting=waiting, closed=closed, reasons=REASONS)

    def _close_by_form(self, request: PageRequest) -> Response:
        bans = request.field("do") == "ban"
        self._close(request, request.me, request.field("reason"), bans=bans)
        return redirect_to("/admin/reports")

    def _list(self, request: Request) -> ReportList:
        """Return the reports that wait for an organizer."""
        me, lookup = require_person(request.user), open_reports()
        return ReportList([one.read_by(me.id) for one in self._people.database.find(lookup)])

    def _close_by_program(self, request: Request, body: CloseBody) -> None:
        """Close a report, and ban whom it is about if that is wanted."""
        self._close(request, require_person(request.user), body.note, bans=body.bans)

    def _close(self, request: Request, me: Person, note: str, *, bans: bool) -> None:
        """Raises: Denied."""
        number, address = parse_whole_number(request.path_params["report"]), client_address(request)
        report = None if number is None else self._reports.find(number)
        if report is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such report")
        note = one_line(note)[:MAX_NOTE_LENGTH]
        if bans:
            self._send_away(report, me, address)
        self._reports.close(report.id, me.id, note)
        message = f"number {report.id}: {note}" if note else f"number {report.id}"
        self._pages.audit.note("report closed", message, address=address, person=me.id)

    def _send_away(self, report: Report, me: Person, address: str) -> None:
        """Ban whom a report is about; who has no account loses the seat. Raises: Denied."""
        if report.closed_at is not None:
            raise Denied(HTTPStatus.CONFLICT, "this report was closed before")
        who = None if report.person is None else self._people.find_person(report.person)
        if who is not None:
            self._ban(me, who, address)
            return
        if report.person is not None or report.game is None or report.team is None:
            raise Denied(HTTPStatus.CONFLICT, "this person has left: close the report")
        try:
            self._games.close_seat(report.game, report.team)
        except NoSuchGame as error:
            message = "this game was removed, and with it the seat: close the report"
            raise Denied(HTTPStatus.CONFLICT, message) from error
        message = f"team {report.team} of game {report.game}"
        self._pages.audit.note("seat of a guest closed", message, address=address, person=me.id)
