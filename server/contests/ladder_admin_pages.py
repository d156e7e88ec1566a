"""Pages with which organizers make ladders and seasons, and decide about bots and matches."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from http import HTTPStatus

import msgspec
from sqlalchemy import func, select
from starlette.responses import Response
from starlette.routing import Route

from engine.catalog import GAMES
from engine.support.sanitizing import one_line
from runners.contests.authors import author_names
from runners.contests.ladders import (
    Entry,
    Ladder,
    Ladders,
    by_ladder,
    entries_on,
    every_entry,
    every_ladder,
)
from runners.storage.database import Database, Stale, aware, now
from runners.storage.game_tables import people
from runners.storage.ladder_tables import EntryRule, EntryState, SourceRule, bots, entries, fixtures
from runners.storage.together import AnyRow, Lookup
from server.bots.bot_rows import Bot
from server.bots.bots import Bots
from server.bots.built_in_bots import BuiltInBots
from server.contests.ladder_forms import (
    LIMIT,
    SETTING,
    BadForm,
    ladder_form_values,
    name_taken_error,
    read_ladder,
    require_unlike,
    usual_fields,
    usual_limits,
    usual_settings,
)
from server.contests.moderation import LEAVING_STATES, MAX_REASON_LENGTH, Moderation
from server.contests.settings_forms import setting_fields
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part
from server.http.permissions import Permission
from server.identity.groups import every_group

MAX_LISTED_MATCHES = 50
"""Matches on the page of a ladder, the newest first."""
EPOCH, MICROSECOND = datetime.fromtimestamp(0, UTC), timedelta(microseconds=1)
MAX_DIGITS = 16
ENTRY_ACTS = {"approve", "refuse", "withdraw", "disqualify"}


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A bot of a ladder, as its organizer sees it."""

    entry: Entry
    name: str
    author: str


