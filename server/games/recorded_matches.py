"""Matches that were played: their boards as pictures, and playing on from their middle.

Nothing of a match leaves here but what is made of its public copy, or of a copy for its authors.
A picture of a game is drawn once for a step of it and all who see the same; the browser keeps it.
"""

import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace
from PIL import Image
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from engine.bots.finding import Copies
from engine.catalog import find_game
from engine.errors import BadReplay
from engine.game import AnyGame, Event
from engine.replays.decisions import Decision, encode
from engine.replays.public_copy import PublicReplay, original_fingerprint, write_public_copy
from engine.replays.reading import Replay
from engine.replays.resuming import decisions_before, require_played_so
from engine.replays.writing import Contestant
from engine.result_folder import REPLAY, ResultFolder
from engine.spec import MatchSpec, origin_of
from engine.streams import draw_seed, seed_text
from runners.configuration import read_configuration
from runners.match_request import MatchRequest, RunOptions
from runners.planning import MatchPlan
from runners.team_counts import fewest_teams
from server.games.boards import has_board, load_board
from server.games.game_records import GameRecords
from server.games.game_rows import Participant, Terms, person_digest
from server.games.game_service import GameService, new_game_id
from server.games.game_sessions import GameSession
from server.games.open_games import OpenGames
from server.games.positions import choose_viewer
from server.games.seats import Seats
from server.http.errors import ActionRefused, Denied
from server.http.event_streams import STREAM_HEADERS
from server.http.file_cache import FOLDER, FileCache
from server.http.limits import RateLimits
from server.http.permissions import Permission, PermittedRoute
from server.http.responses import EVENTS, json_response, seat_at
from server.identity.rate_limits import Asker
from server.watching.scene_messages import (
    WholeMatches,
    describe_match,
    live_page,
    render_whole_match,
    scene_event,
)
from server.watching.visibility import Role, VisiblePart, WatchedMatch, find_visible_part
from visualizer.backends.page import first_board_svg
from visualizer.backends.pillow.painter import draw_board
from visualizer.drawing.sprites import Sprites, load_match_sprites
from visualizer.export.drawn_files import render_picture
from visualizer.model.story import find_key_moments
from visualizer.model.timeline import ReplayTimeline

STARTER = "player_one"
"""The starter bot of every game, which takes the place of the people of a recorded match."""


class ContinueBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request to play on: from which step, and as which team."""

    step: int
    team: int


class Continued(msgspec.Struct, frozen=True):
    """The game that goes on."""

    id: str
    address: str
    """Where it is played; the cookie of the seat comes with the answer."""


REFUSAL_STATUSES = (
    HTTPStatus.NOT_FOUND,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.TOO_MANY_REQUESTS,
)
"""How a game may refuse to be gone on from."""


class Past(msgspec.Struct, frozen=True, kw_only=True):
    """The match from which a game goes on."""

    spec: MatchSpec
    seats: tuple[Participant, ...]
    """Who played; there is a copy of every bot."""
    decisions: tuple[Decision, ...]
    """What was decided and counts."""
    fingerprint: str


class Continuation:
    """Makes games that go on from others."""

    def __init__(self, game_service: GameService, out: Path, limits: RateLimits) -> None:
        """`out`: the folder of results and of bots' copies."""
        self._game_service = game_service
        self._out = out
        self._records = GameRecords(out)
        self._limits = limits

    def play_on(self, game_id: str, body: ContinueBody, asker: Asker) -> str:
        """Begin a game with the first decisions of another one; return its id.

        Raises: ActionRefused for a game that is not over, or for what it does not have;
        NoSuchGame, TooMany.
        """
        self._limits.count("play_on", asker)
        with self._game_service.open_session(game_id) as session:
            if session.outcome is None:
                raise ActionRefused(
                    "the game is not over: its seed and what is hidden would be told"
                )
            _require_place(body, len(session.decisions) - 1, len(session.stored.seats))
            past = Past(
                spec=session.stored.spec,
                seats=session.stored.seats,
                decisions=tuple(session.decisions),
                fingerprint=self._records.compute_fingerprint(session),
            )
        return self._create_game(past, body, Terms(is_strangers=asker.is_stranger))

    def play_on_replay(self, replay: Replay, body: ContinueBody, asker: Asker | None = None) -> str:
        """Begin a game with the first decisions of a replay; return its id.

        `asker`: None for whoever runs this process, and may do it as often as they like.
        Raises: BadReplay for one that no rules made of its orders; ActionRefused, TooMany.
        """
        if asker is not None:
            self._limits.count("play_on", asker)
        load_board(replay.game)  # says which games people can play
        decisions = tuple(decisions_before(replay, None))
        # The last one has ended the match: after it there is nothing to decide.
        most = len(decisions) - (replay.outcome is not None)
        _require_place(body, most, len(replay.bots))
        require_played_so(replay, None)
        copies = Copies(self._out / "bots")
        past = Past(
            spec=replay.spec,
            seats=tuple(_make_participant(bot, copies) for bot in replay.bots),
            decisions=decisions,
            fingerprint=original_fingerprint(replay),
        )
        return self._create_game(past, body, Terms())

    def _create_game(self, past: Past, body: ContinueBody, terms: Terms) -> str:
        """Begin a game in which a person plays one team, and a bot each other one.

        The bot whose team the person takes over plays it again whenever the person wants.
        Random events from there on are drawn anew, since the seed of the recorded game is public.
        """
        game, new_id = find_game(past.spec.game), new_game_id()
        # Who sat where is of no account any more.
        own = [one for one in past.decisions[: body.step] if one.sits is None]
        seats = [
            _new_person(new_id, number)
            if number == body.team
            else (starter_bot(game, self._out) if seat.is_person else seat)
            for number, seat in enumerate(past.seats, 1)
        ]
        replaced = past.seats[body.team - 1]
        terms = replace(terms, substitute=None if replaced.is_person else replaced)
        spec = replace(
            past.spec,
            bots=tuple(seat.digest for seat in seats),
            seed=draw_seed(),
            origin=origin_of(past.fingerprint, len(own), past.spec.seed, past.spec.origin),
        )
        taken_over = [encode(one.to_record()).decode() for one in own]
        return self._game_service.create(spec, seats, new_id, terms, taken_over)


