"""What players do about each other: pages on which they mute, block and report, and their API."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from server.games.bodies import MAX_INT32, Team
from server.games.errors import ActionRefused, NotYourSeat
from server.games.game_service import GameService
from server.games.positions import load_position
from server.games.reports import REASONS, Reason, Reporting, Reports, reports_made_by
from server.games.seats import Seats, read_seat
from server.games.shunning import Shunning
from server.http.bodies import Empty
from server.http.errors import Denied
from server.http.openapi import TALKING, Operation
from server.http.page_requests import PageRequest, Pages, own_path, redirect_to
from server.http.parts import Part
from server.http.permissions import Permission, require_caller
from server.http.responses import client_address, json_response, read
from server.identity.avoided import AvoidedPerson, Avoiding, block_list, kind_of_avoiding
from server.identity.people import person_with

MAX_TEXT_LENGTH = 2_000
"""Letters; what a report may have is said by it, and is less."""
LISTING = (HTTPStatus.UNAUTHORIZED,)
CHANGING = (
    *(HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
    *(HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.TOO_MANY_REQUESTS),
)
SAVED = "done"
"""Ends the address of a page that says that something was done."""

Words = Annotated[
    str, Meta(max_length=MAX_TEXT_LENGTH, description="One line, of at most 500 letters.")
]
PersonId = Annotated[str, Meta(max_length=40, description="The id of a person.")]


class AvoidedList(Struct, frozen=True):
    """Whom somebody mutes or blocks everywhere."""

    people: list[AvoidedPerson]


class AvoidPersonBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Whom somebody mutes or blocks everywhere, or does no more: null."""

    person: PersonId
    kind: Avoiding | None


class ReportBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody tells organizers of who plays another team, or of a message of theirs."""

    team: Team
    reason: Reason
    words: Words = ""
    message: Annotated[
        Annotated[int, Meta(ge=0, le=MAX_INT32)] | None,
        Meta(description="The `id` of the message; null for the person."),
    ] = None


class ReportPersonBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody tells organizers of a person."""

    person: PersonId
    reason: Reason
    words: Words = ""


class Told(NamedTuple):
    """What a form says of a report."""

    reason: Reason
    words: str


