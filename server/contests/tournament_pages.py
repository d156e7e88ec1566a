"""Pages of tournaments: those there are, one as it stands, its report, and making one."""

import io
import time
import zipfile
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from http import HTTPStatus
from pathlib import Path
from zlib import crc32

import msgspec
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from engine.catalog import find_game
from engine.errors import BadResult, UsageError
from report.boxes import Box, bracket_boxes, round_boxes
from report.dossier import Dossier
from report.drawing import draw_bracket, draw_rounds
from report.rendering import MAX_DRAWN_ROUNDS, render
from runners.contests.ladders import Ladder, Ladders, every_ladder
from runners.contests.ledger import Ledger, State
from runners.contests.open_tournaments import (
    SavedTournament,
    all_tournaments,
    find_tournament_ladder,
    find_tournaments,
)
from runners.contests.standings import Standings, StandingsTally
from runners.contests.tournament import Tournament
from runners.formats import FORMATS
from runners.storage.store import find_entrants, find_plan
from server.contests.ladder_forms import BadForm
from server.contests.playing_now import PlayingMatch, PlayingSeat
from server.contests.schedule_pages import SchedulePages
from server.contests.scheduled_tournaments import (
    tournament_by_name,
    upcoming_or_failed_tournaments,
    upcoming_tournaments,
)
from server.contests.tournament_forms import (
    MAX_BREAK_MINUTES,
    MAX_GAMES,
    MAX_ROUNDS,
    read_choices,
    read_name,
    usual_choices,
)
from server.contests.tournament_matches import (
    PER_PAGE,
    Listed,
    MatchesQuery,
    MatchFinder,
    TournamentMatches,
    make_listed_match,
    pairing_states,
    read_query,
    replay_path,
)
from server.contests.tournaments import Candidate, Tournaments
from server.games.recorded_matches import RecordedMatches
from server.http.errors import Denied
from server.http.event_streams import Events
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part
from server.http.permissions import Permission
from server.http.responses import EVENTS, encode, json_response
from server.http.shared_stream import Follow
from server.watching.live_scene import PolledNews, follow
from server.watching.running_matches import RunningMatches
from server.watching.visibility import is_shown_late

UNREADABLE_TEXT = (
    "this tournament cannot be shown: what is kept of it cannot be understood. "
    "The server's warnings say why"
)
MAX_CROSS_TABLE_BOTS = 60
"""Bots of which a cross table is shown."""
MAX_SELECTABLE_BOTS = 80
"""Bots that are listed to choose from; if there are more, all play."""
IDLE_FACTOR = 10
"""A tournament is not read again before so many times as long as reading it took."""
MAX_LINKED_BOTS = 30
"""Bots up to which each cell of a cross table leads to its matches: a page must stay light."""
MAX_LISTED_MATCHES = 20_000
"""Matches of a tournament that can be looked up."""


class Shown(msgspec.Struct, frozen=True):
    """A tournament as its page shows it."""

    count: int
    """How many results there were: with others it is made anew."""
    due: float
    """When it may be, seconds of the monotonic clock: to read many results takes a while."""
    standings: Standings
    met: Mapping[int, Dossier]
    """What each entrant did, by its number."""
    boxes: tuple[Box, ...]
    """The pairings of the bracket or of the rounds; () where none are drawn."""
    listed: Mapping[str, Listed]
    """Its matches as far as they are known, by key, in the order of the schedule."""
    is_tree: bool
    """Whether it has a bracket."""


class TournamentNews(msgspec.Struct, frozen=True, kw_only=True):
    """What a page is told that follows a tournament."""

    mark: str
    """Another one where its page is old: but for the turns of what is being played."""
    matches: list[PlayingMatch]
    """What is being played."""


class RoundShown(msgspec.Struct, frozen=True):
    """A round that begins after a break."""

    number: int
    opens_at: datetime
    meetings: list[list[int]]
    """The numbers of the entrants of each pairing, as far as it is known."""


