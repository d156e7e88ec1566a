"""Watching a game of the server: its page, and the stream of what there is to see."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from msgspec.json import encode
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute

from engine.game import Event
from engine.replays import decisions
from engine.replays.decisions import Decision
from engine.replays.public_copy import PublicReplay
from engine.replays.reading import Replay
from engine.streams import seed_text
from server.games.game_records import GameRecords
from server.games.game_service import GameService
from server.games.game_sessions import GameSession
from server.http.bundles import WATCH, bundle_path
from server.http.event_streams import (
    Events,
    EventStream,
    Followers,
    StreamEvent,
    alive_until,
    encode_events,
)
from server.http.permissions import Permission, PermittedRoute
from visualizer.backends.page.document import live_document
from visualizer.backends.page.growing import GrowingPage
from visualizer.drawing.sprites import Sprites, load_match_sprites
from visualizer.model.timeline import ReplayTimeline

T = TypeVar("T")
STYLES = ("shared/theme.css", "viewer/details.css", "viewer/page.css", "viewer/live.css")
MAX_EVENT_ID_LENGTH = 64
MOMENT_LETTERS = 16
MAX_CACHED_SCENES = 50
"""SpectatorScenes that are kept in memory; any other is made again from its game."""


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
        page = await run_in_threadpool(self._with_room, game_id, self._render_page)
        return HTMLResponse(page)

    def _render_page(self, session: GameSession) -> bytes:
        names = (seated.name for seated in session.stored.seats)
        return live_page(names, session.game.title, self._public_path)

    async def scene(self, request: Request) -> Response:
        """Follow a game as the replay page draws it: the public view, and in the end all of it."""
        game_id = request.path_params["game"]
        await run_in_threadpool(
            self._with_room, game_id, lambda session: None
        )  # 404 before it begins
        return EventStream(encode_events(self.follow(request, game_id, last_event_id(request))))

    async def follow(self, request: Request, game_id: str, last: str | None) -> Events:
        """Follow a game from the moment that was seen last."""
        with self._followers.following(game_id) as woken:
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


def last_event_id(request: Request) -> str | None:
    """Return the last moment that a browser saw, if it saw one of ours."""
    return request.headers.get("last-event-id", "")[:MAX_EVENT_ID_LENGTH] or None


def scene(message: bytes, moment: str | None = None) -> StreamEvent:
    """Return what there is to see as an event; without a moment it is never asked for again."""
    return StreamEvent("scene", message, moment)


def waiting(title: str) -> StreamEvent:
    """Return the event that says why there is nothing to see yet."""
    words = f"{title} is shown once it is over: its players must not see each other's pieces."
    return StreamEvent("wait", encode({"words": words}))


class Story:
    """A game that is watched: what the public has observed of it, as a page draws that."""

    def __init__(self, session: GameSession, sprites: Sprites) -> None:
        self._sprites = sprites
        self._begin(session)

    def _begin(self, session: GameSession) -> None:
        self._replay = PublicReplay(
            session.stored.spec, [one.contestant for one in session.stored.seats]
        )
        self._page = GrowingPage(ReplayTimeline(self._replay), self._sprites)
        self._hash = sha256()
        self._moments: list[str] = []

    def catch_up(self, session: GameSession) -> str:
        """Take in what was decided meanwhile; return what stands for all that was sent so far."""
        if not self._is_consistent_with(session):
            self._begin(session)  # a move was taken back
        observed = session.observed[None]
        for number in range(len(self._moments), len(observed)):
            # Who watches a game without secrets sees the orders, too.
            decided = session.log[number - 1] if number else None
            is_shown = session.game.open_information and observed[number]
            orders = [decided] if is_shown and isinstance(decided, Decision) else []
            self._replay.add([*orders, *observed[number]])
            if session.outcome is not None and number == len(observed) - 1:
                self._replay.end(session.outcome)
            self._page.grow()
            self._moments.append(self._next(observed[number]))
        return self._moments[-1]

    def message(self, since: str | None, about: Mapping[str, object]) -> bytes:
        """Return what a page needs that knows the game up to a moment; None: nothing.

        Who knows of another past, which does not count any more, gets everything anew.
        """
        known = None
        if since is not None and since in self._moments:
            known = self._moments.index(since)
        return self._page.message(known, about)

    def _is_consistent_with(self, session: GameSession) -> bool:
        """Return whether the game still begins as it was sent."""
        # The hash starts anew, and is in the end where the next moment continues it.
        observed, self._hash = session.observed[None][: len(self._moments)], sha256()
        return self._moments == [self._next(events) for events in observed]

    def _next(self, events: Sequence[Event]) -> str:
        # Of all events so far: after a move was taken back, the same turn is another moment.
        self._hash.update(decisions.encode(events))
        return self._hash.hexdigest()[:MOMENT_LETTERS]


class SpectatorScenes:
    """The stories of those games that are watched. All methods may be called from any thread."""

    def __init__(self, out: Path, records: GameRecords) -> None:
        """`out` is where the pictures of bots are kept."""
        self._out = out
        self._records = records
        self._lock = threading.Lock()
        self._scenes = OrderedDict[str, Story]()
        self._whole = OrderedDict[str, bytes]()
        """By the name of a game's record, which is another one where a player's name is gone."""

    def message_since(self, session: GameSession, since: str | None) -> tuple[str, bytes]:
        """Return what stands for all that was sent so far, and what is to be sent of it.

        The session must be held: nothing but what `observed_event` gives the public is looked at.
        """
        with self._lock:
            story = self._scenes.get(session.stored.id)
            if story is None:
                story = self._scenes[session.stored.id] = Story(session, self._sprites(session))
            self._scenes.move_to_end(session.stored.id)
            while len(self._scenes) > MAX_CACHED_SCENES:
                self._scenes.popitem(last=False)
        # Outside of the lock, which is for all games: the session is held, so the story is ours.
        moment = story.catch_up(session)
        return moment, story.message(since, about(session, is_whole=False))

    def whole(self, session: GameSession) -> bytes:
        """Return all that may be published of a game that is over. The session must be held."""
        replay = self._records.replay(session)
        key = replay.name  # another one where a name on it was taken off
        with self._lock:
            content = self._whole.get(key)
        if content is None:
            content = self._render_all(session, Replay(replay))
        with self._lock:
            self._scenes.pop(session.stored.id, None)  # from now on it is shown as a whole
            self._whole[key] = content
            self._whole.move_to_end(key)
            while len(self._whole) > MAX_CACHED_SCENES:
                self._whole.popitem(last=False)
        return content

    def _render_all(self, session: GameSession, replay: Replay) -> bytes:
        page = GrowingPage(ReplayTimeline(replay), self._sprites(session))
        page.grow()
        return page.message(None, about(session, is_whole=True))

    def _sprites(self, session: GameSession) -> Sprites:
        digests = [seated.digest for seated in session.stored.seats]
        return load_match_sprites(session.game.name, digests, self._out)


def about(session: GameSession, *, is_whole: bool) -> dict[str, object]:
    """Return what a page says of a game besides what happens in it."""
    is_over = session.outcome is not None
    return {
        "isGrowing": not is_over,
        "isWhole": is_whole,
        "isContinuable": is_whole and len(session.decisions) > 0,
        "follows": True,
        "seats": [seated.name for seated in session.stored.seats],
        "seed": seed_text(session.stored.spec.seed) if is_over else None,
        "seedHash": session.seed_hash,
    }
