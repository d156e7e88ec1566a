"""The web application: pages, the API and streams of news."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any, Protocol, TypeVar
from zlib import crc32

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from engine.catalogue import game_named
from engine.errors import EngineFailure
from engine.game import Act, Ask
from runners.configuration import DEFAULT_OUT
from runners.storage.database import Stale
from runners.storage.storable import BadValue
from server.games.boards import board_of, board_types
from server.games.bodies import (
    ActBody,
    Decisions,
    DraftAnswer,
    DraftBody,
    DraftQuery,
    MessageBody,
    OrderBody,
    Rematch,
)
from server.games.continuation import (
    REFUSING,
    Asker,
    ContinueBody,
    Continued,
    Continuing,
    continued,
)
from server.games.game_records import GameRecords
from server.games.game_service import Lobby
from server.games.game_sessions import Refused
from server.games.history import OtherRules
from server.games.positions import Position, position_of, viewer_of
from server.games.timekeeper import Timekeeper
from server.games.watching import Watching
from server.http.bodies import Empty, StreamQuery
from server.http.errors import TooMany, Unknown
from server.http.event_streams import EventStream, alive_until
from server.http.guard import SAFE, Guard
from server.http.metrics import Measures, Network
from server.http.openapi import (
    ABOUT_EVENTS,
    ABOUT_SCENES,
    ABOUT_STREAM,
    COOKIE,
    EVENTS,
    JSON,
    PLAYING,
    TALKING,
    Operation,
    document,
    routes_of,
)
from server.http.public_path import BelowPath, require_other
from server.http.read_transaction import OneReading
from server.http.request_log import RequestLog, request_id
from server.http.responses import (
    address_of,
    cookie_of,
    encode,
    failed,
    read,
    retry_after,
    seat_at,
    sent,
)
from server.http.server_sent_events import Events, StreamEvent, encoded
from server.http.shared_stream import Problem, SharedStream
from server.http.shared_updates import Broadcasts, Told
from server.http.templates import templates
from server.identity.rate_limits import AddressLimits

HERE = Path(__file__).parents[1]
B = TypeVar("B", OrderBody, ActBody, DraftBody)
MOST_COOKIES = 100
"""Cookies that are looked at for seats; each costs a look into the database."""


class NotYours(Exception):
    """A team is played by somebody else."""


class Members(Protocol):
    """People with names, where there are some: their pages, and the seats that are theirs."""

    @property
    def public_path(self) -> str:
        """Return the path below which browsers find the server: see server/http/public_path.py."""

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """Return their pages; one of the same path as ours stands in its place."""

    @property
    def operations(self) -> Sequence[Operation]:
        """Return their part of the API."""

    def teams_of(self, request: Request, game_id: str) -> Collection[int]:
        """Return the teams that whoever is signed in plays in a game."""

    def person_of(self, request: Request) -> str | None:
        """Return the id of whoever is signed in; None for who is not."""

    def take_seat(self, game_id: str, team: int, person: str) -> None:
        """Make a seat of a new game somebody's."""

    def refused(self, address: str, words: str) -> None:
        """Note what was refused before anybody looked at it, and to which address."""


