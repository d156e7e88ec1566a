"""Watching a game of the server: its page, and the stream of what there is to see."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from msgspec.json import encode
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute

from server.games.game_records import GameRecords
from server.games.game_service import GameService
from server.games.game_sessions import GameSession
from server.games.spectator_scenes import SpectatorScenes
from server.http.bundles import WATCH, bundle_path
from server.http.event_streams import EventStream, Followers, alive_until
from server.http.permissions import Permission, PermittedRoute
from server.http.server_sent_events import Events, StreamEvent, encoded
from visualizer.backends.page.document import live_document

T = TypeVar("T")
STYLES = ("shared/theme.css", "viewer/details.css", "viewer/page.css", "viewer/live.css")
MOST_LETTERS = 64


class Watching:
    """What spectators are sent: the public view alone, and after the end everything."""

    def __init__(
        self,
        game_service: GameService,
        news: Followers,
        out: Path,
        records: GameRecords,
        public_path: str,
    ) -> None:
        """`public_path`: see server/http/public_path.py."""
        self._game_service = game_service
        self._followers = news
        self._public_path = public_path
        self._scenes = SpectatorScenes(out, records)

    @property
    def routes(self) -> list[BaseRoute]:
        return [
            PermittedRoute("/games/{game}/watch", Permission.ANYBODY, self._page, ["GET"]),
        ]

    async def _page(self, request: Request) -> Response:
        game_id = request.path_params["game"]
        page = await run_in_threadpool(self._with_room, game_id, self._page_of)
        return HTMLResponse(page)

    def _page_of(self, session: GameSession) -> bytes:
        names = (seated.name for seated in session.stored.seats)
        return live_page(names, session.game.title, self._public_path)

    async def scene(self, request: Request) -> Response:
        """Follow a game as the replay page draws it: the public view, and in the end all of it."""
        game_id = request.path_params["game"]
        await run_in_threadpool(
            self._with_room, game_id, lambda session: None
        )  # 404 before it begins
        return EventStream(encoded(self.follow(request, game_id, last_seen(request))))

    async def follow(self, request: Request, game_id: str, last: str | None) -> Events:
        """Follow a game from the moment that was seen last."""
        with self._followers.followed(game_id) as woken:
            is_over = woken is None
            while woken is not None and not (is_over or self._followers.is_closing):
                woken.clear()
                last, is_over, event = await run_in_threadpool(
                    self._with_room, game_id, lambda session, seen=last: self._next(session, seen)
                )
                yield event
                if not is_over:
                    async for _ in alive_until(woken):
                        yield None

    def _next(
        self, session: GameSession, since: str | None
    ) -> tuple[str | None, bool, StreamEvent | None]:
        """Return what a spectator knows then, whether that was all, and the event if any."""
        is_over = session.outcome is not None
        if session.game.public_is_late and not is_over:
            return None, False, waiting(session.game.title)
        if is_over and since is None:
            return None, True, scene(self._scenes.whole(session))
        moment, message = self._scenes.message_since(session, since)
        if moment == since and not is_over:
            return since, False, None
        return moment, is_over, scene(message, moment)

    def _with_room(self, game_id: str, use: Callable[[GameSession], T]) -> T:
        """Raises: NoSuchGame."""
        with self._game_service.session(game_id) as session:
            return use(session)


def live_page(
    names: Iterable[str],
    game: str,
    public_path: str = "",
    *,
    styles: Sequence[str] = STYLES,
    script: str = WATCH,
    panels: str = "",
    how_to_play: str = "",
    foot: str = "",
    preview: str = "",
) -> bytes:
    """Return the page of a match of these players, which is fed by the server.

    `game`: its title; `public_path`: see server/http/public_path.py; `panels` and so
    on: see `live_document`.
    """
    return live_document(
        " : ".join(names),
        game,
        styles=[f"{public_path}/static/{name}" for name in styles],
        script=f"{public_path}/static/{bundle_path(script)}",
        home=f"{public_path}/",
        panels=panels,
        how_to_play=how_to_play,
        foot=foot,
        preview=preview,
    )


def last_seen(request: Request) -> str | None:
    """Return the last moment that a browser saw, if it saw one of ours."""
    return request.headers.get("last-event-id", "")[:MOST_LETTERS] or None


def scene(message: bytes, moment: str | None = None) -> StreamEvent:
    """Return what there is to see as an event; without a moment it is never asked for again."""
    return StreamEvent("scene", message, moment)


def waiting(title: str) -> StreamEvent:
    """Return the event that says why there is nothing to see yet."""
    words = f"{title} is shown once it is over: its players must not see each other's pieces."
    return StreamEvent("wait", encode({"words": words}))
