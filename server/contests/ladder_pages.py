"""Pages of the ladders: all of them, and the table of each; and what people are told of theirs."""

import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from enum import StrEnum
from http import HTTPStatus

import msgspec
from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from engine.catalog import find_game
from report.charts import Whisker, rating_axis, whisker
from runners.contests.ladder_ratings import Published
from runners.contests.ladders import (
    Entry,
    Ladder,
    describe_end,
    entries_that_stand,
    every_ladder,
    group_of_ladder,
    ladder_of_id,
)
from runners.contests.visibility import table_until, visible_until
from runners.statistics.ratings import Rating, RatingKind
from runners.storage.database import Database, now
from server.bots.bots import Bots
from server.contests.absentees import absentees
from server.contests.ladder_admin_pages import SOURCE_RULES, entry_words, ladder_state
from server.contests.ladder_forms import settings_words
from server.contests.ladder_tables import LadderTable, LadderTables, Standing
from server.contests.moderation import LEAVING_STATES
from server.contests.notices import Notices
from server.contests.playing_now import PlayingNow
from server.contests.scheduled_tournaments import next_sealed_tournament
from server.games.boards import has_board
from server.games.player_ratings import PlayerRatings, ratings_cache_key
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.paging import parse_page
from server.http.parts import Part
from server.http.permissions import Permission
from server.identity.people import Person

WIDTH = 120
"""The size of the drawings of intervals, in pixels."""
MAX_LEADERS = 3
"""Bots of a ladder in the list of ladders."""
MAX_NOTICES = 50
MAX_CACHED_PAGES = 200
"""Pages of tables that are kept as HTML."""
PER_PAGE = 100
"""Bots on a page of a table."""
MAX_FILTER_LENGTH = 60
"""Letters of a filter."""


class Shown(StrEnum):
    """Whose ratings are shown on the page of a ladder."""

    BOTS = "bots"
    PEOPLE = "people"
    BOTH = "both"


class Row(msgspec.Struct, frozen=True):
    """A line of a table: a bot, and where its rating is drawn."""

    standing: Standing
    whisker: Whisker | None


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """A ladder, and its first bots."""

    ladder: Ladder
    table: LadderTable
    state: str
    is_frozen: bool
    leaders: list[Standing]

    @property
    def bots(self) -> int:
        return len(self.table.standings)

    @property
    def matches(self) -> int:
        return self.table.matches


