"""The first page: for visitors, and for members with their games; and the feed of a member."""

import math
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Annotated

import msgspec
from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from engine.catalog import find_game
from runners.contests.contests import Ladder, ladder_of_id
from runners.storage.game_tables import games, messages, owners, rooms
from runners.storage.together import Lookup
from server.contests.notices import Notices, count_unseen
from server.games.boards import find_games_of_people
from server.games.game_pages import browser_games
from server.games.game_rows import StoredGame, finished_games, finished_query, running_games
from server.games.game_service import GameService
from server.games.lobby_pages import describe_games
from server.games.open_games import (
    OpenGames,
    OwnSeats,
    makers_of_waiting_games,
    own_seats,
    waiting_games,
)
from server.games.positions import last_words
from server.games.seats import Seats
from server.http.errors import Denied, OtherRules
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages
from server.http.parts import Part
from server.http.permissions import Permission
from server.http.responses import seat_cookies
from server.messages.block_list import blocked_either_way
from server.messages.conversations import count_new_messages
from server.rooms.rooms import Phase, find_rooms, has_seat
from server.site.front_page import Featured, FrontPage

MAX_RUNNING_GAMES = 20
"""Running games on the first page."""
MAX_FINISHED_GAMES = 10
MAX_BOARDS = 4
"""Games of a member that are shown with their boards; others are a list."""
SIGNED_IN = (HTTPStatus.UNAUTHORIZED,)
MAX_NOTICES = 30
"""A feed holds at most so many."""


class MyGame(msgspec.Struct, frozen=True, kw_only=True):
    """A running game as one of its players is told of it."""

    id: str
    title: str
    names: list[str]
    turn: int
    step: int
    is_my_move: bool
    last: str
    """What happened last, in words; '' before anything did."""
    clock_s: float | None
    """How long its reader may think, seconds; null without a clock."""
    is_clock_running: bool
    board: str
    """A picture of the board, as its reader may see it."""

    @property
    def clock(self) -> str:
        """Return how long its reader may think, in words; '' without a clock."""
        if self.clock_s is None:
            return ""
        minutes, seconds = divmod(int(self.clock_s), 60)
        if minutes < 60:
            return f"{minutes}:{seconds:02}"
        hours, minutes = divmod(minutes, 60)
        days, hours = divmod(hours, 24)
        return f"{days} d {hours} h" if days else f"{hours} h {minutes} min"


class MyGames(msgspec.Struct, frozen=True, kw_only=True):
    """The running games of somebody; those where it is their move first."""

    games: list[MyGame]


class FeaturedQuery(msgspec.Struct, frozen=True):
    """Whose match is asked for."""

    ladder: (
        Annotated[str, msgspec.Meta(max_length=32, description="The id of a ladder.")] | None
    ) = None


class FeaturedAnswer(msgspec.Struct, frozen=True):
    """The match that the first page shows; null while there is none."""

    match: Featured | None


