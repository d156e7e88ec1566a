"""The pages of matches: who played, what came of it, how to watch and to verify it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from engine.catalog import find_game
from engine.result_folder import REPLAY, ResultFolder
from engine.streams import seed_hash, seed_text
from runners.contests.contests import Ladder
from runners.contests.visibility import find_sealed_versions, visible_until
from runners.storage.database import Database, now
from runners.storage.ladder_tables import versions
from server.contests.match_rows import Match, Seat, match_ladder, set_matches, visible_set_matches
from server.contests.notices import authors_by_name
from server.contests.playing_now import find_playing_part
from server.contests.tournament_views import TournamentViews
from server.games.recorded_matches import REFUSAL_STATUSES, ContinueBody, Continued, RecordedMatches
from server.http.errors import ActionRefused, Denied
from server.http.event_streams import Events, Follow, request_at
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages
from server.http.parts import Part
from server.http.permissions import Permission
from server.http.responses import EVENTS, read
from server.identity.rate_limits import Asker
from server.identity.text_limits import parse_whole_number
from server.watching.running_matches import RunningMatches
from server.watching.visibility import VisiblePart
from visualizer.drawing.custom_sprites import BASE, find_bot_pictures
from visualizer.model.drawings import logs_in
from visualizer.model.story import losing_turn, turning_points

MAX_LOG_BYTES = 4_000_000
"""Bytes of a log that are sent."""
IN_TOURNAMENT = "/contests/{id}/matches/{played}"
NOT_OVER = "this match is not over, or its result not public"
NO_SUCH_MATCH = "there is no such match"
SEALED_TEXT = "a version of this match is sealed: play on once the tournament has begun"


class Watched(NamedTuple):
    """A match of a ladder or a tournament, as whoever asks may watch it."""

    key: str
    names: Sequence[str]
    title: str
    """The game's."""
    is_running: bool
    is_over: bool
    """Whether its result may be known."""
    preview: str = ""
    teams: frozenset[int] = frozenset()
    """Those of which the visitor is the author."""
    may_go_on: Callable[[], bool] | None = None
    digests: Sequence[str] = ()
    """Of its bots' files."""


