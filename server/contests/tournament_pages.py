"""Pages of tournaments: those there are, one as it stands, its report, and making one."""

import io
import time
import zipfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path

import msgspec
from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from engine.errors import BadResult, UsageError
from report.boxes import bracket_boxes, round_boxes
from report.dossier import Dossier
from report.drawing import draw_bracket, draw_rounds
from report.pages import MOST_DRAWN
from report.rendering import render
from runners.contests.ladders import Ladder, Ladders, every_ladder
from runners.contests.ledger import Ledger
from runners.contests.open_tournaments import (
    KeptTournament,
    all_tournaments,
    ladder_of,
    tournaments_named,
)
from runners.contests.standings import Standings, StandingsTally
from runners.contests.tournament import Tournament
from runners.formats import FORMATS, USUAL_FORMAT
from runners.storage.store import entrants_of, plan_of
from server.contests.tournaments import Candidate, NewTournament, Tournaments
from server.http.errors import Denied
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part
from server.http.permissions import Permission
from server.identity.rate_limits import HOUR_S, RateLimit

UNREADABLE = (
    "this tournament cannot be shown: what is kept of it cannot be understood. "
    "The server's warnings say why"
)
MOST_CROSSED = 60
"""Bots of which a cross table is shown."""
MOST_CHOSEN = 80
"""Bots that are listed to choose from; if there are more, all play."""
MOST_GAMES = 100
MOST_ROUNDS = 1_000
IDLE = 10
"""A tournament is not read again before so many times as long as reading it took."""
RELOADED_S = 5
"""The page of a tournament that is played is loaded again so often."""


class Shown(msgspec.Struct, frozen=True):
    """A tournament as its page shows it."""

    count: int
    """How many results there were: with others it is made anew."""
    due: float
    """When it may be, seconds of the monotonic clock: to read many results takes a while."""
    standings: Standings
    met: Mapping[int, Dossier]
    """What each entrant did, by its number."""
    drawing: Markup
    """The bracket or the rounds; '' where there is none."""


class TournamentPages(Part):
    """What everybody sees of tournaments, and what organizers do with them."""

    def __init__(self, pages: Pages, tournaments: Tournaments, ladders: Ladders) -> None:
        self._pages = pages
        self._tournaments = tournaments
        self._ladders = ladders
        self._shown: dict[str, Shown] = {}
        self._downloads = RateLimit(120, HOUR_S)  # each is packed anew

    @property
    def routes(self) -> Sequence[Route]:
        route = self._pages.route
        return [
            route("/tournaments", Permission.ANYBODY, self._list),
            route("/tournaments/{name}", Permission.ANYBODY, self._show),
            route("/tournaments/{name}/report.zip", Permission.ANYBODY, self._report),
            self._pages.reading_route("/admin/tournaments", Permission.ORGANIZER, self._organize),
            route("/admin/tournaments", Permission.ORGANIZER, self._make, "POST"),
            route("/admin/tournaments/new", Permission.ORGANIZER, self._new),
            route("/admin/tournaments/{name}/pause", Permission.ORGANIZER, self._pause, "POST"),
            route("/admin/tournaments/{name}/resume", Permission.ORGANIZER, self._resume, "POST"),
        ]

    # -- for everybody ------------------------------------------------------------------------

    def _list(self, request: PageRequest) -> Response:
        ladders, kept = request.read(every_ladder(), all_tournaments())
        rows, unreadable = self._rows(request, ladders, kept)
        return request.html("tournaments.html", tournaments=rows, unreadable=unreadable)

    def _rows(
        self, request: PageRequest, every: Sequence[Ladder], tournaments: Sequence[KeptTournament]
    ) -> tuple[list[dict[str, object]], list[str]]:
        """Return the rows of a list, and the names of those that cannot be understood."""
        ladders = {ladder.id: ladder for ladder in every}
        names = [one.name for one in tournaments]
        lookups = (look_up(name) for name in names for look_up in (plan_of, entrants_of))
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
                        "state": self._state(kept, shown.standings),
                        "standings": shown.standings,
                    }
                )
        return rows, unreadable

    def _show(self, request: PageRequest) -> Response:
        kept, tournament, ladder = self._found(request)
        shown = self._show_now(kept.name, tournament)
        state = self._state(kept, shown.standings)
        return request.html(
            "tournament.html",
            kept=kept,
            plan=tournament.field.plan,
            game=tournament.field.plan.game,
            ladder=ladder,
            standings=shown.standings,
            met=shown.met if len(shown.standings.rows) <= MOST_CROSSED else {},
            drawing=shown.drawing,
            state=state,
            stuck=kept.stuck,
            reasons=self._reasons(request, kept, tournament),
            reload_s=RELOADED_S if state == "running" else None,
            has_report=self._tournaments.has_report(kept.name),
        )

    def _reasons(
        self, request: PageRequest, kept: KeptTournament, tournament: Tournament
    ) -> list[str]:
        """Return why matches cannot be played, for organizers: it may tell of the server."""
        is_theirs = request.person is not None and request.person.is_organizer
        return self._tournaments.reasons(tournament) if kept.stuck and is_theirs else []

    def _report(self, request: PageRequest) -> Response:
        """Send the report as a zip: its pages need no server."""
        kept, *_ = self._found(request)
        if not self._tournaments.has_report(kept.name):
            raise Denied(HTTPStatus.NOT_FOUND, "the report is written at the end")
        request.require_of_address(self._downloads, "downloads of reports")
        headers = {"content-disposition": f'attachment; filename="{kept.name}.zip"'}
        content = zipped(self._tournaments.report_folder(kept.name), kept.name)
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

    def _state(self, kept: KeptTournament, standings: Standings) -> str:
        if standings.is_over:
            return "over"
        if kept.stuck:
            return "stopped"
        return "paused" if kept.is_paused else "running"

    def _found(self, request: PageRequest) -> tuple[KeptTournament, Tournament, Ladder | None]:
        name = request.part("name")
        kept, plan, entrants, ladder = request.read(
            tournaments_named(name), plan_of(name), entrants_of(name), ladder_of(name)
        )
        try:
            tournament = self._tournaments.read(name, plan, entrants) if kept else None
        except BadResult as error:
            raise Denied(HTTPStatus.INTERNAL_SERVER_ERROR, UNREADABLE) from error
        if tournament is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such tournament")
        return kept[0], tournament, ladder

    # -- for organizers -----------------------------------------------------------------------

    def _organize(self, request: PageRequest) -> Response:
        ladders, kept = request.read(every_ladder(), all_tournaments())
        rows, unreadable = self._rows(request, ladders, kept)
        return request.html(
            "admin_tournaments.html", tournaments=rows, unreadable=unreadable, ladders=ladders
        )

    def _new(self, request: PageRequest) -> Response:
        return self._form(request, self._ladder(request.query_params.get("ladder", "")))

    def _form(self, request: PageRequest, ladder: Ladder, why: str = "") -> Response:
        candidates = self._tournaments.candidates(ladder.id)
        usual = {"format": USUAL_FORMAT, "games": "1", "table": str(fewest_at_table(ladder))}
        return request.html(
            "admin_new_tournament.html",
            HTTPStatus.UNPROCESSABLE_ENTITY if why else HTTPStatus.OK,
            ladder=ladder,
            candidates=candidates,
            is_chosen=len(candidates) <= MOST_CHOSEN,
            formats=list(FORMATS),
            most_games=MOST_GAMES,
            most_rounds=MOST_ROUNDS,
            typed=defaultdict(str, usual | dict(request.fields)),
            was_sent=bool(request.fields),
            why=why,
        )

    def _make(self, request: PageRequest) -> Response:
        ladder = self._ladder(request.field("ladder"))
        try:
            wishes = self._wishes(request)
            self._tournaments.make(ladder, self._chosen(request, ladder), wishes)
        except UsageError as error:
            return self._form(request, ladder, str(error))
        request.note("tournament made", f"{wishes.name}: {wishes.format}, {ladder.name}")
        return redirect_to(f"/tournaments/{wishes.name}")

    def _wishes(self, request: PageRequest) -> NewTournament:
        """Raises: UsageError."""
        if request.field("format") not in FORMATS:
            raise UsageError(f"format: expected one of {', '.join(FORMATS)}")
        rounds = request.field("rounds").strip()
        return NewTournament(
            name=request.field("name").strip(),
            format=request.field("format"),
            games=_number(request.field("games"), "map pairs", MOST_GAMES),
            rounds=_number(rounds, "rounds", MOST_ROUNDS) if rounds else None,
            table=_number(request.field("table"), "bots in a match", MOST_GAMES),
        )

    def _chosen(self, request: PageRequest, ladder: Ladder) -> list[Candidate]:
        candidates = self._tournaments.candidates(ladder.id)
        if len(candidates) > MOST_CHOSEN:
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

    def _ladder(self, ladder_id: str) -> Ladder:
        found = self._ladders.ladder(ladder_id)
        if found is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such ladder")
        return found


