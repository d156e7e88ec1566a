"""Tournaments that are to begin: their pages, entering bots, and what organizers do with them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from http import HTTPStatus

from starlette.responses import Response
from starlette.routing import Route

from runners.contests.ladders import Ladder, ladder_of_id
from runners.formats import FORMATS
from runners.storage.database import now
from runners.storage.ladder_tables import FieldRule
from server.bots.bot_rows import authored_bots
from server.bots.bots import Bots
from server.contests.ladder_forms import BadForm
from server.contests.scheduled_tournaments import (
    MAX_DESCRIPTION_LENGTH,
    NotScheduled,
    ScheduledTournament,
    ScheduledTournaments,
    tournament_by_name,
    tournament_entrants,
    tournament_ladder,
)
from server.contests.tournament_forms import (
    MAX_BREAK_MINUTES,
    MAX_GAMES,
    MAX_ROUNDS,
    parse_tournament_form,
    tournament_form_values,
    usual_choices,
)
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part
from server.http.permissions import Permission

FIELD_RULES = {
    FieldRule.EVERYBODY: "all bots of the ladder",
    FieldRule.ENTERED: "bots that their authors enter",
}
NO_SUCH_TOURNAMENT = "there is no such tournament"


class SchedulePages(Part):
    """What everybody sees of tournaments that have not begun, and what organizers do with them."""

    def __init__(self, pages: Pages, scheduled: ScheduledTournaments, bots: Bots) -> None:
        self._pages = pages
        self._scheduled = scheduled
        self._bots = bots

    @property
    def routes(self) -> Sequence[Route]:
        route, organizer = self._pages.route, Permission.ORGANIZER
        return [
            route("/tournaments/{name}/enter", Permission.MEMBER, self._enter, "POST"),
            route("/tournaments/{name}/leave", Permission.MEMBER, self._leave, "POST"),
            route("/admin/tournaments/announce", organizer, self._new_page),
            route("/admin/tournaments/announce", organizer, self._add, "POST"),
            route("/admin/tournaments/{name}/edit", organizer, self._edit_page),
            route("/admin/tournaments/{name}/edit", organizer, self._change, "POST"),
            route("/admin/tournaments/{name}/call-off", organizer, self._call_off, "POST"),
        ]

    # -- for everybody ------------------------------------------------------------------------

    def show(self, request: PageRequest, one: ScheduledTournament, why: str = "") -> Response:
        """Show a tournament that has not begun; `why`: what was wrong with what somebody did."""
        ladder, entered, *own = request.read(
            ladder_of_id(one.ladder),
            tournament_entrants(one.name),
            *([authored_bots(request.person.id)] if request.person else []),
        )
        assert ladder is not None
        me = "" if request.person is None else request.person.id
        mine = [  # of a bot that several share, its owner decides
            bot
            for bots in own
            for bot in bots
            if bot.game == ladder.spec.game and bot.person_id == me
        ]
        takes_all = one.field is FieldRule.EVERYBODY
        return request.html(
            "scheduled_tournament.html",
            HTTPStatus.UNPROCESSABLE_ENTITY if why else HTTPStatus.OK,
            one=one,
            ladder=ladder,
            game=ladder.spec.game,
            entered=entered,
            able={candidate.bot for candidate in self._scheduled.field(one)},
            bots=[] if takes_all else mine,
            takes_all=takes_all,
            is_open=one.takes_entries(now()),
            why=why,
        )

    def _enter(self, request: PageRequest) -> Response:
        return self._enter_or_leave(request, is_entering=True)

    def _leave(self, request: PageRequest) -> Response:
        return self._enter_or_leave(request, is_entering=False)

    def _enter_or_leave(self, request: PageRequest, *, is_entering: bool) -> Response:
        one = self._find_tournament(request)
        bot = self._bots.bot(request.field("bot"))
        if bot is None or bot.person_id != request.me.id:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such bot of yours")
        try:
            act = self._scheduled.enter if is_entering else self._scheduled.leave
            act(one.name, bot.id)
        except NotScheduled as error:
            return self.show(request, one, str(error))
        did = "entered for" if is_entering else "taken out of"
        request.note(f"bot {did} a tournament", f"{bot.name}: {one.name}")
        return redirect_to(f"/tournaments/{one.name}")

    def _find_tournament(self, request: PageRequest) -> ScheduledTournament:
        """Raises: Denied."""
        (one,) = request.read(tournament_by_name(request.part("name")))
        if one is None:
            raise Denied(HTTPStatus.NOT_FOUND, NO_SUCH_TOURNAMENT)
        assert isinstance(one, ScheduledTournament)
        return one

    # -- for organizers -----------------------------------------------------------------------

    def _new_page(self, request: PageRequest) -> Response:
        ladder = self._require_ladder(request, request.query_params.get("ladder", ""))
        filled = {**usual_choices(ladder), "field": FieldRule.EVERYBODY}
        return self._edit_form(request, ladder, None, filled)

    def _add(self, request: PageRequest) -> Response:
        ladder = self._require_ladder(request, request.field("ladder"))
        try:
            one = parse_tournament_form(request.fields, ladder, None, self._pages.zone)
            self._scheduled.add(one)
        except (BadForm, NotScheduled) as error:
            return self._edit_form(request, ladder, None, request.fields, str(error))
        return self._log_and_redirect(request, one, "tournament announced")

    def _edit_page(self, request: PageRequest) -> Response:
        one, ladder = self._find_with_ladder(request)
        return self._edit_form(request, ladder, one, tournament_form_values(one, self._pages.zone))

    def _change(self, request: PageRequest) -> Response:
        before, ladder = self._find_with_ladder(request)
        try:
            one = parse_tournament_form(request.fields, ladder, before, self._pages.zone)
            self._scheduled.change(one)
        except (BadForm, NotScheduled) as error:
            return self._edit_form(request, ladder, before, request.fields, str(error))
        return self._log_and_redirect(request, one, "tournament changed")

    def _call_off(self, request: PageRequest) -> Response:
        name = request.part("name")
        try:
            self._scheduled.call_off(name)
        except NotScheduled as error:
            raise Denied(HTTPStatus.CONFLICT, str(error)) from error
        request.note("tournament called off", name)
        return redirect_to("/admin/tournaments")

    def _log_and_redirect(
        self, request: PageRequest, one: ScheduledTournament, what: str
    ) -> Response:
        request.note(what, f"{one.name}: begins {one.starts_at:%Y-%m-%d %H:%M} UTC")
        return redirect_to(f"/tournaments/{one.name}")

    def _edit_form(
        self,
        request: PageRequest,
        ladder: Ladder,
        before: ScheduledTournament | None,
        typed: Mapping[str, str],
        why: str = "",
    ) -> Response:
        return request.html(
            "admin_announce.html",
            HTTPStatus.UNPROCESSABLE_ENTITY if why else HTTPStatus.OK,
            ladder=ladder,
            before=before,
            formats=list(FORMATS),
            field_rules=FIELD_RULES,
            most_games=MAX_GAMES,
            most_rounds=MAX_ROUNDS,
            most_break=MAX_BREAK_MINUTES,
            most_words=MAX_DESCRIPTION_LENGTH,
            typed=defaultdict(str, typed),
            why=why,
        )

    def _find_with_ladder(self, request: PageRequest) -> tuple[ScheduledTournament, Ladder]:
        """Raises: Denied."""
        name = request.part("name")
        one, ladder = request.read(tournament_by_name(name), tournament_ladder(name))
        if one is None:
            raise Denied(HTTPStatus.NOT_FOUND, NO_SUCH_TOURNAMENT)
        return one, ladder

    def _require_ladder(self, request: PageRequest, ladder_id: str) -> Ladder:
        """Raises: Denied."""
        (ladder,) = request.read(ladder_of_id(ladder_id))
        if ladder is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such ladder")
        assert isinstance(ladder, Ladder)
        return ladder
