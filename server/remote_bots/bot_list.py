"""The bots that there are to play against, and one's own, for programs."""

from collections.abc import Iterator, Sequence
from http import HTTPStatus
from operator import attrgetter
from typing import Annotated

from msgspec import Meta, Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from engine.catalog import GAMES
from server.bots.bot_rows import Bot, bots_of
from server.games.boards import BOARDS
from server.games.new_games import LADDER, Opponents
from server.http.errors import Denied
from server.http.openapi import Operation
from server.http.paging import MOST_PAGE, page_of
from server.http.responses import query_of, sent
from server.identity.visitors import Visitor

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

    game: Annotated[str, Meta(max_length=40, description="Of which game, such as `smack`.")]
    page: Annotated[int, Meta(ge=1, le=MOST_PAGE, description=f"{PER_PAGE} are on each.")] = 1


class BotList:
    """Bots that are open to all, and those of whoever asks; others are on tables of ladders."""

    def __init__(self, opponents: Opponents) -> None:
        self._opponents = opponents

    @property
    def operation(self) -> Operation:
        """Return what lists them."""
        return Operation("GET", "/bots", self._bots, ListedBots, query=BotsQuery)

    async def _bots(self, request: Request) -> Response:
        """Return the bots of a game to play against, the strongest first; and those of who asks."""
        query = query_of(request, BotsQuery)
        found = await run_in_threadpool(self._found, request.user, query)
        page = page_of(query.page, len(found), PER_PAGE)
        shown = found[page.first : page.first + page.most]
        return sent(ListedBots(page=page.number, pages=page.pages, bots=shown))

    def _found(self, visitor: Visitor, query: BotsQuery) -> list[ListedBot]:
        """Raises: Denied."""
        me, game = visitor.caller, query.game
        if game not in GAMES:
            raise Denied(HTTPStatus.NOT_FOUND, f"there is no such game; one of {', '.join(GAMES)}")
        mine: list[Bot] = [] if me is None else visitor.read(bots_of(me.id))[0]
        return list(self._of_game(game, mine))

    def _of_game(self, game: str, mine: Sequence[Bot]) -> Iterator[ListedBot]:
        own = {bot.id: bot for bot in mine if bot.game == game}
        is_played = game in BOARDS
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
        for name in self._opponents.names(game) if is_played else ():
            yield ListedBot(
                opponent=name, id=None, game=game, name=name, author="", elo=None, is_yours=False
            )