def continuation_response(
    request: Request, game_service: GameService, game_id: str, team: int
) -> Response:
    """Return the answer to whoever has begun a game so: where it is, and their seat."""
    response = json_response(Continued(id=game_id, address=f"/games/{game_id}"))
    seat_at(request, response, game_id, game_service.keys.new_token(game_id, (team,)))
    return response


def _require_place(body: ContinueBody, most: int, teams: int) -> None:
    """Raises: ActionRefused for a step or a team that the match does not have."""
    if not 0 <= body.step <= most:
        raise ActionRefused(f"step {body.step}: expected 0 to {most}; after that the match is over")
    if not 1 <= body.team <= teams:
        raise ActionRefused(f"team {body.team}: expected 1 to {teams}")


def _new_person(game_id: str, team: int) -> Participant:
    """Return the person who takes a team over."""
    digest = person_digest(game_id, team)
    return Participant(name=f"Player {team}", digest=digest, is_person=True)


def _make_participant(bot: Contestant, copies: Copies) -> Participant:
    """Return who played; a bot that does not run here stands for a person."""
    is_here = copies.has(bot.digest) and not bot.origin
    return Participant(name=bot.name, digest=bot.digest, is_person=not is_here)


def starter_bot(game: AnyGame, out: Path, name: str = STARTER) -> Participant:
    """Return a starter bot of a game; a copy is kept in the results. Raises: BadBot."""
    request = MatchRequest(
        game=game.name, players=(name,) * fewest_teams(game), run=RunOptions(out=out)
    )
    bot = MatchPlan(request, read_configuration()).contestants()[0]
    return Participant(name=bot.name, digest=bot.digest, is_person=False)


MAX_PREVIEW_CACHE_BYTES = 32 * 2**20
PREVIEW_SIZE = 1200, 630
"""The size of pictures that programs show of a link: what they ask for."""
VERSION = 1
"""To be raised where the same match would be published in another way."""


@contextmanager
def refuse_what_is_gone() -> Iterator[None]:
    """Say that a replay is gone where it cannot be read. Raises: Denied."""
    try:
        yield
    except BadReplay as error:
        raise Denied(HTTPStatus.NOT_FOUND, "the replay is no longer kept") from error


