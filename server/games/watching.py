"""Watching a game of the server: its page, and the streams that say what has changed."""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from zlib import crc32

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute

from engine.replays import decisions
from engine.replays.decisions import Decision
from engine.replays.public_copy import PublicReplay
from engine.replays.reading import Replay
from engine.streams import seed_text
from server.games.game_records import GameRecords
from server.games.game_service import GameService
from server.games.game_sessions import GameObserver, GameSession
from server.games.history import Undone
from server.games.positions import load_position
from server.games.seats import Seats
from server.http.event_streams import (
    Events,
    EventStream,
    Follow,
    Followers,
    SharedStream,
    StreamEvent,
    alive_until,
    encode_events,
)
from server.http.openapi import ABOUT_EVENTS, ABOUT_SCENES, ABOUT_STREAM, Operation
from server.http.permissions import Permission, PermittedRoute
from server.http.responses import EVENTS, StreamQuery, encode
from server.identity.text_limits import parse_whole_number
from server.watching.live_scene import EventSource, LiveScene, Topics, follow
from server.watching.scene_messages import (
    WholeMatches,
    describe_match,
    last_event_id,
    late_words,
    live_page,
    render_whole_match,
)
from server.watching.visibility import Role, VisiblePart, WatchedMatch, find_visible_part
from visualizer.backends.page import draw_poster
from visualizer.backends.page.growing import GrowingPage
from visualizer.drawing.sprites import Sprites, load_match_sprites
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import scene_class

MOMENT_LETTERS = 16


class SessionEvents(EventSource):
    """A game of people that is watched: what the public has observed of it."""

    def __init__(
        self,
        game_service: GameService,
        game_id: str,
        out: Path,
        records: GameRecords,
        whole: WholeMatches,
    ) -> None:
        """`out` is where the pictures of bots are kept."""
        super().__init__()
        self._game_service = game_service
        self._game_id = game_id
        self._out = out
        self._records = records
        self._whole = whole
        self._about: dict[str, object] = {}
        self._log: list[Decision | Undone] = []
        """The decisions of which the page has what was observed."""
        self._hash = sha256()
        self._replay: PublicReplay

    def read_new_entries(self) -> None:
        """Take in what was decided meanwhile. Raises: NoSuchGame."""
        with self._game_service.open_session(self._game_id) as session:
            self.is_over = session.outcome is not None
            self._about = describe_session(session, is_whole=False)
            part = find_visible_part(Role.SPECTATOR, WatchedMatch(session.game, self.is_over))
            if part is VisiblePart.AFTER_THE_END:
                self.why_hidden = late_words(session.game.title)
            elif part is VisiblePart.PUBLIC_VIEW or self.page is not None:
                self._add_observed(session)

    def describe(self) -> dict[str, object]:
        return self._about

    def render_whole(self) -> bytes | None:
        """Return all that may be published of a game that is over."""
        if not self.is_over:
            return None
        with self._game_service.open_session(self._game_id) as session:
            replay = self._records.replay(session)
            about = describe_session(session, is_whole=True)
            sprites = load_session_sprites(session, self._out)
            # By the name of its record, which is another one where a player's name was taken off.
            return self._whole.load(
                replay.name, lambda: render_whole_match(Replay(replay), sprites, about)
            )

    def _add_observed(self, session: GameSession) -> None:
        observed, known = session.observed[None], len(self._log)
        is_same = session.log[:known] == self._log
        is_taken_back = any(isinstance(one, Undone) for one in session.log[known:])
        if self.page is None or not is_same or is_taken_back:
            self._open_page(session)
        for number in range(len(self.moments), len(observed)):
            # Who watches a game without secrets sees the orders, too.
            decided = session.log[number - 1] if number else None
            is_shown = session.game.open_information and observed[number]
            orders = [decided] if is_shown and isinstance(decided, Decision) else []
            self._replay.add([*orders, *observed[number]])
            if session.outcome is not None and number == len(observed) - 1:
                self._replay.end(session.outcome)
            assert self.page is not None
            self.page.grow()
            # Of all events so far: after a move was taken back, the same turn is another moment.
            self._hash.update(decisions.encode(observed[number]))
            self.moments.append(self._hash.hexdigest()[:MOMENT_LETTERS])
        self._log = list(session.log)

    def _open_page(self, session: GameSession) -> None:
        seats = [one.contestant for one in session.stored.seats]
        self._replay = PublicReplay(session.stored.spec, seats)
        self.page = GrowingPage(
            ReplayTimeline(self._replay), load_session_sprites(session, self._out)
        )
        self._hash = sha256()
        self.moments = []


def describe_session(session: GameSession, *, is_whole: bool) -> dict[str, object]:
    """Return what a page says of a game besides what happens in it."""
    return describe_match(
        (seated.name for seated in session.stored.seats),
        is_over=session.outcome is not None,
        is_whole=is_whole,
        seed=seed_text(session.stored.spec.seed),
        seed_hash=session.seed_hash,
        is_continuable=is_whole and len(session.decisions) > 0,
        follows=True,
    )


def load_session_sprites(session: GameSession, out: Path) -> Sprites:
    digests = [seated.digest for seated in session.stored.seats]
    return load_match_sprites(session.game.name, digests, out)