class MatchPages(Part):
    """The matches of contests, for everybody; logs are for authors and organizers."""

    def __init__(
        self,
        pages: Pages,
        database: Database,
        matches: RecordedMatches,
        running: RunningMatches,
        views: TournamentViews,
        out: Path,
    ) -> None:
        self._pages = pages
        self._views = views
        self._database = database
        self._recorded = matches
        self._running = running
        self._out = out

    @property
    def routes(self) -> Sequence[Route]:
        route = self._pages.route
        match = "/matches/{match}"
        return [
            route(match, Permission.ANYBODY, self._show),
            route(f"{match}/watch", Permission.ANYBODY, self._watch),
            route(f"{IN_TOURNAMENT}/watch", Permission.ANYBODY, self._watch),
            route(f"{IN_TOURNAMENT}/board.png", Permission.ANYBODY, self._send_board),
            route(f"{match}/preview.png", Permission.ANYBODY, self._send_preview),
            route(f"{match}/board.png", Permission.ANYBODY, self._send_board),
            route(f"{match}/replay", Permission.ANYBODY, self._send_replay),
            route(f"{match}/logs/{{seat}}", Permission.ANYBODY, self._log),
            route(f"{match}/pictures/{{seat}}", Permission.ANYBODY, self._send_picture),
        ]

    @property
    def operations(self) -> Sequence[Operation]:
        match = "/matches/{match}"
        in_tournament = "/tournaments/{name}/matches/{played}"
        of_scene = partial(Operation, "GET", answer=str, media_type=EVENTS)
        return [
            of_scene(f"{match}/scene", self._scene),
            of_scene(f"{in_tournament}/scene", self._tournament_scene),
            *(
                Operation(
                    "POST",
                    f"{path}/continue",
                    play_on,
                    Continued,
                    ContinueBody,
                    refusals=(HTTPStatus.UNAUTHORIZED, *REFUSAL_STATUSES),
                    permission=Permission.MEMBER,
                )
                for path, play_on in (
                    (match, self._play_on),
                    (in_tournament, self._play_on_tournament),
                )
            ),
        ]

    @property
    def topics(self) -> Mapping[str, Follow]:
        return dict.fromkeys(("matches/scene", "tournaments/scene"), self._follow)

    # -- pages --------------------------------------------------------------------------------

    def _show(self, request: PageRequest) -> Response:
        match, ladder, others = self._find_with_set(request)
        is_watchable = match.result is not None and self._replay_path(match).is_file()
        return request.html(
            "match.html",
            match=match,
            ladder=ladder,
            others=others,
            is_watchable=is_watchable,
            is_running=self._is_running(request, match, ladder),
            seed=seed_text(match.seed) if match.result is not None else "",
            seed_hash=seed_hash(match.seed),
            insiders=[_sees_log(request, match, seat) for seat in range(len(match.seats))],
            logs={seat for seat in range(len(match.seats)) if self._find_log(match, seat)},
            lost=self._find_own_loss(request, match) if is_watchable else None,
            points=turning_points(self._replay_path(match), [one + 1 for one in match.winners])
            if is_watchable
            else None,
            pictures={seat for seat, one in enumerate(match.seats) if self._find_picture(one)},
        )

    def _watch(self, request: PageRequest) -> Response:
        one = self._find_watched(request)
        if one.is_running:
            return self._running.page(one.key, one.names, one.title, self._pages.public_path)
        return self._recorded.page(_require_over(one).key, one.preview)

    def _send_preview(self, request: PageRequest) -> Response:
        """Send a picture of a match, for programs that show links to it."""
        return _make_picture_response(
            request, self._recorded.preview(self._find_finished(request).key)
        )

    def _send_board(self, request: PageRequest) -> Response:
        """Send a small picture of the board of a match, for lists."""
        found = _require_over(self._find_watched(request))
        return _make_picture_response(request, self._recorded.board(found.key))

    def _send_replay(self, request: PageRequest) -> Response:
        match = self._find_finished(request)
        teams = _own_teams(request, [one.authors for one in match.seats])
        content = self._recorded.open_replay(match.key, teams)
        disposition = f'attachment; filename="match-{match.public_id}.jsonl.gz"'
        headers = {"content-disposition": disposition, "cache-control": "no-store"}
        return Response(content, media_type="application/gzip", headers=headers)

    def _log(self, request: PageRequest) -> Response:
        """Send what a bot printed, and its tracebacks: to its author and to organizers."""
        match = self._find_finished(request)
        seat = _seat_in(request, match)
        path = None
        if seat is not None and _sees_log(request, match, seat):
            path = self._find_log(match, seat)
        if path is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such log")
        with path.open("rb") as file:
            content = file.read(MAX_LOG_BYTES)
        headers = {"cache-control": "no-store"}
        return Response(content, media_type="text/plain; charset=utf-8", headers=headers)

    def _send_picture(self, request: PageRequest) -> Response:
        """Send the picture of a bot, as we have drawn it anew."""
        match, _ = self._find(request)
        seat = _seat_in(request, match)
        path = None if seat is None else self._find_picture(match.seats[seat])
        if path is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such picture")
        headers = {"cache-control": "private, max-age=3600"}
        return Response(path.read_bytes(), media_type="image/png", headers=headers)

    # -- API ----------------------------------------------------------------------------------

    def _scene(self, request: Request) -> Response:
        """Send a match as the replay page draws it: as it is played, or all of one that is over."""
        one = self._find_watched(PageRequest(self._pages, request))
        if one.is_running:
            return self._running.stream_scene(request, one.key, one.may_go_on)
        return self._recorded.scene_event(_require_over(one).key, one.teams)

    def _tournament_scene(self, request: Request) -> Response:
        """Send a match of a tournament: as it is played, or all of one that is over."""
        return self._scene(request)

    async def _follow(self, request: Request, match: str, last: str | None) -> Events:
        """Follow a match that is being played, as long as one may.

        `match`: its id, or NAME/matches/KEY of one of a tournament.
        """
        name, _, played = match.partition("/matches/")
        parts = {"name": name, "played": played} if played else {"match": match}
        asked = PageRequest(self._pages, request_at(request, **parts))
        one = await run_in_threadpool(self._find_watched, asked)
        async for event in self._running.follow(one.key, last, one.may_go_on):
            yield event

    async def _play_on(self, request: Request) -> Response:
        """Begin a game from the middle of a match that was played, for whoever asks."""
        body = await read(request, ContinueBody)

        def answer() -> Response:
            asked = PageRequest(self._pages, request)
            played = _require_over(self._find_watched(asked))
            if self._database.find(find_sealed_versions(versions.c.digest.in_(played.digests))):
                raise ActionRefused(SEALED_TEXT)
            asker = Asker(asked.address, asked.me.id)
            return self._recorded.play_on(request, played.key, body, asker)

        return await run_in_threadpool(answer)

    async def _play_on_tournament(self, request: Request) -> Response:
        """Begin a game from the middle of a match of a tournament, for whoever asks."""
        return await self._play_on(request)

    # -- what the above have in common --------------------------------------------------------

    def _find_watched(self, request: PageRequest) -> Watched:
        """Return the match of an address, of a ladder or a tournament. Raises: Denied."""
        if "match" not in request.path_params:
            name = request.part("id" if "id" in request.path_params else "name")
            view = self._views.load(request.read, name)
            one, is_running = self._views.find_match(view, request.part("played"))
            field = view.tournament.field
            seated = [field.entrants[number].bot for number in one.seats]
            game, names = field.plan.game, [bot.name for bot in seated]
            (authors,) = request.read(authors_by_name(game, names))
            return Watched(
                one.key,
                names,
                find_game(game).title,
                is_running,
                not is_running,
                teams=_own_teams(request, [authors.get(name, ()) for name in names]),
                digests=[bot.digest for bot in seated],
            )
        match, ladder = self._find(request)
        return Watched(
            match.key,
            [one.name for one in match.seats],
            ladder.game.title,
            self._is_running(request, match, ladder),
            match.result is not None,
            request.link(f"/matches/{match.public_id}/preview.png"),
            _own_teams(request, [one.authors for one in match.seats]),
            partial(_may_watch, request, ladder),
            [one.digest for one in match.seats],
        )

    def _find(self, request: PageRequest) -> tuple[Match, Ladder]:
        """Return a match as a visitor may know it. Raises: Denied."""
        match, ladder, _ = self._find_with_set(request)
        return match, ladder

    def _find_with_set(self, request: PageRequest) -> tuple[Match, Ladder, list[Match]]:
        """Return a match and those of its set, as a visitor may know them. Raises: Denied."""
        public_id = request.part("match")
        found, ladder = request.read(set_matches(public_id), match_ladder(public_id))
        if ladder is None:
            raise Denied(HTTPStatus.NOT_FOUND, NO_SUCH_MATCH)
        of_set = visible_set_matches(found, visible_until(ladder, request.person, now()))
        match = next((one for one in of_set if one.public_id == public_id), None)
        if match is None:
            raise Denied(HTTPStatus.NOT_FOUND, NO_SUCH_MATCH)
        return match, ladder, of_set

    def _find_finished(self, request: PageRequest) -> Match:
        """Return a match whose result a visitor may know. Raises: Denied."""
        match, _ = self._find(request)
        if match.result is None:
            raise Denied(HTTPStatus.NOT_FOUND, NOT_OVER)
        return match

    def _is_running(self, request: PageRequest, match: Match, ladder: Ladder) -> bool:
        """Return whether a match is being played, or was just now, and a visitor may see it."""
        return (
            match.result is None
            and match.played_at is None
            and _may_watch(request, ladder)
            and (self._running.is_running(match.key) or self._replay_path(match).is_file())
        )

    def _match_folder(self, match: Match) -> Path:
        return self._out / ResultFolder.MATCHES / match.key

    def _replay_path(self, match: Match) -> Path:
        return self._match_folder(match) / REPLAY

    def _find_log(self, match: Match, seat: int) -> Path | None:
        """Return the log of a seat of a match that is over."""
        if match.result is None:
            return None
        own = f"{seat + 1}-"
        logs = logs_in(self._match_folder(match))
        return next((one for one in logs if one.name.startswith(own)), None)

    def _find_picture(self, seat: Seat) -> Path | None:
        """Return the picture of a bot, where it has one of its own."""
        return find_bot_pictures(self._out, seat.digest).get(BASE)

    def _find_own_loss(
        self, request: PageRequest, match: Match
    ) -> tuple[str, str, int, int] | None:
        """Return the visitor's bot that lost, to whom, since which turn, and its team."""
        me = request.person
        winners = match.winners
        for seat, one in enumerate(match.seats):
            if me is not None and me.id in one.authors and winners and seat not in winners:
                turn = losing_turn(self._replay_path(match), seat)
                if turn is not None:
                    return one.name, match.seats[winners[0]].name, turn, seat + 1
        return None


