"""The API of games: their positions, and everything that is done at their boards."""

from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus
from typing import TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from engine.game import Act, Ask
from runners.storage.database import Stale
from server.games.bodies import (
    ActBody,
    Decisions,
    DraftBody,
    DraftedOrder,
    DraftQuery,
    FailureBody,
    OrderBody,
    PremovesBody,
    Rematch,
)
from server.games.continuation import (
    REFUSAL_STATUSES,
    Continuation,
    ContinueBody,
    Continued,
    continuation_response,
)
from server.games.game_records import GameRecords, game_turning_points
from server.games.game_rows import Premoves
from server.games.game_service import GameService
from server.games.open_games import OpenGames
from server.games.positions import Position, choose_viewer, load_position
from server.games.seats import Seats, require_own
from server.http.bodies import Empty
from server.http.errors import ActionRefused
from server.http.openapi import PLAYING, TALKING, Operation
from server.http.permissions import Permission, read_seat
from server.http.responses import client_address, json_response, parse_query, read
from server.identity.rate_limits import Asker
from server.identity.visitors import Visitor
from visualizer.model.story import TurningPoints

B = TypeVar("B", OrderBody, ActBody, DraftBody, FailureBody, PremovesBody)


class GameApi:
    """What programs, and the scripts of our pages, do with a game."""

    def __init__(
        self,
        game_service: GameService,
        seats: Seats,
        open_games: OpenGames,
        continuation: Continuation,
        records: GameRecords,
        on_move: Callable[[], object],
    ) -> None:
        """`on_move` is called for each order that was taken."""
        self._game_service = game_service
        self._seats = seats
        self._open_games = open_games
        self._continuation = continuation
        self._records = records
        self._on_move = on_move

    @property
    def operations(self) -> Sequence[Operation]:
        """Return what can be done; who has a seat is asked before a body is read."""
        game = "/games/{game}"
        orders, draft = f"{game}/orders", f"{game}/draft"
        return [
            Operation("GET", game, self._position, Position),
            Operation(
                "GET",
                f"{game}/turning_points",
                self._turning_points,
                TurningPoints,
                refusals=(HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY),
            ),
            _played("POST", orders, self._order, Decisions, OrderBody),
            _played("DELETE", orders, self._take_back, Decisions, OrderBody),
            _played("POST", f"{game}/failures", self._fail, Decisions, FailureBody),
            Operation(
                "POST",
                f"{game}/continue",
                self._continue,
                Continued,
                ContinueBody,
                refusals=REFUSAL_STATUSES,
            ),
            _of_seat("POST", f"{game}/rematch", self._ask_rematch, Rematch, refusals=TALKING),
            _of_seat("DELETE", f"{game}/rematch", self._decline_rematch, Empty, refusals=TALKING),
            _played("POST", f"{game}/acts", self._act, Decisions, ActBody),
            _of_seat("GET", draft, self._draft, DraftedOrder, query=DraftQuery),
            _of_seat("PUT", draft, self._keep_draft, DraftedOrder, DraftBody),
            _of_seat("PUT", f"{game}/premoves", self._keep_premoves, Decisions, PremovesBody),
        ]

    async def _position(self, request: Request) -> Response:
        """Return a game as whoever asks may see it."""
        return json_response(await run_in_threadpool(self._load_position, request))

    async def _turning_points(self, request: Request) -> Response:
        """Return how a game turned that is over: who led from when, and where it was won."""
        game_id = request.path_params["game"]
        return json_response(
            await run_in_threadpool(game_turning_points, self._game_service, self._records, game_id)
        )

    async def _order(self, request: Request) -> Response:
        """Order what an ask waits for; the same order again is harmless."""
        game, body = await self._read_own(request, OrderBody)
        ask, answer = Ask(body.team, body.piece), self._game_service.answer
        step = await run_in_threadpool(answer, game, ask, body.step, body.order)
        self._on_move()
        return json_response(Decisions(step))

    async def _fail(self, request: Request) -> Response:
        """Forfeit what an ask waits for, since the program that was to answer failed."""
        game, body = await self._read_own(request, FailureBody)
        ask, fail = Ask(body.team, body.piece), self._game_service.fail
        step = await run_in_threadpool(fail, game, ask, body.step, body.error)
        return json_response(Decisions(step))

    async def _take_back(self, request: Request) -> Response:
        """Take back an order while others are still waited for."""
        game, body = await self._read_own(request, OrderBody)
        ask, take_back = Ask(body.team, body.piece), self._game_service.take_back_order
        return json_response(Decisions(await run_in_threadpool(take_back, game, ask, body.step)))

    async def _act(self, request: Request) -> Response:
        """Do something besides ordering, such as resigning."""
        game, body = await self._read_own(request, ActBody)
        act = Act(body.team, body.piece, body.name)
        step = await run_in_threadpool(self._game_service.perform_act, game, act, body.step)
        return json_response(Decisions(step))

    async def _keep_premoves(self, request: Request) -> Response:
        """Order ahead for the pieces of a team, in place of what was ordered so before."""
        game, body = await self._read_own(request, PremovesBody)
        premoves = Premoves(turn=body.turn, orders=tuple(body.orders), is_sent=body.is_sent)
        save = self._game_service.save_premoves
        return json_response(Decisions(await run_in_threadpool(save, game, body.team, premoves)))

    async def _continue(self, request: Request) -> Response:
        """Begin a game from the middle of this one, for whoever asks."""
        body = await read(request, ContinueBody)
        game_id = request.path_params["game"]

        def play_on() -> Response:
            visitor: Visitor = request.user
            person = None if visitor.person is None else visitor.person.id
            is_stranger = visitor.has_accounts and person is None
            asker = Asker(client_address(request), person, is_stranger=is_stranger)
            new_id = self._continuation.play_on(game_id, body, asker)
            if person is not None:
                self._open_games.own(new_id, body.team, person)
            return continuation_response(request, self._game_service, new_id, body.team)

        return await run_in_threadpool(play_on)

    async def _ask_rematch(self, request: Request) -> Response:
        """Ask for another game of the same players, with the seats rotated.

        It begins once all people who played have asked for it.
        """
        rematch = await run_in_threadpool(self._game_service.create_rematch, *read_seat(request))
        return json_response(Rematch(rematch=rematch))

    async def _decline_rematch(self, request: Request) -> Response:
        """Decline to play again: the others are told; who asks for it later wants it after all."""
        await run_in_threadpool(self._game_service.decline_rematch, *read_seat(request))
        return json_response(Empty())

    async def _keep_draft(self, request: Request) -> Response:
        """Keep what was clicked so far, and return what it comes to."""
        game, body = await self._read_own(request, DraftBody)
        return json_response(await run_in_threadpool(self._save_draft, game, body))

    async def _draft(self, request: Request) -> Response:
        """Return the draft that was kept for the present turn."""
        query = parse_query(request, DraftQuery)
        game, teams = read_seat(request)
        require_own(query.team, teams)
        return json_response(
            await run_in_threadpool(self._load_order_draft, game, Ask(query.team, query.piece))
        )

    # -- what the above have in common --------------------------------------------------------

    async def _read_own(self, request: Request, kind: type[B]) -> tuple[str, B]:
        """Return the game of a path, and what a player sends.

        Raises: NotYourSeat, NoSuchGame, msgspec.DecodeError.
        """
        game_id, teams = read_seat(request)
        body = await read(request, kind)
        require_own(body.team, teams)
        return game_id, body

    def _load_position(self, request: Request) -> Position:
        game_id = request.path_params["game"]
        return load_position(self._game_service, game_id, self._seats.own_teams(request, game_id))

    def _save_draft(self, game_id: str, body: DraftBody) -> DraftedOrder:
        ask = Ask(body.team, body.piece)
        self._game_service.save_draft(game_id, ask, body.step, body.lines)
        return self._make_draft_answer(game_id, ask, body.lines)

    def _load_order_draft(self, game_id: str, ask: Ask) -> DraftedOrder:
        return self._make_draft_answer(game_id, ask, self._game_service.load_draft(game_id, ask))

    def _make_draft_answer(self, game_id: str, ask: Ask, lines: list[object]) -> DraftedOrder:
        with self._game_service.open_session(game_id) as session:
            if ask not in session.stepper.asks:
                raise Stale
            known = session.stepper.known[choose_viewer(session.game, (ask.team,))]
            draft = session.game.draft(known, ask, lines)
        if draft is None:
            raise ActionRefused(f"{session.game.title} has no drafts: send an order")
        return DraftedOrder(
            lines=lines,
            refused=[(line.place, line.reason) for line in draft.refused],
            answer=draft.answer,
            shows=draft.shows,
        )


_of_seat = partial(Operation, permission=Permission.SEAT, refusals=PLAYING)
_played = partial(Operation, permission=Permission.SEAT_OR_TOKEN, refusals=TALKING)
"""What programs do with a token, too: see server/games/remote_bots.py."""
