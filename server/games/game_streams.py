"""The streams of games: what has changed is sent to those who follow, as they may see it."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from zlib import crc32

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from server.games.game_records import GameRecords
from server.games.game_service import GameService
from server.games.game_sessions import GameObserver
from server.games.positions import load_position
from server.games.seats import Seats
from server.games.watching import Watching
from server.http.bodies import StreamQuery
from server.http.event_streams import (
    Events,
    EventStream,
    Followers,
    StreamEvent,
    alive_until,
    encode_events,
)
from server.http.openapi import ABOUT_EVENTS, ABOUT_SCENES, ABOUT_STREAM, Operation
from server.http.responses import EVENTS, encode
from server.http.shared_stream import Follow, SharedStream
from server.identity.text_limits import parse_whole_number
from server.watching.scene_messages import last_event_id


class GameStreams(GameObserver):
    """Sends positions to those who play and look on, and scenes to those who watch."""

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
        self._followers = Followers()
        self._watching = Watching(game_service, self._followers, out, records, public_path)
        of_games = {"games/events": self._follow, "games/scene": self._watching.follow}
        self._shared = SharedStream(self._followers, {**of_games, **topics})
        self.routes = self._watching.routes
        game_service.add_observer(self)

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

    def start(self) -> None:
        """Begin to send; on the event loop."""
        self._followers.start()

    def close_all_streams(self) -> None:
        """End all streams, so that the server can end; on the event loop."""
        self._followers.close_all_streams()

    @property
    def count(self) -> int:
        """Return how many streams are open; from any thread."""
        return self._followers.streams

    def on_game_change(self, game_id: str) -> None:
        self._followers.notify(game_id)

    async def _events(self, request: Request) -> Response:
        """Follow a game: its position now and after each change."""
        # Refused before the stream begins: after that there is no status.
        game_id = await run_in_threadpool(self._seats.require_game, request)
        last = request.headers.get("last-event-id", "")
        return EventStream(encode_events(_merge_by_step(self._follow(request, game_id, last))))

    async def _scene(self, request: Request) -> Response:
        """Follow a game as the replay page draws it: the public view, and in the end all of it."""
        game_id = await run_in_threadpool(self._seats.require_game, request)
        events = self._watching.follow(request, game_id, last_event_id(request))
        return EventStream(encode_events(events))

    async def _stream(self, request: Request) -> Response:
        """Follow several games at once."""
        return self._shared.response(request)

    async def _follow(self, request: Request, game_id: str, last: str | None) -> Events:
        """Follow a game; who knows its position, and its step, is told what has happened since.

        Who knows all of its present position is told nothing before it changes.
        """
        with self._followers.follow(game_id) as woken:
            while woken is not None and not self._followers.is_closing:
                woken.clear()
                since = parse_step(last or "")
                teams = await self._seats.teams_now(request, game_id)
                read = partial(make_position_event, self._game_service, game_id, teams, since)
                event = await self._followers.read_shared(game_id, (teams, since), read)
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