def _make_picture_response(request: PageRequest, content: bytes) -> Response:
    # No proxy keeps what only some may see, such as a result that is not public yet.
    scope = "public" if request.person is None else "private"
    headers = {"cache-control": f"{scope}, max-age=3600"}
    return Response(content, media_type="image/png", headers=headers)


def _require_over(found: Watched) -> Watched:
    """Raises: Denied if a visitor may not know the result of a match."""
    if not found.is_over:
        raise Denied(HTTPStatus.NOT_FOUND, NOT_OVER)
    return found


def _may_watch(request: PageRequest, ladder: Ladder) -> bool:
    """Return whether a visitor may see at this moment that a match of a ladder is played."""
    return find_playing_part(ladder, request.person) is not VisiblePart.NOTHING


def _seat_in(request: PageRequest, match: Match) -> int | None:
    """Return the seat that an address names, from 0; None where the match has none so."""
    seat = parse_whole_number(request.part("seat"))
    return seat - 1 if seat and seat <= len(match.seats) else None


def _own_teams(request: PageRequest, authors: Sequence[Collection[str]]) -> frozenset[int]:
    """Return the teams of which a visitor is an author; `authors`: their ids, team by team."""
    me = request.person
    return frozenset(team for team, ids in enumerate(authors, 1) if me is not None and me.id in ids)


def _sees_log(request: PageRequest, match: Match, seat: int) -> bool:
    me = request.person
    return me is not None and (me.is_organizer or me.id in match.seats[seat].authors)
