"""What people tell organizers of others, of a message or a person; organizers read and close it."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import ColumnElement, func, insert, select, update
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from engine.support.sanitizing import make_printable, one_line
from runners.storage.database import now, struct_from_row, with_time_zone
from runners.storage.game_tables import people, reports
from runners.storage.together import AnyRow, Lookup
from server.http.errors import ActionRefused, Denied, NoSuchGame, TooMany
from server.http.limits import RateLimits
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part
from server.http.permissions import Permission, require_person
from server.http.responses import MAX_INT32, Empty, Team, client_address
from server.identity.names import DELETED_NAME
from server.identity.people import People, Person, person_with
from server.identity.rate_limits import HOUR_S, Asker
from server.identity.text_limits import parse_whole_number
from server.messages.conversations import Games, Message, last_messages

MAX_OPEN_REPORTS = 1_000
"""Reports that wait for an organizer: more are not taken before some are closed. At most half of
them are made by those without an account."""
MAX_TEXT_LENGTH, MAX_NOTE_LENGTH = 500, 300
Words = Annotated[
    str, msgspec.Meta(max_length=2_000, description="One line, of at most 500 letters.")
]
PersonId = Annotated[str, msgspec.Meta(max_length=40, description="The id of a person.")]
MESSAGES_AROUND = 10
"""Messages that are kept with a report, before and after the one it is about."""
MAX_MESSAGES_SEARCHED = 1_000
REPORT_RETENTION = timedelta(days=365)
"""So long a report is kept after it was closed."""


class Reason(StrEnum):
    """What is reported."""

    INSULT = "insult"
    SPAM = "spam"
    NAME = "name"
    CHEATING = "cheating"
    OTHER = "other"


REASONS = {
    Reason.INSULT: "insults or threatens",
    Reason.SPAM: "floods or advertises",
    Reason.NAME: "has an offensive name",
    Reason.CHEATING: "cheats",
    Reason.OTHER: "something else",
}
"""What each is called on pages."""


class ReportBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody tells organizers of who plays another team, or of a message of theirs."""

    team: Team
    reason: Reason
    words: Words = ""
    message: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=MAX_INT32)] | None,
        msgspec.Meta(description="The `id` of the message; null for the person."),
    ] = None


class ReportPersonBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody tells organizers of a person."""

    person: PersonId
    reason: Reason
    words: Words = ""


class Reporter(msgspec.Struct, frozen=True, kw_only=True):
    """Who reports."""

    name: str
    address: str
    person: str | None
    """The id; None without an account."""
    game: str | None = None
    """The game in which they have a seat."""
    team: int | None = None

    @property
    def key(self) -> str:
        """Return what limits count them as."""
        return self.person or f"{self.game} {self.team}"


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """Whom a report is about, and what."""

    name: str
    person: str | None
    team: int | None = None
    message: int | None = None
    around: Sequence[Message] = ()
    """The messages around that one."""


class ShownMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message as it was when it was reported."""

    id: int
    team: int
    text: str
    at: datetime


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A report as organizers read it."""

    id: int
    made_at: datetime
    by: str
    """The name of who made it, as it was then."""
    about: str
    """The name of whom it is about, as it was then."""
    person: str | None
    """The id of whom it is about; null for somebody without an account."""
    game: str | None
    team: int | None
    reason: Reason
    words: str
    message: int | None
    """The message that was reported, among `messages`."""
    messages: list[ShownMessage]
    closed_at: datetime | None
    closed_by: str | None
    """A name."""
    note: str
    by_team: int | None = None
    """The team of who made it."""

    def read_by(self, organizer_id: str) -> "Report":
        """Return it as an organizer is shown it: without who made it, if it is about them."""
        if self.person != organizer_id:
            return self
        return msgspec.structs.replace(self, by="somebody", by_team=None)

    def name_of(self, team: int) -> str:
        """Return what whoever has written a message is called here."""
        known = {self.team: self.about, self.by_team: self.by}
        return known.get(team, f"team {team}")


class Reports:
    """The reports of a server. All methods may be called from any thread."""

    def __init__(self, games: Games, limits: RateLimits) -> None:
        self._games, self._database = games, games.database
        self._limits = limits

    def make(self, reporter: Reporter, about: Subject, reason: Reason, text: str) -> int | None:
        """Keep a report; return its number, None for one that waits already.

        Raises: ActionRefused, TooMany.
        """
        text = " ".join(make_printable(text, " ").split())
        if len(text) > MAX_TEXT_LENGTH:
            raise ActionRefused(f"say it in at most {MAX_TEXT_LENGTH} letters")
        if reason is Reason.OTHER and not text:
            raise ActionRefused("say in a few words what is wrong")
        self._limits.count("report", Asker(reporter.address, reporter.person), reporter.key)
        moment = partial(datetime.fromtimestamp, tz=UTC)
        shown = [
            ShownMessage(id=one.id, team=one.team, text=one.text, at=moment(one.said_at))
            for one in about.around
        ]
        row = {
            "made_at": now(),
            "reporter": reporter.person,
            "reporter_name": reporter.name,
            "person": about.person,
            "name": about.name,
            "game": reporter.game,
            "reporter_team": reporter.team,
            "team": about.team,
            "reason": reason,
            "words": text,
            "message": about.message,
            "messages": msgspec.json.encode(shown).decode(),
            "note": "",
        }
        is_open = reports.c.closed_at.is_(None)
        same = [
            reports.c[name].is_(row[name]) if row[name] is None else reports.c[name] == row[name]
            for name in ("reporter", "game", "reporter_team", "person", "team", "message")
        ]
        count, most = select(func.count()).select_from(reports).where(is_open), MAX_OPEN_REPORTS
        if reporter.person is None:
            count, most = count.where(reports.c.reporter.is_(None)), MAX_OPEN_REPORTS // 2
        with self._database.transaction() as connection:
            if connection.execute(select(reports.c.id).where(is_open, *same)).first() is not None:
                return None
            if connection.execute(count).scalar_one() >= most:
                raise TooMany("too many reports wait already: please try again tomorrow", HOUR_S)
            key = connection.execute(insert(reports).values(row)).inserted_primary_key
        assert key is not None
        return int(key[0])

    def find(self, number: int) -> Report | None:
        """Return a report."""
        query = _reports_query().where(reports.c.id == number)
        row = self._database.fetch_row(query)
        return None if row is None else _report(row)

    def close(self, number: int, person_id: str, note: str) -> None:
        """Close a report. Raises: Denied for one that is closed."""
        waits = reports.c.id == number, reports.c.closed_at.is_(None)
        values = {"closed_at": now(), "closed_by": person_id, "note": note}
        with self._database.transaction() as connection:
            done = connection.execute(update(reports).where(*waits).values(values))
        if done.rowcount != 1:
            raise Denied(HTTPStatus.CONFLICT, "this report was closed before")

    def forget(self, person_id: str) -> None:
        """Take a person who leaves off reports: of those they made, and of those about them."""
        made = reports.c.reporter == person_id
        about = {"person": None, "name": DELETED_NAME}
        with self._database.transaction() as connection:
            closed = reports.c.closed_at.is_not(None)
            connection.execute(update(reports).where(made, closed).values(words=""))
            by = {"reporter": None, "reporter_name": DELETED_NAME}
            connection.execute(update(reports).where(made).values(by))
            connection.execute(update(reports).where(reports.c.person == person_id).values(about))

    def report_player(
        self, game_id: str, teams: Sequence[int], address: str, report: ReportBody
    ) -> tuple[str | None, int | None]:
        """Report who plays another team; return who has reported, and the number of the report.

        Raises: ActionRefused, TooMany, NoSuchGame.
        """
        team, message = report.team, report.message
        with self._games.open_session(game_id) as game:
            if team in teams or team not in game.people:
                raise ActionRefused(f"team {team} is played by nobody else: choose another team")
            names, rule = game.names, self._games.conversations.load(game_id).filter
            said = self._games.database.find(last_messages(game_id, MAX_MESSAGES_SEARCHED))
        places = [
            index
            for index, one in enumerate(said)
            if one.id == message and one.team == team and not rule.is_withheld(one, teams)
        ]
        if message is not None and not places:
            raise ActionRefused("there is no such message of theirs: report the person")
        middle = places[0] if places else len(said)
        own_team = min(teams)
        person, name = rule.people.get(own_team), names[own_team - 1]
        reporter = Reporter(name=name, address=address, person=person, game=game_id, team=own_team)
        about = Subject(
            name=names[team - 1],
            person=rule.people.get(team),
            team=team,
            message=message,
            around=said[max(0, middle - MESSAGES_AROUND) : middle + MESSAGES_AROUND + 1],
        )
        return reporter.person, self.make(reporter, about, report.reason, report.words)

    def report_person(self, me: Person, address: str, report: ReportPersonBody) -> int | None:
        """Report a person; return the number of the report. Raises: Denied, ActionRefused."""
        found = self._database.find(person_with(report.person))
        if found is None or found.id == me.id:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such person")
        reporter = Reporter(name=me.name, address=address, person=me.id)
        about = Subject(name=found.name, person=found.id)
        return self.make(reporter, about, report.reason, report.words)


def reports_made_by(person_id: str) -> Lookup[list[dict[str, object]]]:
    """Look up what somebody has reported, for the download of their data."""
    query = select(reports).where(reports.c.reporter == person_id).order_by(reports.c.id)
    return Lookup(
        query,
        lambda rows: [
            {
                "about": row.name,
                "game": row.game,
                "reason": row.reason,
                "words": row.words,
                "made": with_time_zone(row.made_at),
                "is_closed": row.closed_at is not None,
            }
            for row in rows
        ],
    )


def open_reports() -> Lookup[list[Report]]:
    """Look up the reports that wait for an organizer, the oldest first."""
    query = _reports_query().where(reports.c.closed_at.is_(None)).order_by(reports.c.id)
    return Lookup(query, lambda rows: [_report(row) for row in rows])


def closed_reports(most: int) -> Lookup[list[Report]]:
    """Look up the reports that were closed last, the newest first."""
    query = _reports_query().where(reports.c.closed_at.is_not(None))
    query = query.order_by(reports.c.closed_at.desc()).limit(most)
    return Lookup(query, lambda rows: [_report(row) for row in rows])


def is_old_report(at: datetime) -> ColumnElement[bool]:
    """Return the condition of reports that were closed long ago."""
    return reports.c.closed_at < at - REPORT_RETENTION


def _reports_query() -> Any:
    return select(reports, people.c.name.label("closer")).outerjoin(
        people, people.c.id == reports.c.closed_by
    )


def _report(row: AnyRow) -> Report:
    return struct_from_row(
        Report,
        row,
        by=row.reporter_name,
        about=row.name,
        messages=msgspec.json.decode(row.messages, type=list[ShownMessage]),
        closed_by=row.closer,
        by_team=row.reporter_team,
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
