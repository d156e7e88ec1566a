"""Pages with which organizers make contests, and decide about their bots and matches."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from urllib.parse import quote

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from engine.catalog import GAMES
from engine.errors import UsageError
from engine.support.sanitizing import one_line
from runners.contests.contests import (
    IS_ANNOUNCED,
    IS_BEGUN,
    Contest,
    Ladder,
    SavedTournament,
    contest_of_id,
    find_ladders,
    find_tournaments,
)
from runners.contests.entries import by_ladder, find_entries
from runners.contests.ladders import Ladders
from runners.formats import FORMATS
from runners.storage.database import Database, Stale, now
from runners.storage.ladder_tables import EntryRule, EntryState, FieldRule
from server.bots.bots import Bot, Bots
from server.bots.built_in_bots import BuiltInBots
from server.contests.contest_entries import (
    LEAVING_STATES,
    MAX_REASON_LENGTH,
    EnteredBot,
    Moderation,
    entered_bots,
)
from server.contests.contest_forms import (
    BUILT_IN_RULES,
    ENTRY_RULES,
    FIELD_RULES,
    LIMIT,
    MAX_BREAK_MINUTES,
    MAX_GAMES,
    MAX_ROUNDS,
    SETTING,
    SOURCE_RULES,
    YES,
    BadForm,
    ladder_form_values,
    name_taken_error,
    read_ladder,
    read_tournament,
    require_unlike,
    setting_fields,
    tournament_form_values,
    usual_choices,
    usual_fields,
    usual_limits,
    usual_settings,
)
from server.contests.ladder_tables import ladder_state
from server.contests.match_rows import Match, any_matches, match_of_number
from server.contests.tournament_views import TournamentViews
from server.contests.tournaments import MAX_DESCRIPTION_LENGTH, Tournaments
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part
from server.http.permissions import Permission
from server.identity.groups import every_group
from server.identity.text_limits import parse_whole_number

MAX_LISTED_MATCHES = 50
"""Matches on the page of a ladder, the newest first."""
MAX_SELECTABLE_BOTS = 80
"""Bots that are listed to choose from; if there are more, all play."""
MAX_MATCH_ID = 2**63 - 1
"""The highest number that SQLite takes."""
FINAL_BEGINS_WITHIN = timedelta(minutes=2)
"""Where nothing of a final was played for longer, its organizer is told how it goes on."""
EPOCH, MICROSECOND = datetime.fromtimestamp(0, UTC), timedelta(microseconds=1)
MAX_DIGITS = 16
ENTRY_ACTS = {"approve", "refuse", "withdraw", "disqualify"}
STATES_AFTER = {
    "approve": (EntryState.PLAYING, (EntryState.WAITING, *LEAVING_STATES)),
    "refuse": (EntryState.WITHDRAWN, (EntryState.WAITING,)),
}
"""How a bot stands after an act, and how it stood before: one that was refused may ask again."""
STATE_ORDER = [EntryState.WAITING, EntryState.PLAYING, *sorted(LEAVING_STATES)]
"""Bots that wait come first, those that were taken out last."""


class ContestAdminPages(Part):
    """What organizers do with contests. Every act of theirs is in the audit log."""

    def __init__(
        self,
        pages: Pages,
        database: Database,
        ladders: Ladders,
        tournaments: Tournaments,
        views: TournamentViews,
        bots: Bots,
        built_in: BuiltInBots,
    ) -> None:
        self._pages = pages
        self._database = database
        self._ladders = ladders
        self._tournaments = tournaments
        self._views = views
        self._bots = bots
        self._built_in = built_in
        self._moderation = Moderation(database)

    @property
    def routes(self) -> Sequence[Route]:
        organizer, contest = Permission.ORGANIZER, "/admin/contests/{id}"
        entry, match = f"{contest}/entries/{{bot}}", f"{contest}/matches/{{match:int}}"
        route = self._pages.route
        return [
            self._pages.reading_route("/admin/contests", organizer, self._list),
            route("/admin/contests", organizer, self._make, "POST"),
            route("/admin/contests/new", organizer, self._new_page),
            route(contest, organizer, self._show),
            route(contest, organizer, self._change, "POST"),
            route(f"{contest}/pause", organizer, self._pause_or_resume, "POST"),
            route(f"{contest}/resume", organizer, self._pause_or_resume, "POST"),
            route(f"{contest}/call-off", organizer, self._call_off, "POST"),
            route(f"{contest}/approve", organizer, self._approve_all, "POST"),
            route(entry, organizer, self._entry_page),
            route(entry + "/{act}", organizer, self._decide, "POST"),
            route(match, organizer, self._match_page),
            route(match + "/void", organizer, self._rule_on_match, "POST"),
            route(match + "/count", organizer, self._rule_on_match, "POST"),
            # The addresses of before: links to them stay good, and forms are sent again.
            route("/admin/ladders{rest:path}", organizer, self._redirect, "GET POST"),
            route("/admin/tournaments{rest:path}", organizer, self._redirect, "GET POST"),
        ]

    def _redirect(self, request: PageRequest) -> Response:
        rest = request.part("rest").removesuffix("/edit")
        if rest == "/announce":
            rest = "/new" if request.method != "POST" else ""
        query = f"?{request.url.query}" if request.url.query else ""
        target = f"/admin/contests{quote(rest)}{query}"
        return RedirectResponse(target, status_code=HTTPStatus.PERMANENT_REDIRECT)

    # -- all contests -------------------------------------------------------------------------

    def _list(self, request: PageRequest) -> Response:
        ladders, entered, begun, announced = request.read(
            find_ladders(),
            find_entries(),
            find_tournaments(IS_BEGUN),
            find_tournaments(IS_ANNOUNCED),
        )
        views, unreadable = self._views.view_all(request.read, begun)
        at, entries_of = now(), by_ladder(entered)
        return request.html(
            "admin_contests.html",
            ladders=[(one, ladder_state(one, at), entries_of.get(one.id, [])) for one in ladders],
            names={one.id: one.name for one in ladders},
            waiting=EntryState.WAITING,
            views=views,
            unreadable=unreadable,
            announced=[(one, entries_of.get(one.name, [])) for one in announced],
        )

    # -- making and changing ------------------------------------------------------------------

    def _new_page(self, request: PageRequest) -> Response:
        asked = request.query_params
        if "ladder" in asked:
            ladder = self._require_ladder(asked["ladder"])
            return self._tournament_form(request, ladder, None, usual_choices(ladder))
        game = asked.get("game", "")
        game = game if game in GAMES else next(iter(GAMES))
        return self._new_ladder_form(
            request, {**usual_fields(game, self._pages.zone), "house": YES}
        )

    def _make(self, request: PageRequest) -> Response:
        return self._make_tournament(request) if "ladder" in request.fields else self._add(request)

    def _show(self, request: PageRequest) -> Response:
        contest = self._find(request)
        if contest.tournament is None:
            return self._ladder_page(request, contest.ladder, self._ladder_fields(contest.ladder))
        if contest.tournament.is_begun:
            return redirect_to(f"/contests/{contest.id}")
        typed = tournament_form_values(contest.tournament, self._pages.zone)
        return self._tournament_form(request, contest.ladder, contest.tournament, typed)

    def _change(self, request: PageRequest) -> Response:
        contest = self._find(request)
        if contest.tournament is None:
            return self._change_ladder(request, contest.ladder)
        return self._change_tournament(request, contest.ladder, contest.tournament)

    def _pause_or_resume(self, request: PageRequest) -> Response:
        contest, is_paused = self._find(request), request.url.path.endswith("/pause")
        self._ladders.set_paused(contest.id, is_paused)
        request.note(f"{contest.kind} {'paused' if is_paused else 'resumed'}", contest.title)
        page = f"/{contest.id}" if contest.tournament is None else ""
        return redirect_to(f"/admin/contests{page}")

    # -- ladders and seasons ------------------------------------------------------------------

    def _new_ladder_form(
        self, request: PageRequest, typed: Mapping[str, str], problem: BadForm | None = None
    ) -> Response:
        return request.html(
            "admin_new_ladder.html",
            is_fixed=False,
            typed=defaultdict(str, typed),
            **self._form_values(typed.get("game", ""), problem),
        )

    def _add(self, request: PageRequest) -> Response:
        try:
            ladder = self._save_ladder(request, None, is_fixed=False)
        except BadForm as problem:
            return self._new_ladder_form(request, request.fields, problem)
        if request.field("house") == YES:
            self._built_in.enter(ladder)
        request.note("ladder made", ladder.name)
        return redirect_to(f"/admin/contests/{ladder.id}")

    def _ladder_page(
        self,
        request: PageRequest,
        ladder: Ladder,
        typed: Mapping[str, str],
        problem: BadForm | None = None,
    ) -> Response:
        at = now()
        entered, matches = self._database.read(
            entered_bots(ladder.id), any_matches(ladder.id, MAX_LISTED_MATCHES)
        )
        return request.html(
            "admin_ladder.html",
            ladder=ladder,
            state=ladder_state(ladder, at),
            waits=self._why_final_waits(ladder, at),
            at=_page_time(),
            entered=_sort_by_state(entered),
            matches=matches,
            is_fixed=self._moderation.has_fixtures(ladder.id),
            typed=defaultdict(str, typed),
            **self._form_values(ladder.spec.game, problem),
        )

    def _why_final_waits(self, ladder: Ladder, at: datetime) -> str:
        """Return why nothing of a final is played, in a sentence; '' where that is not so."""
        if not ladder.is_in_final(at) or ladder.ends_at is None:
            return ""
        if ladder.is_paused:
            return "The final waits, as the season is paused: let it go on."
        is_late = at - ladder.ends_at > FINAL_BEGINS_WITHIN
        if not is_late or self._moderation.has_played_since(ladder.id, ladder.ends_at):
            return ""
        return (
            "Nothing of the final was played so far. Ladders are played where the server has "
            "workers (serve --jobs 2), and by admin play."
        )

    def _change_ladder(self, request: PageRequest, before: Ladder) -> Response:
        is_fixed = self._moderation.has_fixtures(before.id)
        old = self._ladder_fields(before)
        typed = {**old, **request.fields} if is_fixed else request.fields
        try:
            after = self._save_ladder(request, before, is_fixed=is_fixed)
        except BadForm as problem:
            return self._ladder_page(request, before, typed, problem)
        self._set_built_in_bots(after, request.field("house"))
        new = self._ladder_fields(after)
        said = [
            f"{name} {old[name] or 'usual'} -> {new[name] or 'usual'}"
            for name in old
            if old[name] != new[name]
        ]
        request.note("ladder changed", one_line(f"{before.name}: {', '.join(said) or 'nothing'}"))
        return redirect_to(f"/admin/contests/{before.id}")

    def _save_ladder(
        self, request: PageRequest, before: Ladder | None, *, is_fixed: bool
    ) -> Ladder:
        """Keep the ladder that a form describes, and return it. Raises: BadForm."""
        groups, zone = self._find_groups(), self._pages.zone
        ladder = read_ladder(request.fields, before, is_fixed=is_fixed, zone=zone, groups=groups)
        if before is None or before.name != ladder.name:
            require_unlike(ladder, self._ladders.all())
        try:
            (self._ladders.add if before is None else self._ladders.change)(ladder)
        except Stale as error:
            raise name_taken_error(ladder.name) from error
        return ladder

    def _form_values(self, game: str, problem: BadForm | None) -> dict[str, object]:
        """Return what the fields of a ladder offer, and what of them was typed wrongly."""
        is_known = game in GAMES
        return {
            "why": str(problem or ""),
            "errors": {} if problem is None else problem.errors,
            "games": {name: game.title for name, game in GAMES.items()},
            "entry_rules": ENTRY_RULES,
            "groups": {"": "everybody", **self._find_groups()},
            "house_rules": BUILT_IN_RULES,
            "source_rules": SOURCE_RULES,
            "setting_fields": setting_fields(usual_settings(game), SETTING) if is_known else [],
            "limit_fields": setting_fields(usual_limits(game), LIMIT) if is_known else [],
        }

    def _ladder_fields(self, ladder: Ladder) -> dict[str, str]:
        """Return what the form of a ladder is filled with."""
        return {
            **ladder_form_values(ladder, self._pages.zone),
            "house": YES if self._built_in.plays_on(ladder.id) else "no",
        }

    def _set_built_in_bots(self, ladder: Ladder, typed: str) -> None:
        """Let the built-in bots in or out, if that was typed."""
        plays = self._built_in.plays_on(ladder.id)
        if typed == YES and not plays:
            self._built_in.enter(ladder)
        elif typed and typed != YES and plays:
            self._built_in.leave(ladder.id)

    # -- tournaments --------------------------------------------------------------------------

    def _tournament_form(
        self,
        request: PageRequest,
        ladder: Ladder,
        before: SavedTournament | None,
        typed: Mapping[str, str],
        why: str = "",
    ) -> Response:
        entered = [] if before is None else self._database.find(entered_bots(before.name))
        candidates = self._tournaments.candidates(ladder.id) if before is None else []
        return request.html(
            "admin_tournament.html",
            ladder=ladder,
            before=before,
            entered=_sort_by_state(entered),
            candidates=candidates,
            is_chosen=len(candidates) <= MAX_SELECTABLE_BOTS,
            formats=list(FORMATS),
            at=_page_time(),
            field_rules=FIELD_RULES,
            entry_rules=ENTRY_RULES,
            groups={"": "everybody", **self._find_groups()},
            most_games=MAX_GAMES,
            most_rounds=MAX_ROUNDS,
            most_break=MAX_BREAK_MINUTES,
            most_words=MAX_DESCRIPTION_LENGTH,
            typed=defaultdict(str, typed),
            was_sent=bool(request.fields),
            why=why,
        )

    def _make_tournament(self, request: PageRequest) -> Response:
        """Announce a tournament; one without an hour begins at once, with the bots chosen."""
        ladder = self._require_ladder(request.field("ladder"))
        typed = {"field": FieldRule.EVERYBODY, **request.fields}
        try:
            one = self._read_tournament(typed, ladder, None)
            if one.begins_at is None:
                return self._begin_now(request, one, ladder)
            self._tournaments.announce(one)
        except UsageError as error:
            return self._tournament_form(request, ladder, None, typed, str(error))
        return self._log_hour(request, one, "tournament announced")

    def _read_tournament(
        self, typed: Mapping[str, str], ladder: Ladder, before: SavedTournament | None
    ) -> SavedTournament:
        """Return the tournament that a form describes. Raises: BadForm."""
        typed = {"entry": EntryRule.OPEN, **typed}
        zone, groups = self._pages.zone, self._find_groups()
        return read_tournament(typed, ladder, before, zone=zone, groups=groups)

    def _begin_now(self, request: PageRequest, one: SavedTournament, ladder: Ladder) -> Response:
        """Raises: UsageError."""
        assert one.choices is not None
        chosen = self._tournaments.candidates(ladder.id)
        if len(chosen) <= MAX_SELECTABLE_BOTS:
            chosen = [bot for bot in chosen if request.field(f"bot-{bot.bot}")]
        self._tournaments.make(one.name, ladder, chosen, one.choices, one.words)
        request.note("tournament made", f"{one.name}: {one.choices.format}, {ladder.name}")
        return redirect_to(f"/contests/{one.name}")

    def _change_tournament(
        self, request: PageRequest, ladder: Ladder, before: SavedTournament
    ) -> Response:
        try:
            one = self._read_tournament(request.fields, ladder, before)
            self._tournaments.change(one)
        except UsageError as error:
            return self._tournament_form(request, ladder, before, request.fields, str(error))
        return self._log_hour(request, one, "tournament changed")

    def _log_hour(self, request: PageRequest, one: SavedTournament, what: str) -> Response:
        request.note(what, f"{one.name}: begins {one.begins_at:%Y-%m-%d %H:%M} UTC")
        return redirect_to(f"/contests/{one.name}")

    def _call_off(self, request: PageRequest) -> Response:
        name = request.part("id")
        try:
            self._tournaments.call_off(name)
        except UsageError as error:
            raise Denied(HTTPStatus.CONFLICT, str(error)) from error
        request.note("tournament called off", name)
        return redirect_to("/admin/contests")

    # -- bots ---------------------------------------------------------------------------------

    def _entry_page(self, request: PageRequest, why: str = "") -> Response:
        contest, bot = self._find(request), self._find_bot(request)
        entry = self._ladders.entry(contest.id, bot.id)
        if entry is None:
            raise Denied(HTTPStatus.NOT_FOUND, f"this bot has not entered this {contest.kind}")
        return request.html(
            "admin_entry.html",
            contest=contest,
            bot=bot,
            entry=entry,
            played=self._moderation.count_matches(contest.id, bot.id),
            most_why=MAX_REASON_LENGTH,
            why=why,
        )

    def _decide(self, request: PageRequest) -> Response:
        contest, bot, act = self._find(request), self._find_bot(request), request.part("act")
        why = "" if act == "approve" else one_line(request.field("reason"))[:MAX_REASON_LENGTH]
        if act not in ENTRY_ACTS:
            raise Denied(HTTPStatus.NOT_FOUND, "there is nothing here")
        if act != "approve" and not why:
            return self._entry_page(request, "say why: its author, and everybody, reads it")
        message = f"{bot.name}, {contest.title}" + (f": {why}" if why else "")
        try:
            if act in ("approve", "refuse"):
                new, was = STATES_AFTER[act]
                self._ladders.set_state(contest.id, bot.id, new, why, was=was)
            else:
                state = EntryState.DISQUALIFIED if act == "disqualify" else EntryState.WITHDRAWN
                voids = request.field("played") == "void"
                count = self._moderation.take_out(contest.id, bot.id, state, why, voids=voids)
                message += f" ({count} matches void)"
        except Stale:
            return self._entry_page(request, "it stands otherwise meanwhile: look again")
        request.note(f"bot: {act}", message, about=bot.person_id)
        return redirect_to(f"/admin/contests/{contest.id}")

    def _approve_all(self, request: PageRequest) -> Response:
        """Let in all bots that waited when the page was made: who came since was seen by nobody."""
        contest, up_to = self._find(request), parse_whole_number(request.field("up_to"), MAX_DIGITS)
        if up_to is None:
            raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, "it is not said which bots are meant")
        for bot_id in self._moderation.approve_all(contest.id, EPOCH + up_to * MICROSECOND):
            bot = self._bots.bot(bot_id)
            if bot is not None:
                request.note("bot: approve", f"{bot.name}, {contest.title}", about=bot.person_id)
        return redirect_to(f"/admin/contests/{contest.id}")

    # -- matches ------------------------------------------------------------------------------

    def _match_page(self, request: PageRequest, why: str = "") -> Response:
        contest, match = self._find(request), self._find_match(request)
        return request.html(
            "admin_match.html",
            contest=contest,
            match=match,
            most_why=MAX_REASON_LENGTH,
            why=why,
        )

    def _rule_on_match(self, request: PageRequest) -> Response:
        """Make a match void, or let it count again."""
        contest, match = self._find(request), self._find_match(request)
        is_void = request.url.path.endswith("/void")
        reason = one_line(request.field("reason"))[:MAX_REASON_LENGTH] if is_void else ""
        if is_void and not reason:
            return self._match_page(request, "say why: everybody reads it")
        try:
            if is_void:
                self._moderation.void(contest.id, match.id, reason)
            else:
                self._moderation.count_again(contest.id, match.id)
        except Stale:
            return self._match_page(request, "it stands otherwise meanwhile: look again")
        message = f"match {match.id} of {contest.title}" + (f": {reason}" if reason else "")
        request.note("match void" if is_void else "match counts again", message)
        return redirect_to(f"/admin/contests/{contest.id}#matches")

    # -- what the above have in common --------------------------------------------------------

    def _find(self, request: PageRequest) -> Contest:
        """Return the contest of an address. Raises: Denied."""
        found: Contest | None
        (found,) = request.read(contest_of_id(request.part("id")))
        if found is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such contest")
        return found

    def _find_groups(self) -> dict[str, str]:
        """Return the names of all groups, by their ids."""
        return {group.id: group.name for group in self._database.find(every_group())}

    def _require_ladder(self, ladder_id: str) -> Ladder:
        found = self._ladders.ladder(ladder_id)
        if found is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such ladder")
        return found

    def _find_bot(self, request: PageRequest) -> Bot:
        found = self._bots.bot(request.part("bot"))
        if found is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such bot")
        return found

    def _find_match(self, request: PageRequest) -> Match:
        number = min(request.path_params["match"], MAX_MATCH_ID)
        found = self._database.find(match_of_number(request.part("id"), number))
        if not found:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such match")
        return found[0]


def _page_time() -> int:
    """Return the present time for a form: who enters later was not seen on its page."""
    return (now() - EPOCH) // MICROSECOND


def _sort_by_state(entered: Sequence[EnteredBot]) -> list[EnteredBot]:
    return sorted(entered, key=lambda one: STATE_ORDER.index(one.state))
