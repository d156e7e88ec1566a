"""What a strong bot would have ordered at a place of a game that is over.

It is asked once for each place, in a process that stands behind all others, and its answer is kept.
"""

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from enum import StrEnum
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace
from starlette.requests import Request

from engine.bots.sandbox import Level
from engine.catalog import find_game
from engine.errors import EngineFailure, SlimeMindError
from engine.fault import Fault
from engine.game import AnyGame, Ask
from engine.replays.decisions import Decision, DecisionReader, encode, order_to_record
from engine.stepper import AnyStepper
from runners.execution.pool import NICENESS
from runners.starter_bots import starter_bots
from server.games.boards import describe_order
from server.games.bot_seats import BotSeats
from server.games.game_rows import StoredGame
from server.games.game_service import GameService
from server.games.history import answers_nothing
from server.games.recorded_matches import starter_bot
from server.http.errors import ActionRefused
from server.http.file_cache import FOLDER, FileCache
from server.http.limits import ConcurrencyLimit, RateLimits, TooOften
from server.http.openapi import Operation
from server.http.parts import Report
from server.http.responses import client_address
from server.identity.rate_limits import Asker
from server.identity.visitors import Visitor

MAX_CONCURRENT_REQUESTS = 6
"""Places of which all are asked about together, each by another person, or from another address."""
WAIT_S = 10.0
BUSY_TEXT = "a bot thinks about another turn for you: please try again in a moment"
MAX_CACHE_BYTES = 4 * 2**20
MAX_ORDER_LENGTH = 600
"""Letters of an order in words."""


class AdviceState(StrEnum):
    """How far an answer is."""

    WAITING = "waiting"
    DONE = "done"


