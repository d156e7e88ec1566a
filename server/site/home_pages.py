"""The first page: for visitors, and for members with their games; and the feed of a member."""

import math
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from http import HTTPStatus
from typing import Annotated

import msgspec
from sqlalchemy import Connection, select
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from engine.catalog import find_game
from runners.contests.contests import (
    Contest,
    Ladder,
    SavedTournament,
    find_contests,
    ladder_of_id,
)
from runners.contests.visibility import table_until
from runners.storage.database import Database, now
from runners.storage.game_tables import games, messages, owners, rooms
from runners.storage.store import find_entrants
from runners.storage.together import Lookup, read_lookups
from server.contests.contest_heads import Head
from server.contests.contests_part import ContestsPart
from server.contests.ladder_tables import LadderTable
from server.contests.match_rows import Match, newest_matches
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
from server.runs.exhibitions import Exhibitions
from server.runs.run_pages import watch_path
from server.runs.run_rows import State

MAX_HIGHLIGHTS = 6
"""Matches that are worth watching."""
MAX_TOURNAMENTS = 3
CACHE_S = 5.0
MAX_CACHED_LADDERS = 200
"""Ladders of which it is kept what is on."""
LOOKED_AT = 5
"""The newest matches of a ladder, of which one may have been given up."""
MAX_AGE = timedelta(hours=1)
"""A match of a ladder that is older gives way to an exhibition match."""
MATCHES_LOOKED_AT = 40
"""The newest matches of each ladder, among which they are found."""
UPSET_ELO = 100.0
"""The winner was rated lower by so much."""


class Featured(msgspec.Struct, frozen=True, kw_only=True):
    """The match that plays on the first page."""

    path: str
    """Where it is watched."""
    title: str
    """The title of its game."""
    names: tuple[str, ...]
    what: str
    """Where it comes from, in words."""


class Highlight(msgspec.Struct, frozen=True, kw_only=True):
    """A match, and why it is worth watching."""

    match: Match
    ladder: Ladder
    why: str

    @property
    def shown(self) -> tuple[str, Match]:
        """Return it as small boards are shown."""
        return f"{self.why} on {self.ladder.name}", self.match


def find_highlights(
    connection: Connection, tables: Sequence[tuple[Ladder, LadderTable]]
) -> list[Highlight]:
    """Return what is worth watching of some ladders, of each at most one match of a kind.

    Only of ladders whose matches may all be seen.
    """
    queries = [newest_matches(ladder.id, MATCHES_LOOKED_AT) for ladder, _ in tables]
    found = []
    for (ladder, table), rows in zip(tables, read_lookups(connection, *queries), strict=True):
        ratings = {one.bot: one.elo for one in table.standings if one.elo is not None}
        matches = [match for match in rows if match.result and not match.is_void]
        found += [
            Highlight(match=match, ladder=ladder, why=why)
            for why, match in _choose_matches(matches, ratings)
        ]
    return sorted(found, key=lambda one: one.match.id, reverse=True)


def _choose_matches(
    matches: Sequence[Match], ratings: Mapping[str, float]
) -> list[tuple[str, Match]]:
    """Return one match of each kind, none of them twice."""
    upsets = sorted(matches, key=lambda match: _upset_margin(match, ratings), reverse=True)
    close = sorted(matches, key=_score_difference)
    long = sorted(matches, key=lambda match: -match.result.turns if match.result else 0)
    kinds = (
        ("an upset", [match for match in upsets if _upset_margin(match, ratings) >= UPSET_ELO]),
        ("the closest", close),
        ("the longest", long),
        ("the newest", matches),
    )
    chosen: list[tuple[str, Match]] = []
    for why, candidates in kinds:
        taken = {match.id for _, match in chosen}
        match = next((one for one in candidates if one.id not in taken), None)
        if match is not None:
            chosen.append((why, match))
    return chosen


def _upset_margin(match: Match, ratings: Mapping[str, float]) -> float:
    """Return by how much the winner is rated lower than the best of the others."""
    winners = match.winners
    if len(winners) != 1:
        return 0.0
    rated = [ratings.get(seat.bot) for seat in match.seats]
    winner = rated[winners[0]]
    others = [one for index, one in enumerate(rated) if index != winners[0] and one is not None]
    return max(others) - winner if winner is not None and others else 0.0


def _score_difference(match: Match) -> float:
    """Return how far apart the best two were, as a part of all points."""
    assert match.result is not None
    best, second, *_ = sorted(match.result.scores, reverse=True)
    return (best - second) / (abs(best) + abs(second) or 1.0)


