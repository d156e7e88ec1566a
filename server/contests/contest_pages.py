"""Pages of the contests, for everybody: all of them, each one, and its matches."""

import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from enum import StrEnum
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import msgspec
from markupsafe import Markup
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from engine.catalog import find_game
from engine.errors import UsageError
from report.charts import Whisker, make_whisker, rating_axis
from runners.contests.contests import (
    IS_ANNOUNCED,
    IS_BEGUN,
    IS_WAITING,
    Contest,
    Ladder,
    SavedTournament,
    contest_of_id,
    describe_end,
    find_ladders,
    find_tournaments,
)
from runners.contests.entries import enter, group_of_contest
from runners.contests.tournament_request import tournament_name, tournament_title
from runners.contests.visibility import table_until, visible_until
from runners.storage.database import Database, now
from runners.storage.ladder_tables import FieldRule
from runners.storage.store import find_entrants
from runners.storage.tables import contests, name_key
from runners.storage.together import Lookup
from server.bots.bots import Bots, authored_bots
from server.contests.contest_entries import LEAVING_STATES, EnteredBot, absentees, entered_bots
from server.contests.contest_forms import SOURCE_RULES, entry_words, settings_words
from server.contests.ladder_tables import (
    LadderTable,
    LadderTables,
    Standing,
    find_unplayable,
    ladder_state,
)
from server.contests.match_rows import newest_matches
from server.contests.playing_now import PlayingNow
from server.contests.tournament_views import (
    PER_PAGE,
    MatchesQuery,
    TournamentView,
    TournamentViews,
    list_ladder_matches,
    pairing_states,
)
from server.contests.tournaments import Tournaments
from server.games.boards import has_board
from server.games.player_ratings import PlayerRatings, ratings_cache_key
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.paging import nearest_page, parse_page
from server.http.parts import Part
from server.http.permissions import Permission

WIDTH = 120
"""The size of the drawings of intervals, in pixels."""
MAX_CACHED_PAGES = 200
"""Pages of tables that are kept as HTML."""
BOTS_PER_PAGE = 100
"""Bots on a page of a table."""
MAX_RECENT_MATCHES, MAX_BOARDS = 5, 3
"""The newest matches of a ladder that are looked at, and that are shown as small boards."""
MAX_FILTER_LENGTH = 60
"""Letters of a filter."""
MAX_CROSS_TABLE_BOTS = 60
"""Bots of which a cross table is shown."""
MAX_LINKED_BOTS = 30
"""Bots up to which each cell of a cross table leads to its matches: a page must stay light."""
MAX_SUGGESTED = 30
"""Contests that are named to who asks for one that there is not."""


class Shown(StrEnum):
    """Whose ratings are shown on the page of a ladder."""

    BOTS = "bots"
    PEOPLE = "people"
    BOTH = "both"


class Row(msgspec.Struct, frozen=True):
    """A line of a table: a bot, and where its rating is drawn."""

    standing: Standing
    whisker: Whisker | None


