"""A match of the command line, watched in a browser on this machine while it is played.

Another process plays it and writes its lines; we read them, keep to what the public may know, and
end when the last page is closed, as a window does.
"""

import asyncio
import secrets
import signal
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Route

from engine.game import Outcome
from engine.replays.live import LiveReplay
from engine.replays.writing import NotesAside
from engine.streams import seed_hash, seed_text
from server.games.public_page import PublicPage
from server.games.watching import last_event_id, live_page, scene, waiting
from server.http.bundles import static_routes
from server.http.event_streams import (
    Events,
    EventStream,
    Followers,
    StreamEvent,
    alive_until,
    encode_events,
)
from server.http.guard import Guard
from server.http.listening import LOOPBACK, addresses, listen
from server.http.serving import serve
from server.http.shared_stream import SharedStream
from visualizer.backends.page.growing import GrowingPage
from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import ReplayTimeline
from visualizer.watching.viewer_process import Parent
from visualizer.watching.watch import sprites_for

MATCH = "match"
"""Stands in addresses where the server has the id of a game."""
COOKIE = "watching"
READ_S = 0.1
"""Time between two looks at what was played."""
CLOSED_S = 3.0
"""We end after so long without a page; one that is loaded again is back before."""


class LiveMatch:
    """What the public may know of a match that another process plays, as pages draw it."""

    def __init__(self, live: Path, out: Path) -> None:
        self._live = live
        self._out = out
        self._lock = threading.Lock()
        self._source: LiveReplay | None = None
        self._beginnings = 0
        self._asides_read = 0
        self._page: PublicPage | None = None

    def read_new_entries(self) -> bool:
        """Take in what was played meanwhile; whether there was anything."""
        if self._source is None:
            if not self._live.exists() or not self._live.stat().st_size:
                return False
            source = LiveReplay(self._live)
        else:
            source = self._source
            source.read_new_entries()
        with self._lock:
            return self._take(source)

    @property
    def has_begun(self) -> bool:
        return self._source is not None

    @property
    def outcome(self) -> Outcome | None:
        return None if self._source is None else self._source.outcome

    def page(self) -> bytes:
        """Return the page. To be asked for only once something was read."""
        source = self._started_source
        return live_page((bot.name for bot in source.bots), source.game.title)

    def event_since(
        self, since: tuple[int, int] | None
    ) -> tuple[tuple[int, int] | None, StreamEvent | None]:
        """Return what a page knows then, and the event that tells it so, if there is news."""
        with self._lock:
            source, page = self._source, self._page
            if source is not None and source.game.public_is_late and source.outcome is None:
                return None, waiting(source.game.title)
            if source is None or page is None or not page.moments:
                return None, None
            now = self._beginnings, page.moments - 1
            if since is None and source.outcome is not None:
                whole = GrowingPage(ReplayTimeline(source), self._sprites(source))
                whole.grow()
                return now, scene(whole.message(None, self._about(source, is_whole=True)))
            if since == now:
                return now, None
            known = since[1] if since is not None and since[0] == self._beginnings else None
            return now, scene(page.message(known, self._about(source, is_whole=False)))

    @property
    def _started_source(self) -> LiveReplay:
        assert self._source is not None
        return self._source

    def _take(self, source: LiveReplay) -> bool:
        self._source = source
        if self._page is None or source.beginnings != self._beginnings:
            self._begin(source)
        page = self._page
        assert page is not None
        if source.game.public_is_late and source.outcome is None:
            return False
        asides, self._asides_read = source.asides[self._asides_read :], len(source.asides)
        for aside in asides:
            if isinstance(aside, NotesAside):  # its author watches, and nobody else
                page.page.take_notes(aside)
        return page.take(source)

    def _begin(self, source: LiveReplay) -> None:
        self._beginnings = source.beginnings
        self._asides_read = 0
        self._page = PublicPage(source, self._sprites(source))

    def _sprites(self, source: LiveReplay) -> Sprites:
        return sprites_for(source, self._out)

    def _about(self, source: LiveReplay, *, is_whole: bool) -> dict[str, object]:
        is_over = source.outcome is not None
        return {
            "isGrowing": not is_over,
            "isWhole": is_whole or (is_over and source.game.open_information),
            "isContinuable": False,
            "follows": False,
            "staysOpen": True,
            "seats": [bot.name for bot in source.bots],
            "seed": seed_text(source.spec.seed) if is_over else None,
            "seedHash": seed_hash(source.spec.seed),
            "key": source.spec.key if is_over else "",
        }


