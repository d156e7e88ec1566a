"""Small pictures of games as one of their players, or the public, may see them.

Each is drawn once for a step of a game and all who see the same; the browser keeps it.
"""

from collections.abc import Collection, Sequence
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from engine.game import Event
from engine.replays.public_copy import PublicReplay
from engine.replays.writing import Contestant
from engine.spec import MatchSpec
from server.games.game_service import GameService
from server.games.game_sessions import GameSession
from server.games.positions import choose_viewer
from server.games.seats import Seats
from server.http.errors import Denied
from server.http.file_cache import FOLDER, FileCache
from server.http.permissions import Permission, PermittedRoute
from server.watching.visibility import Role, VisiblePart, WatchedMatch, find_visible_part
from visualizer.backends.pillow.painter import draw_board
from visualizer.drawing.sprites import load_match_sprites
from visualizer.model.timeline import ReplayTimeline

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