class RecordedMatches:
    """The matches in a folder of results. All methods may be called from any thread."""

    def __init__(
        self,
        out: Path,
        game_service: GameService,
        open_games: OpenGames,
        limits: RateLimits,
        public_path: str,
    ) -> None:
        """`game_service` and `open_games` take the games that people play on from these matches.

        `public_path`: see server/http/public_path.py.
        """
        self._out = out
        self._public_path = public_path
        self._game_service = game_service
        self._open_games = open_games
        self._continuation = Continuation(game_service, out, limits)
        self._copies = FileCache(out / FOLDER / "matches")
        self._previews = FileCache(out / FOLDER / "previews", MAX_PREVIEW_CACHE_BYTES)
        self._posters = WholeMatches()
        self._whole = WholeMatches()
        """By match, and the teams whose authors may see it so."""

    @refuse_what_is_gone()
    def page(self, key: str, preview: str = "") -> Response:
        """Return the page of a match, to be sent for an address that ends in `/watch`.

        `preview`: the address of its picture, for programs that show links. The program of the
        page asks for the event at `/api/v1/.../scene`. Raises: Denied.
        """
        replay = self._load_replay(key)
        names = (bot.name for bot in replay.bots)
        poster = self._posters.load_poster(key, lambda: self._draw_poster(key))
        title, site = replay.game.title, self._public_path
        return HTMLResponse(live_page(names, title, site, preview=preview, poster=poster))

    @refuse_what_is_gone()
    def preview(self, key: str) -> bytes:
        """Return a picture of a match as a PNG file: it is drawn once, and tells not who won.

        Raises: Denied, EngineFailure.
        """
        return self._draw_once(key, ".png", partial(render_picture, size=PREVIEW_SIZE))

    @refuse_what_is_gone()
    def board(self, key: str) -> bytes:
        """Return its board alone at the same moment, as small as lists show it.

        Raises: Denied, EngineFailure.
        """

        def draw(timeline: ReplayTimeline, sprites: Sprites, *, turn: int) -> Image.Image:
            board = draw_board(timeline, sprites, SIZE, timeline.turn_end(turn))
            return board.quantize(MAX_COLORS)

        return self._draw_once(key, "-board.png", draw)

    def _draw_once(self, key: str, ending: str, draw: Callable[..., Image.Image]) -> bytes:
        name = self._versioned_name(key).removesuffix(".jsonl.gz") + ending
        return self._previews.path(
            name, lambda path: self._draw_preview(key, path, draw)
        ).read_bytes()

    def _draw_poster(self, key: str) -> bytes:
        """Draw the first board, which stands until the page is loaded."""
        with self._copy(key, ()) as copy:
            timeline = ReplayTimeline(Replay(copy))
        timeline.read_new_entries(0.0)  # one line, with which the board is there
        return first_board_svg(timeline, self._load_sprites(timeline.replay)).encode()

    def _draw_preview(self, key: str, path: Path, draw: Callable[..., Image.Image]) -> None:
        with self._copy(key, ()) as copy:
            timeline = ReplayTimeline(Replay(copy))
        timeline.read_new_entries()
        sprites = self._load_sprites(timeline.replay)
        early = timeline.last_turn * 2 // 3  # which leaves open who won
        moments = find_key_moments(timeline.scores)
        turn = max((turn for turn in moments if turn <= early), default=early)
        draw(timeline, sprites, turn=turn).save(path, "PNG", optimize=True)

    @refuse_what_is_gone()
    def open_replay(self, key: str, teams: Collection[int] = ()) -> bytes:
        """Return the replay of a match as the authors of some teams may have it.

        Raises: Denied, EngineFailure.
        """
        with self._copy(key, teams) as path:
            return path.read_bytes()

    @refuse_what_is_gone()
    def scene_event(self, key: str, teams: Collection[int] = ()) -> Response:
        """Return the event that holds the whole match, as the authors of some teams may see it.

        Raises: Denied, EngineFailure.
        """
        message = self._whole.load((key, frozenset(teams)), lambda: self._render_scene(key, teams))
        return Response(scene_event(message).to_bytes(), media_type=EVENTS, headers=STREAM_HEADERS)

    @refuse_what_is_gone()
    def play_on(self, request: Request, key: str, body: ContinueBody, asker: Asker) -> Response:
        """Begin a game of somebody with the first decisions of a match, and lead there.

        Raises: Denied, ActionRefused, TooMany.
        """
        game_id = self._continuation.play_on_replay(self._load_replay(key), body, asker)
        if asker.person is not None:
            self._open_games.own(game_id, body.team, asker.person)
        return continuation_response(request, self._game_service, game_id, body.team)

    def _render_scene(self, key: str, teams: Collection[int]) -> bytes:
        with self._copy(key, teams) as path:
            replay = Replay(path)
        about = describe_match(
            (bot.name for bot in replay.bots),
            is_over=True,
            is_whole=True,
            seed=seed_text(replay.spec.seed),
            is_continuable=has_board(replay.game),
            own_team=min(teams, default=None),
        )
        return render_whole_match(replay, self._load_sprites(replay), about)

    def _load_sprites(self, replay: Replay) -> Sprites:
        return load_match_sprites(replay.game.name, [bot.digest for bot in replay.bots], self._out)

    @contextmanager
    def _copy(self, key: str, teams: Collection[int]) -> Iterator[Path]:
        """Yield the copy for the authors of some teams; that for everybody is kept.

        Raises: BadReplay, EngineFailure.
        """
        if not teams:
            yield self._copies.path(
                self._versioned_name(key),
                lambda path: write_public_copy(self._load_replay(key), path),
            )
            return
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / REPLAY
            write_public_copy(self._load_replay(key), path, teams)
            yield path

    def _versioned_name(self, key: str) -> str:
        """Return a name that changes with the replay. Raises: BadReplay where it is gone."""
        path = self._replay_path(key)
        try:
            status = path.stat()
        except OSError as error:
            raise BadReplay(f"{path}: cannot be read: {error.strerror}") from error
        return f"{key}-{VERSION}-{status.st_mtime_ns:x}-{status.st_size:x}.jsonl.gz"

    def _load_replay(self, key: str) -> Replay:
        return Replay(self._replay_path(key))

    def _replay_path(self, key: str) -> Path:
        return self._out / ResultFolder.MATCHES / key / REPLAY


