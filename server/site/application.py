"""The web application: the routes of all parts, and what stands before them."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from anyio import CancelScope, CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from runners.configuration import DEFAULT_OUT
from runners.storage.database import MAX_REQUEST_WAIT_S, limit_wait
from runners.storage.shared_reading import SharedReading, shared_reading
from server.games.advice import Advisor
from server.games.boards import board_types
from server.games.game_api import GameApi
from server.games.game_pages import GamePages
from server.games.game_records import GameRecords
from server.games.game_service import GameService
from server.games.open_games import OpenGames
from server.games.recorded_matches import BoardPictures, Continuation
from server.games.seats import Seats
from server.games.timekeeper import Timekeeper
from server.games.watching import GameStreams
from server.http.bundles import static_routes
from server.http.error_responses import ErrorResponses, VanishedFolder
from server.http.event_streams import Follow
from server.http.guard import SAFE_METHODS, AnswerOnce, Guard
from server.http.limits import RateLimits
from server.http.metrics import Network, RequestMetrics
from server.http.openapi import JsonSchema, Operation, make_routes, openapi_document
from server.http.permissions import Permission, require
from server.http.public_path import BelowPath, require_other
from server.http.request_log import RequestLog
from server.http.responses import JSON, encode
from server.identity.visitors import Authentication
from server.messages.message_api import MessageApi
from server.messages.mutes import Mutes
from server.site.site import Site


class GamesAtHome:
    """What stands in place of a `Site`: a first page with the games, and nobody with a name."""

    pages = None
    results = None
    """Nobody has to be told when the folder vanishes: the one who plays notices."""
    public_path = ""
    links: Sequence[tuple[str, str]] = ()
    operations: Sequence[Operation] = ()
    topics: Mapping[str, Follow] = {}

    def __init__(self, game_service: GameService, limits: RateLimits | None = None) -> None:
        self.limits = limits or RateLimits()
        self.authentication = Authentication()
        self.open_games = OpenGames(game_service.database)
        self.mutes = Mutes(game_service, self.open_games.free_shared_seats, self.limits)

    def find_routes(self, game_pages: GamePages) -> Sequence[BaseRoute]:
        """Return the routes besides those of games."""
        return [game_pages.home]

    def log_refusal(self, address: str, message: str) -> None:
        """Ignore a request that was refused: nobody reads an audit log at home."""

    def end_streams(self) -> None:
        """Do nothing: there are no streams but those of games."""


ENDED_AT_ONCE = 10
"""Transactions."""


class Application:
    """A server as uvicorn runs it: with accounts, or for the games of one browser at home."""

    def __init__(
        self,
        game_service: GameService,
        hosts: Collection[str],
        site: Site | GamesAtHome | None = None,
        *,
        out: Path = DEFAULT_OUT,
        metrics_from: Sequence[Network] = (),
        framed_by: Sequence[str] = (),
    ) -> None:
        """`hosts`: the names, with port, by which browsers may address us; `out`: of results.

        `site`: the server with accounts; left out, it is for the games of one browser.
        `metrics_from`: where figures are sent to besides this machine; `framed_by`: the sites that
        may show matches in a frame. Raises: UsageError for a public path that a page begins with.
        """
        self._site = composed = site or GamesAtHome(game_service)
        self.public_path = composed.public_path
        self._game_service = game_service
        self._document: bytes | None = None
        self._seats = Seats(game_service, composed.limits)
        self._records = GameRecords(out)
        game_service.add_observer(self._records)
        self._streams = GameStreams(
            game_service, self._seats, self._records, out, self.public_path, composed.topics
        )
        self._request_metrics = RequestMetrics(lambda: self._streams.followers.streams)
        self._advisor = Advisor(game_service, out, composed.limits)
        self.operations = self._list_operations(out)
        errors = ErrorResponses(self.public_path, composed.pages, game_service.report)
        self.app = Starlette(
            routes=self._list_routes(out),
            lifespan=self._lifespan,
            exception_handlers=errors.handlers,
        )
        # For /metrics, which is a page of the site's.
        self.app.state.request_metrics = self._request_metrics
        self.app.state.metrics_from = metrics_from
        self._add_middleware(errors, frozenset(hosts), framed_by)

    def _list_operations(self, out: Path) -> Sequence[Operation]:
        site = self._site
        api = GameApi(
            self._game_service,
            self._seats,
            site.open_games,
            Continuation(self._game_service, out, site.limits),
            self._records,
            self._request_metrics.count_order,
        )
        return [
            Operation("GET", "/openapi.json", self._openapi, JsonSchema, refusals=()),
            *self._streams.operations,
            *api.operations,
            *MessageApi(self._game_service.conversations, site.mutes).operations,
            *self._advisor.operations,
            *site.operations,
        ]

    def _list_routes(self, out: Path) -> Sequence[BaseRoute]:
        """Return all routes, in the order in which they are looked at."""
        pages = GamePages(
            self._game_service, self._seats, self._records, self.public_path, self._site.links
        )
        return [
            *self._site.find_routes(pages),
            *pages.routes,
            BoardPictures(self._game_service, self._seats, out).route,
            *make_routes(self.operations, self._require_permission),
            *self._streams.routes,
            *static_routes(),
        ]

    def _add_middleware(
        self, errors: ErrorResponses, hosts: frozenset[str], framed_by: Sequence[str]
    ) -> None:
        """Add what every request passes before its route: the last one is passed first.

        Raises: UsageError for a public path that begins as a page does.
        """
        site = self._site
        self.app.add_middleware(AuthenticationMiddleware, backend=site.authentication)
        self.app.add_middleware(ReadTransaction)
        if site.results is not None:  # it takes a look at the disk for each request
            is_there = site.results.is_there
            self.app.add_middleware(
                VanishedFolder, is_there=is_there, answer=errors.respond_unavailable
            )
        self.app.add_middleware(AnswerOnce)
        self.app.add_middleware(
            Guard, hosts=hosts, on_refusal=site.log_refusal, framed_by=framed_by
        )
        self.app.add_middleware(RequestLog, request_metrics=self._request_metrics)
        if self.public_path:
            paths = (one.path for one in self.app.routes if isinstance(one, Route | Mount))
            require_other(self.public_path, paths)
            self.app.add_middleware(BelowPath, public_path=self.public_path)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self._streams.followers.start()
        changes = self._game_service.start()
        if changes is None:
            await run_in_threadpool(self._game_service.go_on_with_all)
        timekeeping = asyncio.create_task(Timekeeper(self._game_service).run())
        try:
            yield
        finally:
            timekeeping.cancel()
            with suppress(asyncio.CancelledError):
                await timekeeping
            if changes is not None:
                await run_in_threadpool(changes.close)
            await run_in_threadpool(self._advisor.close)
            await run_in_threadpool(self._game_service.keep_alive)

    def end_streams(self) -> None:
        """End all streams, so that the server can end; on the event loop."""
        self._streams.followers.close_all_streams()
        self._site.end_streams()

    async def _require_permission(self, permission: Permission, request: Request) -> None:
        """Raises: RequestRefused for a visitor without a permission."""
        if permission is Permission.SEAT:
            await run_in_threadpool(self._seats.require, request)
        elif permission is Permission.SEAT_OR_TOKEN:
            await run_in_threadpool(self._seats.require_or_token, request)
        elif permission is not Permission.ANYBODY:
            await run_in_threadpool(require, permission, request.user)

    async def _openapi(self, request: Request) -> Response:
        """Return this document."""
        if self._document is None:
            described = openapi_document(self.operations, board_types(), self.public_path)
            self._document = encode(described)
        return Response(self._document, media_type=JSON)


class ReadTransaction:
    """Stands before the pages; what is sent by a form is read and written by turns."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._threads: CapacityLimiter | None = None
        """Those in which transactions are ended, and connections given back: other threads may all
        be waiting for a connection."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with limit_wait(MAX_REQUEST_WAIT_S):
            if scope["method"] in SAFE_METHODS:
                await self._read(scope, receive, send)
            else:
                await self._app(scope, receive, send)

    async def _read(self, scope: Scope, receive: Receive, send: Send) -> None:
        with shared_reading() as shared:
            ending: asyncio.Task[None] | None = None

            async def end_then_send(message: Message) -> None:
                nonlocal ending
                if ending is None and shared.is_used:
                    # The answer does not wait for the end, nor the end for whoever reads slowly.
                    shared.is_over = True  # a stream reads what is there by then
                    ending = asyncio.create_task(self._end(shared))
                await send(message)

            try:
                await self._app(scope, receive, end_then_send)
            finally:
                with CancelScope(shield=True):
                    await (self._end(shared) if ending is None else ending)

    async def _end(self, shared: SharedReading) -> None:
        if shared.is_used:
            self._threads = self._threads or CapacityLimiter(ENDED_AT_ONCE)
            await to_thread.run_sync(shared.end, limiter=self._threads)
