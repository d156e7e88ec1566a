"""Asking bots for their moves: each question once, and again where a process was lost."""

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from functools import partial
from typing import NamedTuple, Protocol

from engine.catalog import find_game
from engine.errors import EngineFailure
from engine.game import Ask
from engine.replays.decisions import DecisionReader
from engine.support.process_pool import ProcessLost
from runners.storage.database import Stale
from server.games.bot_seats import BotSeats
from server.games.game_rows import StoredGame
from server.games.game_sessions import GameSession
from server.http.errors import NoSuchGame
from server.http.parts import Report

FIRST_WAIT_S, MAX_WAIT_S = 0.1, 60.0
"""Seconds until a bot whose process was lost again is asked again."""


class BotQuestion(NamedTuple):
    """What a bot is asked."""

    stored: StoredGame
    ask: Ask
    step: int

    @property
    def key(self) -> tuple[str, Ask, int]:
        return self.stored.id, self.ask, self.step


class AskedGames(Protocol):
    """The games in which bots are asked."""

    def session(self, game_id: str) -> AbstractContextManager[GameSession]:
        """Hold a game's session. Raises: NoSuchGame, OtherRules."""

    def order_of_bot(self, game_id: str, ask: Ask, step: int, order: object) -> None:
        """Take what a bot has answered. Raises: Stale, NoSuchGame, EngineFailure."""


class BotQuestions:
    """The questions that bots are thinking about."""

    def __init__(
        self,
        bot_seats: BotSeats,
        games: AskedGames,
        report: Report,
        *,
        is_asking: bool,
    ) -> None:
        """`is_asking`: whether this process asks; of several that share a database one does."""
        self._bot_seats = bot_seats
        self._games = games
        self._report = report
        self.is_asking = is_asking
        self._asked: set[tuple[str, Ask, int]] = set()

    def new_ones(self, session: GameSession) -> list[BotQuestion]:
        """Return what bots are to be asked, and were not."""
        questions: list[BotQuestion] = []
        if not self.is_asking:
            return questions
        for ask in session.stepper.asks:
            if not session.is_played_by_bot(ask.team) or ask in session.waiting:
                continue
            question = BotQuestion(session.stored, ask, session.ask_step(ask))
            if question.key not in self._asked:
                self._asked.add(question.key)
                questions.append(question)
        return questions

    def ask(self, questions: Sequence[BotQuestion], failures: int = 0) -> None:
        """Ask bots. Not while a session is held: an answer may be there at once."""
        for question in questions:
            stored, ask = question.stored, question.ask
            with self._games.session(stored.id) as session:
                if not session.is_played_by_bot(ask.team):  # whom it plays for is back
                    self._asked.discard(question.key)
                    continue
                written = session.encode_decisions()
                substitute = session.sitting[ask.team - 1] if session.is_away(ask.team) else None
            future = self._bot_seats.ask(stored, written, ask, substitute)
            future.add_done_callback(partial(self._take, question, failures))

    def _take(self, question: BotQuestion, failures: int, done: "Future[str]") -> None:
        """Take what a bot has answered, on the thread that waited for it."""
        if done.cancelled():
            return
        stored, ask = question.stored, question.ask
        error = done.exception()
        if error is not None:
            self._ask_again(question, failures + 1, error)
            return
        self._asked.discard(question.key)
        reader = DecisionReader(find_game(stored.spec.game), len(stored.seats))
        order = reader.order(done.result().encode())
        try:
            self._games.order_of_bot(stored.id, ask, question.step, order)
        except (Stale, NoSuchGame):  # the half was given up meanwhile
            return
        except EngineFailure as failure:
            self._report(f"game {stored.id}: {failure}")

    def _ask_again(self, question: BotQuestion, failures: int, error: BaseException) -> None:
        """Ask again: at once where a process was lost, later and later where that goes on."""
        if failures == 1 and isinstance(error, ProcessLost):
            self.ask([question], failures)
            return
        wait_s = min(FIRST_WAIT_S * 2**failures, MAX_WAIT_S)
        self._report(
            f"game {question.stored.id}: team {question.ask.team} could not be asked: {error}; "
            f"again in {wait_s:g} s"
        )
        timer = threading.Timer(wait_s, self.ask, ([question], failures))
        timer.daemon = True
        timer.start()
