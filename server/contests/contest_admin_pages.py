"""Pages with which organizers make contests, and decide about their bots and matches."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import quote

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from engine.catalog import GAMES
from engine.errors import UsageError
from engine.support.sanitizing import one_line
from runners.contests.contests import (
    Contest,
    Ladder,
    SavedTournament,
    contest_of_id,
    find_contests,
)
from runners.contests.entries import find_entries
from runners.contests.ladders import Ladders
from runners.contests.tournament_request import tournament_title
from runners.contests.visibility import find_sealed_ladders
from runners.storage.database import Database, Stale, now
from runners.storage.ladder_tables import EntryState, entries
from runners.storage.store import find_entrants_of_all
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
    ContestForm,
    new_ladder,
    new_tournament,
    save_ladder,
)
from server.contests.contest_heads import PHASES, ContestHeads
from server.contests.form_fields import YES
from server.contests.ladder_tables import ladder_state
from server.contests.match_rows import Match, any_matches, match_of_number
from server.contests.tournaments import Candidate, Tournaments
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part
from server.http.permissions import Permission
from server.identity.groups import every_group
from server.identity.text_limits import parse_whole_number

T = TypeVar("T")
MAX_LISTED_MATCHES = 50
"""Matches on the page of a ladder, the newest first."""
MAX_SELECTABLE_BOTS = 80
"""Bots that are listed to choose from; if there are more, all play."""
MAX_MATCH_ID = 2**63 - 1
"""The highest number that SQLite takes."""
FINAL_IS_PLAYED_WITHIN = timedelta(minutes=2)
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
        heads: ContestHeads,
        bots: Bots,
        built_in: BuiltInBots,
    ) -> None:
        self._pages = pages
        self._database = database
        self._ladders = ladders
        self._tournaments = tournaments
        self._heads = heads
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
        waiting = entries.c.state == EntryState.WAITING
        found, entrants, to_approve = request.read(
            find_contests(), find_entrants_of_all(), find_entries(waiting)
        )
        heads, unreadable = self._heads.find_heads(found, entrants, request.person)
        return request.html(
            "admin_contests.html",
            ladders=[one.ladder for one in found if one.tournament is None],
            heads=heads,
            unreadable=unreadable,
            phases=PHASES,
            waiting=Counter(entry.contest for entry in to_approve),
        )

    # -- making and changing ------------------------------------------------------------------

    def _new_page(self, request: PageRequest) -> Response:
        return self._page(request, self._new_form(request.query_params))

    def _make(self, request: PageRequest) -> Response:
        """Make a ladder, announce a tournament; one without an hour begins at once."""
        return self._save(request, self._new_form(request.fields))

    def _show(self, request: PageRequest) -> Response:
        return self._page(request, self._form_of(self._find(request)))

    def _change(self, request: PageRequest) -> Response:
        return self._save(request, self._form_of(self._find(request)))

    def _new_form(self, asked: Mapping[str, str]) -> ContestForm:
        """Return the form of a new contest: of a tournament of a ladder, or of a ladder."""
        if "ladder" in asked:
            ladder = _require(self._ladders.ladder(asked["ladder"]), "ladder")
            return self._form_of(new_tournament(ladder), is_new=True)
        game = GAMES.get(asked.get("game", "")) or next(iter(GAMES.values()))
        return self._form_of(new_ladder(game), is_new=True)

    def _form_of(self, contest: Contest, *, is_new: bool = False) -> ContestForm:
        return ContestForm(
            contest=contest,
            is_new=is_new,
            is_fixed=not is_new and self._moderation.has_fixtures(contest.id),
            has_built_in=is_new or self._built_in.plays_on(contest.id),
            zone=self._pages.zone,
            groups={group.id: group.name for group in self._database.find(every_group())},
        )

    def _page(
        self, request: PageRequest, form: ContestForm, error: UsageError | None = None
    ) -> Response:
        contest, at = form.contest, now()
        errors = {} if error is None else form.errors_of(error)
        typed = form.values if error is None else form.complete(request.fields)
        candidates: list[Candidate] = []
        entered: list[EnteredBot] = []
        matches: list[Match] = []
        if not form.is_new:
            entered, matches = self._database.read(
                entered_bots(contest.id), any_matches(contest.id, MAX_LISTED_MATCHES)
            )
        elif contest.tournament is not None:
            candidates = self._tournaments.candidates(contest.ladder.id)
        return request.html(
            "admin_contest.html",
            contest=contest,
            form=form,
            typed=defaultdict(str, typed),
            filled={key for key, text in typed.items() if text.strip()},
            errors=errors,
            why="; ".join(errors.values()),
            games=GAMES,
            state=_describe_state(contest, at),
            waits=self._why_final_waits(contest.ladder, at),
            at=(now() - EPOCH) // MICROSECOND,  # who enters later was not seen on this page
            entered=sorted(entered, key=lambda one: STATE_ORDER.index(one.state)),
            matches=matches,
            candidates=candidates,
            is_chosen=len(candidates) <= MAX_SELECTABLE_BOTS,
        )

    def _save(self, request: PageRequest, form: ContestForm) -> Response:
        """Keep the contest that a form describes. One that was made is played, or announced."""
        try:
            contest = form.read(request.fields)
            what = self._keep(request, form, contest)
        except UsageError as error:
            return self._page(request, form, error)
        changes = "" if form.is_new else f": {form.describe_changes(self._form_of(contest))}"
        request.note(f"{contest.kind} {what}", one_line(f"{contest.title}{changes}"))
        folder = "/admin" if contest.tournament is None else ""
        return redirect_to(f"{folder}/contests/{contest.id}")

    def _keep(self, request: PageRequest, form: ContestForm, contest: Contest) -> str:
        """Keep a contest; return what was done with it. Raises: UsageError."""
        ladder, one = contest.ladder, contest.tournament
        if one is None:
            save_ladder(self._ladders, ladder, None if form.is_new else form.contest.ladder)
            self._set_built_in_bots(ladder, request.field("house"))
        elif one.begins_at is None:
            self._begin_now(request, one, ladder)
        elif form.is_new:
            self._tournaments.announce(one)
            return "announced"
        else:
            self._tournaments.change(one)
        return "made" if form.is_new else "changed"

    def _set_built_in_bots(self, ladder: Ladder, typed: str) -> None:
        """Let the built-in bots in or out, if that was typed."""
        plays = self._built_in.plays_on(ladder.id)
        if typed == YES and not plays:
            self._built_in.enter(ladder)
        elif typed and typed != YES and plays:
            self._built_in.leave(ladder.id)

    def _begin_now(self, request: PageRequest, one: SavedTournament, ladder: Ladder) -> None:
        """Begin a tournament with the bots that were chosen. Raises: UsageError."""
        assert one.choices is not None
        chosen = self._tournaments.candidates(ladder.id)
        if len(chosen) <= MAX_SELECTABLE_BOTS:
            chosen = [bot for bot in chosen if request.field(f"bot-{bot.bot}")]
        self._tournaments.make(one.name, ladder, chosen, one.choices, one.words)

    def _pause_or_resume(self, request: PageRequest) -> Response:
        contest, is_paused = self._find(request), request.url.path.endswith("/pause")
        self._ladders.set_paused(contest.id, is_paused)
        request.note(f"{contest.kind} {'paused' if is_paused else 'resumed'}", contest.title)
        return redirect_to(f"/admin/contests/{contest.id}")

    def _why_final_waits(self, ladder: Ladder, at: datetime) -> str:
        """Return why nothing of a final is played, in a sentence; '' where that is not so."""
        if not ladder.is_in_final(at) or ladder.ends_at is None:
            return ""
        if ladder.is_paused:
            return "The final waits, as the season is paused: let it go on."
        if sealed := self._database.find(find_sealed_ladders()).get(ladder.id):
            return f"The final waits until {tournament_title(sealed)} begins, which is sealed."
        since = at - FINAL_IS_PLAYED_WITHIN
        if ladder.ends_at > since or self._moderation.has_played_since(ladder.id, since):
            return ""
        return (
            "The final waits: no match of it was played lately. Ladders are played where the "
            "server has workers (serve --jobs 2), and by admin play."
        )

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
        (found,) = request.read(contest_of_id(request.part("id")))
        contest: Contest = _require(found, "contest")
        return contest

    def _find_bot(self, request: PageRequest) -> Bot:
        return _require(self._bots.bot(request.part("bot")), "bot")

    def _find_match(self, request: PageRequest) -> Match:
        number = min(request.path_params["match"], MAX_MATCH_ID)
        found = self._database.find(match_of_number(request.part("id"), number))
        return _require(found[0] if found else None, "match")


def _require(found: T | None, what: str) -> T:
    """Raises: Denied for what is not there."""
    if found is None:
        raise Denied(HTTPStatus.NOT_FOUND, f"there is no such {what}")
    return found


def _describe_state(contest: Contest, at: datetime) -> str:
    """Return in few words how a contest stands."""
    one = contest.tournament
    if one is None:
        return ladder_state(contest.ladder, at)
    if one.is_begun:
        return "paused" if one.is_paused else "begun"
    return f"{one.state}: {one.why}" if one.why else one.state
