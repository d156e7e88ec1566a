"""Bots at the board: they think in processes of their own, confined, and stay between moves.

A process of ours keeps a bot session for each game: the match as it knows it, and its bots.
A session that is gone, with its process or the server, is made again from the decisions;
its bots then begin on the present board. So a session ends with its game, when nobody has asked it
for a while, and when there are too many bots.
"""

import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec

from engine.bots.sandbox import Level
from engine.catalog import find_game
from engine.fault import Cause, Fault
from engine.game import Ask, Refusal
from engine.play_options import PlayOptions
from engine.referee import Job, Referee
from engine.replays.decisions import DecisionReader, encode, order_to_record
from engine.replays.writing import Contestant
from engine.seat import Seat
from engine.spec import decode_spec, encode_spec
from engine.stepper import AnyStepper, Listener
from engine.support.process_pool import ProcessPool
from server.games.game_rows import Participant, StoredGame

MAX_BOTS = 40
"""The bots that are kept, each in a process of its own; past that those of the game go that was
played longest ago. A game that is being played keeps all of its own."""
MAX_GUEST_BOTS = 6
"""The most of them in games that people without an account have begun from the middle of others."""
SUBSTITUTE = "/"
"""Stands between a game and the team in the name of a substitute's session."""
IDLE_S = 900.0
"""The bots of a game are ended after so long without a question."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot is asked; everything that a new process needs to know of the game."""

    game: str
    bot_session: str
    """The bots of a game that begin together; a substitute has a session of its own."""
    spec: bytes
    contestants: tuple[Contestant, ...]
    teams: tuple[int, ...]
    """The teams that bots play."""
    decisions: tuple[str, ...]
    ask: Ask


class _SessionUse(msgspec.Struct):
    """What is known here of the bot sessions of a game, which are in another process."""

    bots: dict[str, int]
    """How many bots there are in each session."""
    used_at: float
    is_strangers: bool

    @property
    def count(self) -> int:
        return sum(self.bots.values())


class BotSeats:
    """The processes in which bots think. A game's bots are always in the same one."""

    def __init__(
        self,
        out: Path,
        level: Level,
        processes: int,
        clock: Callable[[], float] = time.monotonic,
        *,
        niceness: int = 0,
    ) -> None:
        """`niceness`: how far they stand behind other processes, 0 to 19."""
        self._pools = [
            ProcessPool(_prepare, [(out, level)], niceness=niceness) for _ in range(processes)
        ]
        self._lock = Lock()
        self._clock = clock
        self._sessions = OrderedDict[str, _SessionUse]()
        """The games whose bots are kept, the one played longest ago first."""
        self._is_closed = False

    def ask(
        self,
        stored: StoredGame,
        decisions: Sequence[str],
        ask: Ask,
        substitute: Participant | None = None,
    ) -> "Future[str]":
        """Return, some time, the order of a bot as it is written; it may be a fault.

        `substitute`: the bot that plays for a person. Cancelled when the server ends. Raises, by
        its future: ProcessLost, EngineFailure.
        """
        seats, bot_session = list(stored.seats), stored.id
        teams = tuple(team for team, one in enumerate(seats, 1) if not one.is_person)
        if substitute is not None:
            seats[ask.team - 1] = substitute
            teams, bot_session = (ask.team,), f"{bot_session}{SUBSTITUTE}{ask.team}"
        question = Question(
            game=stored.id,
            bot_session=bot_session,
            spec=encode_spec(stored.spec),
            contestants=tuple(one.contestant for one in seats),
            teams=teams,
            decisions=tuple(decisions),
            ask=ask,
        )
        with self._lock:
            if self._is_closed:
                cancelled = Future[str]()
                cancelled.cancel()
                return cancelled
            self._note_use(question, is_strangers=stored.terms.is_strangers)
            return self._pools[self._pool_index(stored.id)].submit(_ask_in_session, question)

    def end(self, game_id: str) -> None:
        """End the bots of a game that is over; nothing where none are kept."""
        with self._lock:
            self._end(game_id)

    def end_idle(self) -> None:
        """End the bots of all games of which nobody has asked anything for a while."""
        with self._lock:
            since = self._clock() - IDLE_S
            for game_id in [one for one, use in self._sessions.items() if use.used_at < since]:
                self._end(game_id)

    @property
    def games(self) -> list[str]:
        """Return the games whose bots are kept."""
        with self._lock:
            return list(self._sessions)

    def close(self) -> None:
        """End all processes at once; what they think about is asked again later."""
        with self._lock:
            self._is_closed = True
        for pool in self._pools:
            pool.terminate()
            pool.shutdown(cancel_futures=True)

    def _pool_index(self, game_id: str) -> int:
        return hash(game_id) % len(self._pools)

    def _note_use(self, question: Question, *, is_strangers: bool) -> None:
        """Note that a game's bots are needed, and end others where there are too many."""
        use = self._sessions.setdefault(question.game, _SessionUse({}, 0.0, is_strangers))
        use.bots[question.bot_session], use.used_at = len(question.teams), self._clock()
        self._sessions.move_to_end(question.game)
        self._end_surplus(list(self._sessions), MAX_BOTS)
        strangers = [game_id for game_id, use in self._sessions.items() if use.is_strangers]
        self._end_surplus(strangers, MAX_GUEST_BOTS)

    def _end_surplus(self, games: Sequence[str], most: int) -> None:
        """End bots of these games, but for the last one, until there are no more than that."""
        count = sum(self._sessions[game_id].count for game_id in games)
        for game_id in games[:-1]:
            if count <= most:
                return
            count -= self._sessions[game_id].count
            self._end(game_id)

    def _end(self, game_id: str) -> None:
        if self._sessions.pop(game_id, None) is not None and not self._is_closed:
            self._pools[self._pool_index(game_id)].submit(_end, game_id)


