"""Contests, tables of ladders and matches of tournaments, as programs are told of them."""

from collections.abc import Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request

from runners.contests.contests import contest_of_id, find_contests, find_ladders, ladder_of_id
from runners.storage.store import find_entrants, find_entrants_of_all
from server.contests.contest_heads import ContestHeads, ListedContest
from server.contests.contest_pages import BOTS_PER_PAGE
from server.contests.tournament_views import (
    MatchesQuery,
    TournamentMatches,
    TournamentViews,
)
from server.http.errors import Denied
from server.http.event_streams import Events, Follow
from server.http.openapi import Operation
from server.http.paging import MAX_PAGE, nearest_page
from server.http.parts import Part
from server.watching.live_scene import PolledNews, follow
from server.watching.running_matches import RunningMatches


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
        self, heads: ContestHeads, views: TournamentViews, running: RunningMatches
    ) -> None:
        self._heads = heads
        self._views = views
        self._running = running

    @property
    def operations(self) -> Sequence[Operation]:
        matches = "/tournaments/{name}/matches"
        return [
            Operation("GET", "/contests", self._contests, ListedContests, refusals=()),
            Operation("GET", "/contests/{id}", self._contest, ListedContest),
            Operation("GET", "/ladders", self._ladders, ListedLadders, refusals=()),
            Operation("GET", "/ladders/{ladder}", self._table, ListedTable, query=TableQuery),
            Operation("GET", matches, self._matches, TournamentMatches, query=MatchesQuery),
        ]

    @property
    def topics(self) -> Mapping[str, Follow]:
        return {"tournaments/news": self._follow}

    def _contests(self, request: Request) -> ListedContests:
        """Return all contests: ladders, seasons and tournaments."""
        found, entrants = request.user.read(find_contests(), find_entrants_of_all())
        heads, _ = self._heads.find_heads(found, entrants, request.user.caller)
        return ListedContests(contests=[one.listed for one in heads])

    def _contest(self, request: Request) -> ListedContest:
        """Return a ladder, a season or a tournament."""
        asked = request.path_params["id"]
        found, entrants = request.user.read(contest_of_id(asked), find_entrants(asked))
        contests = [] if found is None else [found]
        heads, _ = self._heads.find_heads(contests, {asked: entrants}, request.user.caller)
        if not heads:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such contest, or it cannot be read")
        return heads[0].listed

    def _ladders(self, request: Request) -> ListedLadders:
        """Return all ladders."""
        (found,) = request.user.read(find_ladders())
        heads = self._heads.list_ladders(found, request.user.caller)
        return ListedLadders(ladders=[head.listed for head in heads])

    def _table(self, request: Request, query: TableQuery) -> ListedTable:
        """Return the table of a ladder, as whoever asks may see it."""
        (ladder,) = request.user.read(ladder_of_id(request.path_params["ladder"]))
        if ladder is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such ladder")
        (head,) = self._heads.list_ladders([ladder], request.user.caller)
        standings = head.table.standings if head.table is not None else []
        page = nearest_page(query.page, head.listed.bots, BOTS_PER_PAGE)
        return ListedTable(
            ladder=head.listed,
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
                for one in standings[page.first : page.first + page.most]
            ],
        )

    def _matches(self, request: Request, query: MatchesQuery) -> TournamentMatches:
        """Return matches of a tournament: played, being played and waiting."""
        view = self._views.load(request.user.read, request.path_params["name"])
        return self._views.find_matches(view, query)

    def _follow(self, request: Request, name: str, last: str | None) -> Events:
        """Follow how a tournament stands, and what is being played of it."""
        make = partial(PolledNews, "news", partial(self._views.render_news, name))
        return follow(self._running.topics, f"tournaments/{name}", make, last)