class LadderAdminPages(Part):
    """What organizers do with ladders. Every act of theirs is in the audit log."""

    def __init__(
        self,
        pages: Pages,
        database: Database,
        ladders: Ladders,
        bots: Bots,
        built_in: BuiltInBots,
    ) -> None:
        self._pages = pages
        self._database = database
        self._ladders = ladders
        self._bots = bots
        self._built_in = built_in
        self._moderation = Moderation(database)

    @property
    def routes(self) -> Sequence[Route]:
        route = self._pages.route
        entry = "/admin/ladders/{id}/entries/{bot}"
        match = "/admin/ladders/{id}/matches/{match:int}"
        return [
            route("/admin/ladders", Permission.ORGANIZER, self._list),
            route("/admin/ladders", Permission.ORGANIZER, self._make, "POST"),
            route("/admin/ladders/new", Permission.ORGANIZER, self._new_edit_page),
            route("/admin/ladders/{id}", Permission.ORGANIZER, self._show),
            route("/admin/ladders/{id}", Permission.ORGANIZER, self._change, "POST"),
            route("/admin/ladders/{id}/pause", Permission.ORGANIZER, self._pause, "POST"),
            route("/admin/ladders/{id}/resume", Permission.ORGANIZER, self._resume, "POST"),
            route("/admin/ladders/{id}/approve", Permission.ORGANIZER, self._approve_all, "POST"),
            route(entry, Permission.ORGANIZER, self._show_entry),
            route(entry + "/{act}", Permission.ORGANIZER, self._decide, "POST"),
            route(match, Permission.ORGANIZER, self._show_match),
            route(match + "/void", Permission.ORGANIZER, self._void_match, "POST"),
            route(match + "/count", Permission.ORGANIZER, self._count_again, "POST"),
        ]

    # -- ladders ------------------------------------------------------------------------------

    def _list(self, request: PageRequest) -> Response:
        ladders, entered = request.read(every_ladder(), every_entry())
        at, entries_of = now(), by_ladder(entered)
        found = [
            {
                "ladder": ladder,
                "state": ladder_state(ladder, at),
                "entries": entries_of.get(ladder.id, []),
            }
            for ladder in ladders
        ]
        return request.html("admin_ladders.html", ladders=found, waiting=EntryState.WAITING)

    def _new_edit_page(self, request: PageRequest) -> Response:
        asked = request.query_params.get("game", "")
        game = asked if asked in GAMES else next(iter(GAMES))
        return self._new_form(request, {**usual_fields(game, self._pages.zone), "house": YES})

    def _new_form(
        self, request: PageRequest, typed: Mapping[str, str], problem: BadForm | None = None
    ) -> Response:
        status = HTTPStatus.OK if problem is None else HTTPStatus.UNPROCESSABLE_ENTITY
        values = {
            "typed": defaultdict(str, typed),
            **_problem_values(problem),
            **_game_setting_fields(typed.get("game", "")),
            **self._form_choices(),
        }
        return request.html("admin_new_ladder.html", status, is_fixed=False, **values)

    def _make(self, request: PageRequest) -> Response:
        try:
            ladder = self._read(request, None, is_fixed=False)
            self._ladders.add(ladder)
        except BadForm as problem:
            return self._new_form(request, request.fields, problem)
        except Stale:
            return self._new_form(request, request.fields, name_taken_error(request.field("name")))
        if request.field("house") == YES:
            self._built_in.enter(ladder)
        request.note("ladder made", ladder.name)
        return redirect_to(f"/admin/ladders/{ladder.id}")

    def _show(self, request: PageRequest) -> Response:
        ladder = self._find_ladder(request)
        return self._edit_page(request, ladder, self._form_fields(ladder))

    def _edit_page(
        self,
        request: PageRequest,
        ladder: Ladder,
        typed: Mapping[str, str],
        problem: BadForm | None = None,
    ) -> Response:
        at = now()
        return request.html(
            "admin_ladder.html",
            HTTPStatus.OK if problem is None else HTTPStatus.UNPROCESSABLE_ENTITY,
            ladder=ladder,
            state=ladder_state(ladder, at),
            at=(at - EPOCH) // MICROSECOND,
            standings=self._all_standings(ladder),
            matches=self._newest_matches(ladder.id),
            is_fixed=self._moderation.has_fixtures(ladder.id),
            typed=defaultdict(str, typed),
            **_problem_values(problem),
            **_game_setting_fields(ladder.spec.game),
            **self._form_choices(),
        )

    def _change(self, request: PageRequest) -> Response:
        before = self._find_ladder(request)
        is_fixed = self._moderation.has_fixtures(before.id)
        old = self._form_fields(before)
        typed = {**old, **request.fields} if is_fixed else request.fields
        try:
            after = self._read(request, before, is_fixed=is_fixed)
            self._ladders.change(after)
        except BadForm as problem:
            return self._edit_page(request, before, typed, problem)
        except Stale:
            return self._edit_page(request, before, typed, name_taken_error(request.field("name")))
        self._set_built_in_bots(after, request.field("house"))
        new = self._form_fields(after)
        said = [
            f"{name} {old[name] or 'usual'} -> {new[name] or 'usual'}"
            for name in old
            if old[name] != new[name]
        ]
        request.note("ladder changed", one_line(f"{before.name}: {', '.join(said) or 'nothing'}"))
        return redirect_to(f"/admin/ladders/{before.id}")

    def _read(self, request: PageRequest, before: Ladder | None, *, is_fixed: bool) -> Ladder:
        """Return the ladder that a form describes. Raises: BadForm."""
        groups = {group.id for group in self._database.find(every_group())}
        zone = self._pages.zone
        ladder = read_ladder(request.fields, before, is_fixed=is_fixed, zone=zone, groups=groups)
        if before is None or before.name != ladder.name:
            require_unlike(ladder, self._ladders.all())
        return ladder

    def _form_choices(self) -> dict[str, object]:
        """Return what the fields of a ladder offer."""
        groups = {group.id: group.name for group in self._database.find(every_group())}
        return {
            "games": {name: game.title for name, game in GAMES.items()},
            "entry_rules": ENTRY_RULES,
            "groups": {"": "everybody", **groups},
            "house_rules": BUILT_IN_RULES,
            "source_rules": SOURCE_RULES,
        }

    def _form_fields(self, ladder: Ladder) -> dict[str, str]:
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

    def _pause(self, request: PageRequest) -> Response:
        return self._set_paused(request, True)

    def _resume(self, request: PageRequest) -> Response:
        return self._set_paused(request, False)

    def _set_paused(self, request: PageRequest, is_paused: bool) -> Response:
        ladder = self._find_ladder(request)
        self._ladders.set_paused(ladder.id, is_paused)
        request.note("ladder paused" if is_paused else "ladder resumed", ladder.name)
        return redirect_to(f"/admin/ladders/{ladder.id}")

    # -- bots ---------------------------------------------------------------------------------

    def _show_entry(self, request: PageRequest) -> Response:
        return self._entry_page(request)

    def _entry_page(self, request: PageRequest, why: str = "") -> Response:
        ladder, bot = self._find_ladder(request), self._find_bot(request)
        entry = self._ladders.entry(ladder.id, bot.id)
        if entry is None:
            raise Denied(HTTPStatus.NOT_FOUND, "this bot has not entered this ladder")
        return request.html(
            "admin_entry.html",
            HTTPStatus.UNPROCESSABLE_ENTITY if why else HTTPStatus.OK,
            ladder=ladder,
            bot=bot,
            entry=entry,
            played=self._moderation.count_matches(ladder.id, bot.id),
            most_why=MAX_REASON_LENGTH,
            why=why,
        )

    def _decide(self, request: PageRequest) -> Response:
        ladder, bot, act = self._find_ladder(request), self._find_bot(request), request.part("act")
        why = one_line(request.field("reason"))[:MAX_REASON_LENGTH]
        if act not in ENTRY_ACTS:
            raise Denied(HTTPStatus.NOT_FOUND, "there is nothing here")
        if act != "approve" and not why:
            return self._entry_page(request, "say why: its author, and everybody, reads it")
        words = f"{bot.name}, {ladder.name}" + (f": {why}" if why else "")
        try:
            if act == "approve":
                self._moderation.approve(ladder.id, bot.id)
            elif act == "refuse":
                self._moderation.refuse(ladder.id, bot.id, why)
            else:
                state = EntryState.DISQUALIFIED if act == "disqualify" else EntryState.WITHDRAWN
                voids = request.field("played") == "void"
                count = self._moderation.take_out(ladder.id, bot.id, state, why, voids=voids)
                words += f" ({count} matches void)"
        except Stale:
            return self._entry_page(request, "it stands otherwise meanwhile: look again")
        request.note(f"bot: {act}", words, about=bot.person_id)
        return redirect_to(f"/admin/ladders/{ladder.id}")

    def _approve_all(self, request: PageRequest) -> Response:
        """Let in all bots that waited when the page was made: who came since was seen by nobody."""
        ladder, typed = self._find_ladder(request), request.field("up_to")
        if not (typed.isascii() and typed.isdigit() and len(typed) <= MAX_DIGITS):
            raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, "it is not said which bots are meant")
        for bot_id in self._moderation.approve_all(ladder.id, EPOCH + int(typed) * MICROSECOND):
            bot = self._bots.bot(bot_id)
            if bot is not None:
                request.note("bot: approve", f"{bot.name}, {ladder.name}", about=bot.person_id)
        return redirect_to(f"/admin/ladders/{ladder.id}")

    # -- matches ------------------------------------------------------------------------------

    def _show_match(self, request: PageRequest) -> Response:
        return self._match_page(request)

    def _match_page(self, request: PageRequest, why: str = "") -> Response:
        ladder, row = self._find_ladder(request), self._find_fixture(request)
        return request.html(
            "admin_match.html",
            HTTPStatus.UNPROCESSABLE_ENTITY if why else HTTPStatus.OK,
            ladder=ladder,
            match=row,
            names=self._names_by_match([row])[row.id],
            most_why=MAX_REASON_LENGTH,
            why=why,
        )

    def _void_match(self, request: PageRequest) -> Response:
        reason = one_line(request.field("reason"))[:MAX_REASON_LENGTH]
        if not reason:
            return self._match_page(request, "say why: everybody reads it")
        return self._apply_ruling(
            request,
            "match void",
            reason,
            lambda ladder_id, number: self._moderation.void(ladder_id, number, reason),
        )

    def _count_again(self, request: PageRequest) -> Response:
        return self._apply_ruling(request, "match counts again", "", self._moderation.count_again)

    def _apply_ruling(
        self, request: PageRequest, what: str, reason: str, judge: Callable[[str, int], None]
    ) -> Response:
        ladder, row = self._find_ladder(request), self._find_fixture(request)
        try:
            judge(ladder.id, row.id)
        except Stale:
            return self._match_page(request, "it stands otherwise meanwhile: look again")
        request.note(what, f"match {row.id} of {ladder.name}" + (f": {reason}" if reason else ""))
        return redirect_to(f"/admin/ladders/{ladder.id}#matches")

    # -- what the above have in common --------------------------------------------------------

    def _find_ladder(self, request: PageRequest) -> Ladder:
        found = self._ladders.ladder(request.part("id"))
        if found is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such ladder")
        return found

    def _find_bot(self, request: PageRequest) -> Bot:
        found = self._bots.bot(request.part("bot"))
        if found is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such bot")
        return found

    def _find_fixture(self, request: PageRequest) -> AnyRow:
        number = request.path_params["match"]
        query = select(fixtures).where(
            fixtures.c.id == min(number, MAX_MATCH_ID), fixtures.c.ladder == request.part("id")
        )
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such match")
        return row

    def _all_standings(self, ladder: Ladder) -> list[Standing]:
        """Return the bots of a ladder: first those that wait, last those that were taken out."""
        order = [EntryState.WAITING, EntryState.PLAYING, *sorted(LEAVING_STATES)]
        query = (
            select(bots.c.id, bots.c.name, author_names())
            .join(entries, entries.c.bot == bots.c.id)
            .join(people, people.c.id == bots.c.person)
            .where(entries.c.ladder == ladder.id)
        )
        known, entered = self._database.read(
            Lookup(query, lambda rows: {row.id: row for row in rows}), entries_on(ladder.id)
        )
        found = [
            Standing(entry=entry, name=known[entry.bot].name, author=known[entry.bot].author)
            for entry in entered
        ]
        return sorted(found, key=lambda one: order.index(one.entry.state))

    def _newest_matches(self, ladder_id: str) -> list[dict[str, object]]:
        """Return the newest matches of a ladder."""
        query = (
            select(fixtures)
            .where(fixtures.c.ladder == ladder_id)
            .order_by(func.coalesce(fixtures.c.played_at, fixtures.c.created_at).desc())
            .limit(MAX_LISTED_MATCHES)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        names = self._names_by_match(rows)
        return [
            {
                "id": row.id,
                "public_id": row.public_id,
                "names": names[row.id],
                "played_at": None if row.played_at is None else aware(row.played_at),
                "has_result": row.has_result,
                "is_void": row.is_void,
                "why": row.why,
            }
            for row in rows
        ]

    def _names_by_match(self, rows: Sequence[AnyRow]) -> dict[int, list[str]]:
        """Return who plays in these matches, by seat."""
        seats = {row.id: msgspec.json.decode(row.seats, type=list[str]) for row in rows}
        names = self._bots.names_of_versions(one for ids in seats.values() for one in ids)
        return {number: [names.get(one, "?") for one in ids] for number, ids in seats.items()}


MAX_MATCH_ID = 2**63 - 1
"""The highest number that SQLite takes."""


def ladder_state(ladder: Ladder, at: datetime) -> str:
    """Return in few words how a ladder stands."""
    if ladder.is_over(at):
        return "over"
    if not ladder.has_present_rules:
        return f"of other rules (version {ladder.spec.rules_version})"
    if ladder.is_paused:
        return "paused"
    if not ladder.has_begun(at):
        return "not begun"
    if ladder.is_in_final(at):
        return "in its final"
    return "frozen" if ladder.is_frozen(at) else "running"


def _problem_values(problem: BadForm | None) -> dict[str, object]:
    """Return what a page says of what was typed wrongly."""
    return {"why": str(problem or ""), "errors": {} if problem is None else problem.errors}


def _game_setting_fields(game: str) -> dict[str, object]:
    """Return the fields of a game's settings, and of the limits of its bots."""
    if game not in GAMES:
        return {"setting_fields": [], "limit_fields": []}
    return {
        "setting_fields": setting_fields(usual_settings(game), SETTING),
        "limit_fields": setting_fields(usual_limits(game), LIMIT),
    }


def entry_words(ladder: Ladder, group: str) -> str:
    """Return who may enter a ladder, which is for a group of this name unless that is ''."""
    if not group:
        return ENTRY_RULES[ladder.entry_rule]
    whom = ", whom an organizer approves" if ladder.entry_rule is EntryRule.APPROVED else ""
    return f"members of the group {group}{whom}"


YES = "yes"
ENTRY_RULES = {
    EntryRule.OPEN: "everybody",
    EntryRule.APPROVED: "whom an organizer approves",
}
BUILT_IN_RULES = {
    YES: "play, so that nobody waits for opponents",
    "no": "do not play",
}
SOURCE_RULES = {
    SourceRule.NOBODY: "nobody but its author",
    SourceRule.ORGANIZERS: "organizers",
    SourceRule.EVERYBODY_AFTER_END: "everybody, after the end of the season",
    SourceRule.EVERYBODY: "everybody",
}