class PlayerPages(Part):
    """Muting, blocking and reporting, of those who play with each other and by people's pages."""

    def __init__(
        self,
        pages: Pages,
        game_service: GameService,
        shunning: Shunning,
        reports: Reports,
    ) -> None:
        self._pages = pages
        self._people = pages.people
        self._game_service = game_service
        self._seats = Seats(game_service, pages.limits)
        self._shunning = shunning
        self._reports = reports
        self._reporting = Reporting(game_service, pages.people, reports)

    @property
    def routes(self) -> Sequence[BaseRoute]:
        route = self._pages.route
        return [
            route("/games/{game}/people", Permission.ANYBODY, self._players, "GET POST"),
            route("/people/{person}", Permission.MEMBER, self._person, "GET POST"),
        ]

    @property
    def operations(self) -> Sequence[Operation]:
        caller = Permission.CALLER
        return [
            Operation(
                "POST",
                "/games/{game}/reports",
                self._report_player,
                Empty,
                ReportBody,
                refusals=TALKING,
                permission=Permission.SEAT,
            ),
            Operation(
                "GET",
                "/me/avoided",
                self._avoided,
                AvoidedList,
                refusals=LISTING,
                permission=caller,
            ),
            Operation(
                "PUT",
                "/me/avoided",
                self._avoid_person,
                Empty,
                AvoidPersonBody,
                refusals=CHANGING,
                permission=caller,
            ),
            Operation(
                "POST",
                "/reports",
                self._report_person,
                Empty,
                ReportPersonBody,
                refusals=CHANGING,
                permission=caller,
            ),
        ]

    def personal_data(self, person_id: str) -> dict[str, object]:
        avoided, reports = self._people.database.read(
            block_list(person_id), reports_made_by(person_id)
        )
        return {
            "muted_and_blocked": [
                {"name": one.name, "kind": one.kind, "since": one.since} for one in avoided
            ],
            # Not those about them, which would tell who has made them.
            "reports_made": reports,
        }

    def forget(self, person_id: str) -> None:
        self._shunning.people.forget(person_id)
        self._reports.forget(person_id)

    # -- the players of a game ----------------------------------------------------------------

    def _players(self, request: PageRequest, why: str = "") -> Response:
        """Show whom one plays with, and what one can do about them; or do it."""
        game_id = self._seats.existing(request)
        teams = self._seats.teams(request, game_id)
        if not teams:
            raise NotYourSeat("only who has a seat in this game may do that")
        if request.method == "POST" and not why:
            try:
                done = self._do(request, game_id, teams)
            except ActionRefused as error:
                return self._players(request, str(error))
            return redirect_to(f"/games/{game_id}/people?{SAVED}={done}")
        position = load_position(self._game_service, game_id, teams)
        hearing = self._game_service.hearing(game_id)
        mine = any(team in hearing.people for team in teams)
        others = [
            {
                "team": seat.team,
                "name": seat.name,
                "kind": hearing.kind(teams, seat.team),
                "is_known": mine and seat.team in hearing.people,
                "messages": [one for one in position.messages if one.team == seat.team],
            }
            for seat in position.seats
            if seat.kind == "person" and not seat.is_yours
        ]
        return request.html(
            "game_people.html",
            HTTPStatus.UNPROCESSABLE_ENTITY if why else HTTPStatus.OK,
            id=game_id,
            title=position.title,
            talk=position.talk,
            others=others,
            reasons=REASONS,
            done=request.query_params.get(SAVED, ""),
            why=why,
        )

    def _do(self, request: PageRequest, game_id: str, teams: tuple[int, ...]) -> str:
        """Do what a form says; return what that was. Raises: ActionRefused, TooMany."""
        do, team = request.field("do"), _number(request.field("team")) or 0
        if do in ("on", "off"):
            self._game_service.want_messages(game_id, teams, is_on=do == "on")
        elif do == "report":
            told, message = _parse_report(request), _number(request.field("message"))
            self._report_team(request, game_id, teams, team, told, message)
        elif do in ("none", *Avoiding):
            kind = None if do == "none" else Avoiding(do)
            everywhere = request.field("where") == "everywhere"
            self._shunning.in_game(game_id, teams, team, kind, everywhere=everywhere)
        else:
            raise ActionRefused("choose what to do: mute, block or report")
        return do

    def _report_team(
        self,
        request: Request,
        game_id: str,
        teams: Sequence[int],
        team: int,
        told: Told,
        message: int | None,
    ) -> None:
        """Raises: ActionRefused, TooMany, NoSuchGame."""
        address = client_address(request)
        person, number = self._reporting.in_game(
            game_id, teams, address, team, told.reason, told.words, message
        )
        self._note(number, address, person)

    def _note(self, number: int | None, address: str, person: str | None) -> None:
        """Note a report in the audit log; not whom it is about, who reads what is about them.

        Organizers read all of it: of a report about one of them it does not say who made it.
        """
        report = None if number is None else self._reports.find(number)
        if report is None:
            return
        about = None if report.person is None else self._people.person(report.person)
        if about is not None and about.is_organizer:
            address, person = "", None
        words = f"number {report.id}"
        self._pages.audit.note("report made", words, address=address, person=person)

    async def _report_player(self, request: Request) -> Response:
        """Tell the organizers of another player, or of a message of theirs."""
        game_id, teams = read_seat(request)
        body = await read(request, ReportBody)
        told = Told(body.reason, body.words)
        await run_in_threadpool(
            self._report_team, request, game_id, teams, body.team, told, body.message
        )
        return json_response(Empty())

    # -- a person, wherever they are ----------------------------------------------------------

    def _person(self, request: PageRequest, why: str = "") -> Response:
        """Show what one can do about a person; or do it."""
        me, person_id = request.me, request.part("person")
        other, kind = request.read(person_with(person_id), kind_of_avoiding(me.id, person_id))
        if other is None or other.id == me.id:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such person")
        if request.method == "POST" and not why:
            try:
                done = self._do_about(request, other.id)
            except ActionRefused as error:
                return self._person(request, str(error))
            back = own_path(request.field("next")) if request.field("next") else ""
            return redirect_to(back or f"/people/{other.id}?{SAVED}={done}")
        return request.html(
            "person.html",
            HTTPStatus.UNPROCESSABLE_ENTITY if why else HTTPStatus.OK,
            other=other,
            kind=kind,
            reasons=REASONS,
            done=request.query_params.get(SAVED, ""),
            why=why,
        )

    def _do_about(self, request: PageRequest, other_id: str) -> str:
        """Do what a form says; return what that was. Raises: ActionRefused, TooMany, Denied."""
        do = request.field("do")
        if do == "report":
            told = _parse_report(request)
            number = self._reporting.person(
                request.me, request.address, other_id, told.reason, told.words
            )
            self._note(number, request.address, request.me.id)
        elif do in ("none", *Avoiding):
            kind = None if do == "none" else Avoiding(do)
            self._shunning.everywhere(request.me.id, other_id, kind)
        else:
            raise ActionRefused("choose what to do: mute, block or report")
        return do

    async def _avoided(self, request: Request) -> Response:
        """Return whom one mutes or blocks everywhere."""

        def list_avoided() -> AvoidedList:
            return AvoidedList(self._shunning.people.of(require_caller(request.user).id))

        return json_response(await run_in_threadpool(list_avoided))

    async def _avoid_person(self, request: Request) -> Response:
        """Mute or block a person everywhere, or end that."""
        body = await read(request, AvoidPersonBody)

        def avoid() -> None:
            me = require_caller(request.user)
            found = self._people.database.find(person_with(body.person))
            if found is None or found.id == me.id:
                raise Denied(HTTPStatus.NOT_FOUND, "there is no such person")
            self._shunning.everywhere(me.id, body.person, body.kind)

        await run_in_threadpool(avoid)
        return json_response(Empty())

    async def _report_person(self, request: Request) -> Response:
        """Tell the organizers of a person."""
        body = await read(request, ReportPersonBody)

        def report() -> None:
            me, address = require_caller(request.user), client_address(request)
            number = self._reporting.person(me, address, body.person, body.reason, body.words)
            self._note(number, address, me.id)

        await run_in_threadpool(report)
        return json_response(Empty())


def _parse_report(request: PageRequest) -> Told:
    """Raises: ActionRefused."""
    reason = request.field("reason")
    if reason not in REASONS:
        raise ActionRefused("choose a reason")
    return Told(Reason(reason), request.field("words"))


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