class TournamentPages(Part):
    """What everybody sees of tournaments, and what organizers do with them."""

    def __init__(
        self,
        pages: Pages,
        tournaments: Tournaments,
        ladders: Ladders,
        matches: RecordedMatches,
        running: RunningMatches,
        schedule: SchedulePages,
        out: Path,
    ) -> None:
        """`out`: the folder of results."""
        self._schedule = schedule
        self._pages = pages
        self._recorded = matches
        self._running = running
        self._out = out
        self._drawn: dict[str, tuple[Hashable, Markup]] = {}
        """By tournament: its drawing, and what that was made of."""
        self._tournaments = tournaments
        self._ladders = ladders
        self._shown: dict[str, Shown] = {}

    @property
    def routes(self) -> Sequence[Route]:
        route = self._pages.route
        return [
            route("/tournaments", Permission.ANYBODY, self._list),
            route("/tournaments/{name}", Permission.ANYBODY, self._show),
            route("/tournaments/{name}/matches", Permission.ANYBODY, self._list_matches),
            route("/tournaments/{name}/matches/{played}/watch", Permission.ANYBODY, self._watch),
            route("/tournaments/{name}/report.zip", Permission.ANYBODY, self._report),
            self._pages.reading_route(
                "/admin/tournaments", Permission.ORGANIZER, self._organizer_page
            ),
            route("/admin/tournaments", Permission.ORGANIZER, self._make, "POST"),
            route("/admin/tournaments/new", Permission.ORGANIZER, self._new_page),
            route("/admin/tournaments/{name}/pause", Permission.ORGANIZER, self._pause, "POST"),
            route("/admin/tournaments/{name}/resume", Permission.ORGANIZER, self._resume, "POST"),
        ]

    @property
    def operations(self) -> Sequence[Operation]:
        path = "/tournaments/{name}/matches"
        return [
            Operation("GET", path, self._matches, TournamentMatches, query=MatchesQuery),
            Operation("GET", f"{path}/{{played}}/scene", self._scene, str, media_type=EVENTS),
        ]

    @property
    def topics(self) -> Mapping[str, Follow]:
        return {"tournaments/news": self._follow}

    # -- for everybody ------------------------------------------------------------------------

    def _list(self, request: PageRequest) -> Response:
        ladders, kept, scheduled = request.read(
            every_ladder(), all_tournaments(), upcoming_tournaments()
        )
        rows, unreadable = self._tournament_rows(request, ladders, kept)
        return request.html(
            "tournaments.html",
            tournaments=rows,
            unreadable=unreadable,
            scheduled=scheduled,
            ladders={ladder.id: ladder for ladder in ladders},
        )

    def _tournament_rows(
        self, request: PageRequest, every: Sequence[Ladder], tournaments: Sequence[SavedTournament]
    ) -> tuple[list[dict[str, object]], list[str]]:
        """Return the rows of a list, and the names of those that cannot be understood."""
        ladders = {ladder.id: ladder for ladder in every}
        names = [one.name for one in tournaments]
        lookups = (look_up(name) for name in names for look_up in (find_plan, find_entrants))
        found = request.read(*lookups)
        rows: list[dict[str, object]] = []
        unreadable: list[str] = []
        for kept, plan, entrants in zip(tournaments, found[::2], found[1::2], strict=True):
            try:
                tournament = self._tournaments.read(kept.name, plan, entrants)
            except BadResult:
                unreadable.append(kept.name)
                continue
            if tournament is not None:
                shown = self._show_now(kept.name, tournament)
                rows.append(
                    {
                        "kept": kept,
                        "plan": tournament.field.plan,
                        "ladder": ladders[kept.ladder],
                        "state": self._state_text(kept, shown.standings),
                        "standings": shown.standings,
                    }
                )
        return rows, unreadable

    def _show(self, request: PageRequest) -> Response:
        name = request.part("name")
        announced, begun = request.read(tournament_by_name(name), find_tournaments(name))
        if announced is not None and not begun:
            return self._schedule.show(request, announced)
        kept, tournament, ladder = self._find_tournament(request)
        shown = self._show_now(kept.name, tournament)
        state = self._state_text(kept, shown.standings)
        return request.html(
            "tournament.html",
            announced=announced,
            kept=kept,
            plan=tournament.field.plan,
            game=tournament.field.plan.game,
            ladder=ladder,
            standings=shown.standings,
            met=shown.met if len(shown.standings.rows) <= MAX_CROSS_TABLE_BOTS else {},
            drawing=self._pairings_drawing(kept.name, shown),
            pairs=pairing_states(shown.listed.values())
            if len(shown.standings.rows) <= MAX_LINKED_BOTS
            else None,
            playing=self._list_playing(tournament, shown),
            names=[one.bot.name for one in tournament.field.entrants],
            ahead=self._next_round(kept, shown) if state == "running" else None,
            state=state,
            stuck=kept.stuck,
            reasons=self._unplayable_reasons(request, kept, tournament),
            is_followed=state == "running",
            news_mark=_mark_news(state, shown, self._running.turns()),
            has_report=self._tournaments.has_report(kept.name),
        )

    def _next_round(self, kept: SavedTournament, shown: Shown) -> RoundShown | None:
        """Return the round that begins after a break; None while one is played."""
        open_ones = [one for one in shown.listed.values() if one.state is State.OPEN]
        if not (kept.break_s and open_ones):
            return None
        number = min(one.place[0] for one in open_ones)
        before = [one.key for one in shown.listed.values() if one.place[0] < number]
        is_whole = all(
            one.state is State.OPEN for one in shown.listed.values() if one.place[0] == number
        )
        opens_at = self._tournaments.round_opens_at(kept, before) if is_whole else None
        if opens_at is None:
            return None
        pairs = dict.fromkeys(frozenset(one.seats) for one in open_ones if one.place[0] == number)
        return RoundShown(number, opens_at, [sorted(pair) for pair in pairs])

    def _pairings_drawing(self, name: str, shown: Shown) -> Markup:
        """Return the drawing of the pairings, made anew only where it changes."""
        if not shown.boxes:
            return Markup("")
        turns = self._running.turns()
        playing = {one.place for key, one in shown.listed.items() if key in turns}
        made_of = shown.count, frozenset(playing)
        before = self._drawn.get(name)
        if before is None or before[0] != made_of:
            before = self._drawn[name] = (
                made_of,
                _draw_pairings(shown, f"{self._pages.public_path}/tournaments/{name}", playing),
            )
        return before[1]

    # -- matches ------------------------------------------------------------------------------

    def _list_matches(self, request: PageRequest) -> Response:
        kept, tournament, ladder = self._find_tournament(request)
        shown = self._show_now(kept.name, tournament)
        try:
            query = read_query(request.query_params)
        except msgspec.ValidationError as error:
            raise Denied(HTTPStatus.NOT_FOUND, f"there is no such list: {error}") from error
        found = self._find_matches(tournament, shown, query)
        names = {n: one.bot.name for n, one in enumerate(tournament.field.entrants, 1)}
        of = [names[one] for one in (query.bot, query.other) if one in names]
        return request.html(
            "tournament_matches.html",
            plan=tournament.field.plan,
            ladder=ladder,
            found=found,
            of=of,
            query=query,
            pages=-(-found.total // PER_PAGE),
            is_late=find_game(tournament.field.plan.game).public_is_late,
            is_followed=not shown.standings.is_over,
            news_mark=_mark_news(
                self._state_text(kept, shown.standings), shown, self._running.turns()
            ),
        )

    async def _matches(self, request: Request) -> Response:
        """Return matches of a tournament: played, being played and waiting."""
        query = read_query(request.query_params)

        def answer() -> Response:
            kept, tournament, _ = self._find_tournament(PageRequest(self._pages, request))
            shown = self._show_now(kept.name, tournament)
            return json_response(self._find_matches(tournament, shown, query))

        return await run_in_threadpool(answer)

    def _find_matches(
        self, tournament: Tournament, shown: Shown, query: MatchesQuery
    ) -> TournamentMatches:
        field = tournament.field
        names = {number: one.bot.name for number, one in enumerate(field.entrants)}
        finder = MatchFinder(self._out, field.plan.name, names)
        return finder.find_page(shown.listed.values(), self._running.turns(), query)

    def _list_playing(self, tournament: Tournament, shown: Shown) -> list[PlayingMatch]:
        """Return what is being played of a tournament, the first rounds first."""
        found = self._find_matches(tournament, shown, MatchesQuery(playing=True)).matches
        is_late = is_shown_late(find_game(tournament.field.plan.game))
        return [
            PlayingMatch(
                path=one.path or "",
                seats=[PlayingSeat(name=name) for name in one.seats],
                turn=one.turn,
                is_shown_late=is_late,
            )
            for one in found
        ]

    def _follow(self, request: Request, name: str, last: str | None) -> Events:
        """Follow how a tournament stands, and what is being played of it."""
        make = partial(PolledNews, "news", partial(self._render_news, name))
        return follow(self._running.topics, f"tournaments/{name}", make, last)

    def _render_news(self, name: str) -> bytes:
        """Raises: Denied."""
        found = self._tournaments.look_up(name)
        kept, tournament = self._read_tournament(name, *found)
        shown = self._show_now(name, tournament)
        mark = _mark_news(self._state_text(kept, shown.standings), shown, self._running.turns())
        return encode(TournamentNews(mark=mark, matches=self._list_playing(tournament, shown)))

    def _watch(self, request: PageRequest) -> Response:
        one, tournament = self._match(request)
        if one.state is State.OPEN and self._is_running(one.key):
            names = [tournament.field.entrants[number].bot.name for number in one.seats]
            title = find_game(tournament.field.plan.game).title
            return self._running.page(names, title, self._pages.public_path)
        return self._recorded.page(one.key)

    async def _scene(self, request: Request) -> Response:
        """Send a match as the replay page draws it: as it is played, or all of one that is over."""

        def answer() -> Response:
            one, _ = self._match(PageRequest(self._pages, request))
            if one.state is State.OPEN and self._is_running(one.key):
                return self._running.scene(request, one.key)
            return self._recorded.scene(one.key)

        return await run_in_threadpool(answer)

    def _match(self, request: PageRequest) -> tuple[Listed, Tournament]:
        """Return a match of a tournament by its key. Raises: Denied."""
        kept, tournament, _ = self._find_tournament(request)
        one = self._show_now(kept.name, tournament).listed.get(request.part("played"))
        if one is not None and one.state is State.OPEN and not self._is_running(one.key):
            self._shown.pop(kept.name, None)  # it may have been played just now
            one = self._show_now(kept.name, tournament).listed.get(one.key)
        if one is None or (one.state is State.OPEN and not self._is_running(one.key)):
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such match, or it is yet to be played")
        return one, tournament

    def _is_running(self, key: str) -> bool:
        """Return whether a match is being played, or was just now."""
        return self._running.is_running(key) or replay_path(self._out, key).is_file()

    def _unplayable_reasons(
        self, request: PageRequest, kept: SavedTournament, tournament: Tournament
    ) -> list[str]:
        """Return why matches cannot be played, for organizers: it may tell of the server."""
        is_theirs = request.person is not None and request.person.is_organizer
        return self._tournaments.reasons(tournament) if kept.stuck and is_theirs else []

    def _report(self, request: PageRequest) -> Response:
        """Send the report as a zip: its pages need no server."""
        kept, *_ = self._find_tournament(request)
        if not self._tournaments.has_report(kept.name):
            raise Denied(HTTPStatus.NOT_FOUND, "the report is written at the end")
        request.count("report_file")
        headers = {"content-disposition": f'attachment; filename="{kept.name}.zip"'}
        content = zip_folder(self._tournaments.report_folder(kept.name), kept.name)
        return Response(content, media_type="application/zip", headers=headers)

    def _show_now(self, name: str, tournament: Tournament) -> Shown:
        """Return a tournament as it stands; read again only where there are new results."""
        before = self._shown.get(name)
        if before is not None and (before.standings.is_over or time.monotonic() < before.due):
            return before
        count = self._tournaments.count_results()
        if before is None or before.count != count:
            before = self._shown[name] = read_through(tournament.ledger(), count)
        return before

    def _state_text(self, kept: SavedTournament, standings: Standings) -> str:
        if standings.is_over:
            return "over"
        if kept.stuck:
            return "stopped"
        return "paused" if kept.is_paused else "running"

    def _find_tournament(
        self, request: PageRequest
    ) -> tuple[SavedTournament, Tournament, Ladder | None]:
        name = request.part("name")
        kept, plan, entrants, ladder = request.read(
            find_tournaments(name),
            find_plan(name),
            find_entrants(name),
            find_tournament_ladder(name),
        )
        return *self._read_tournament(name, kept, plan, entrants), ladder

    def _read_tournament(
        self, name: str, kept: Sequence[SavedTournament], plan: str | None, entrants: Sequence[str]
    ) -> tuple[SavedTournament, Tournament]:
        """Raises: Denied."""
        try:
            tournament = self._tournaments.read(name, plan, entrants) if kept else None
        except BadResult as error:
            raise Denied(HTTPStatus.INTERNAL_SERVER_ERROR, UNREADABLE_TEXT) from error
        if tournament is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such tournament")
        return kept[0], tournament

    # -- for organizers -----------------------------------------------------------------------

    def _organizer_page(self, request: PageRequest) -> Response:
        ladders, kept, scheduled = request.read(
            every_ladder(), all_tournaments(), upcoming_or_failed_tournaments()
        )
        rows, unreadable = self._tournament_rows(request, ladders, kept)
        return request.html(
            "admin_tournaments.html",
            tournaments=rows,
            unreadable=unreadable,
            ladders=ladders,
            scheduled=scheduled,
        )

    def _new_page(self, request: PageRequest) -> Response:
        return self._new_form(request, self._find_ladder(request.query_params.get("ladder", "")))

    def _new_form(self, request: PageRequest, ladder: Ladder, why: str = "") -> Response:
        candidates = self._tournaments.candidates(ladder.id)
        return request.html(
            "admin_new_tournament.html",
            HTTPStatus.UNPROCESSABLE_ENTITY if why else HTTPStatus.OK,
            ladder=ladder,
            candidates=candidates,
            is_chosen=len(candidates) <= MAX_SELECTABLE_BOTS,
            formats=list(FORMATS),
            most_games=MAX_GAMES,
            most_rounds=MAX_ROUNDS,
            most_break=MAX_BREAK_MINUTES,
            typed=defaultdict(str, usual_choices(ladder) | dict(request.fields)),
            was_sent=bool(request.fields),
            why=why,
        )

    def _make(self, request: PageRequest) -> Response:
        ladder = self._find_ladder(request.field("ladder"))
        try:
            name, choices = read_name(request.fields), read_choices(request.fields)
            self._tournaments.make(name, ladder, self._choose_candidates(request, ladder), choices)
        except (UsageError, BadForm) as error:
            return self._new_form(request, ladder, str(error))
        request.note("tournament made", f"{name}: {choices.format}, {ladder.name}")
        return redirect_to(f"/tournaments/{name}")

    def _choose_candidates(self, request: PageRequest, ladder: Ladder) -> list[Candidate]:
        candidates = self._tournaments.candidates(ladder.id)
        if len(candidates) > MAX_SELECTABLE_BOTS:
            return candidates
        return [one for one in candidates if request.field(f"bot-{one.bot}")]

    def _pause(self, request: PageRequest) -> Response:
        return self._set_paused(request, True)

    def _resume(self, request: PageRequest) -> Response:
        return self._set_paused(request, False)

    def _set_paused(self, request: PageRequest, is_paused: bool) -> Response:
        name = request.part("name")
        if not self._tournaments.set_paused(name, is_paused):
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such tournament")
        request.note("tournament paused" if is_paused else "tournament resumed", name)
        return redirect_to("/admin/tournaments")

    def _find_ladder(self, ladder_id: str) -> Ladder:
        found = self._ladders.ladder(ladder_id)
        if found is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such ladder")
        return found


def read_through(ledger: Ledger, count: int) -> Shown:
    """Return how a tournament stands, reading its results once."""
    began = time.monotonic()
    tally = StandingsTally(ledger)
    met = {number: Dossier() for number in range(len(ledger.field.entrants))}
    listed: dict[str, Listed] = {}
    for entry in ledger:
        tally.add(entry)
        if len(listed) < MAX_LISTED_MATCHES:
            listed.setdefault(entry.key, make_listed_match(entry))
        for seat, number in enumerate(entry.fixture.seats):
            met[number].add(entry, seat, link="")
    standings = tally.standings()
    tree, rounds = tuple(bracket_boxes(ledger)), tuple(round_boxes(ledger))
    is_drawn = tree or len(rounds) <= MAX_DRAWN_ROUNDS
    now = time.monotonic()
    due = now + IDLE_FACTOR * (now - began)
    return Shown(
        count, due, standings, met, (tree or rounds) if is_drawn else (), listed, bool(tree)
    )


def _mark_news(state: str, shown: Shown, turns: Iterable[str]) -> str:
    """Return what is another one where results have changed, or which matches are played."""
    standings = shown.standings
    playing = ",".join(sorted(key for key in turns if key in shown.listed))
    return f"{state}-{standings.played}-{standings.forfeited}-{crc32(playing.encode()):08x}"


def _draw_pairings(shown: Shown, page: str, playing: Collection[tuple[int, int]]) -> Markup:
    """Return the drawing of the pairings, each with a link to its matches and how far they are.

    `page`: the path of the tournament's page.
    """
    states: dict[tuple[int, int], set[State]] = defaultdict(set)
    for one in shown.listed.values():
        states[one.place].add(one.state)
    notes = {}
    for place, of_place in states.items():
        if place in playing:
            notes[place] = "being played"
        elif State.OPEN in of_place:
            notes[place] = "waiting" if of_place == {State.OPEN} else "begun"
    svg = render(
        "drawing.html",
        drawing=draw_bracket(shown.boxes) if shown.is_tree else draw_rounds(shown.boxes),
        is_bracket=shown.is_tree,
        entrants={row.number: row for row in shown.standings.rows},
        links={place: f"{page}/matches?pairing={place[0]}.{place[1]}" for place in states},
        notes=notes,
    )
    return Markup(svg.decode())  # the template has escaped what it was given


def zip_folder(folder: Path, name: str) -> bytes:
    """Return a folder as a zip."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as made:
        add_folder_to_zip(made, folder, f"{name}/")
    return content.getvalue()


def add_folder_to_zip(made: zipfile.ZipFile, folder: Path, prefix: str) -> None:
    """Add all files below a folder, where there is one, by names that begin with a prefix."""
    for path in sorted(path for path in folder.rglob("[!.]*") if path.is_file()):
        made.write(path, prefix + path.relative_to(folder).as_posix())