class Web:
    """The routes, and what they work on."""

    def __init__(
        self,
        lobby: Lobby,
        hosts: Collection[str],
        members: Members | None = None,
        *,
        out: Path = DEFAULT_OUT,
        metrics_from: Sequence[Network] = (),
        address_limits: AddressLimits | None = None,
    ) -> None:
        """`hosts`: the names, with port, by which browsers may address us; `out`: of results.

        `metrics_from`: where figures are sent to besides this machine. Raises: UsageError for a
        public path that begins as a page does.
        """
        self.public_path = "" if members is None else members.public_path
        self._lobby = lobby
        self._members = members
        self._news = Broadcasts(self._told)
        self._document: bytes | None = None
        self._records = GameRecords(out)
        self._watching = Watching(lobby, self._news, out, self._records, self.public_path)
        follows = {"events": self._follow, "scene": self._watching.follow}
        self._shared = SharedStream(self._news, follows, problem_of)
        self._continuing = Continuing(lobby, out, address_limits)
        lobby.on_change = self._news.changed
        lobby.on_forgotten = self._records.forget
        self._pages = templates(self.public_path)
        self.app = Starlette(
            routes=[
                *(() if members is None else members.routes),
                Route("/", self._home),
                Route("/join/{key}", self._join, methods=["GET", "POST"]),
                Route("/games/{game}", self._page),
                Route("/games/{game}/replay", self._replay),
                Route("/games/{game}/rematch", self._rematch),
                *routes_of(self.operations),
                *self._watching.routes,
                Mount("/static", StaticFiles(directory=HERE / "static")),
            ],
            lifespan=self._lifespan,
            exception_handlers={
                Unknown: lambda request, error: self._failed(
                    request, HTTPStatus.NOT_FOUND, NO_GAME
                ),
                OtherRules: lambda request, error: self._failed(
                    request, HTTPStatus.CONFLICT, str(error)
                ),
                NotYours: lambda request, error: failed(HTTPStatus.FORBIDDEN, str(error)),
                Stale: lambda request, error: failed(HTTPStatus.CONFLICT, STALE),
                EngineFailure: self._unable,
                BadValue: self._unstorable,
                Refused: lambda request, error: self._failed(request, 422, str(error)),
                TooMany: _too_many,
                msgspec.DecodeError: lambda request, error: failed(
                    HTTPStatus.BAD_REQUEST, str(error)
                ),
                HTTPStatus.NOT_FOUND: lambda request, error: self._failed(
                    request, HTTPStatus.NOT_FOUND, "there is nothing here"
                ),
                HTTPStatus.METHOD_NOT_ALLOWED: _not_so,
                Exception: self._broken,
            },
        )
        self.app.add_middleware(OneReading)
        on_refusal = (lambda address, words: None) if members is None else members.refused
        self.app.add_middleware(Guard, hosts=frozenset(hosts), on_refusal=on_refusal)
        self._measures = Measures(lambda: self._news.streams)
        # For /metrics, which is routed with the members' pages.
        self.app.state.measures, self.app.state.metrics_from = self._measures, metrics_from
        self.app.add_middleware(RequestLog, measures=self._measures)
        if self.public_path:
            require_other(self.public_path, _paths(self.app.routes))
            self.app.add_middleware(BelowPath, public_path=self.public_path)

    @property
    def operations(self) -> list[Operation]:
        """The API: see server/http/openapi.py."""
        game = "/games/{game}"
        return [
            Operation("GET", "/openapi.json", self._openapi, dict[str, Any], refusals=()),
            Operation(
                "GET",
                "/stream",
                self._stream,
                str,
                query=StreamQuery,
                media_type=EVENTS,
                refusals=(),
                about_answer=ABOUT_STREAM,
            ),
            Operation("GET", game, self._position, Position),
            Operation(
                "GET",
                f"{game}/events",
                self._events,
                str,
                media_type=EVENTS,
                about_answer=ABOUT_EVENTS,
            ),
            Operation(
                "GET",
                f"{game}/scene",
                self._watching.scene,
                str,
                media_type=EVENTS,
                about_answer=ABOUT_SCENES,
            ),
            Operation(
                "POST", f"{game}/orders", self._order, Decisions, OrderBody, refusals=PLAYING
            ),
            Operation(
                "DELETE", f"{game}/orders", self._take_back, Decisions, OrderBody, refusals=PLAYING
            ),
            Operation("POST", f"{game}/messages", self._say, Empty, MessageBody, refusals=TALKING),
            Operation(
                "POST",
                f"{game}/continue",
                self._continue,
                Continued,
                ContinueBody,
                refusals=REFUSING,
            ),
            Operation("POST", f"{game}/rematch", self._ask_rematch, Rematch, refusals=TALKING),
            Operation("POST", f"{game}/acts", self._act, Decisions, ActBody, refusals=PLAYING),
            Operation(
                "GET", f"{game}/draft", self._draft, DraftAnswer, query=DraftQuery, refusals=PLAYING
            ),
            Operation(
                "PUT", f"{game}/draft", self._keep_draft, DraftAnswer, DraftBody, refusals=PLAYING
            ),
            *(() if self._members is None else self._members.operations),
        ]

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self._news.begin()
        changes = self._lobby.begin()
        if changes is None:
            await run_in_threadpool(self._lobby.go_on_with_all)
        timekeeping = asyncio.create_task(Timekeeper(self._lobby).run())
        try:
            yield
        finally:
            timekeeping.cancel()
            with suppress(asyncio.CancelledError):
                await timekeeping
            if changes is not None:
                await run_in_threadpool(changes.close)
            await run_in_threadpool(self._lobby.keep_alive)

    def end_streams(self) -> None:
        """End all streams, so that the server can end; on the event loop."""
        self._news.close()

    # -- pages --------------------------------------------------------------------------------

    async def _home(self, request: Request) -> Response:
        games = await run_in_threadpool(self._games_of, request)
        return self._html("home.html", games=games)

    async def _page(self, request: Request) -> Response:
        game_id = request.path_params["game"]
        key = request.query_params.get("key")
        if key is not None:
            return await run_in_threadpool(self._let_in, request, game_id, key)
        position = await run_in_threadpool(self._position_of, request)
        page = board_of(game_named(position.game)).name
        return self._html("game.html", game=page, id=game_id, title=position.title)

    async def _join(self, request: Request) -> Response:
        """Show a link's game; who wants to play it says so, since programs open links, too."""
        key = request.path_params["key"]
        game_id = await run_in_threadpool(self._lobby.game_of, key)
        if game_id is None:
            return self._html("gone.html", status=HTTPStatus.NOT_FOUND)
        if request.method == "POST":
            return await run_in_threadpool(self._let_in, request, game_id, key)
        return self._html("join.html", key=key)

    async def _replay(self, request: Request) -> Response:
        """Send the replay of a game that is over: before, it would tell what is hidden."""
        name, content = await run_in_threadpool(self._record, request.path_params["game"])
        disposition = f'attachment; filename="{name}"'
        return Response(
            content,
            media_type="application/gzip",
            headers={"content-disposition": disposition},
        )

    async def _rematch(self, request: Request) -> Response:
        """Lead whoever has a seat to their seat in the rematch, the others to where they watch."""
        return await run_in_threadpool(self._let_into_rematch, request)

    # -- API ----------------------------------------------------------------------------------

    async def _openapi(self, request: Request) -> Response:
        """Return this document."""
        if self._document is None:
            self._document = encode(document(self.operations, board_types(), self.public_path))
        return Response(self._document, media_type=JSON)

    async def _position(self, request: Request) -> Response:
        """Return a game as whoever asks may see it."""
        return sent(await run_in_threadpool(self._position_of, request))

    async def _events(self, request: Request) -> Response:
        """Follow a game: its position now and after each change."""
        game_id = await run_in_threadpool(self._find, request)  # 404 before the stream begins
        last = request.headers.get("last-event-id", "")
        return EventStream(encoded(_by_steps(self._follow(request, game_id, last))))

    async def _stream(self, request: Request) -> Response:
        """Follow several games at once."""
        return self._shared.response(request)

    async def _follow(self, request: Request, game_id: str, last: str | None) -> Events:
        """Follow a game; who knows its position, and its step, is told what has happened since.

        Who knows all of its present position is told nothing before it changes.
        """
        since = step_of(last or "")
        with self._news.followed(game_id) as woken:
            while woken is not None and not self._news.is_closing:
                woken.clear()
                # A spectator has no cookie; who has one may get or lose a seat meanwhile.
                teams = (
                    await run_in_threadpool(self._teams, request, game_id)
                    if request.cookies
                    else ()
                )
                told = await self._news.told(game_id, teams, since)
                yield None if told.event.last == last else told.event
                since, last = told.step, told.event.last
                async for _ in alive_until(woken):
                    yield None

    async def _order(self, request: Request) -> Response:
        """Order what an ask waits for; the same order again is harmless."""

        def order(game_id: str, body: OrderBody) -> Decisions:
            ask = Ask(body.team, body.piece)
            return Decisions(self._lobby.answer(game_id, ask, body.step, body.order))

        answer = await self._played(request, OrderBody, order)
        self._measures.moved()
        return answer

    async def _take_back(self, request: Request) -> Response:
        """Take back an order while others are still waited for."""

        def take_back(game_id: str, body: OrderBody) -> Decisions:
            ask = Ask(body.team, body.piece)
            return Decisions(self._lobby.take_back(game_id, ask, body.step))

        return await self._played(request, OrderBody, take_back)

    async def _act(self, request: Request) -> Response:
        """Do something besides ordering, such as resigning."""

        def act(game_id: str, body: ActBody) -> Decisions:
            done = Act(body.team, body.piece, body.name)
            return Decisions(self._lobby.act(game_id, done, body.step))

        return await self._played(request, ActBody, act)

    async def _continue(self, request: Request) -> Response:
        """Begin a game from the middle of this one, for whoever asks."""
        body = await read(request, ContinueBody)
        game_id = request.path_params["game"]

        def play_on() -> Response:
            person = None if self._members is None else self._members.person_of(request)
            is_stranger = self._members is not None and person is None
            asker = Asker(address_of(request), person, is_stranger=is_stranger)
            new_id = self._continuing.play_on(game_id, body, asker)
            if self._members is not None and person is not None:
                self._members.take_seat(new_id, body.team, person)
            return continued(request, self._lobby, new_id, body.team)

        return await run_in_threadpool(play_on)

    async def _say(self, request: Request) -> Response:
        """Write to the other players."""
        game_id, teams = await run_in_threadpool(self._seat_of, request)
        body = await read(request, MessageBody)
        await run_in_threadpool(self._lobby.say, game_id, min(teams), body.text, body.after)
        return sent(Empty())

    async def _ask_rematch(self, request: Request) -> Response:
        """Ask for another game of the same players, with the seats rotated.

        It begins once all people who played have asked for it.
        """

        def rematch() -> str | None:
            return self._lobby.rematch(*self._seat_of(request))

        return sent(Rematch(rematch=await run_in_threadpool(rematch)))

    async def _keep_draft(self, request: Request) -> Response:
        """Keep what was clicked so far, and return what it comes to."""

        def keep(game_id: str, body: DraftBody) -> DraftAnswer:
            ask = Ask(body.team, body.piece)
            self._lobby.keep_draft(game_id, ask, body.step, body.lines)
            return self._drafted(game_id, ask, body.lines)

        return await self._played(request, DraftBody, keep)

    async def _draft(self, request: Request) -> Response:
        """Return the draft that was kept for the present turn."""
        query = msgspec.convert(dict(request.query_params), DraftQuery, strict=False)
        ask = Ask(query.team, query.piece)

        def draft() -> DraftAnswer:
            game_id, teams = self._seat_of(request)
            require_own(query.team, teams)
            return self._drafted(game_id, ask, self._lobby.draft(game_id, ask))

        return sent(await run_in_threadpool(draft))

    # -- what runs on a thread ----------------------------------------------------------------

    async def _played(
        self, request: Request, kind: type[B], do: Callable[[str, B], object]
    ) -> Response:
        """Do what a player asks for; nobody else's body is read.

        Raises: NotYours, Unknown, msgspec.DecodeError.
        """
        game_id, teams = await run_in_threadpool(self._seat_of, request)
        body = await read(request, kind)
        require_own(body.team, teams)
        return sent(await run_in_threadpool(do, game_id, body))

    def _teams(self, request: Request, game_id: str) -> tuple[int, ...]:
        teams = self._lobby.teams_of(request.cookies.get(cookie_of(game_id), ""), game_id)
        owned = () if self._members is None else self._members.teams_of(request, game_id)
        return tuple(sorted({*teams, *owned}))

    def _find(self, request: Request) -> str:
        """Return the id of a game that exists. Raises: Unknown."""
        game_id: str = request.path_params["game"]
        with self._lobby.room(game_id):
            return game_id

    def _seat_of(self, request: Request) -> tuple[str, tuple[int, ...]]:
        """Return a game, and the teams of whoever asks. Raises: NotYours, Unknown."""
        game_id = self._find(request)
        teams = self._teams(request, game_id)
        if not teams:
            raise NotYours("only who has a seat in this game may do that")
        return game_id, teams

    def _position_of(self, request: Request) -> Position:
        game_id = request.path_params["game"]
        return self._seen(game_id, self._teams(request, game_id))

    def _seen(self, game_id: str, teams: tuple[int, ...], since: int | None = None) -> Position:
        """Return a game as whoever plays these teams may see it. Raises: Unknown."""
        with self._lobby.room(game_id) as room:
            messages = self._lobby.messages(game_id) if teams else ()
            return position_of(room, teams, since, messages)

    def _told(self, game_id: str, teams: tuple[int, ...], since: int | None) -> Told:
        """Return the event of a stream, encoded: it is the same for all who play these teams."""
        position = self._seen(game_id, teams, since)
        # What has happened is told once, and is nothing that a position is known by.
        known_by = crc32(encode(msgspec.structs.replace(position, happened=())))
        last = f"{position.step}-{known_by:08x}"
        return Told(position.step, StreamEvent("position", encode(position), last))

    def _drafted(self, game_id: str, ask: Ask, lines: list[Any]) -> DraftAnswer:
        with self._lobby.room(game_id) as room:
            if ask not in room.stepper.asks:
                raise Stale
            known = room.stepper.known[viewer_of(room.game, (ask.team,))]
            draft = room.game.draft(known, ask, lines)
        if draft is None:
            raise Refused(f"{room.game.title} has no drafts: send an order")
        return DraftAnswer(
            lines=lines,
            refused=[(line.place, line.reason) for line in draft.refused],
            answer=draft.answer,
            shows=draft.shows,
        )

    def _let_in(self, request: Request, game_id: str, key: str) -> Response:
        """Take a key that is good for once, and give a cookie instead of it."""
        return self._led_to(request, game_id, self._lobby.exchange(key, game_id))

    def _let_into_rematch(self, request: Request) -> Response:
        game_id = request.path_params["game"]
        with self._lobby.room(game_id) as room:
            rematch = room.rematch
        if rematch is not None and self._teams(request, rematch):
            return self._led_to(request, rematch, None)
        teams = self._teams(request, game_id)
        return self._led_to(request, *self._lobby.rematch_token(game_id, teams))

    def _led_to(self, request: Request, game_id: str, token: str | None) -> Response:
        response = RedirectResponse(f"/games/{game_id}", status_code=HTTPStatus.SEE_OTHER)
        if token is not None:
            seat_at(request, response, game_id, token)
        return response

    def _games_of(self, request: Request) -> list[dict[str, object]]:
        """Return the games that this browser has a seat in; other cookies of ours mean nothing."""
        games: list[dict[str, object]] = []
        for name in list(request.cookies)[:MOST_COOKIES]:
            game_id = name.removeprefix(COOKIE)
            if name == game_id or not self._teams(request, game_id):
                continue
            with suppress(OtherRules), self._lobby.room(game_id) as room:
                teams = self._teams(request, game_id)
                games.append(
                    {
                        "id": game_id,
                        "title": room.game.title,
                        "names": [one.name for one in room.stored.seats],
                        "is_over": room.outcome is not None,
                        "is_your_move": any(
                            ask.team in teams and ask not in room.waiting
                            for ask in room.stepper.asks
                        ),
                    }
                )
        return games

    def _record(self, game_id: str) -> tuple[str, bytes]:
        with self._lobby.room(game_id) as room:
            name = f"{room.game.name}-{game_id}.jsonl.gz"
            return name, self._records.replay(room).read_bytes()

    def _failed(self, request: Request, status: int, words: str) -> Response:
        """Say what was wrong: to programs as JSON, to people as a page."""
        if request.url.path.startswith("/api/"):
            return failed(status, words)
        return self._html("refused.html", status, words=words)

    def _unable(self, request: Request, error: Exception) -> Response:
        """Answer where the disk is full, or the database busy: the words are the operator's."""
        self._lobby.on_failure(str(error))
        return self._failed(request, HTTPStatus.SERVICE_UNAVAILABLE, UNABLE)

    def _unstorable(self, request: Request, error: Exception) -> Response:
        """Answer whoever sent what no database can keep: at such an address there is nothing."""
        if request.method in SAFE:
            return self._failed(request, HTTPStatus.NOT_FOUND, "there is nothing here")
        return self._failed(request, HTTPStatus.BAD_REQUEST, str(error))

    def _broken(self, request: Request, error: Exception) -> Response:
        """Say the number under which an error of ours is in the log; it is raised all the same."""
        words = f"this is an error of ours; tell the organizer its number: {request_id()}"
        return self._failed(request, HTTPStatus.INTERNAL_SERVER_ERROR, words)

    def _html(self, template: str, status: int = HTTPStatus.OK, **values: object) -> Response:
        page = self._pages.get_template(template).render(values)
        return HTMLResponse(page, status_code=status)


