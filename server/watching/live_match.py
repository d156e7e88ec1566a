"""A match of the command line, watched in a browser on this machine while it is played.

Another process plays it and writes its lines; we read them, keep to what the public may know, and
end when the last page is closed, as a window does.
"""

import asyncio
import secrets
import signal
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from http import HTTPStatus
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from engine.errors import BadReplay
from server.http.bundles import static_routes
from server.http.event_streams import Events, EventStream, Followers, SharedStream, encode_events
from server.http.guard import Guard
from server.http.listening import LOOPBACK, host_headers, listen
from server.http.serving import serve
from server.watching.live_scene import LiveScene, Topics, follow
from server.watching.match_file import MatchFile
from server.watching.scene_messages import last_event_id, live_page, render_whole_match
from server.watching.visibility import Role
from visualizer.watching.viewer_process import Parent
from visualizer.watching.watch import sprites_for

MATCH = "match"
"""Stands in addresses where the server has the id of a game."""
COOKIE = "watching"
READ_S = 0.1
"""Time between two looks at what was played."""
PAGE_RELOAD_GRACE_S = 3.0
"""We end after so long without a page; one that is loaded again is back before."""


class OwnMatch(MatchFile):
    """A match that whoever looks at it has played, as pages draw it."""

    shows_notes = True

    def __init__(self, live: Path, out: Path) -> None:
        super().__init__(live, Role.HOST, partial(sprites_for, out=out))

    def describe(self) -> dict[str, object]:
        record = self.record
        key = "" if record.outcome is None else record.spec.key
        # After its end it may be played again, by `main.py watch`.
        return {**super().describe(), "staysOpen": True, "key": key}

    def render_whole(self) -> bytes | None:
        if not self.has_begun or self.record.outcome is None:
            return None
        about = {**self.describe(), "isWhole": True}
        return render_whole_match(self.record, self._load_sprites(self.record), about)


class LiveWeb:
    """The page of one match, for whoever has the address that was printed."""

    def __init__(self, match: OwnMatch, hosts: list[str], on_closed: Callable[[], object]) -> None:
        """`on_closed` is called once all pages were closed."""
        self.key: str | None = secrets.token_urlsafe(24)
        """What the address that is printed has, good for once."""
        self.public_path = ""
        self.failure: BaseException | None = None
        """Why the match can be shown no longer."""
        self._token = secrets.token_urlsafe(24)
        self._match = match
        self._followers = Followers()
        self._topics = Topics(self._followers, READ_S)
        self._live_scene = LiveScene(match)
        self._on_closed = on_closed
        self._shared = SharedStream(self._followers, {"games/scene": self._follow})
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
        with self._topics.open_topic(MATCH, lambda: self._live_scene):
            yield

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
            await run_in_threadpool(self._live_scene.read_new_entries)
            await asyncio.sleep(READ_S)
        record = self._match.record
        return HTMLResponse(live_page((bot.name for bot in record.bots), record.game.title))

    async def _scene(self, request: Request) -> Response:
        if not self._is_let_in(request):
            return NOTHING
        return EventStream(encode_events(self._follow(request, MATCH, last_event_id(request))))

    async def _stream(self, request: Request) -> Response:
        """Send what the pages of a browser share."""
        return self._shared.response(request) if self._is_let_in(request) else NOTHING

    async def _follow(self, request: Request, game_id: str, last: str | None) -> Events:
        self._pages += 1
        try:
            async for event in follow(self._topics, MATCH, lambda: self._live_scene, last):
                yield event
        except BadReplay as error:
            self.failure = error
            self._on_closed()
        finally:
            self._pages -= 1
            if not self._pages and not self._followers.is_closing:
                self._closing = asyncio.get_running_loop().call_later(
                    PAGE_RELOAD_GRACE_S, self._end_if_closed
                )

    def _end_if_closed(self) -> None:
        if not self._pages:
            self._on_closed()

    def _is_let_in(self, request: Request) -> bool:
        token = request.cookies.get(COOKIE, "")
        return secrets.compare_digest(token.encode(), self._token.encode())


NOTHING = PlainTextResponse("there is nothing here", status_code=HTTPStatus.NOT_FOUND)


def serve_live(folder: Path, out: Path) -> None:
    """Serve the match that our parent plays until its pages are closed. Raises: UsageError."""
    with Parent(folder) as parent:
        listener = listen(LOOPBACK, 0)
        port = listener.getsockname()[1]
        match = OwnMatch(parent.live, out)
        web = LiveWeb(match, host_headers((LOOPBACK, "localhost"), port), end_server)
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
