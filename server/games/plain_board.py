"""The board of a game without scripts: the board in letters, and a form for each order.

For browsers that run none; it is loaded again to see what the others did.
"""

from collections.abc import Collection, Mapping
from http import HTTPStatus
from typing import NamedTuple

import msgspec
from jinja2 import Environment
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from engine.game import Ask, State
from engine.replays.decisions import encode
from runners.storage.database import Stale
from server.games.boards import describe_order
from server.games.game_records import GameRecords, game_turning_points
from server.games.game_service import GameService
from server.games.game_sessions import GameSession
from server.games.positions import choose_viewer
from server.games.seats import Seats, require_own
from server.http.errors import ActionRefused, NotYourSeat
from server.http.page_requests import read_form
from server.http.permissions import Permission, PermittedRoute
from server.http.responses import decode_json
from server.http.templates import render_page

PLAYED_MEANWHILE = "the game has gone on meanwhile: look at the board, and order again"


class PlainAsk(NamedTuple):
    """What somebody may order now."""

    team: int
    piece: int
    step: int
    is_answered: bool
    orders: tuple[tuple[str, str], ...] | None
    """Each legal order as JSON and in words; None where they cannot be listed."""


class PlainBoard:
    """Takes orders of whoever has a seat; everybody else sees what the public may see."""

    def __init__(
        self,
        game_service: GameService,
        seats: Seats,
        records: GameRecords,
        templates: Environment,
        *,
        has_people: bool,
    ) -> None:
        """`has_people`: whether there is a page of the players of a game."""
        self._has_people = has_people
        self._game_service = game_service
        self._seats = seats
        self._records = records
        self._templates = templates

    @property
    def route(self) -> PermittedRoute:
        return PermittedRoute(
            "/games/{game}/plain", Permission.ANYBODY, self._answer, ["GET", "POST"]
        )

    async def _answer(self, request: Request) -> Response:
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
        return await run_in_threadpool(self._board_page, game_id, teams, refused)

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

    def _board_page(self, game_id: str, teams: Collection[int], refused: str) -> Response:
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
                "has_people": bool(teams) and self._has_people,
            }
        values["points"] = (
            game_turning_points(self._game_service, self._records, game_id)
            if values["ending"]
            else None
        )
        status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
        return render_page(self._templates, "plain_board.html", status, values=values)


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
