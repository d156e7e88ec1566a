"""The ladders and their tables, for programs: what their pages show to whoever asks."""

from collections.abc import Callable, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Annotated

from msgspec import Meta, Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from runners.contests.ladders import every_ladder, ladder_of_id
from server.contests.ladder_pages import PER_PAGE, Head, LadderPages
from server.contests.ladder_tables import Standing
from server.http.errors import Denied
from server.http.openapi import WATCHING, Operation
from server.http.page_requests import PageRequest, Pages
from server.http.paging import MAX_PAGE, nearest_page
from server.http.parts import Part
from server.http.responses import json_response, parse_query


class ListedLadder(Struct, frozen=True, kw_only=True):
    """A ladder, in a list of them."""

    id: str
    name: str
    game: str
    state: str
    """`running`, `frozen`, `over` and so on, as the pages say."""
    bots: int
    matches: int
    begins_at: datetime
    ends_at: datetime | None
    """Of a season: when handing in closes."""
    is_frozen: bool
    """Whether the table is shown as it stood when it was frozen."""


class ListedLadders(Struct, frozen=True, kw_only=True):
    """All ladders, in the order in which they were made."""

    ladders: list[ListedLadder]


class RankedBot(Struct, frozen=True, kw_only=True):
    """A line of the table of a ladder."""

    rank: int | None
    """Null without a rating."""
    bot: str
    """Its id: its page is `/bots/ID`."""
    name: str
    author: str
    """The names of its authors."""
    version: int
    games: int
    elo: float | None
    low: float | None
    """The 95 % interval; null on a side that has no limit."""
    high: float | None
    is_provisional: bool
    """It has not played enough: the rating may be its predecessor's, with a wider interval."""
    is_quarantined: bool
    """It is not played at present: too many of its matches failed."""


class ListedTable(Struct, frozen=True, kw_only=True):
    """A page of the table of a ladder, the best first."""

    ladder: ListedLadder
    page: int
    pages: int
    standings: list[RankedBot]


class TableQuery(Struct, frozen=True):
    """Which page of a list is wanted."""

    page: Annotated[int, Meta(ge=1, le=MAX_PAGE, description=f"{PER_PAGE} are on each.")] = 1


class LadderApi(Part):
    """What ladders there are, and how they stand."""

    def __init__(self, pages: Pages, ladder_pages: LadderPages) -> None:
        self._pages = pages
        self._ladder_pages = ladder_pages

    @property
    def operations(self) -> Sequence[Operation]:
        return [
            Operation("GET", "/ladders", self._ladders, ListedLadders, refusals=()),
            Operation(
                "GET",
                "/ladders/{ladder}",
                self._table,
                ListedTable,
                query=TableQuery,
                refusals=WATCHING,
            ),
        ]

    async def _ladders(self, request: Request) -> Response:
        """Return all ladders."""

        def answer(asked: PageRequest) -> ListedLadders:
            (ladders,) = asked.read(every_ladder())
            heads = self._ladder_pages.heads(ladders, asked.visitor.caller)
            return ListedLadders(ladders=[_make_listed_ladder(head) for head in heads])

        return await self._respond(request, answer)

    async def _table(self, request: Request) -> Response:
        """Return the table of a ladder, as whoever asks may see it."""
        query = parse_query(request, TableQuery)

        def answer(asked: PageRequest) -> ListedTable:
            (ladder,) = asked.read(ladder_of_id(asked.part("ladder")))
            if ladder is None:
                raise Denied(HTTPStatus.NOT_FOUND, "there is no such ladder")
            (head,) = self._ladder_pages.heads([ladder], asked.visitor.caller)
            page = nearest_page(query.page, head.bots, PER_PAGE)
            shown = head.table.standings[page.first : page.first + page.most]
            return ListedTable(
                ladder=_make_listed_ladder(head),
                page=page.number,
                pages=page.pages,
                standings=[_make_ranked_bot(one) for one in shown],
            )

        return await self._respond(request, answer)

    async def _respond(self, request: Request, answer: Callable[[PageRequest], object]) -> Response:
        """Answer on a thread."""
        return await run_in_threadpool(
            lambda: json_response(answer(PageRequest(self._pages, request)))
        )


def _make_listed_ladder(head: Head) -> ListedLadder:
    ladder = head.ladder
    return ListedLadder(
        id=ladder.id,
        name=ladder.name,
        game=ladder.spec.game,
        state=head.state,
        bots=head.bots,
        matches=head.matches,
        begins_at=ladder.begins_at,
        ends_at=ladder.ends_at,
        is_frozen=head.is_frozen,
    )


def _make_ranked_bot(one: Standing) -> RankedBot:
    rating = one.rating
    return RankedBot(
        rank=one.rank,
        bot=one.bot,
        name=one.name,
        author=one.author,
        version=one.number,
        games=one.games,
        elo=one.elo,
        low=None if rating is None else rating.low,
        high=None if rating is None else rating.high,
        is_provisional=one.is_provisional,
        is_quarantined=one.is_quarantined,
    )
