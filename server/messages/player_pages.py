"""What players do about each other: pages on which they mute, block and report, and their API."""

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Protocol

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from engine.catalog import GAMES, find_game
from runners.contests.ladders import bots_on_ladders
from server.http.errors import ActionRefused, Denied, NotYourSeat
from server.http.openapi import TALKING, Operation
from server.http.page_requests import PageRequest, Pages, own_path, redirect_to
from server.http.parts import Part
from server.http.permissions import NO_SEAT, Permission, read_seat, require_caller
from server.http.responses import Empty, client_address
from server.identity.people import person_with
from server.identity.text_limits import parse_whole_number
from server.messages.block_list import BlockedPerson, Restriction, block_list, find_restriction
from server.messages.conversations import ACCEPT, Games
from server.messages.mutes import Mutes
from server.messages.reports import (
    REASONS,
    PersonId,
    Reason,
    ReportBody,
    ReportPersonBody,
    Reports,
    reports_made_by,
)

LISTING_REFUSALS = (HTTPStatus.UNAUTHORIZED,)
CHANGE_REFUSALS = (
    *(HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
    *(HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.TOO_MANY_REQUESTS),
)
NO_RESTRICTION = "none"
"""What forms send of somebody who is to be muted or blocked no more."""
SAVED = "done"
"""Ends the address of a page that says that something was done."""


class BlockedPeople(Struct, frozen=True):
    """Whom somebody mutes or blocks everywhere."""

    people: list[BlockedPerson]


class RestrictPersonBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Whom somebody mutes or blocks everywhere, or does no more: null."""

    person: PersonId
    kind: Restriction | None


class Seats(Protocol):
    """Which teams whoever sends a request plays."""

    def require_game(self, request: Request) -> str:
        """Return the id of the game of a path. Raises: NoSuchGame."""

    def own_teams(self, request: Request, game_id: str) -> tuple[int, ...]:
        """Return the teams that a visitor plays in a game."""


class PlayerPages(Part):
    """Muting, blocking and reporting, of those who play with each other and by people's pages."""

    def __init__(
        self, pages: Pages, games: Games, seats: Seats, mutes: Mutes, reports: Reports
    ) -> None:
        self._pages = pages
        self._people = pages.people
        self._games = games
        self._seats = seats
        self._mutes = mutes
        self._reports = reports

    @property
    def routes(self) -> Sequence[BaseRoute]:
        route = self._pages.route
        return [
            route("/games/{game}/people", Permission.ANYBODY, self._players_page, "GET POST"),
            route("/people/{person}", Permission.MEMBER, self._person_page, "GET POST"),
        ]

    @property
    def operations(self) -> Sequence[Operation]:
        seat = partial(Operation, permission=Permission.SEAT, refusals=TALKING)
        own = partial(Operation, permission=Permission.CALLER)
        avoided, body = "/me/avoided", RestrictPersonBody
        report, about = "/games/{game}/reports", ReportPersonBody
        return [
            seat("POST", report, self._report_player, Empty, ReportBody),
            own("GET", avoided, self._list_blocked, BlockedPeople, refusals=LISTING_REFUSALS),
            own("PUT", avoided, self._restrict_person, Empty, body, refusals=CHANGE_REFUSALS),
            own(
                "POST",
                "/reports",
                self._report_person,
                Empty,
                about,
                refusals=CHANGE_REFUSALS,
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
        self._reports.forget(person_id)

    # -- the players of a game ----------------------------------------------------------------

    def _players_page(self, request: PageRequest, why: str = "") -> Response:
        """Show whom one plays with, and what one can do about them; or do it."""
        game_id = self._seats.require_game(request)
        teams = self._seats.own_teams(request, game_id)
        if not teams:
            raise NotYourSeat(NO_SEAT)
        if request.method == "POST" and not why:
            try:
                done = self._do_as_form_says(request, game_id, teams)
            except ActionRefused as error:
                return self._players_page(request, str(error))
            return redirect_to(f"/games/{game_id}/people?{SAVED}={done}")
        with self._games.open_session(game_id) as game:
            view = self._games.conversations.view(game_id, teams)
            rule = self._games.conversations.load(game_id).filter
            title, names, people = game.title, game.names, game.people
        is_own = any(team in rule.people for team in teams)
        others = [
            {
                "team": team,
                "name": names[team - 1],
                "kind": rule.find_restriction(teams, team),
                "is_known": is_own and team in rule.people,
                "is_announced": view.talk is not None and team in view.talk.announced,
                "messages": [one for one in view.messages if one.team == team],
            }
            for team in sorted(people.difference(teams))
        ]
        return request.html(
            "game_people.html",
            id=game_id,
            title=title,
            others=others,
            reasons=REASONS,
            done=request.query_params.get(SAVED, ""),
            why=why,
        )

    def _do_as_form_says(self, request: PageRequest, game_id: str, teams: tuple[int, ...]) -> str:
        """Do what a form says; return what that was. Raises: ActionRefused, TooMany."""
        do, team = request.field("do"), parse_whole_number(request.field("team")) or 0
        if do == "report":
            reason, message = _parse_reason(request), parse_whole_number(request.field("message"))
            report = ReportBody(team, reason, request.field("words"), message)
            self._report_team(request, game_id, teams, report)
        elif do in (ACCEPT, NO_RESTRICTION, *Restriction):
            kind = None if do in (ACCEPT, NO_RESTRICTION) else Restriction(do)
            everywhere = request.field("where") == "everywhere"
            self._mutes.set_in_game(game_id, teams, team, kind, everywhere=everywhere)
        else:
            raise ActionRefused("choose what to do: mute, block or report")
        return do

    def _report_team(
        self, request: Request, game_id: str, teams: Sequence[int], report: ReportBody
    ) -> None:
        """Raises: ActionRefused, TooMany, NoSuchGame."""
        address = client_address(request)
        person, number = self._reports.report_player(game_id, teams, address, report)
        self._note(number, address, person)

    def _note(self, number: int | None, address: str, person: str | None) -> None:
        """Note a report in the audit log; not whom it is about, who reads what is about them.

        Organizers read all of it: of a report about one of them it does not say who made it.
        """
        report = None if number is None else self._reports.find(number)
        if report is None:
            return
        about = None if report.person is None else self._people.find_person(report.person)
        if about is not None and about.is_organizer:
            address, person = "", None
        message = f"number {report.id}"
        self._pages.audit.note("report made", message, address=address, person=person)

    def _report_player(self, request: Request, body: ReportBody) -> None:
        """Tell the organizers of another player, or of a message of theirs."""
        self._report_team(request, *read_seat(request), body)

    # -- a person, wherever they are ----------------------------------------------------------

    def _person_page(self, request: PageRequest, why: str = "") -> Response:
        """Show what one can do about a person; or do it."""
        me, person_id = request.me, request.part("person")
        other, kind, own = request.read(
            person_with(person_id), find_restriction(me.id, person_id), bots_on_ladders(person_id)
        )
        if other is None or other.id == me.id:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such person")
        if request.method == "POST" and not why:
            try:
                done = self._do_about(request, other.id)
            except ActionRefused as error:
                return self._person_page(request, str(error))
            back = own_path(request.field("next")) if request.field("next") else ""
            return redirect_to(back or f"/people/{other.id}?{SAVED}={done}")
        return request.html(
            "person.html",
            other=other,
            kind=kind,
            bots=[(bot, find_game(bot.game).title) for bot in own if bot.game in GAMES],
            reasons=REASONS,
            done=request.query_params.get(SAVED, ""),
            why=why,
        )

    def _do_about(self, request: PageRequest, other_id: str) -> str:
        """Do what a form says; return what that was. Raises: ActionRefused, TooMany, Denied."""
        do = request.field("do")
        if do == "report":
            report = ReportPersonBody(other_id, _parse_reason(request), request.field("words"))
            number = self._reports.report_person(request.me, request.address, report)
            self._note(number, request.address, request.me.id)
        elif do in (NO_RESTRICTION, *Restriction):
            kind = None if do == NO_RESTRICTION else Restriction(do)
            self._mutes.set_everywhere(request.me.id, other_id, kind)
        else:
            raise ActionRefused("choose what to do: mute, block or report")
        return do

    def _list_blocked(self, request: Request) -> BlockedPeople:
        """Return whom one mutes or blocks everywhere."""
        is_own = block_list(require_caller(request.user).id)
        return BlockedPeople(self._people.database.find(is_own))

    def _restrict_person(self, request: Request, body: RestrictPersonBody) -> None:
        """Mute or block a person everywhere, or end that."""
        me = require_caller(request.user)
        self._mutes.set_everywhere(me.id, body.person, body.kind)

    def _report_person(self, request: Request, body: ReportPersonBody) -> None:
        """Tell the organizers of a person."""
        me, address = require_caller(request.user), client_address(request)
        self._note(self._reports.report_person(me, address, body), address, me.id)


def _parse_reason(request: PageRequest) -> Reason:
    """Raises: ActionRefused."""
    reason = request.field("reason")
    if reason not in REASONS:
        raise ActionRefused("choose a reason")
    return Reason(reason)
