"""Pages of the contests, for everybody: all of them, each one, and its matches."""

import threading
from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from http import HTTPStatus
from urllib.parse import quote

import msgspec
from markupsafe import Markup
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from engine.errors import UsageError
from report.charts import Whisker, make_whisker, rating_axis
from runners.contests.contests import (
    IS_WAITING,
    Contest,
    Ladder,
    contest_of_id,
    find_contests,
    find_tournaments,
)
from runners.contests.entries import enter, group_of_contest
from runners.contests.registration import MIN_PLAYERS
from runners.contests.tournament_request import tournament_name, tournament_title
from runners.contests.visibility import table_until, visible_until
from runners.storage.database import Database, now
from runners.storage.ladder_tables import FieldRule
from runners.storage.store import find_entrants, find_entrants_of_all
from runners.storage.tables import contests, name_key
from server.bots.bots import Bots, authored_bots
from server.contests.contest_entries import LEAVING_STATES, absentees, entered_bots
from server.contests.contest_forms import SOURCE_RULES, entry_words, settings_words
from server.contests.contest_heads import PHASES, ContestHeads
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
    TournamentMatches,
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

NOTHING_SHOWN: Mapping[str, object] = {
    **dict.fromkeys(("podium", "boards", "mine", "reasons"), ()),
    **dict.fromkeys(("is_frozen", "is_followed", "has_report", "takes_all"), False),
    **dict.fromkeys(("playing", "standings", "ahead")),
    "table": 2,
    "count": 0,
    "matches": 0,
    "ended": False,
    "news_mark": "",
}
"""What the pages of some contests do not show."""


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
        heads: ContestHeads,
        bots: Bots,
        playing: PlayingNow,
    ) -> None:
        self._pages = pages
        self._database = database
        self._tables = tables
        self._tournaments = tournaments
        self._views = views
        self._heads = heads
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
        found, entrants, missing = request.read(
            find_contests(), find_entrants_of_all(), find_unplayable()
        )
        heads, unreadable = self._heads.find_heads(found, entrants, request.person)
        return request.html(
            "contests.html", heads=heads, unreadable=unreadable, missing=missing, phases=PHASES
        )

    # -- one contest --------------------------------------------------------------------------

    def _show(self, request: PageRequest, why: str = "") -> Response:
        """Show a contest; `why`: what was wrong with what somebody did."""
        asked = request.part("id")
        sealing = IS_WAITING, contests.c.is_sealed, contests.c.ladder == asked
        found, entrants, taken_out, group, sealed = request.read(
            contest_of_id(asked),
            find_entrants(asked),
            entered_bots(asked, LEAVING_STATES),
            group_of_contest(asked),
            find_tournaments(*sealing),
        )
        if found is None:
            return self._find_by_name(request)
        ladder, one = found.ladder, found.tournament
        if one is None:
            values = self._show_ladder(request, ladder)
        elif one.is_begun:
            values = self._show_tournament(request, self._views.require_view(found, entrants))
        else:
            values = self._show_entries(request, found)
        return request.html(
            "contest.html",
            **{
                **NOTHING_SHOWN,
                "contest": found,
                "one": found.base,
                "ladder": ladder,
                "game": ladder.spec.game,
                "taken_out": [bot for bot in taken_out if bot.why],
                "sealed": sealed[-1] if sealed else None,
                "entry_rule": entry_words(found.base, group),
                "is_open": found.takes_entries(now()),
                "is_of_two": max(ladder.game.team_counts) == MIN_PLAYERS,
                "why": why,
                **values,
            },
        )

    def _find_by_name(self, request: PageRequest) -> RedirectResponse:
        """Return where the contest is that people call so. Raises: Denied with those there are."""
        asked = request.part("id")
        (found,) = request.read(find_contests())
        wanted = name_key(tournament_name(asked))
        for one in found:
            if name_key(tournament_name(one.title)) == wanted and one.id != asked:
                rest = request.url.path.partition(quote(asked))[2]
                return redirect_to(f"/contests/{one.id}{rest}")
        titles = [one.title for one in found[:MAX_SUGGESTED]]
        there = f"; there are: {', '.join(titles)}" if titles else ": there is none so far"
        raise Denied(
            HTTPStatus.NOT_FOUND,
            f"there is no such contest as {tournament_title(asked)[:MAX_FILTER_LENGTH]}{there}",
        )

    def _show_ladder(self, request: PageRequest, ladder: Ladder) -> dict[str, object]:
        """Return what the page of a ladder or season shows."""
        at, game, me = now(), ladder.spec.game, request.person
        until = table_until(ladder, me, at)
        marks = [ratings_cache_key(game)] if has_board(ladder.game) else []
        recent = newest_matches(ladder.id, MAX_RECENT_MATCHES, until)
        table, matches, *found_marks = self._tables.table_and(ladder, until, recent, *marks)
        people = [self._people.load_players(game, mark, me) for mark in found_marks]
        shown = request.query_params.get("show", "")
        wanted = request.query_params.get("q", "").strip()[:MAX_FILTER_LENGTH]
        found: Sequence[Standing] = table.standings
        if letters := wanted.casefold():
            found = [one for one in found if letters in f"{one.name} {one.author}".casefold()]
        page = parse_page(request, len(found), BOTS_PER_PAGE)
        (absent,) = request.read(absentees(ladder)) if ladder.is_over(at) else ([],)
        listed = found[page.first : page.first + page.most]
        played = list_ladder_matches(0, [one for one in matches if not one.is_void])
        count = len(table.standings)
        return {
            "state": ladder_state(ladder, at),
            "format": "season" if ladder.is_season else "ladder",
            "is_frozen": visible_until(ladder, me, at) is not None,
            "ended": ladder.is_closed(at),
            "absent": absent,
            "count": count,
            "found": len(found),
            "wanted": wanted,
            "page": page,
            "shown": shown if shown in list(Shown) else Shown.BOTH,
            "choices": list(Shown),
            "people": people[0] if people else None,
            "matches": table.matches,
            "boards": played.matches[:MAX_BOARDS],
            "podium": [(one.rank, one.name, one.author) for one in table.standings[:3] if one.rank],
            "playing": None if until or ladder.is_over(at) else self._playing.on(ladder, table),
            "mine": [
                (f"/bots/{one.bot}?ladder={ladder.id}", one.name, one.rank, one.is_provisional)
                for one in table.standings
                if me is not None and me.id in one.authors
            ],
            "settings": settings_words(ladder),
            "source_rule": SOURCE_RULES[ladder.source_rule],
            "rows": self._table_html((ladder.id, until, wanted, page), table, listed),
        }

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

    def _show_entries(self, request: PageRequest, contest: Contest) -> dict[str, object]:
        """Return what the page of a tournament shows that has not begun."""
        one = contest.tournament
        assert one is not None
        assert one.choices is not None
        takes_all = one.field is FieldRule.EVERYBODY
        me, game = "" if request.person is None else request.person.id, contest.ladder.spec.game
        entered, own = request.read(entered_bots(one.name), authored_bots(me))
        # Of a bot that several share, its owner decides.
        mine = [bot for bot in own if bot.game == game and bot.person_id == me]
        return {
            "state": one.state,
            "is_due": one.begins_at is not None and one.begins_at <= now(),
            "format": one.choices.format,
            "table": one.choices.table,
            "able": {candidate.bot for candidate in self._tournaments.field(one)},
            "bots": [] if takes_all else mine,
            "takes_all": takes_all,
            "entered": entered,
            "standing": {bot.bot: bot.state for bot in entered},
        }

    def _show_tournament(self, request: PageRequest, view: TournamentView) -> dict[str, object]:
        """Return what the page of a tournament shows that has begun."""
        shown, plan = view.shown, view.tournament.field.plan
        rows, name = shown.standings.rows, view.contest.id
        pairs = pairing_states(shown.listed.values()) if len(rows) <= MAX_LINKED_BOTS else None
        is_organizer = request.person is not None and request.person.is_organizer
        is_stuck = bool(view.saved.stuck) and is_organizer  # reasons may tell of the server
        me = "" if request.person is None else request.person.id
        (authored,) = request.read(authored_bots(me)) if me else ([],)
        own = {bot.name for bot in authored if bot.game == plan.game}
        return {
            "state": view.state,
            "format": plan.format,
            "table": plan.table,
            "is_of_two": plan.table == MIN_PLAYERS,
            "standings": shown.standings,
            "count": len(rows),
            "matches": shown.standings.played,
            "met": shown.met if len(rows) <= MAX_CROSS_TABLE_BOTS else {},
            "drawing": self._views.draw_pairings(view),
            "pairs": pairs,
            "playing": None if view.state == "over" else self._views.list_playing(view),
            "boards": self._views.find_newest(view, MAX_BOARDS),
            "podium": [(row.rank, row.bot.name, row.bot.author) for row in rows[:3]],
            "mine": [
                (f"/contests/{name}/matches?bot={row.number + 1}", row.bot.name, row.rank, False)
                for row in rows
                if row.bot.name in own
            ],
            "names": [one.bot.name for one in view.tournament.field.entrants],
            "ahead": self._views.next_round(view) if view.state == "running" else None,
            "reasons": self._tournaments.reasons(view.tournament) if is_stuck else [],
            "is_followed": view.state == "running",
            "news_mark": view.news_mark,
            "has_report": self._tournaments.has_report(name),
        }

    def _enter_or_leave(self, request: PageRequest) -> Response:
        is_entering = request.url.path.endswith("/enter")
        (found,) = request.read(contest_of_id(request.part("id")))
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
            return self._show(request, str(error))
        did = "entered for" if is_entering else "taken out of"
        request.note(f"bot {did} a tournament", f"{bot.name}: {one.name}")
        return redirect_to(f"/contests/{one.name}")

    # -- matches ------------------------------------------------------------------------------

    def _list_matches(self, request: PageRequest) -> Response:
        asked = request.part("id")
        contest, entrants = request.read(contest_of_id(asked), find_entrants(asked))
        if contest is None:
            return self._find_by_name(request)
        try:
            query = msgspec.convert(dict(request.query_params), MatchesQuery, strict=False)
        except msgspec.ValidationError as error:
            raise Denied(HTTPStatus.NOT_FOUND, f"there is no such list: {error}") from error
        if contest.tournament is None:
            number, found = self._find_ladder_matches(request, contest.ladder, query.page)
            query, names, view = MatchesQuery(page=number), dict[int, str](), None
        else:
            view = self._views.require_view(contest, entrants)
            found = self._views.find_matches(view, query)
            names = {n: one.bot.name for n, one in enumerate(view.tournament.field.entrants, 1)}
        return request.html(
            "contest_matches.html",
            contest=contest,
            first="Map" if view is None else "Pairing",
            found=found,
            of=[names[one] for one in (query.bot, query.other) if one in names],
            query=query,
            pages=-(-found.total // PER_PAGE),
            is_late=view is not None and contest.ladder.game.public_is_late,
            is_followed=view is not None and not view.shown.standings.is_over,
            news_mark="" if view is None else view.news_mark,
        )

    def _find_ladder_matches(
        self, request: PageRequest, ladder: Ladder, wanted: int
    ) -> tuple[int, TournamentMatches]:
        """Return a page of the matches of a ladder, as somebody may know them, and its number."""
        until = table_until(ladder, request.person, now())
        look_up = partial(newest_matches, ladder.id, PER_PAGE, until)
        first = PER_PAGE * (wanted - 1)
        table, matches = self._tables.table_and(ladder, until, look_up(first=first))
        page = nearest_page(wanted, table.matches, PER_PAGE)
        if page.first != first:  # there are not so many
            (matches,) = request.read(look_up(first=page.first))
        return page.number, list_ladder_matches(table.matches, matches)


def make_rows(table: LadderTable, listed: Sequence[Standing]) -> list[Row]:
    """Return lines of a table with the drawings of their ratings, on the axis of all."""
    axis = rating_axis((one.rating for one in table.standings if one.rating is not None), WIDTH)
    return [Row(one, make_whisker(one.rating, axis)) for one in listed]