class HomePages(Part):
    """The first page, and the feed of a member."""

    def __init__(
        self,
        pages: Pages,
        game_service: GameService,
        open_games: OpenGames,
        notices: Notices,
        front_page: FrontPage,
        *,
        has_guests: bool,
    ) -> None:
        """`has_guests`: whether those without an account may play."""
        self._front_page = front_page
        self._has_guests = has_guests
        self._seats = Seats(game_service, pages.limits)
        self._pages = pages
        self._game_service = game_service
        self._open_games = open_games
        self._notices = notices

    @property
    def routes(self) -> Sequence[BaseRoute]:
        return [
            self._pages.route("/", Permission.ANYBODY, self._home_page),
            self._pages.route("/channel", Permission.ANYBODY, self._channel_page),
            self._pages.route("/feeds/{secret}.atom", Permission.ANYBODY, self._feed),
        ]

    @property
    def operations(self) -> Sequence[Operation]:
        of_member = partial(Operation, permission=Permission.MEMBER)
        return [
            Operation("GET", "/featured", self._featured, FeaturedAnswer, query=FeaturedQuery),
            of_member("GET", "/games", self._games, MyGames, refusals=SIGNED_IN),
        ]

    def _featured(self, request: Request, asked: FeaturedQuery) -> FeaturedAnswer:
        """Return the match that the first page shows now, or the channel of a ladder."""
        ladder = self._find_ladder(PageRequest(self._pages, request), asked.ladder)
        return FeaturedAnswer(match=self._featured_on(ladder))

    def _games(self, request: Request) -> MyGames:
        """Return the running games of whoever asks."""
        asked = PageRequest(self._pages, request)
        (seats,) = asked.read(own_seats(asked.me.id, are_over=False))
        return MyGames(games=self._my_games(seats))

    # -- pages --------------------------------------------------------------------------------

    def _home_page(self, request: PageRequest) -> Response:
        me = request.person
        if me is None:
            (running,) = request.read(running_games(MAX_RUNNING_GAMES))
            own = [game_id for game_id, _ in seat_cookies(request)]
            is_own = rooms.c.id.in_(own), rooms.c.phase != Phase.OVER
            (own_rooms,) = request.read(find_rooms(*is_own)) if own else ([],)
            return request.html(
                "visitors.html",
                running=_describe_running(running),
                front=self._front_page.load_front(),
                mine=browser_games(request, self._seats, self._game_service),
                waiting=self._open_games.find_waiting_among(own),
                rooms=own_rooms,
                games=find_games_of_people(),
                has_guests=self._has_guests,
            )
        running, waiting, makers, seats, unseen, finished, news, apart, own_rooms = request.read(
            running_games(MAX_RUNNING_GAMES),
            waiting_games(),
            makers_of_waiting_games(),
            own_seats(me.id, are_over=False),
            count_unseen(me.id),
            finished_games(me.id, MAX_FINISHED_GAMES),
            new_messages(me.id, MAX_FINISHED_GAMES),
            blocked_either_way(me.id),
            find_rooms(has_seat(me.id), rooms.c.phase != Phase.OVER),
        )
        own_games = self._my_games(seats)
        return request.html(
            "start.html",
            front=self._front_page.load_front(),
            games=find_games_of_people(),
            mine=own_games[MAX_BOARDS:],
            boards=own_games[:MAX_BOARDS],
            running=_describe_running(running),
            waiting=[
                one
                for one in describe_games(waiting, makers, me)
                if one["my_team"] or (one["is_challenge"] and one["made_by"] not in apart)
            ],
            rooms=own_rooms,
            unseen=unseen,
            finished=[_describe_game(stored) for stored in finished],
            new_messages=news,
        )

    def _channel_page(self, request: PageRequest) -> Response:
        """Show nothing but the match that is on, one after the other."""
        ladder = self._find_ladder(request, request.query_params.get("ladder"))
        return request.html("channel.html", featured=self._featured_on(ladder), ladder=ladder)

    def _featured_on(self, ladder: Ladder | None) -> Featured | None:
        if ladder is None:
            return self._front_page.load_front().featured
        return self._front_page.find_best_match(ladder)

    def _find_ladder(self, request: PageRequest, ladder_id: str | None) -> Ladder | None:
        """Raises: Denied where there is none of this id."""
        if ladder_id is None:
            return None
        ladder: Ladder | None
        (ladder,) = request.read(ladder_of_id(ladder_id))
        if ladder is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such ladder")
        return ladder

    def _my_games(self, own: Sequence[OwnSeats]) -> list[MyGame]:
        """Return the games in which somebody has seats; the most urgent ones first."""
        games = []
        for seats in own:
            with suppress(OtherRules):
                games.append(self._my_game(seats))
        return sorted(games, key=_urgency_key)

    def _my_game(self, seats: OwnSeats) -> MyGame:
        with self._game_service.open_session(seats.game_id, seats.version) as session:
            now, own_teams = session.now(), set(seats.teams)
            played = {team for team in own_teams if not session.stored.seats[team - 1].is_remote}
            clocks = [
                (clock.since is None, clock.remaining_at(now))
                for (team, _), clock in session.all_clocks().items()
                if team in own_teams
            ]
            stands, left_s = min(clocks, default=(True, None))
            last = last_words(session, seats.teams)
            return MyGame(
                id=seats.game_id,
                title=session.game.title,
                names=[one.name for one in session.stored.seats],
                turn=session.game.standing(session.stepper.known[None]).turn,
                step=len(session.log),
                is_my_move=any(
                    ask.team in played and ask not in session.waiting
                    for ask in session.stepper.asks
                ),
                last=last[-1].words if last else "",
                clock_s=None if left_s is None else round(left_s, 1),
                is_clock_running=not stands,
                board=f"/games/{seats.game_id}/board.png?step={len(session.log)}",
            )

    def _feed(self, request: PageRequest) -> Response:
        """Send the moves to make, and what changed for a person's bots.

        Whoever knows the address may read them.
        """
        person = self._pages.people.person_of_feed(request.part("secret"))
        if person is None or person.is_banned:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such feed")
        seats = self._open_games.find_seats(person.id, are_over=False)
        games = [game for game in self._my_games(seats) if game.is_my_move]
        notices = self._notices.of(person.id, MAX_NOTICES)
        times = [self._open_games.find_last_change(game.id) for game in games]
        links = [request.link(f"/games/{game.id}") for game in games]
        response = request.html(
            "feed.xml",
            entries=list(zip(games, times, links, strict=True)),
            person=person,
            notices=[(notice, request.link(notice.path)) for notice in notices],
            updated=max([person.created_at, *times, *(notice.at for notice in notices)]),
            home=request.link("/"),
            link=request.link(request.url.path),
        )
        response.headers["content-type"] = "application/atom+xml; charset=utf-8"
        return response


def _urgency_key(game: MyGame) -> tuple[bool, float]:
    """Return what comes first: games where it is one's move, and those with the least time."""
    left_s = game.clock_s if game.is_clock_running and game.clock_s is not None else math.inf
    return not game.is_my_move, left_s


def _describe_running(found: Sequence[StoredGame]) -> list[dict[str, object]]:
    return [{**_describe_game(stored), "decisions": stored.decisions} for stored in found]


def _describe_game(stored: StoredGame) -> dict[str, object]:
    return {
        "id": stored.id,
        "title": find_game(stored.spec.game).title,
        "names": [one.name for one in stored.seats],
    }


def new_messages(person_id: str, most_finished: int) -> Lookup[dict[str, int]]:
    """Look up how many messages are new to a person, by game; games without new ones are left out.

    Of the games that run, and of so many of the newest that are over.
    """
    own = select(owners.c.game).where(owners.c.person == person_id)
    running = select(games.c.id).where(games.c.id.in_(own), games.c.is_over.is_(False))
    ended = finished_query(person_id, most_finished).with_only_columns(games.c.id).subquery()
    among = messages.c.game.in_(running) | messages.c.game.in_(select(ended.c.id))
    return count_new_messages(person_id, among)
