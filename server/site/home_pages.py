"""People with names on a server: their pages, and the seats that are theirs."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from http import HTTPStatus

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from engine.catalogue import game_named
from runners.run_options import RunOptions
from server.accounts.account_pages import Accounts
from server.accounts.member_admin_pages import Organizing
from server.contests.former_tournaments import move_in
from server.contests.notices import count_unseen
from server.games.game_service import Lobby
from server.games.game_storage import Storage, StoredGame, finished_games, running_games
from server.games.history import OtherRules
from server.games.lobby_pages import Gathering, all_shown
from server.games.new_games import Opponents
from server.games.open_games import (
    OpenGames,
    OwnSeats,
    makers_of_waiting_games,
    own_seats,
    teams_in_session,
    waiting_games,
)
from server.http.errors import Denied
from server.http.openapi import COOKIE, Operation
from server.http.page_requests import SESSION, Desk, Visit
from server.identity.audit_log import AuditLog
from server.identity.people import Kind, People, Person, session_of
from server.identity.rate_limits import AddressLimits
from server.identity.tokens import tokens_of
from server.site.arena import Arena

MOST_RUNNING = 20
"""Running games on the first page."""
MOST_FINISHED = 10
MOST_NOTICES = 30
"""A feed holds at most so many."""
MOST_MESSAGES = 100_000
"""A download of a game holds at most so many."""


class MyGame(msgspec.Struct, frozen=True, kw_only=True):
    """A running game as one of its players is told of it."""

    id: str
    title: str
    names: list[str]
    turn: int
    step: int
    is_my_move: bool


class Club:
    """The members of a server."""

    def __init__(
        self,
        lobby: Lobby,
        storage: Storage,
        opponents: Opponents,
        run: RunOptions,
        address_limits: AddressLimits | None = None,
        public_path: str = "",
    ) -> None:
        """`run`: how the matches of bots are played, and where their results are kept.

        `public_path`: see server/http/public_path.py.
        """
        self.people = People(storage.database)
        self.address_limits = address_limits or AddressLimits()
        self.audit = AuditLog(storage.database, self.address_limits)
        self._lobby = lobby
        self._storage = storage
        self._out = run.out
        self._open_games = OpenGames(storage.database)
        lobby.on_rematch = self._open_games.follow
        self.public_path = public_path
        self._desk = Desk(self.people, self.audit, self.address_limits, public_path)
        self.arena = Arena(self._desk, storage.database, run, lobby, self._open_games)
        self._accounts = Accounts(self._desk, self._export, self._forget, tokens_of)
        self._organizing = Organizing(self._desk, self._open_games.withdraw)
        self._gathering = Gathering(self._desk, lobby, storage, self._open_games, opponents)

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """Return the pages of members."""
        return [
            self._desk.route("/", self._home),
            self._desk.route("/feeds/{secret}.atom", self._feed),
            *self._accounts.routes,
            *self._organizing.routes,
            *self._gathering.routes,
            *self.arena.routes,
        ]

    @property
    def operations(self) -> Sequence[Operation]:
        """Return the part of the API that is for members."""
        return self.arena.operations

    def begin(self, *, is_web_only: bool = False) -> str | None:
        """Begin what waits; return the key of the organizer's link while there is no organizer.

        `is_web_only`: another server of the database plays the bots, and shows that link.
        """
        move_in(self._storage.database, self._out)
        if is_web_only:
            return None
        self._gathering.go_on()
        self.arena.begin(self._lobby.on_failure)
        if self.people.has_organizer():
            return None
        return self.people.new_link(Kind.ORGANIZER, made_by=None)

    def close(self) -> None:
        """End what runs beside the pages."""
        self.arena.close()

    def teams_of(self, request: Request, game_id: str) -> Collection[int]:
        """Return the teams that whoever is signed in plays in a game."""
        token = request.cookies.get(SESSION, "")
        if not token:
            return ()
        session, teams = self._storage.database.read(
            session_of(token), teams_in_session(token, game_id)
        )
        return () if self.people.person_of_session(session) is None else tuple(teams)

    def person_of(self, request: Request) -> str | None:
        """Return the id of whoever is signed in; None for who is not."""
        token = request.cookies.get(SESSION, "")
        person = self.people.signed_in(token) if token else None
        return None if person is None else person.id

    def take_seat(self, game_id: str, team: int, person: str) -> None:
        """Make a seat of a new game somebody's."""
        self._open_games.own(game_id, team, person)

    def refused(self, address: str, words: str) -> None:
        """Note in the audit log what was refused before anybody looked at it."""
        self.audit.note("request refused", words, address=address)

    # -- pages --------------------------------------------------------------------------------

    def _home(self, visit: Visit) -> Response:
        me = visit.person
        if me is None:
            (running,) = visit.read(running_games(MOST_RUNNING))
            shown = _running(running)
            return visit.html("visitors.html", running=shown, seats=_seats_of(visit.request))
        running, waiting, makers, seats, unseen, finished = visit.read(
            running_games(MOST_RUNNING),
            waiting_games(),
            makers_of_waiting_games(),
            own_seats(me.id, are_over=False),
            count_unseen(me.id),
            finished_games(me.id, MOST_FINISHED),
        )
        return visit.html(
            "start.html",
            mine=self._my_games(seats),
            running=_running(running),
            waiting=[one for one in all_shown(waiting, makers, me) if one["my_team"]],
            unseen=unseen,
            finished=[_shown(stored) for stored in finished],
        )

    def _my_games(self, own: Sequence[OwnSeats]) -> list[MyGame]:
        """Return the games in which somebody has seats; those where it is their move first."""
        games = []
        for seats in own:
            with suppress(OtherRules):
                games.append(self._my_game(seats))
        return sorted(games, key=lambda game: not game.is_my_move)

    def _my_game(self, seats: OwnSeats) -> MyGame:
        with self._lobby.room(seats.game_id, seats.version) as room:
            return MyGame(
                id=seats.game_id,
                title=room.game.title,
                names=[one.name for one in room.stored.seats],
                turn=room.game.standing(room.stepper.known[None]).turn,
                step=len(room.log),
                is_my_move=any(
                    ask.team in seats.teams and ask not in room.waiting for ask in room.stepper.asks
                ),
            )

    def _feed(self, visit: Visit) -> Response:
        """Send the moves to make, and what changed for a person's bots.

        Whoever knows the address may read them.
        """
        person = self.people.person_of_feed(visit.part("secret"))
        if person is None or person.is_banned:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such feed")
        seats = self._open_games.seats_of(person.id, are_over=False)
        games = [game for game in self._my_games(seats) if game.is_my_move]
        notices = self.arena.notices.of(person.id, MOST_NOTICES)
        times = [self._open_games.changed_at(game.id) for game in games]
        links = [visit.link(f"/games/{game.id}") for game in games]
        response = visit.html(
            "feed.xml",
            entries=list(zip(games, times, links, strict=True)),
            person=person,
            notices=[(notice, visit.link(notice.path)) for notice in notices],
            updated=max([person.created_at, *times, *(notice.at for notice in notices)]),
            home=visit.link("/"),
            link=visit.link(visit.request.url.path),
        )
        response.headers["content-type"] = "application/atom+xml; charset=utf-8"
        return response

    # -- what else is kept of people ----------------------------------------------------------

    def _export(self, me: Person) -> dict[str, object]:
        """Return what is kept of a person's games and bots."""
        return {"games": self._export_games(me), **self.arena.export(me.id)}

    def _export_games(self, me: Person) -> list[dict[str, object]]:
        """Return the games of a person, with what they ordered in each."""
        found: list[dict[str, object]] = []
        for are_over in (False, True):
            for game_id, version, teams in self._open_games.seats_of(me.id, are_over=are_over):
                with suppress(OtherRules), self._lobby.room(game_id, version) as room:
                    found.append(
                        {
                            "id": game_id,
                            "game": room.game.name,
                            "seats": [one.name for one in room.stored.seats],
                            "your_teams": teams,
                            "begun": room.stored.created_at,
                            "is_over": are_over,
                            "orders": room.orders_of(teams),
                            "messages": [
                                message.text
                                for message in self._storage.messages(game_id, MOST_MESSAGES)
                                if message.team in teams
                            ],
                            "not_played_yet": [
                                self._open_games.kept_lines(game_id, team) for team in teams
                            ],
                        }
                    )
        return found

    def _forget(self, person_id: str) -> None:
        """Take a person's name off their games."""
        self.arena.forget(person_id)
        for game_id in self._open_games.forget(person_id):
            self._lobby.forget(game_id)


def _running(found: Sequence[StoredGame]) -> list[dict[str, object]]:
    return [{**_shown(stored), "decisions": stored.decisions} for stored in found]


def _shown(stored: StoredGame) -> dict[str, object]:
    return {
        "id": stored.id,
        "title": game_named(stored.spec.game).title,
        "names": [one.name for one in stored.seats],
    }


def _seats_of(request: Request) -> list[str]:
    """Return the ids of the games that this browser has a guest's seat in."""
    names = [name for name in request.cookies if name.startswith(COOKIE)]
    return [name.removeprefix(COOKIE) for name in names]