class ContestPages(Part):
    """Ladders, seasons and tournaments, for everybody."""

    def __init__(
        self,
        pages: Pages,
        database: Database,
        tables: LadderTables,
        tournaments: Tournaments,
        views: TournamentViews,
        bots: Bots,
        playing: PlayingNow,
    ) -> None:
        self._pages = pages
        self._database = database
        self._tables = tables
        self._tournaments = tournaments
        self._views = views
        self._bots = bots
        self._playing = playing
        self._people = PlayerRatings(database)
        self._lock = threading.Lock()
        self._kept = OrderedDict[Hashable, tuple[Hashable, Markup]]()

    @property
    def routes(self) -> Sequence[Route]:
        anybody, contest = Permission.ANYBODY, "/contests/{id}"
        route = self._pages.route
        return [
            route("/contests", anybody, self._list),
            route(contest, anybody, self._show),
            route(f"{contest}/matches", anybody, self._list_matches),
            route(f"{contest}/enter", Permission.MEMBER, self._enter_or_leave, "POST"),
            route(f"{contest}/leave", Permission.MEMBER, self._enter_or_leave, "POST"),
            # The addresses of before: links to them stay good, and forms are sent again.
            route("/ladders{rest:path}", anybody, self._redirect, "GET POST"),
            route("/tournaments{rest:path}", anybody, self._redirect, "GET POST"),
        ]

    def _redirect(self, request: PageRequest) -> Response:
        query = f"?{request.url.query}" if request.url.query else ""
        target = f"/contests{quote(request.part('rest'))}{query}"
        return RedirectResponse(target, status_code=HTTPStatus.PERMANENT_REDIRECT)

    # -- all contests -------------------------------------------------------------------------

    def _list(self, request: PageRequest) -> Response:
        ladders, begun, announced, missing = request.read(
            find_ladders(),
            find_tournaments(IS_BEGUN),
            find_tournaments(IS_WAITING),
            find_unplayable(),
        )
        views, unreadable = self._views.view_all(request.read, begun)
        by_id = {ladder.id: ladder for ladder in ladders}
        return request.html(
            "contests.html",
            heads=self._tables.heads(ladders, request.person),
            views=[view for view in views if view.saved.ladder in by_id],
            unreadable=unreadable,
            missing=missing,
            announced=[one for one in announced if one.ladder in by_id],
            ladders=by_id,
        )

    # -- one contest --------------------------------------------------------------------------

    def _show(self, request: PageRequest) -> Response:
        asked = request.part("id")
        taken_out = entered_bots(asked, LEAVING_STATES)
        sealing = IS_WAITING, contests.c.is_sealed, contests.c.ladder == asked
        more = (taken_out, group_of_contest(asked), find_tournaments(*sealing))
        found, entrants, *others = self._find(request, *more)
        if found is None:
            return self._find_by_name(request)
        if found.tournament is None:
            return self._show_ladder(request, found.ladder, *others)
        if not found.tournament.is_begun:
            return self._show_announced(request, found)
        view = self._views.require_view(found.tournament, entrants)
        return self._show_tournament(request, view, found.ladder)

    def _find(
        self, request: PageRequest, *more: Lookup[Any]
    ) -> tuple[Contest | None, list[str], *tuple[Any, ...]]:
        """Return a contest by its address, its entrants, and what else is looked up."""
        asked = request.part("id")
        found, entrants, *others = request.read(contest_of_id(asked), find_entrants(asked), *more)
        return found, entrants, *others

    def _find_by_name(self, request: PageRequest) -> RedirectResponse:
        """Return where the contest is that people call so. Raises: Denied with those there are."""
        asked = request.part("id")
        ladders, begun, announced = request.read(
            find_ladders(), find_tournaments(IS_BEGUN), find_tournaments(IS_ANNOUNCED)
        )
        ids = {one.name: one.id for one in ladders}
        ids |= {tournament_title(one.name): one.name for one in (*announced, *begun)}
        wanted = name_key(tournament_name(asked))
        for title, contest in ids.items():
            if name_key(tournament_name(title)) == wanted and contest != asked:
                rest = request.url.path.partition(quote(asked))[2]
                return redirect_to(f"/contests/{contest}{rest}")
        titles = list(ids)[:MAX_SUGGESTED]
        there = f"; there are: {', '.join(titles)}" if titles else ": there is none so far"
        raise Denied(
            HTTPStatus.NOT_FOUND,
            f"there is no such contest as {tournament_title(asked)[:MAX_FILTER_LENGTH]}{there}",
        )

    # -- ladders and seasons ------------------------------------------------------------------

    def _show_ladder(
        self,
        request: PageRequest,
        ladder: Ladder,
        taken_out: Sequence[EnteredBot],
        group: str,
        sealed: Sequence[SavedTournament],
    ) -> Response:
        at, game, me = now(), ladder.spec.game, request.person
        until = table_until(ladder, request.person, at)
        marks = [ratings_cache_key(game)] if has_board(ladder.game) else []
        recent = newest_matches(ladder.id, MAX_RECENT_MATCHES, until)
        table, matches, *found_marks = self._tables.table_and(ladder, until, recent, *marks)
        people = [self._people.load_players(game, mark, request.person) for mark in found_marks]
        wanted = request.query_params.get("q", "").strip()[:MAX_FILTER_LENGTH]
        found: Sequence[Standing] = table.standings
        if letters := wanted.casefold():
            found = [one for one in found if letters in f"{one.name} {one.author}".casefold()]
        page = parse_page(request, len(found), BOTS_PER_PAGE)
        (absent,) = request.read(absentees(ladder)) if ladder.is_over(at) else ([],)
        listed = found[page.first : page.first + page.most]
        return request.html(
            "ladder.html",
            sealed=sealed[-1] if sealed else None,
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
            boards=[("", one) for one in matches if not one.is_void][:MAX_BOARDS],
            podium=[one for one in table.standings[:3] if one.rank],
            playing=None if until else self._playing.on(ladder, table),
            mine=[one for one in table.standings if me and me.id in one.authors],
            taken_out=[one for one in taken_out if one.why],
            settings=settings_words(ladder),
            entry_rule=entry_words(ladder, group),
            source_rule=SOURCE_RULES[ladder.source_rule],
            rows=self._table_html((ladder.id, until, wanted, page), table, listed),
        )

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

    # -- tournaments that are announced -------------------------------------------------------

    def _show_announced(
        self,
        request: PageRequest,
        found: Contest,
        why: str = "",
    ) -> Response:
        """Show a tournament that has not begun; `why`: what was wrong with what somebody did."""
        one, ladder = found.tournament, found.ladder
        assert one is not None
        me = "" if request.person is None else request.person.id
        entered, own, group = request.read(
            entered_bots(one.name), authored_bots(me), group_of_contest(one.name)
        )
        mine = [  # of a bot that several share, its owner decides
            bot for bot in own if bot.game == ladder.spec.game and bot.person_id == me
        ]
        takes_all = one.field is FieldRule.EVERYBODY
        return request.html(
            "scheduled_tournament.html",
            one=one,
            ladder=ladder,
            game=ladder.spec.game,
            entered=entered,
            able={candidate.bot for candidate in self._tournaments.field(one)},
            standing={bot.bot: bot.state for bot in entered},
            entry_rule="" if takes_all else entry_words(one, group),
            bots=[] if takes_all else mine,
            takes_all=takes_all,
            is_open=one.takes_entries(now()),
            why=why,
        )

    def _enter_or_leave(self, request: PageRequest) -> Response:
        is_entering = request.url.path.endswith("/enter")
        found, _ = self._find(request)
        if found is None or (one := found.tournament) is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such tournament")
        bot = self._bots.bot(request.field("bot"))
        if bot is None or bot.person_id != request.me.id:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such bot of yours")
        try:
            if is_entering:
                enter(self._database, one.name, bot.id)
            else:
                self._tournaments.leave(one.name, bot.id)
        except UsageError as error:
            if one.is_begun:
                raise Denied(HTTPStatus.CONFLICT, str(error)) from error
            return self._show_announced(request, found, str(error))
        did = "entered for" if is_entering else "taken out of"
        request.note(f"bot {did} a tournament", f"{bot.name}: {one.name}")
        return redirect_to(f"/contests/{one.name}")

    # -- tournaments that have begun ----------------------------------------------------------

    def _show_tournament(
        self, request: PageRequest, view: TournamentView, ladder: Ladder
    ) -> Response:
        shown, plan = view.shown, view.tournament.field.plan
        count = len(shown.standings.rows)
        is_organizer = request.person is not None and request.person.is_organizer
        is_stuck = bool(view.saved.stuck) and is_organizer  # reasons may tell of the server
        return request.html(
            "tournament.html",
            kept=view.saved,
            plan=plan,
            game=plan.game,
            ladder=ladder,
            standings=shown.standings,
            met=shown.met if count <= MAX_CROSS_TABLE_BOTS else {},
            drawing=self._views.draw_pairings(view),
            pairs=pairing_states(shown.listed.values()) if count <= MAX_LINKED_BOTS else None,
            playing=self._views.list_playing(view),
            boards=self._views.find_newest(view, MAX_BOARDS),
            names=[one.bot.name for one in view.tournament.field.entrants],
            ahead=self._views.next_round(view) if view.state == "running" else None,
            state=view.state,
            stuck=view.saved.stuck,
            reasons=self._tournaments.reasons(view.tournament) if is_stuck else [],
            is_followed=view.state == "running",
            news_mark=view.news_mark,
            has_report=self._tournaments.has_report(view.saved.name),
        )

    # -- matches ------------------------------------------------------------------------------

    def _list_matches(self, request: PageRequest) -> Response:
        found, entrants = self._find(request)
        if found is None:
            return self._find_by_name(request)
        try:
            query = msgspec.convert(dict(request.query_params), MatchesQuery, strict=False)
        except msgspec.ValidationError as error:
            raise Denied(HTTPStatus.NOT_FOUND, f"there is no such list: {error}") from error
        if found.tournament is None:
            return self._list_ladder_matches(request, found.ladder, query)
        view = self._views.require_view(found.tournament, entrants)
        field = view.tournament.field
        names = {n: one.bot.name for n, one in enumerate(field.entrants, 1)}
        matches = self._views.find_matches(view, query)
        return self._matches_page(
            request,
            contest=view.saved.name,
            first="Pairing",
            title=tournament_title(view.saved.name),
            found=matches,
            of=[names[one] for one in (query.bot, query.other) if one in names],
            query=query,
            pages=-(-matches.total // PER_PAGE),
            is_late=find_game(field.plan.game).public_is_late,
            is_followed=not view.shown.standings.is_over,
            news_mark=view.news_mark,
        )

    def _list_ladder_matches(
        self, request: PageRequest, ladder: Ladder, query: MatchesQuery
    ) -> Response:
        until = table_until(ladder, request.person, now())
        look_up = partial(newest_matches, ladder.id, PER_PAGE, until)
        first = PER_PAGE * (query.page - 1)
        table, matches = self._tables.table_and(ladder, until, look_up(first=first))
        page = nearest_page(query.page, table.matches, PER_PAGE)
        if page.first != first:  # there are not so many
            (matches,) = request.read(look_up(first=page.first))
        return self._matches_page(
            request,
            contest=ladder.id,
            first="Map",
            title=ladder.name,
            found=list_ladder_matches(table.matches, matches),
            query=MatchesQuery(page=page.number),
            pages=page.pages,
        )

    def _matches_page(self, request: PageRequest, **values: object) -> Response:
        usual = {"of": [], "is_late": False, "is_followed": False, "news_mark": ""}
        return request.html("contest_matches.html", **{**usual, **values})


def make_rows(table: LadderTable, listed: Sequence[Standing]) -> list[Row]:
    """Return lines of a table with the drawings of their ratings, on the axis of all."""
    axis = rating_axis((one.rating for one in table.standings if one.rating is not None), WIDTH)
    return [Row(one, make_whisker(one.rating, axis)) for one in listed]


def _parse_shown(request: PageRequest) -> Shown:
    """Return whose ratings an address asks for."""
    try:
        return Shown(request.query_params.get("show", Shown.BOTH))
    except ValueError:
        return Shown.BOTH
