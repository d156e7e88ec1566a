"""What programs with tokens do on a server: the operations of remote bots."""

from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from server.games.game_service import GameService
from server.games.lobby_pages import LobbyPages
from server.games.new_games import Opponents
from server.games.open_games import OpenGames
from server.http.bodies import Empty
from server.http.event_streams import EventStream
from server.http.openapi import ABOUT_REMOTE_EVENTS, Operation
from server.http.page_requests import PageRequest, Pages
from server.http.parts import Part
from server.http.permissions import Permission, player_of
from server.http.responses import EVENTS, query_of, read, sent
from server.http.server_sent_events import encoded
from server.identity.people import Person
from server.remote_bots.bodies import Challenge, ChallengeBody, Challenges, PlayQuery
from server.remote_bots.bot_list import BotList
from server.remote_bots.challenges import WaitingGames
from server.remote_bots.event_stream import RemoteStreams

ASKING = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS)
"""How a program with a token may be refused."""
ANSWERING = (*ASKING, HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY)


class RemoteBotsPart(Part):
    """Challenges, whom there is to challenge, and the stream of what is asked of a remote bot."""

    def __init__(
        self,
        pages: Pages,
        game_service: GameService,
        open_games: OpenGames,
        opponents: Opponents,
        lobby_pages: LobbyPages,
    ) -> None:
        self._pages = pages
        self._new_games = lobby_pages.new_games
        self._waiting = WaitingGames(open_games, opponents, pages.people, lobby_pages.begin_game)
        self._bots = BotList(opponents)
        self._streams = RemoteStreams(game_service)
        open_games.add_listener(self._streams.waiting_game_changed)

    @property
    def operations(self) -> Sequence[Operation]:
        one = "/challenges/{game}"
        played = partial(Operation, permission=Permission.PLAYER, refusals=ANSWERING)
        return [
            self._bots.operation,
            played("GET", "/challenges", self._list, Challenges, refusals=ASKING),
            played("POST", "/challenges", self._make, Challenge, ChallengeBody),
            played("POST", f"{one}/accept", self._accept, Challenge),
            played("POST", f"{one}/decline", self._decline, Challenge),
            played("DELETE", one, self._cancel, Empty),
            played(
                "GET",
                "/me/events",
                self._events,
                str,
                query=PlayQuery,
                media_type=EVENTS,
                refusals=ASKING,
                about_answer=ABOUT_REMOTE_EVENTS,
            ),
        ]

    def end_streams(self) -> None:
        """End all streams, so that the server can end; on the event loop."""
        self._streams.close()

    async def _list(self, request: Request) -> Response:
        """Return the games that wait for the remote bot, or for others and are its own."""
        return await self._answered(
            request, lambda asked, me: Challenges(challenges=self._waiting.of(me))
        )

    async def _make(self, request: Request) -> Response:
        """Challenge others, or open a game to all: the remote bot has one of its seats."""
        body = await read(request, ChallengeBody)

        def make(asked: PageRequest, me: Person) -> Challenge:
            asked.require(self._new_games, me.id, "new games")
            return self._waiting.make(me, body)

        return await self._answered(request, make)

    async def _accept(self, request: Request) -> Response:
        """Let the remote bot sit down; the game begins when all seats are taken."""
        return await self._answered(
            request, lambda asked, me: self._waiting.accept(me, asked.part("game"))
        )

    async def _decline(self, request: Request) -> Response:
        """Say that the remote bot does not play."""
        return await self._answered(
            request, lambda asked, me: self._waiting.decline(me, asked.part("game"))
        )

    async def _cancel(self, request: Request) -> Response:
        """Cancel a game of one's own that has not begun, or leave a seat of another."""

        def cancel(asked: PageRequest, me: Person) -> Empty:
            self._waiting.cancel(me, asked.part("game"))
            return Empty()

        return await self._answered(request, cancel)

    async def _events(self, request: Request) -> Response:
        """Follow challenges, and what is asked of the remote bot in all its games."""
        query = query_of(request, PlayQuery)
        me = await run_in_threadpool(player_of, request.user)
        last = request.headers.get("last-event-id", "")
        events = encoded(self._streams.follow(request.user, me, query, last))
        return EventStream(events, place=self._streams.counted(me))

    async def _answered(
        self, request: Request, answer: Callable[[PageRequest, Person], Any]
    ) -> Response:
        """Answer on a thread."""

        def answered() -> Response:
            return sent(answer(PageRequest(self._pages, request), player_of(request.user)))

        return await run_in_threadpool(answered)
