"""What programs with tokens do on a server: the operations of remote bots."""

from collections.abc import Iterator, Sequence
from functools import partial
from http import HTTPStatus
from operator import attrgetter
from typing import Annotated

from msgspec import Meta, Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from engine.catalog import GAMES, find_game
from server.bots.bots import Bot, authored_bots
from server.games.boards import has_board
from server.games.game_service import GameService
from server.games.lobby_pages import LobbyPages
from server.games.new_games import LADDER, Opponents
from server.games.open_games import OpenGames
from server.http.errors import Denied
from server.http.event_streams import EventStream, encode_events
from server.http.openapi import ABOUT_REMOTE_EVENTS, Operation
from server.http.page_requests import PageRequest, Pages
from server.http.paging import MAX_PAGE, nearest_page
from server.http.parts import Part
from server.http.permissions import Permission, require_player
from server.http.responses import EVENTS, Empty, parse_query
from server.identity.visitors import Visitor
from server.remote_bots.bodies import Challenge, ChallengeBody, Challenges, PlayQuery
from server.remote_bots.challenges import WaitingGames
from server.remote_bots.event_stream import RemoteStreams

LIST_REFUSALS = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS)
"""How a program with a token may be refused."""
ANSWER_REFUSALS = (*LIST_REFUSALS, HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY)
PER_PAGE = 100


class ListedBot(Struct, frozen=True, kw_only=True):
    """A bot of this server, or one that was handed in here."""

    opponent: str | None
    """What stands for it as the `bot` of a challenge; null where nobody may play against it."""
    id: str | None
    """Of one that was handed in: its page is `/bots/ID`."""
    game: str
    name: str
    author: str
    """'' for those that came with the server, and for one's own."""
    elo: float | None
    """Its latest rating on a ladder; null without one, and for those that came with the server."""
    is_yours: bool


class ListedBots(Struct, frozen=True, kw_only=True):
    """A page of the bots that whoever asks may play against, and of their own."""

    page: int
    pages: int
    bots: list[ListedBot]


class BotsQuery(Struct, frozen=True):
    """Which bots are wanted."""

    game: Annotated[str, Meta(max_length=40, description="Of which game, by its name.")]
    page: Annotated[int, Meta(ge=1, le=MAX_PAGE, description=f"{PER_PAGE} are on each.")] = 1


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
        self._waiting = WaitingGames(open_games, opponents, pages.people, lobby_pages.start_game)
        self._opponents = opponents
        self._streams = RemoteStreams(game_service)
        open_games.add_listener(self._streams.on_waiting_game_change)

    @property
    def operations(self) -> Sequence[Operation]:
        one = "/challenges/{game}"
        played = partial(Operation, permission=Permission.PLAYER, refusals=ANSWER_REFUSALS)
        return [
            Operation("GET", "/bots", self._bots, ListedBots, query=BotsQuery),
            played("GET", "/challenges", self._list, Challenges, refusals=LIST_REFUSALS),
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
                refusals=LIST_REFUSALS,
                about_answer=ABOUT_REMOTE_EVENTS,
            ),
        ]

    def end_streams(self) -> None:
        """End all streams, so that the server can end; on the event loop."""
        self._streams.followers.close_all_streams()

    def _list(self, request: Request) -> Challenges:
        """Return the games that wait for the remote bot, or for others and are its own."""
        return Challenges(challenges=self._waiting.find_games(require_player(request.user)))

    def _make(self, request: Request, body: ChallengeBody) -> Challenge:
        """Challenge others, or open a game to all: the remote bot has one of its seats."""
        me = require_player(request.user)
        PageRequest(self._pages, request).count("new_game", person=me)
        return self._waiting.make(me, body)

    def _accept(self, request: Request) -> Challenge:
        """Let the remote bot sit down; the game begins when all seats are taken."""
        return self._waiting.accept(require_player(request.user), request.path_params["game"])

    def _decline(self, request: Request) -> Challenge:
        """Say that the remote bot does not play."""
        return self._waiting.decline(require_player(request.user), request.path_params["game"])

    def _cancel(self, request: Request) -> None:
        """Cancel a game of one's own that has not begun, or leave a seat of another."""
        self._waiting.cancel(require_player(request.user), request.path_params["game"])

    async def _events(self, request: Request) -> Response:
        """Follow challenges, and what is asked of the remote bot in all its games."""
        query = parse_query(request, PlayQuery)
        me = await run_in_threadpool(require_player, request.user)
        last = request.headers.get("last-event-id", "")
        events = encode_events(self._streams.follow(request.user, me, query, last))
        return EventStream(events, place=self._streams.count_stream(me))

    def _bots(self, request: Request, query: BotsQuery) -> ListedBots:
        """Return the bots of a game to play against, the strongest first; and those of who asks."""
        found = self._find_bots(request.user, query)
        page = nearest_page(query.page, len(found), PER_PAGE)
        shown = found[page.first : page.first + page.most]
        return ListedBots(page=page.number, pages=page.pages, bots=shown)

    def _find_bots(self, visitor: Visitor, query: BotsQuery) -> list[ListedBot]:
        """Raises: Denied."""
        me, game = visitor.caller, query.game
        if game not in GAMES:
            raise Denied(HTTPStatus.NOT_FOUND, f"there is no such game; one of {', '.join(GAMES)}")
        own_bots: list[Bot] = [] if me is None else visitor.read(authored_bots(me.id))[0]
        return list(self._bots_of_game(game, own_bots))

    def _bots_of_game(self, game: str, own_bots: Sequence[Bot]) -> Iterator[ListedBot]:
        own = {bot.id: bot for bot in own_bots if bot.game == game}
        is_played = has_board(find_game(game))
        for bot in self._opponents.open_bots(game):
            yield ListedBot(
                opponent=LADDER + bot.id if is_played else None,
                id=bot.id,
                game=game,
                name=bot.name,
                author=bot.author,
                elo=bot.elo,
                is_yours=own.pop(bot.id, None) is not None,
            )
        for one in sorted(own.values(), key=attrgetter("name")):
            yield ListedBot(
                opponent=None,
                id=one.id,
                game=game,
                name=one.name,
                author="",
                elo=None,
                is_yours=True,
            )
        for name in self._opponents.list_names(game) if is_played else ():
            yield ListedBot(
                opponent=name, id=None, game=game, name=name, author="", elo=None, is_yours=False
            )