class AdviceBody(msgspec.Struct, forbid_unknown_fields=True):
    """A place of a game: after how many decisions, and for which team."""

    step: int
    team: int


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot would have ordered where a team decided next."""

    state: AdviceState
    turn: int
    team: int
    piece: int
    """The board or the piece that it was asked about; 0 where a team orders as a whole."""
    bot: str
    order: str = ""
    """What the bot would have ordered, in words; '' while it thinks."""
    played: str = ""
    """What was ordered, in words."""
    is_same: bool = False


class _Place(NamedTuple):
    """Says at which place of which game a bot is asked."""

    key: str
    stored: StoredGame
    decisions: tuple[str, ...]
    ask: Ask
    turn: int
    played: str
    is_fault: bool


class Advisor:
    """Asks the strongest starter bot of a game. All methods may be called from any thread."""

    def __init__(self, game_service: GameService, out: Path, limits: RateLimits) -> None:
        """`out`: the folder of results and of bots' copies."""
        self._game_service = game_service
        self._out = out
        self._report: Report = game_service.report
        self._files = FileCache(out / FOLDER / "advice", MAX_CACHE_BYTES)
        self._limits = limits
        self._lock = threading.Lock()
        self._concurrency = ConcurrencyLimit(MAX_CONCURRENT_REQUESTS, 1, 1, BUSY_TEXT, WAIT_S)
        self._waiting = set[str]()
        """The places in games that are asked about."""
        self._bots: BotSeats | None = None
        self._is_closed = False

    @property
    def operations(self) -> Sequence[Operation]:
        refusals = (
            HTTPStatus.NOT_FOUND,
            HTTPStatus.UNPROCESSABLE_ENTITY,
            HTTPStatus.TOO_MANY_REQUESTS,
        )
        path = "/games/{game}/advice"
        return [Operation("POST", path, self._answer, Advice, AdviceBody, refusals=refusals)]

    def close(self) -> None:
        """End the process in which a bot thinks."""
        with self._lock:
            self._is_closed, bots = True, self._bots
        if bots is not None:
            bots.close()

    def _answer(self, request: Request, body: AdviceBody) -> Advice:
        """Say what a strong bot would have ordered where a team decided next; ask again for it."""
        visitor: Visitor = request.user
        by = Asker(client_address(request), None if visitor.person is None else visitor.person.id)
        return self.advice(request.path_params["game"], body, by)

    def advice(self, game_id: str, body: AdviceBody, by: Asker) -> Advice:
        """Return what is known, and have the bot asked if nobody has. `by`: who wants to know.

        Raises: NoSuchGame, ActionRefused, TooMany, BadBot, EngineFailure.
        """
        with self._game_service.open_session(game_id) as session:
            if session.outcome is None:
                raise ActionRefused("the game is not over: a bot helps nobody who plays")
            stored, decisions, game = session.stored, tuple(session.decisions), session.game
        names = starter_bots(game.name)
        if not names:
            raise ActionRefused(f"there is no strong bot of {game.title} here")
        bot = starter_bot(game, self._out, names[-1])
        place = _place(game, stored, decisions, body, bot.digest)
        cached = self._files.find(f"{place.key}.json")
        if cached is not None:
            return msgspec.json.decode(cached.read_bytes(), type=Advice)
        waiting = Advice(
            state=AdviceState.WAITING,
            turn=place.turn,
            team=body.team,
            piece=place.ask.piece_id,
            bot=bot.name,
        )
        with self._lock:
            if place.key in self._waiting:
                return waiting
            bots = self._admit_request(place.key, by)
        future = bots.ask(place.stored, place.decisions, place.ask, bot)
        future.add_done_callback(lambda _: self._concurrency.release(by))  # before it can be read
        future.add_done_callback(lambda done: self._save(bots, place, waiting, done))
        return waiting

    def _admit_request(self, key: str, by: Asker) -> BotSeats:
        """Take a place into those that are asked about; the lock is held. Raises: TooMany."""
        if self._is_closed:
            raise EngineFailure("the server ends")
        self._concurrency.acquire(by)
        try:
            self._limits.count("advice", by)
        except TooOften:
            self._concurrency.release(by)
            raise
        self._waiting.add(key)
        if self._bots is None:
            # Only our own bots think there, which every machine can confine as usual.
            self._bots = BotSeats(self._out, Level.DEFAULT, 1, niceness=NICENESS)
        return self._bots

    def _save(self, bots: BotSeats, place: _Place, waiting: Advice, done: "Future[str]") -> None:
        try:
            if done.cancelled():
                return
            order = DecisionReader(
                find_game(place.stored.spec.game), len(place.stored.seats)
            ).order(done.result().encode())
            text = _order_text(order)
            found = replace(
                waiting,
                state=AdviceState.DONE,
                order=text,
                played=place.played,
                is_same=text == place.played and not place.is_fault,
            )
            content = msgspec.json.encode(found)
            self._files.path(f"{place.key}.json", lambda path: path.write_bytes(content))
        except (SlimeMindError, OSError) as error:
            self._report(f"a bot could not be asked about a game that is over: {error}")
        except Exception as error:  # noqa: BLE001 - whoever has asked is told that it is not known
            self._report(f"a bot could not be asked about a game that is over: {error!r}")
        finally:
            bots.end(place.stored.id)
            with self._lock:
                self._waiting.remove(place.key)


def _place(
    game: AnyGame,
    stored: StoredGame,
    decisions: Sequence[Decision],
    body: AdviceBody,
    digest: str,
) -> _Place:
    """Return where a team decided next after a step. Raises: ActionRefused where it did not."""
    if not (0 <= body.step <= len(decisions) and 1 <= body.team <= len(stored.seats)):
        raise ActionRefused("there is no such place in the game")
    stepper = AnyStepper(game, stored.spec)
    stepper.start()
    for number, decision in enumerate(decisions):
        asks = stepper.asks if decision.ask is None else (decision.ask,)
        own_asks = [one for one in asks if one.team == body.team]
        if number >= body.step and own_asks and not answers_nothing(decision):
            order = decision.orders[list(asks).index(own_asks[0])]
            text = f"{stored.id}|{number}|{own_asks[0]}|{digest}|{len(decisions)}"
            key = sha256(text.encode()).hexdigest()[:32]
            return _Place(
                key=key,
                stored=replace(stored, id=key),
                decisions=tuple(encode(one.to_record()).decode() for one in decisions[:number]),
                ask=own_asks[0],
                turn=game.standing(stepper.state).turn,
                played=_order_text(order),
                is_fault=isinstance(order, Fault),
            )
        stepper.play(decision)
    raise ActionRefused("this team decided nothing after that")


def _order_text(order: object) -> str:
    if isinstance(order, Fault):
        return f"nothing ({order.cause})"
    written = msgspec.json.decode(encode(order_to_record(order)))
    return describe_order(written)[:MAX_ORDER_LENGTH] or "nothing"
