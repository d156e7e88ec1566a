"""Contests, tables of ladders and matches of tournaments, as programs are told of them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from http import HTTPStatus
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from runners.contests.contests import (
    IS_BEGUN,
    IS_WAITING,
    SavedTournament,
    find_ladders,
    find_tournaments,
    ladder_of_id,
)
from runners.contests.tournament_request import tournament_title
from server.contests.contest_pages import BOTS_PER_PAGE
from server.contests.ladder_tables import MAX_LEADERS, Head, LadderTables
from server.contests.tournament_views import (
    MatchesQuery,
    TournamentMatches,
    TournamentView,
    TournamentViews,
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
        answering, matches = self._pages.answering, "/tournaments/{name}/matches"
        table = answering(self._table)
        return [
            Operation("GET", "/contests", answering(self._contests), ListedContests, refusals=()),
            Operation("GET", "/ladders", answering(self._ladders), ListedLadders, refusals=()),
            Operation(
                "GET", "/ladders/{ladder}", table, ListedTable, query=TableQuery, refusals=WATCHING
            ),
            Operation(
                "GET", matches, answering(self._matches), TournamentMatches, query=MatchesQuery
            ),
        ]

    @property
    def topics(self) -> Mapping[str, Follow]:
        return {"tournaments/news": self._follow}

    def _contests(self, request: PageRequest) -> Response:
        """Return all contests: ladders, seasons and tournaments."""
        ladders, begun, announced = request.read(
            find_ladders(), find_tournaments(IS_BEGUN), find_tournaments(IS_WAITING)
        )
        heads = self._tables.heads(ladders, request.visitor.caller)
        views, _ = self._views.view_all(request.read, begun)
        games = {ladder.id: ladder.spec.game for ladder in ladders}
        found = [
            *map(_list_ladder, heads),
            *(_list_tournament(one, games[one.ladder], None) for one in announced),
            *(_list_tournament(one.saved, one.tournament.field.plan.game, one) for one in views),
        ]
        return json_response(ListedContests(contests=found))

    def _ladders(self, request: PageRequest) -> Response:
        """Return all ladders."""
        (ladders,) = request.read(find_ladders())
        heads = self._tables.heads(ladders, request.visitor.caller)
        return json_response(ListedLadders(ladders=[_list_ladder(head) for head in heads]))

    def _table(self, request: PageRequest) -> Response:
        """Return the table of a ladder, as whoever asks may see it."""
        query = parse_query(request, TableQuery)
        (ladder,) = request.read(ladder_of_id(request.part("ladder")))
        if ladder is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such ladder")
        (head,) = self._tables.heads([ladder], request.visitor.caller)
        page = nearest_page(query.page, head.bots, BOTS_PER_PAGE)
        table = ListedTable(
            ladder=_list_ladder(head),
            page=page.number,
            pages=page.pages,
            standings=[
                RankedBot(
                    rank=one.rank,
                    bot=one.bot,
                    name=one.name,
                    author=one.author,
                    version=one.number,
                    games=one.games,
                    elo=one.elo,
                    low=None if one.rating is None else one.rating.low,
                    high=None if one.rating is None else one.rating.high,
                    is_provisional=one.is_provisional,
                    is_quarantined=one.is_quarantined,
                )
                for one in head.table.standings[page.first : page.first + page.most]
            ],
        )
        return json_response(table)

    def _matches(self, request: PageRequest) -> Response:
        """Return matches of a tournament: played, being played and waiting."""
        query = parse_query(request, MatchesQuery)
        view = self._views.load(request.read, request.part("name"))
        return json_response(self._views.find_matches(view, query))

    def _follow(self, request: Request, name: str, last: str | None) -> Events:
        """Follow how a tournament stands, and what is being played of it."""
        make = partial(PolledNews, "news", partial(self._views.render_news, name))
        return follow(self._running.topics, f"tournaments/{name}", make, last)


def _list_ladder(head: Head) -> ListedContest:
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


def _list_tournament(one: SavedTournament, game: str, view: TournamentView | None) -> ListedContest:
    """Return a tournament as lists have it; `view`: None of one that is announced."""
    standings = None if view is None else view.shown.standings
    choices = view.tournament.field.plan if view is not None else one.choices
    assert choices is not None
    return ListedContest(
        id=one.name,
        name=tournament_title(one.name),
        game=game,
        format=choices.format,
        state="announced" if view is None else view.state,
        bots=0 if standings is None else len(standings.rows),
        matches=0 if standings is None else standings.played,
        begins_at=(view is None and one.begins_at) or one.created_at,
        entries_until=one.entries_until if view is None else None,
        ladder=one.ladder,
        leaders=[row.bot.name for row in standings.rows[:MAX_LEADERS]]
        if standings is not None and standings.played
        else [],
    )