def read_through(ledger: Ledger, count: int) -> Shown:
    """Return how a tournament stands, reading its results once."""
    began = time.monotonic()
    tally = StandingsTally(ledger)
    met = {number: Dossier() for number in range(len(ledger.field.entrants))}
    for entry in ledger:
        tally.add(entry)
        for seat, number in enumerate(entry.fixture.seats):
            met[number].add(entry, seat, link="")
    standings = tally.standings()
    drawing = _drawing(ledger, standings)
    now = time.monotonic()
    return Shown(count, now + IDLE * (now - began), standings, met, drawing)


def _drawing(ledger: Ledger, standings: Standings) -> Markup:
    tree, rounds = tuple(bracket_boxes(ledger)), tuple(round_boxes(ledger))
    if not tree and not 0 < len(rounds) <= MOST_DRAWN:
        return Markup("")
    svg = render(
        "drawing.html",
        drawing=draw_bracket(tree) if tree else draw_rounds(rounds),
        is_bracket=bool(tree),
        entrants={row.number: row for row in standings.rows},
        links={},
    )
    return Markup(svg.decode())  # the template has escaped what it was given


def zipped(folder: Path, name: str) -> bytes:
    """Return a folder as a zip."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as made:
        add_folder(made, folder, f"{name}/")
    return content.getvalue()


def add_folder(made: zipfile.ZipFile, folder: Path, prefix: str) -> None:
    """Add all files below a folder, where there is one, by names that begin with a prefix."""
    for path in sorted(path for path in folder.rglob("[!.]*") if path.is_file()):
        made.write(path, prefix + path.relative_to(folder).as_posix())


def fewest_at_table(ladder: Ladder) -> int:
    """Return the fewest bots of a match of a ladder's game, but two at least."""
    return min(count for count in ladder.game.team_counts if count >= 2)


def _number(typed: str, words: str, most: int) -> int:
    """Raises: UsageError."""
    if not (typed.isascii() and typed.isdigit() and 1 <= int(typed[:9]) <= most):
        raise UsageError(f"{words}: expected a number from 1 to {most:,}")
    return int(typed)
