"""Contests, tables of ladders and matches of tournaments, as programs are told of them."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from http import HTTPStatus
from typing import Annotated

from msgspec import Meta, Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from runners.contests.ladders import every_ladder, ladder_of_id
from runners.contests.open_tournaments import SavedTournament, all_tournaments, upcoming_tournaments
from runners.contests.tournament_request import tournament_title
from server.contests.contest_pages import BOTS_PER_PAGE
from server.contests.ladder_tables import MAX_LEADERS, Head, LadderTables, Standing
from server.contests.tournament_views import (
    MatchesQuery,
    TournamentMatches,
    TournamentView,
    TournamentViews,
    read_query,
)
from server.http.errors import Denied
from server.http.event_streams import Events
from server.http.openapi import WATCHING, Operation
from server.http.page_requests import PageRequest, Pages
from server.http.paging import MAX_PAGE, nearest_page
from server.http.parts import Part
from server.http.responses import json_response, parse_query
from server.http.shared_stream import Follow
from server.watching.live_scene import PolledNews, follow
from server.watching.running_matches import RunningMatches


class ListedContest(Struct, frozen=True, kw_only=True):
    """A ladder, a season or a tournament, in a list of them."""

    id: str
    """The id of a ladder, or the name of a tournament: its page is `/contests/ID`."""
    name: str
    game: str
    format: str
    """`ladder`, `season`, or the format of a tournament."""
    state: str
    """`announced`, `running`, `paused`, `over` and so on, as the pages say."""
    bots: int
    matches: int
    """How many were played."""
    begins_at: datetime
    entries_until: datetime | None = None
    """When handing in closes; null where it stays open, and where nobody enters any more."""
    ends_at: datetime | None = None
    """Of a season: when handing in closes, and its final begins."""
    is_frozen: bool = False
    """Whether the table is shown as it stood when it was frozen."""
    ladder: str | None = None
    """Whose bots play a tournament; null of a ladder."""
    leaders: list[str] = []
    """The names of the first three, as far as they are known."""


class ListedContests(Struct, frozen=True, kw_only=True):
    """All contests: first the ladders and seasons, then the tournaments, those to begin first."""

    contests: list[ListedContest]


class ListedLadders(Struct, frozen=True, kw_only=True):
    """All ladders, in the order in which they were made."""

    ladders: list[ListedContest]


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

    ladder: ListedContest
    page: int
    pages: int
    standings: list[RankedBot]


class TableQuery(Struct, frozen=True):
    """Which page of a list is wanted."""

    page: Annotated[int, Meta(ge=1, le=MAX_PAGE, description=f"{BOTS_PER_PAGE} are on each.")] = 1


class ContestApi(Part):
    """What contests there are, and how they stand."""

    def __init__(
        self,
        pages: Pages,
        tables: LadderTables,
        views: TournamentViews,
        running: RunningMatches,
    ) -> None:
        self._pages = pages
        self._tables = tables
        self._views = views
        self._running = running

    @property
    def operations(self) -> Sequence[Operation]:
        return [
            Operation("GET", "/contests", self._contests, ListedContests, refusals=()),
            Operation("GET", "/ladders", self._ladders, ListedLadders, refusals=()),
            Operation(
                "GET",
                "/ladders/{ladder}",
                self._table,
                ListedTable,
                query=TableQuery,
                refusals=WATCHING,
            ),
            Operation(
                "GET",
                "/tournaments/{name}/matches",
                self._matches,
                TournamentMatches,
                query=MatchesQuery,
            ),
        ]

    @property
    def topics(self) -> Mapping[str, Follow]:
        return {"tournaments/news": self._follow}

    async def _contests(self, request: Request) -> Response:
        """Return all contests: ladders, seasons and tournaments."""

        def answer(asked: PageRequest) -> Response:
            ladders, begun, announced = asked.read(
                every_ladder(), all_tournaments(), upcoming_tournaments()
            )
            heads = self._tables.heads(ladders, asked.visitor.caller)
            views, _ = self._views.view_all(asked, begun)
            games = {ladder.id: ladder.spec.game for ladder in ladders}
            found = [
                *map(_make_listed_contest, heads),
                *(_make_announced(one, games[one.ladder]) for one in announced),
                *map(_make_begun, views),
            ]
            return json_response(ListedContests(contests=found))

        return await self._respond(request, answer)

    async def _ladders(self, request: Request) -> Response:
        """Return all ladders."""

        def answer(asked: PageRequest) -> Response:
            (ladders,) = asked.read(every_ladder())
            heads = self._tables.heads(ladders, asked.visitor.caller)
            found = [_make_listed_contest(head) for head in heads]
            return json_response(ListedLadders(ladders=found))

        return await self._respond(request, answer)

    async def _table(self, request: Request) -> Response:
        """Return the table of a ladder, as whoever asks may see it."""
        query = parse_query(request, TableQuery)

        def answer(asked: PageRequest) -> Response:
            (ladder,) = asked.read(ladder_of_id(asked.part("ladder")))
            if ladder is None:
                raise Denied(HTTPStatus.NOT_FOUND, "there is no such ladder")
            (head,) = self._tables.heads([ladder], asked.visitor.caller)
            page = nearest_page(query.page, head.bots, BOTS_PER_PAGE)
            shown = head.table.standings[page.first : page.first + page.most]
            table = ListedTable(
                ladder=_make_listed_contest(head),
                page=page.number,
                pages=page.pages,
                standings=[_make_ranked_bot(one) for one in shown],
            )
            return json_response(table)

        return await self._respond(request, answer)

    async def _matches(self, request: Request) -> Response:
        """Return matches of a tournament: played, being played and waiting."""
        query = read_query(request.query_params)

        def answer(asked: PageRequest) -> Response:
            view = self._views.load(asked.read, asked.part("name"))
            return json_response(self._views.find_matches(view, query))

        return await self._respond(request, answer)

    def _follow(self, request: Request, name: str, last: str | None) -> Events:
        """Follow how a tournament stands, and what is being played of it."""
        make = partial(PolledNews, "news", partial(self._views.render_news, name))
        return follow(self._running.topics, f"tournaments/{name}", make, last)

    async def _respond(
        self, request: Request, answer: Callable[[PageRequest], Response]
    ) -> Response:
        """Answer on a thread."""
        return await run_in_threadpool(lambda: answer(PageRequest(self._pages, request)))


def _make_listed_contest(head: Head) -> ListedContest:
    ladder = head.ladder
    return ListedContest(
        id=ladder.id,
        name=ladder.name,
        game=ladder.spec.game,
        format="season" if ladder.is_season else "ladder",
        state=head.state,
        bots=head.bots,
        matches=head.matches,
        begins_at=ladder.begins_at,
        entries_until=ladder.ends_at,
        ends_at=ladder.ends_at,
        is_frozen=head.is_frozen,
        leaders=[one.name for one in head.leaders],
    )


def _make_announced(one: SavedTournament, game: str) -> ListedContest:
    assert one.choices is not None
    return ListedContest(
        id=one.name,
        name=tournament_title(one.name),
        game=game,
        format=one.choices.format,
        state="announced",
        bots=0,
        matches=0,
        begins_at=one.begins_at or one.created_at,
        entries_until=one.entries_until,
        ladder=one.ladder,
    )


def _make_begun(view: TournamentView) -> ListedContest:
    plan, standings = view.tournament.field.plan, view.shown.standings
    first = standings.rows[:MAX_LEADERS] if standings.played else ()
    return ListedContest(
        id=view.saved.name,
        name=tournament_title(view.saved.name),
        game=plan.game,
        format=plan.format,
        state=view.state,
        bots=len(standings.rows),
        matches=standings.played,
        begins_at=view.saved.created_at,
        ladder=view.saved.ladder,
        leaders=[row.bot.name for row in first],
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