class LiveWeb:
    """The page of one match, for whoever has the address that was printed."""

    def __init__(self, match: LiveMatch, hosts: list[str], on_closed: Callable[[], object]) -> None:
        """`on_closed` is called once all pages were closed."""
        self.key: str | None = secrets.token_urlsafe(24)
        """What the address that is printed has, good for once."""
        self.public_path = ""
        self.failure: BaseException | None = None
        """Why the match can be shown no longer."""
        self._token = secrets.token_urlsafe(24)
        self._match = match
        self._followers = Followers()
        self._on_closed = on_closed
        self._shared = SharedStream(self._followers, {"scene": self._follow})
        self._pages = 0
        routes = [
            Route(f"/games/{MATCH}/watch", self._page),
            Route("/", self._home),
            Route(f"/api/v1/games/{MATCH}/scene", self._scene),
            Route("/api/v1/stream", self._stream),
            *static_routes(),
        ]
        starlette = Starlette(routes=routes, lifespan=self._lifespan)
        self.app = Guard(starlette, hosts)

    def end_streams(self) -> None:
        """End all streams, so that the server can end; on the event loop."""
        self._followers.close_all_streams()

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self._followers.begin()
        reading = asyncio.ensure_future(self._read())
        reading.add_done_callback(self._note_failure)
        yield
        reading.cancel()

    def _note_failure(self, reading: "asyncio.Future[None]") -> None:
        if not reading.cancelled() and reading.exception() is not None:
            self.failure = reading.exception()
            self._on_closed()

    async def _read(self) -> None:
        while True:  # after its end it may be played again, by `main.py watch`
            if await run_in_threadpool(self._match.read_new_entries):
                self._followers.notify(MATCH)
            await asyncio.sleep(READ_S)

    async def _home(self, request: Request) -> Response:
        return RedirectResponse(f"/games/{MATCH}/watch")

    async def _page(self, request: Request) -> Response:
        key = request.query_params.get("key")
        if key is not None and self.key and secrets.compare_digest(key.encode(), self.key.encode()):
            self.key = None
            answer = RedirectResponse(f"/games/{MATCH}/watch", status_code=HTTPStatus.SEE_OTHER)
            answer.set_cookie(COOKIE, self._token, httponly=True, samesite="lax")
            return answer
        if not self._is_let_in(request):
            return NOTHING
        while not self._match.has_begun:
            await asyncio.sleep(READ_S)
        return HTMLResponse(await run_in_threadpool(self._match.page))

    async def _scene(self, request: Request) -> Response:
        if not self._is_let_in(request):
            return NOTHING
        return EventStream(encode_events(self._follow(request, MATCH, last_event_id(request))))

    async def _stream(self, request: Request) -> Response:
        """Send what the pages of a browser share."""
        return self._shared.response(request) if self._is_let_in(request) else NOTHING

    async def _follow(self, request: Request, game_id: str, last: str | None) -> Events:
        since = parse_event_id(last or "")
        self._pages += 1
        try:
            with self._followers.following(MATCH) as woken:
                while woken is not None and not self._followers.is_closing:
                    woken.clear()
                    since, event = await run_in_threadpool(self._match.event_since, since)
                    yield with_event_id(event, since)
                    async for _ in alive_until(woken):
                        yield None
        finally:
            self._pages -= 1
            if not self._pages and not self._followers.is_closing:
                self._closing = asyncio.get_running_loop().call_later(CLOSED_S, self._end_if_closed)

    def _end_if_closed(self) -> None:
        if not self._pages:
            self._on_closed()

    def _is_let_in(self, request: Request) -> bool:
        token = request.cookies.get(COOKIE, "")
        return secrets.compare_digest(token.encode(), self._token.encode())


NOTHING = PlainTextResponse("there is nothing here", status_code=HTTPStatus.NOT_FOUND)


def parse_event_id(last: str) -> tuple[int, int] | None:
    """Return what a page knows by the last event that it saw: of which beginning, and how much."""
    words = last.split("-")
    if len(words) != 2 or not all(word.isdecimal() and len(word) < 10 for word in words):
        return None
    return int(words[0]), int(words[1])


def with_event_id(event: StreamEvent | None, known: tuple[int, int] | None) -> StreamEvent | None:
    """Return an event with the number that `parse_event_id` reads."""
    if event is None or known is None:
        return event
    return event._replace(last=f"{known[0]}-{known[1]}")


def serve_live(folder: Path, out: Path) -> None:
    """Serve the match that our parent plays until its pages are closed. Raises: UsageError."""
    with Parent(folder) as parent:
        listener = listen(LOOPBACK, 0)
        port = listener.getsockname()[1]
        match = LiveMatch(parent.live, out)
        web = LiveWeb(match, addresses((LOOPBACK, "localhost"), port), end_server)
        address = f"http://{LOOPBACK}:{port}/games/{MATCH}/watch?key={web.key}"

        def ready() -> None:
            parent.tell_ready(f"watch it at {address}")
            with suppress(webbrowser.Error):
                webbrowser.open(address)

        with suppress(KeyboardInterrupt):  # so our parent's end comes
            serve(web, listener, ready)
        if web.failure is not None:
            raise web.failure


def end_server() -> None:
    """End the server as a signal does."""
    signal.raise_signal(signal.SIGINT)