class Front(msgspec.Struct, frozen=True, kw_only=True):
    """What the first page shows to everybody."""

    featured: Featured | None
    heads: list[Head]
    highlights: list[Highlight]
    tournaments: list[Head]
    """The newest."""
    scheduled: list[SavedTournament]
    """Those that are to begin, the next first."""


class FrontPage:
    """Looks up what the first page shows to everybody."""

    def __init__(
        self, database: Database, contests: ContestsPart, exhibitions: Exhibitions
    ) -> None:
        self._database = database
        self._contests = contests
        self._exhibitions = exhibitions
        self._lock = threading.Lock()
        self._front: Front | None = None
        self._seen_at = float("-inf")
        self._on = dict[str, tuple[float, Featured | None]]()
        """By ladder: until when it is good, and which of its matches is on."""

    def load_front(self) -> Front:
        """Return what there is; who comes within a few seconds is shown the same."""
        with self._lock:
            if self._front is None or time.monotonic() >= self._seen_at + CACHE_S:
                self._front, self._seen_at = self._load_front(), time.monotonic()
            return self._front

    def find_best_match(self, ladder: Ladder) -> Featured | None:
        """Return the best match of a ladder that is on, or else its newest one; None for neither.

        Who comes within a few seconds is shown the same.
        """
        at = time.monotonic()
        with self._lock:
            good_until, found = self._on.get(ladder.id, (float("-inf"), None))
            if at < good_until:
                return found
        found = None if ladder.is_frozen(now()) else self._load_best_match(ladder)
        with self._lock:
            if len(self._on) >= MAX_CACHED_LADDERS:
                self._on.clear()
            self._on[ladder.id] = at + CACHE_S, found
        return found

    def _load_best_match(self, ladder: Ladder) -> Featured | None:
        table = self._contests.tables.table(ladder, table_until(ladder, None, now()))
        playing = self._contests.playing.on(ladder, table)
        watched = [one for one in playing if not one.is_shown_late]
        if watched:
            return Featured(
                path=watched[0].path,
                title=ladder.game.title,
                names=tuple(seat.name for seat in watched[0].seats),
                what=f"the best match of {ladder.name} at this moment",
            )
        found = self._database.find(newest_matches(ladder.id, LOOKED_AT))
        matches = [one for one in found if one.result and not one.is_void]
        return _make_featured(ladder, matches[0]) if matches else None

    def _load_front(self) -> Front:
        at = now()
        contests = self._database.find(find_contests())
        tournaments = [one.tournament for one in contests if one.tournament is not None]
        ladders = [one.ladder for one in contests if one.tournament is None]
        heads = self._contests.heads.list_ladders(
            [one for one in ladders if not one.is_over(at)], None
        )
        seen = [
            (head.ladder, head.table)
            for head in heads
            if head.table is not None and head.listed.matches and not head.listed.is_frozen
        ]
        with self._database.reading() as connection:
            found = find_highlights(connection, seen)
        return Front(
            featured=self._choose_featured(found),
            heads=heads,
            highlights=found[:MAX_HIGHLIGHTS],
            tournaments=self._find_begun(contests),
            scheduled=[one for one in tournaments if one.is_waiting][:MAX_TOURNAMENTS],
        )

    def _find_begun(self, found: list[Contest]) -> list[Head]:
        """Return how the newest tournaments stand that have begun."""
        begun = [one for one in found if one.tournament is not None and one.tournament.is_begun]
        newest = begun[:MAX_TOURNAMENTS]
        entrants = self._database.read(*(find_entrants(one.id) for one in newest))
        by_name = {one.id: texts for one, texts in zip(newest, entrants, strict=True)}
        heads, _ = self._contests.heads.find_heads(newest, by_name, None)
        return heads

    def _choose_featured(self, found: list[Highlight]) -> Featured | None:
        """Return the newest match of a ladder, or an exhibition match if that is long ago."""
        newest = found[0] if found else None
        exhibition = self._exhibitions.newest
        is_fresh = (
            newest is not None
            and newest.match.played_at is not None
            and now() - newest.match.played_at < MAX_AGE
        )
        if exhibition is not None and exhibition.state is not State.FAILED and not is_fresh:
            return Featured(
                path=watch_path(exhibition),
                title=find_game(exhibition.game).title,
                names=exhibition.names,
                what="an exhibition match of starter bots",
            )
        if newest is None:
            return None
        return _make_featured(newest.ladder, newest.match)


def _make_featured(ladder: Ladder, match: Match) -> Featured:
    return Featured(
        path=f"/matches/{match.public_id}/watch",
        title=ladder.game.title,
        names=tuple(seat.name for seat in match.seats),
        what=f"the newest match of the ladder {ladder.name}",
    )


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
