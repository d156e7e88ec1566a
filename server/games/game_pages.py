"""Pages of games: a board, a seat by link or of a browser, the replay, the rematch.

A game without scripts is shown to browsers that run none: the board in letters, and a form for
each order; it is loaded again to see what the others did.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import NamedTuple

import msgspec
from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from engine.catalog import GAMES, OURS, describe_game
from engine.description import find_file
from engine.game import AnyGame, Ask, State
from engine.replays.decisions import encode
from runners.storage.database import Stale
from server.games.boards import describe_order, has_board, load_board
from server.games.game_records import GameRecords, game_turning_points
from server.games.game_service import GameService
from server.games.game_sessions import GameSession
from server.games.positions import choose_viewer
from server.games.seats import Seats, require_own
from server.games.watching import draw_public_board
from server.http.errors import ActionRefused, NoSuchGame, NotYourSeat, OtherRules
from server.http.markdown_text import make_thread_safe
from server.http.page_requests import make_environment, read_form, render_page
from server.http.permissions import Permission, PermittedRoute
from server.http.responses import decode_json, seat_at, seat_cookies
from server.watching.scene_messages import STYLES, live_page
from visualizer.backends.page.bundling import WEB

MARKDOWN = make_thread_safe(MarkdownIt("commonmark", {"html": False}).enable("table"))
BOARD_STYLES = ("boards/board.css", "boards/how_to_play.css")


class GamePages:
    """The same pages for guests and for people with accounts."""

    def __init__(
        self,
        game_service: GameService,
        seats: Seats,
        records: GameRecords,
        public_path: str,
        ways: Sequence[tuple[str, str]] = (),
    ) -> None:
        """`ways`: the names and addresses of pages to which each board leads."""
        self._game_service = game_service
        self._seats = seats
        self._records = records
        self._public_path = public_path
        self._ways = ways
        self._templates = make_environment(public_path)

    @property
    def routes(self) -> Sequence[PermittedRoute]:
        anybody, get = Permission.ANYBODY, ["GET"]
        return [
            PermittedRoute("/join/{key}", anybody, self._join, ["GET", "POST"]),
            PermittedRoute("/games/{game}", anybody, self._page, get),
            PermittedRoute("/games/{game}/replay", anybody, self._replay, get),
            PermittedRoute("/games/{game}/rematch", anybody, self._rematch, get),
            PermittedRoute("/games/{game}/plain", anybody, self._plain_board, ["GET", "POST"]),
            PermittedRoute("/how-to-play/{board}", anybody, self._how_to_play, get),
        ]

    @property
    def home(self) -> PermittedRoute:
        """Return the first page of a server without accounts: the games of this browser."""
        return PermittedRoute("/", Permission.ANYBODY, self._home, ["GET"])

    def _home(self, request: Request) -> Response:
        games = browser_games(request, self._seats, self._game_service)
        return self._render("home.html", games=games)

    def _page(self, request: Request) -> Response:
        game_id, key = request.path_params["game"], request.query_params.get("key")
        if key is not None:
            return self._let_in(request, game_id, key)
        return HTMLResponse(self._render_board(game_id))

    def _join(self, request: Request) -> Response:
        """Show a link's game; who wants to play it says so, since programs open links, too."""
        key = request.path_params["key"]
        game_id = self._game_service.keys.find_game(key)
        if game_id is None:
            return self._render("gone.html", status=HTTPStatus.NOT_FOUND)
        if request.method == "POST":
            return self._let_in(request, game_id, key)
        return self._render("join.html", key=key)

    def _replay(self, request: Request) -> Response:
        """Send the replay of a game that is over: before, it would tell what is hidden."""
        game_id = request.path_params["game"]
        with self._game_service.open_session(game_id) as session:
            content = self._records.replay(session).read_bytes()
            disposition = f'attachment; filename="{session.game.name}-{game_id}.jsonl.gz"'
        headers = {"content-disposition": disposition}
        return Response(content, media_type="application/gzip", headers=headers)

    def _rematch(self, request: Request) -> Response:
        """Lead whoever has a seat to their seat in the rematch, the others to where they watch."""
        game_id = request.path_params["game"]
        with self._game_service.open_session(game_id) as session:
            rematch = session.rematch
        if rematch is not None and self._seats.own_teams(request, rematch):
            return self._redirect_to_game(request, rematch, None)
        teams = self._seats.own_teams(request, game_id)
        return self._redirect_to_game(request, *self._game_service.rematch_token(game_id, teams))

    def _render_board(self, game_id: str) -> bytes:
        with self._game_service.open_session(game_id) as session:
            game, names = session.game, session.names
            poster = draw_public_board(session)
        board = load_board(game)
        style = f"boards/{board.name}.css"
        own_styles = (style,) if (WEB / style).is_file() else ()
        return live_page(
            names,
            game.title,
            self._public_path,
            styles=(*STYLES, *BOARD_STYLES, *own_styles),
            script=board.script,
            panels=self._render_part("orders.html", id=game_id, game=game.name, ways=self._ways),
            how_to_play=self._render_how_to_play(game),
            foot=self._render_part("board_foot.html"),
            poster=poster,
        )

    def _render_part(self, template: str, **values: object) -> str:
        return self._templates.get_template(template).render(values)

    def _how_to_play(self, request: Request) -> Response:
        """Tell people how a game is played. Raises: HTTPException, of 404, for one of no people."""
        game = GAMES.get(request.path_params["board"])
        if game is None or not (has_board(game) or game.has_designs):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return self._render(
            "how_to_play.html",
            title=game.title,
            text=self._render_how_to_play(game),
            game=game.name,
            has_rules=game.name in OURS,
            ways=self._ways,
        )

    def _render_how_to_play(self, game: AnyGame) -> Markup:
        """Return how a game is played: those of packages have it in Markdown."""
        name = game.name if game.has_designs else load_board(game).name
        usual = self._render_part(f"how_to_play/{name}.html", ways=self._ways)
        if game.name in OURS:
            return Markup(usual)
        described = describe_game(game.name)
        file = find_file(described.how_to_play or described.rules)
        text = MARKDOWN.render(file.read_text(encoding="utf-8"))
        return Markup(text if described.board_script else f"{text}{usual}")

    # -- a board without scripts ----------------------------------------------------------------

    async def _plain_board(self, request: Request) -> Response:
        game_id = request.path_params["game"]
        teams = await run_in_threadpool(self._seats.own_teams, request, game_id)
        refused = ""
        if request.method == "POST":
            if not teams:
                raise NotYourSeat("only who has a seat in this game may order")
            fields = read_form(request.headers, await request.body())
            refused = await run_in_threadpool(self._order, game_id, teams, fields)
            if not refused:
                return RedirectResponse(request.url.path, status_code=HTTPStatus.SEE_OTHER)
        return await run_in_threadpool(self._plain_page, game_id, teams, refused)

    def _order(self, game_id: str, teams: Collection[int], fields: Mapping[str, str]) -> str:
        """Order something; return why it was refused. Raises: NoSuchGame, NotYourSeat."""
        try:
            team, piece, step = (int(fields.get(name, "")) for name in ("team", "piece", "step"))
            order = decode_json(fields.get("order", "").encode(), object)
        except (ValueError, msgspec.DecodeError):
            return f"{fields.get('order', '')[:80]!r} is not an order: expected JSON, as shown"
        require_own(team, tuple(teams))
        try:
            self._game_service.answer(game_id, Ask(team, piece), step, order)
        except Stale:
            return PLAYED_MEANWHILE
        except ActionRefused as error:
            return str(error)
        return ""

    def _plain_page(self, game_id: str, teams: Collection[int], refused: str) -> Response:
        with self._game_service.open_session(game_id) as session:
            known = session.stepper.known[choose_viewer(session.game, teams)]
            outcome = session.outcome
            values: dict[str, object] = {
                "id": game_id,
                "title": session.game.title,
                "names": [seated.name for seated in session.stored.seats],
                "text": session.game.text(known),
                "asks": [] if outcome else _open_asks(session, known, teams),
                "ending": "" if outcome is None else outcome.reason,
                "refused": refused,
                "has_people": bool(teams and self._ways),
            }
        values["points"] = (
            game_turning_points(self._game_service, self._records, game_id)
            if values["ending"]
            else None
        )
        status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
        return render_page(self._templates, "plain_board.html", status, values=values)

    # -- details --------------------------------------------------------------------------------

    def _let_in(self, request: Request, game_id: str, key: str) -> Response:
        """Take a key that is good for once, and give a cookie instead of it."""
        return self._redirect_to_game(
            request, game_id, self._game_service.keys.exchange(key, game_id)
        )

    def _redirect_to_game(self, request: Request, game_id: str, token: str | None) -> Response:
        response = RedirectResponse(f"/games/{game_id}", status_code=HTTPStatus.SEE_OTHER)
        if token is not None:
            seat_at(request, response, game_id, token)
        return response

    def _render(self, template: str, status: int = HTTPStatus.OK, **values: object) -> Response:
        return render_page(self._templates, template, status, values=values)


class BrowserGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game as one of its players is told of it."""

    id: str
    title: str
    names: list[str]
    is_over: bool
    is_your_move: bool
    new_messages: int


def browser_games(request: Request, seats: Seats, service: GameService) -> list[BrowserGame]:
    """Return the games in which this browser has a seat, those where it is to move first.

    Cookies that are good for no game mean nothing.
    """
    found = []
    for game_id, _ in seat_cookies(request):
        teams = seats.own_teams(request, game_id)
        with suppress(OtherRules, NoSuchGame):
            if teams:
                found.append(_make_browser_game(service, game_id, teams))
    return sorted(found, key=lambda game: (game.is_over, not game.is_your_move))


def _make_browser_game(service: GameService, game_id: str, teams: tuple[int, ...]) -> BrowserGame:
    with service.open_session(game_id) as session:
        return BrowserGame(
            id=game_id,
            title=session.game.title,
            names=[one.name for one in session.stored.seats],
            is_over=session.outcome is not None,
            is_your_move=any(
                ask.team in teams and ask not in session.waiting for ask in session.stepper.asks
            ),
            new_messages=service.conversations.count_new(game_id, teams),
        )


PLAYED_MEANWHILE = "the game has gone on meanwhile: look at the board, and order again"


class PlainAsk(NamedTuple):
    """What somebody may order now."""

    team: int
    piece: int
    step: int
    is_answered: bool
    orders: tuple[tuple[str, str], ...] | None
    """Each legal order as JSON and in words; None where they cannot be listed."""


def _open_asks(session: GameSession, known: State, teams: Collection[int]) -> list[PlainAsk]:
    game = session.game
    found = []
    for ask in session.stepper.asks:
        if ask.team in teams:
            legal = game.legal_orders(known, ask)
            orders = None
            if legal is not None:
                written = [encode(order).decode() for order in legal]
                orders = tuple(
                    (content, describe_order(msgspec.json.decode(content))) for content in written
                )
            is_answered = ask in session.waiting
            step = session.ask_step(ask)
            found.append(PlainAsk(ask.team, ask.piece_id, step, is_answered, orders))
    return found