def _paths(routes: Iterable[BaseRoute]) -> Iterator[str]:
    """Yield the paths of pages, and of folders of files."""
    for route in routes:
        assert isinstance(route, Route | Mount)
        yield route.path


def require_own(team: int, teams: Collection[int]) -> None:
    """Raises: NotYours for a team that is not among those of whoever asks."""
    if team not in teams:
        raise NotYours(f"team {team} is not yours to play")


UNABLE = "the server cannot do that now, and says why where it was started: try again later"
NO_GAME = "there is no such game"
STALE = "the game has gone on meanwhile: look at the board again"


def step_of(last: str) -> int | None:
    """Return the step of the last event that somebody saw, if it is one of ours."""
    step = last.partition("-")[0]
    return int(step) if step.isascii() and step.isdigit() and len(step) < 10 else None


async def _by_steps(events: Events) -> Events:
    """Yield events with their step alone as what was seen, as the API says."""
    async for event in events:
        if event is None:
            yield None
        else:
            yield event._replace(last=(event.last or "").partition("-")[0])


def problem_of(error: Exception) -> Problem | None:
    """Return why a game of a shared stream cannot be followed; None for an error of ours."""
    if isinstance(error, Unknown):
        return Problem(HTTPStatus.NOT_FOUND, NO_GAME)
    if isinstance(error, OtherRules):
        return Problem(HTTPStatus.CONFLICT, str(error))
    return None


def _too_many(request: Request, error: Exception) -> Response:
    """Refuse what is done too often, with the header that says how long to wait."""
    assert isinstance(error, TooMany)
    return failed(HTTPStatus.TOO_MANY_REQUESTS, str(error), retry_after(error.wait_s))


def _not_so(request: Request, error: Exception) -> Response:
    """Refuse a method, with the header that says which there are."""
    assert isinstance(error, HTTPException)
    response = failed(error.status_code, f"{request.method} is not possible here")
    response.headers.update(error.headers or {})
    return response