SIZE = 360, 240
"""The size of a picture, in pixels: twice that of what it is shown in."""
MAX_COLORS = 128
"""Those of a picture: with all it has, it is three times as large."""
MAX_CACHE_BYTES = 32 * 2**20
CACHE_CONTROL = "private, max-age=604800, immutable"
"""What is said of a picture that was asked for by its step."""


class _Seen(NamedTuple):
    """What a viewer has observed of a game."""

    name: str
    """Another one for every step and viewer."""
    step: int
    spec: MatchSpec
    contestants: tuple[Contestant, ...]
    observed: Sequence[Sequence[Event]]


class BoardPictures:
    """The pictures of all games. All methods may be called from any thread."""

    def __init__(self, game_service: GameService, seats: Seats, out: Path) -> None:
        """`out`: the folder of results."""
        self._game_service = game_service
        self._seats = seats
        self._out = out
        self._files = FileCache(out / FOLDER / "boards", MAX_CACHE_BYTES)

    @property
    def route(self) -> PermittedRoute:
        return PermittedRoute(
            "/games/{game}/board.png", Permission.ANYBODY, self._send, methods=["GET"]
        )

    def _send(self, request: Request) -> Response:
        """Send the present board, as the visitor may see it."""
        game_id = request.path_params["game"]
        teams = self._seats.own_teams(request, game_id)
        with self._game_service.open_session(game_id) as session:
            seen = _make_view(session, teams)
        content = self._files.path(seen.name, lambda path: self._draw(seen, path)).read_bytes()
        # One that was asked for by an earlier step is not kept as that step's.
        is_asked = request.query_params.get("step") == str(seen.step)
        # Another player on the same browser sees something else.
        headers = {"cache-control": CACHE_CONTROL if is_asked else "no-store", "vary": "Cookie"}
        return Response(content, media_type="image/png", headers=headers)

    def _draw(self, seen: _Seen, path: Path) -> None:
        replay = PublicReplay(seen.spec, seen.contestants)
        for events in seen.observed:
            replay.add(events)
        timeline = ReplayTimeline(replay)
        timeline.read_new_entries()
        digests = [one.digest for one in seen.contestants]
        sprites = load_match_sprites(replay.game.name, digests, self._out)
        draw_board(timeline, sprites, SIZE).quantize(MAX_COLORS).save(path, "PNG", optimize=True)


def _make_view(session: GameSession, teams: Collection[int]) -> _Seen:
    """Return what whoever plays these teams knows now; nobody plays one while the game is held."""
    viewer, stored = choose_viewer(session.game, teams), session.stored
    match = WatchedMatch(session.game, is_over=session.outcome is not None)
    part = find_visible_part(Role.SPECTATOR, match)
    if viewer is None and part is VisiblePart.AFTER_THE_END:
        raise Denied(HTTPStatus.NOT_FOUND, "this game is shown once it is over")
    step = len(session.log)
    text = f"{stored.id}|{viewer}|{step}|{[one.digest for one in stored.seats]}"
    return _Seen(
        name=f"{sha256(text.encode()).hexdigest()[:32]}.png",
        step=step,
        spec=stored.spec,
        contestants=tuple(one.contestant for one in stored.seats),
        observed=[list(events) for events in session.observed[viewer]],
    )