def draw_public_board(session: GameSession) -> str:
    """Return the board as everybody may see it now, as SVG that stands until its page is loaded."""
    part = find_visible_part(Role.SPECTATOR, WatchedMatch(session.game, is_over=False))
    if part is not VisiblePart.PUBLIC_VIEW:
        return ""
    spec = session.stored.spec
    scene = scene_class(spec.game)(spec.settings, len(session.names))
    scene.names = list(session.names)
    return draw_poster(scene, session.stepper.known[None], _load_game_sprites(spec.game))


@cache
def _load_game_sprites(game: str) -> Sprites:
    """Return the sprites of a game, without those of bots: they are drawn once for all boards."""
    return Sprites(game, {})


class GameStreams(GameObserver):
    """Sends positions to those who play and look on, and scenes to those who watch.

    Spectators are sent the public view alone, and after the end everything.
    """

    def __init__(
        self,
        game_service: GameService,
        seats: Seats,
        records: GameRecords,
        out: Path,
        public_path: str,
        topics: Mapping[str, Follow],
    ) -> None:
        """`out`: the folder of results; `public_path`: see server/http/public_path.py.

        `topics`: what else pages follow by the stream that they share.
        """
        self._game_service = game_service
        self._seats = seats
        self.followers = Followers()
        self._out = out
        self._records = records
        self._public_path = public_path
        self._scenes = Topics(self.followers)
        self._whole = WholeMatches()
        of_games = {"games/events": self._follow, "games/scene": self._follow_scene}
        self._shared = SharedStream(self.followers, {**of_games, **topics})
        game_service.add_observer(self)

    @property
    def routes(self) -> Sequence[BaseRoute]:
        return [PermittedRoute("/games/{game}/watch", Permission.ANYBODY, self._page, ["GET"])]

    @property
    def operations(self) -> Sequence[Operation]:
        followed = partial(Operation, "GET", answer=str, media_type=EVENTS)
        return [
            followed(
                "/stream", self._stream, query=StreamQuery, about_answer=ABOUT_STREAM, refusals=()
            ),
            followed("/games/{game}/events", self._events, about_answer=ABOUT_EVENTS),
            followed("/games/{game}/scene", self._scene, about_answer=ABOUT_SCENES),
        ]

    def on_game_change(self, game_id: str) -> None:
        self.followers.notify(game_id)

    def _page(self, request: Request) -> Response:
        with self._game_service.open_session(request.path_params["game"]) as session:
            poster, title = draw_public_board(session), session.game.title
            page = live_page(session.names, title, self._public_path, poster=poster)
        return HTMLResponse(page)

    def _follow_scene(self, request: Request, game_id: str, last: str | None) -> Events:
        """Follow a game from the moment that was seen last."""
        return follow(self._scenes, game_id, partial(self._make_scene, game_id), last)

    def _make_scene(self, game_id: str) -> LiveScene:
        args = self._game_service, game_id, self._out, self._records, self._whole
        return LiveScene(SessionEvents(*args))

    async def _events(self, request: Request) -> Response:
        """Follow a game: its position now and after each change."""
        # Refused before the stream begins: after that there is no status.
        game_id = await run_in_threadpool(self._seats.require_game, request)
        last = request.headers.get("last-event-id", "")
        return EventStream(encode_events(_merge_by_step(self._follow(request, game_id, last))))

    async def _scene(self, request: Request) -> Response:
        """Follow a game as the replay page draws it: the public view, and in the end all of it."""
        game_id = await run_in_threadpool(self._seats.require_game, request)
        events = self._follow_scene(request, game_id, last_event_id(request))
        return EventStream(encode_events(events))

    async def _stream(self, request: Request) -> Response:
        """Follow several games at once."""
        return self._shared.response(request)

    async def _follow(self, request: Request, game_id: str, last: str | None) -> Events:
        """Follow a game; who knows its position, and its step, is told what has happened since.

        Who knows all of its present position is told nothing before it changes.
        """
        with self.followers.follow(game_id) as woken:
            while woken is not None and not self.followers.is_closing:
                woken.clear()
                since = parse_step(last or "")
                teams = await self._seats.teams_now(request, game_id)
                read = partial(make_position_event, self._game_service, game_id, teams, since)
                event = await self.followers.read_shared(game_id, (teams, since), read)
                yield None if event.last == last else event
                last = event.last or ""
                async for _ in alive_until(woken):
                    yield None


def make_position_event(
    game_service: GameService, game_id: str, teams: tuple[int, ...], since: int | None
) -> StreamEvent:
    """Return the event of a stream, encoded: it is the same for all who play these teams."""
    position = load_position(game_service, game_id, teams, since)
    # What has happened is told once, and is nothing that a position is known by.
    known_by = crc32(encode(msgspec.structs.replace(position, happened=())))
    return StreamEvent("position", encode(position), f"{position.step}-{known_by:08x}")


def parse_step(last: str) -> int | None:
    """Return the step of the last event that somebody saw, if it is one of ours."""
    return parse_whole_number(last.partition("-")[0])


async def _merge_by_step(events: Events) -> Events:
    """Yield events with their step alone as what was seen, as the API says."""
    async for event in events:
        if event is None:
            yield None
        else:
            yield event._replace(last=(event.last or "").partition("-")[0])