class LadderPages(Part):
    """The ladders, for everybody."""

    def __init__(
        self,
        pages: Pages,
        database: Database,
        tables: LadderTables,
        bots: Bots,
        notices: Notices,
        playing: PlayingNow,
    ) -> None:
        self._pages = pages
        self._playing = playing
        self._bots = bots
        self._notices = notices
        self._tables = tables
        self._lock = threading.Lock()
        self._people = PlayerRatings(database)
        self._kept = OrderedDict[Hashable, tuple[Hashable, Markup]]()

    @property
    def routes(self) -> Sequence[Route]:
        route = self._pages.route
        return [
            route("/ladders", Permission.ANYBODY, self._list),
            route("/ladders/{id}", Permission.ANYBODY, self._show),
            route("/notices", Permission.MEMBER, self._show_notices),
            route("/notices/seen", Permission.MEMBER, self._mark_seen, "POST"),
        ]

    def _list(self, request: PageRequest) -> Response:
        (ladders,) = request.read(every_ladder())
        return request.html("ladders.html", ladders=self.heads(ladders, request.person))

    def heads(self, ladders: Sequence[Ladder], viewer: Person | None) -> list[Head]:
        """Return how ladders stand, as somebody may know it."""
        at = now()
        wanted = [(ladder, table_until(ladder, viewer, at)) for ladder in ladders]
        return [
            Head(
                ladder=ladder,
                table=table,
                state=ladder_state(ladder, at),
                is_frozen=visible_until(ladder, viewer, at) is not None,
                leaders=[one for one in table.standings[:MAX_LEADERS] if one.rank],
            )
            for (ladder, until), table in zip(wanted, self._tables.tables(wanted), strict=True)
        ]

    def _show(self, request: PageRequest) -> Response:
        ladder_id = request.part("id")
        ladder, left, group, sealed = request.read(
            ladder_of_id(ladder_id),
            entries_that_stand(ladder_id, LEAVING_STATES),
            group_of_ladder(ladder_id),
            next_sealed_tournament(ladder_id),
        )
        if ladder is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such ladder")
        at = now()
        until = table_until(ladder, request.person, at)
        game = ladder.spec.game
        marks = [ratings_cache_key(game)] if has_people(ladder) else []
        table, *found_marks = self._tables.table_and(ladder, until, *marks)
        people = [self._people.of(game, mark, request.person) for mark in found_marks]
        wanted = request.query_params.get("q", "").strip()[:MAX_FILTER_LENGTH]
        found = filter_standings(table, wanted)
        page = parse_page(request, len(found), PER_PAGE)
        (absent,) = request.read(absentees(ladder)) if ladder.is_over(at) else ([],)
        listed = found[page.first : page.first + page.most]
        return request.html(
            "ladder.html",
            sealed=sealed,
            ladder=ladder,
            state=ladder_state(ladder, at),
            is_frozen=visible_until(ladder, request.person, at) is not None,
            ended=describe_end(ladder) if ladder.is_closed(at) else "",
            absent=absent,
            count=len(table.standings),
            found=len(found),
            wanted=wanted,
            page=page,
            shown=_parse_shown(request),
            choices=list(Shown),
            people=people[0] if people else None,
            matches=table.matches,
            playing=None if until else self._playing.on(ladder, table),
            mine=_own_rows(table, request.person),
            taken_out=self._find_removed_entries(left),
            settings=settings_words(ladder),
            entry_rule=entry_words(ladder, group),
            source_rule=SOURCE_RULES[ladder.source_rule],
            rows=self._table_html((ladder.id, until, wanted, page), table, listed),
        )

    def _find_removed_entries(self, left: Sequence[Entry]) -> list[tuple[Entry, str]]:
        """Return the entries that organizers have ended and said why, with the bots' names."""
        found = [one for one in left if one.why]
        names = self._bots.names(one.bot for one in found)
        return [(one, names[one.bot]) for one in found if one.bot in names]

    def _show_notices(self, request: PageRequest) -> Response:
        notices = self._notices.of(request.me.id, MAX_NOTICES)
        return request.html("notices.html", notices=notices)

    def _mark_seen(self, request: PageRequest) -> Response:
        """Note that somebody has seen the notices up to a number."""
        me, up_to = request.me, request.field("up_to")
        if not (up_to.isascii() and up_to.isdigit() and len(up_to) < 16):
            raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, "there is no such notice")
        self._notices.mark_seen(me.id, int(up_to))
        return redirect_to("/notices")

    def _table_html(self, key: Hashable, table: LadderTable, listed: Sequence[Standing]) -> Markup:
        """Return some lines of a table: they are the same for all, and made once."""
        with self._lock:
            kept = self._kept.get(key)
        if kept is None or kept[0] != table.mark:
            template = self._pages.templates.get_template("ladder_rows.html")
            kept = table.mark, Markup(template.render(rows=make_rows(table, listed), width=WIDTH))
        with self._lock:
            self._kept[key] = kept
            self._kept.move_to_end(key)
            while len(self._kept) > MAX_CACHED_PAGES:
                self._kept.popitem(last=False)
        return kept[1]


def has_people(ladder: Ladder) -> bool:
    """Return whether people have ratings in the game of a ladder."""
    return has_board(find_game(ladder.spec.game))


def filter_standings(table: LadderTable, wanted: str) -> Sequence[Standing]:
    """Return the lines whose bot or author has these letters in the name; all for ''."""
    letters = wanted.casefold()
    return (
        [one for one in table.standings if letters in f"{one.name} {one.author}".casefold()]
        if letters
        else table.standings
    )


def make_rows(table: LadderTable, listed: Sequence[Standing]) -> list[Row]:
    """Return lines of a table with the drawings of their ratings, on the axis of all."""
    rated = (chart_rating(one.rating) for one in table.standings if one.rating is not None)
    axis = rating_axis(rated, WIDTH)
    return [
        Row(one, None if one.rating is None else whisker(chart_rating(one.rating), axis))
        for one in listed
    ]


def chart_rating(rating: Published) -> Rating:
    """Return a rating as charts take it."""
    return Rating(
        entrant=0,
        kind=RatingKind.RATED,
        elo=rating.elo,
        low=rating.low,
        high=rating.high,
        points=0.0,
        games=rating.games,
    )


def _parse_shown(request: PageRequest) -> Shown:
    """Return whose ratings an address asks for."""
    try:
        return Shown(request.query_params.get("show", Shown.BOTH))
    except ValueError:
        return Shown.BOTH


def _own_rows(table: LadderTable, me: Person | None) -> list[Standing]:
    """Return the lines of a visitor's own bots."""
    return [] if me is None else [one for one in table.standings if me.id in one.authors]
