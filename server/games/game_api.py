"""The API of games: their positions, and everything that is done at their boards."""

from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from engine.game import Act, Ask
from runners.storage.database import Stale
from server.games.game_records import GameRecords, game_turning_points
from server.games.game_rows import Premoves
from server.games.game_service import GameService
from server.games.open_games import OpenGames
from server.games.positions import Position, choose_viewer, load_position
from server.games.recorded_matches import (
    REFUSAL_STATUSES,
    Continuation,
    ContinueBody,
    Continued,
    continuation_response,
)
from server.games.seats import Seats, require_own
from server.http.errors import ActionRefused
from server.http.openapi import PLAYING, TALKING, Operation
from server.http.permissions import Permission, read_seat
from server.http.responses import MAX_INT32, Empty, Team, client_address
from server.identity.rate_limits import Asker
from server.identity.visitors import Visitor
from visualizer.model.story import TurningPoints

MAX_ACT_LENGTH = 40
"""Letters."""
MAX_ERROR_LENGTH = 200
"""Letters of why a program has no order."""

AskStep = Annotated[
    int, Meta(ge=0, le=MAX_INT32, description="The `step` of the ask in the position.")
]
Piece = Annotated[
    int,
    Meta(ge=0, le=MAX_INT32, description="The piece of the ask, such as a board; 0 where none is."),
]
Order = Annotated[Any, Meta(description="What is ordered, in the words of the game's rules.")]
Lines = Annotated[list[Any], Meta(description="A line for each thing that was clicked.")]


KnownStep = Annotated[
    Annotated[int, Meta(ge=0, le=MAX_INT32)] | None,
    Meta(
        description="The `step` of an ask of that piece: the act is refused with 409 once that "
        "has been answered, so that it can be sent again where no answer came."
    ),
]


class Decisions(Struct, frozen=True):
    """How many decisions the game has by now."""

    step: int


class OrderBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An order, or what takes it back."""

    step: AskStep
    team: Team
    piece: Piece = 0
    order: Order = None


class ActBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Something done besides ordering, as `acts` of the position has it."""

    team: Team
    piece: Piece
    name: Annotated[str, Meta(max_length=MAX_ACT_LENGTH)]
    step: KnownStep = None


class FailureBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Why there is no order: the decision is forfeited, as that of a bot in a match."""

    step: AskStep
    team: Team
    error: Annotated[
        str, Meta(max_length=MAX_ERROR_LENGTH, description="What went wrong, in one line.")
    ]
    piece: Piece = 0


class Rematch(Struct, frozen=True):
    """The game in which the same players meet again."""

    rematch: str | None
    """Its id; null while other people have yet to agree."""


class DraftBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What was clicked so far."""

    step: AskStep
    team: Team
    lines: Lines
    piece: Piece = 0


class PremovesBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What the pieces of a team are to do in a turn, ordered before they are asked."""

    team: Team
    turn: Annotated[int, Meta(ge=0, le=MAX_INT32, description="The `turn` of the position.")]
    orders: Annotated[
        list[tuple[Piece, Order]], Meta(description="Pieces, each with what it is to do.")
    ]
    is_sent: Annotated[
        bool, Meta(description="Whether it is played as the pieces are asked; else it is a draft.")
    ]


class DraftQuery(Struct, frozen=True):
    """Whose draft is asked for."""

    team: Team
    piece: Piece = 0


class DraftedOrder(Struct, frozen=True, kw_only=True):
    """What a draft comes to: `refused` has the place of a line, from 0, and the reason."""

    lines: list[Any]
    refused: list[tuple[int, str]]
    answer: object
    """The order that the other lines make."""
    shows: object
    """What a page draws of it."""


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
        orders, draft, points = f"{game}/orders", f"{game}/draft", f"{game}/turning_points"
        of_past = partial(
            Operation, refusals=(HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY)
        )
        going_on = partial(Operation, refusals=REFUSAL_STATUSES)
        return [
            Operation("GET", game, self._position, Position),
            of_past("GET", points, self._turning_points, TurningPoints),
            _played("POST", orders, self._order, Decisions, OrderBody),
            _played("DELETE", orders, self._take_back, Decisions, OrderBody),
            _played("POST", f"{game}/failures", self._fail, Decisions, FailureBody),
            going_on("POST", f"{game}/continue", self._continue, Continued, ContinueBody),
            _of_seat("POST", f"{game}/rematch", self._ask_rematch, Rematch, refusals=TALKING),
            _of_seat("DELETE", f"{game}/rematch", self._decline_rematch, Empty, refusals=TALKING),
            _played("POST", f"{game}/acts", self._act, Decisions, ActBody),
            _of_seat("GET", draft, self._draft, DraftedOrder, query=DraftQuery),
            _of_seat("PUT", draft, self._keep_draft, DraftedOrder, DraftBody),
            _of_seat("PUT", f"{game}/premoves", self._keep_premoves, Decisions, PremovesBody),
        ]

    def _position(self, request: Request) -> Position:
        """Return a game as whoever asks may see it."""
        game_id = request.path_params["game"]
        return load_position(self._game_service, game_id, self._seats.own_teams(request, game_id))

    def _turning_points(self, request: Request) -> TurningPoints:
        """Return how a game turned that is over: who led from when, and where it was won."""
        return game_turning_points(self._game_service, self._records, request.path_params["game"])

    def _order(self, request: Request, body: OrderBody) -> Decisions:
        """Order what an ask waits for; the same order again is harmless."""
        game, ask = _find_ask(request, body)
        step = self._game_service.answer(game, ask, body.step, body.order)
        self._on_move()
        return Decisions(step)

    def _fail(self, request: Request, body: FailureBody) -> Decisions:
        """Forfeit what an ask waits for, since the program that was to answer failed."""
        game, ask = _find_ask(request, body)
        return Decisions(self._game_service.fail(game, ask, body.step, body.error))

    def _take_back(self, request: Request, body: OrderBody) -> Decisions:
        """Take back an order while others are still waited for."""
        return Decisions(self._game_service.take_back_order(*_find_ask(request, body), body.step))

    def _act(self, request: Request, body: ActBody) -> Decisions:
        """Do something besides ordering, such as resigning."""
        game, act = _find_own(request, body.team), Act(body.team, body.piece, body.name)
        return Decisions(self._game_service.perform_act(game, act, body.step))

    def _keep_premoves(self, request: Request, body: PremovesBody) -> Decisions:
        """Order ahead for the pieces of a team, in place of what was ordered so before."""
        game = _find_own(request, body.team)
        premoves = Premoves(turn=body.turn, orders=tuple(body.orders), is_sent=body.is_sent)
        return Decisions(self._game_service.save_premoves(game, body.team, premoves))

    def _continue(self, request: Request, body: ContinueBody) -> Response:
        """Begin a game from the middle of this one, for whoever asks."""
        visitor: Visitor = request.user
        person = None if visitor.person is None else visitor.person.id
        is_stranger = visitor.has_accounts and person is None
        asker = Asker(client_address(request), person, is_stranger=is_stranger)
        new_id = self._continuation.play_on(request.path_params["game"], body, asker)
        if person is not None:
            self._open_games.own(new_id, body.team, person)
        return continuation_response(request, self._game_service, new_id, body.team)

    def _ask_rematch(self, request: Request) -> Rematch:
        """Ask for another game of the same players, with the seats rotated.

        It begins once all people who played have asked for it.
        """
        return Rematch(rematch=self._game_service.create_rematch(*read_seat(request)))

    def _decline_rematch(self, request: Request) -> None:
        """Decline to play again: the others are told; who asks for it later wants it after all."""
        self._game_service.decline_rematch(*read_seat(request))

    def _keep_draft(self, request: Request, body: DraftBody) -> DraftedOrder:
        """Keep what was clicked so far, and return what it comes to."""
        game, ask = _find_ask(request, body)
        self._game_service.save_draft(game, ask, body.step, body.lines)
        return self._make_draft_answer(game, ask, body.lines)

    def _draft(self, request: Request, query: DraftQuery) -> DraftedOrder:
        """Return the draft that was kept for the present turn."""
        game, ask = _find_ask(request, query)
        return self._make_draft_answer(game, ask, self._game_service.load_draft_orders(game, ask))

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


def _find_own(request: Request, team: int) -> str:
    """Return the game of a path, in which a team is that of whoever asks. Raises: NotYourSeat."""
    game_id, teams = read_seat(request)
    require_own(team, teams)
    return game_id


def _find_ask(
    request: Request, body: OrderBody | FailureBody | DraftBody | DraftQuery
) -> tuple[str, Ask]:
    """Return the game and the ask that a player names. Raises: NotYourSeat."""
    return _find_own(request, body.team), Ask(body.team, body.piece)


_of_seat = partial(Operation, permission=Permission.SEAT, refusals=PLAYING)
_played = partial(Operation, permission=Permission.SEAT_OR_TOKEN, refusals=TALKING)
"""What programs do with a token, too: see server/games/remote_bots.py."""
