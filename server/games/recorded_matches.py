"""Matches of the archive, as the replay page of the server shows them.

Nothing of a match leaves here but what is made of its public copy, or of a copy for its authors.
"""

import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path

from PIL import Image
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from engine.errors import BadReplay
from engine.replays.public_copy import write_public_copy
from engine.replays.reading import Replay
from engine.result_folder import REPLAY, ResultFolder
from engine.streams import seed_text
from server.games.board_pictures import MAX_COLORS, SIZE
from server.games.boards import has_board
from server.games.continuation import Continuation, ContinueBody, continuation_response
from server.games.game_service import GameService
from server.games.open_games import OpenGames
from server.http.errors import Denied
from server.http.event_streams import STREAM_HEADERS
from server.http.file_cache import FOLDER, FileCache
from server.http.limits import RateLimits
from server.http.responses import EVENTS
from server.identity.rate_limits import Asker
from server.watching.scene_messages import (
    WholeMatches,
    describe_match,
    live_page,
    render_whole_match,
    scene_event,
)
from visualizer.backends.page import first_board_svg
from visualizer.backends.pillow.painter import draw_board
from visualizer.drawing.sprites import Sprites, load_match_sprites
from visualizer.export.drawn_files import render_picture
from visualizer.model.story import find_key_moments
from visualizer.model.timeline import ReplayTimeline

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