class _BotSession:
    """The bots of one game, and the match as they know it."""

    def __init__(self, question: Question, referee: Referee, level: Level) -> None:
        spec = decode_spec(question.spec)
        game = find_game(spec.game)
        self._stack = ExitStack()
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="slime-mind-")))
        job = Job(spec=spec, contestants=question.contestants, play=PlayOptions(sandbox=level))
        self._seats: dict[int, Seat] = {}
        for team in question.teams:
            seat: Seat = referee.make_seat(job, team, folder)
            self._seats[team] = seat
            self._stack.callback(seat.close)
        listeners: dict[int | None, Listener[Any]] = {
            team: seat.notify for team, seat in self._seats.items()
        }
        self._stepper = AnyStepper(game, spec, listeners=listeners)
        for team, seat in self._seats.items():
            seat.prepare(self._stepper.known[team])
        self._reader = DecisionReader(game, len(question.contestants))
        self._stepper.start()
        self._played: list[str] = []
        self._is_started = False

    def is_consistent_with(self, decisions: Sequence[str]) -> bool:
        """Return whether what it has played is how the game began."""
        return self._played == list(decisions[: len(self._played)])

    def think(self, question: Question) -> object:
        """Return the order of the asked bot, or a Fault."""
        for content in question.decisions[len(self._played) :]:
            self._stepper.play(self._reader.read(content.encode()))
            self._played.append(content)
        if not self._is_started:
            self._is_started = True
            for each in self._seats.values():
                each.start()  # one that cannot play says so when it is asked
        ask = question.ask
        seat = self._seats[ask.team]
        seat.put(ask, self._stepper.view(ask))
        answer = seat.take()
        if type(answer) is Fault:
            return answer
        order = self._stepper.check(ask, answer)
        return Fault(Cause.ILLEGAL, order.reason) if type(order) is Refusal else order

    def close(self) -> None:
        self._stack.close()


class _BotSessions:
    """What a process of ours has."""

    def __init__(self, out: Path, level: Level) -> None:
        self._referee = Referee(out)
        self._level = level
        self._bot_sessions: dict[str, _BotSession] = {}

    def think(self, question: Question) -> str:
        bot_session = self._bot_session(question)
        try:
            order = bot_session.think(question)
        except BaseException:
            self._drop(question.bot_session)
            raise
        return encode(order_to_record(order)).decode()

    def _bot_session(self, question: Question) -> _BotSession:
        bot_session = self._bot_sessions.get(question.bot_session)
        if bot_session is None or not bot_session.is_consistent_with(question.decisions):
            self._drop(question.bot_session)
            bot_session = self._bot_sessions[question.bot_session] = _BotSession(
                question, self._referee, self._level
            )
        return bot_session

    def end(self, game_id: str) -> None:
        """End all bots of a game, substitutes too."""
        for name in [one for one in self._bot_sessions if one.partition(SUBSTITUTE)[0] == game_id]:
            self._drop(name)

    def _drop(self, name: str) -> None:
        bot_session = self._bot_sessions.pop(name, None)
        if bot_session is not None:
            with suppress(OSError):
                bot_session.close()


_sessions_here: _BotSessions | None = None


def _prepare(out: Path, level: Level) -> None:
    global _sessions_here  # noqa: PLW0603 - a process has one, and only this function to set it
    _sessions_here = _BotSessions(out, level)


def _end(game_id: str) -> None:
    assert _sessions_here is not None
    _sessions_here.end(game_id)


def _ask_in_session(question: Question) -> str:
    assert _sessions_here is not None
    return _sessions_here.think(question)
