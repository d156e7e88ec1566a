"""A seat without a process, for trusted bots: debuggers, profilers, training.

No deadline, no limits and no restarts; the bot still has a board of its own.
"""

import random
import sys
import time
import traceback
from array import array
from collections.abc import Callable
from typing import Any

import msgspec

from engine.bots.fault import Cause, Fault
from engine.bots.loading import CannotStart, cannot_start, in_words, load_player
from engine.bots.seat import Entry
from engine.bots.wire import one_line
from engine.game import Ask, Event, Game, Host
from engine.streams import derive_seed


class LocalSeat:
    """One bot in this process. Its prints and breakpoints reach the terminal."""

    def __init__(self, entry: Entry, game: Game[Any, Any, Any]) -> None:
        self.entry = entry
        self.restarts = 0
        self.call_us = array("I")
        self.out: Fault | None = None
        self._game = game
        self._source: Any = None
        self._state: Any = None
        self._host: Host | None = None
        self._news: list[Event] = []
        self.tell: Callable[[Event], object] = self._news.append
        # The bot's own dice: two bots of one process must not disturb each other's.
        self._dice = random.Random(derive_seed(entry.match_seed, f"bot/{entry.team}/0")).getstate()
        self._ask: tuple[int, Any] = (0, None)

    def begin(self, state: Any) -> None:
        self._source = state

    def put(self, ask: Ask, view: Any) -> None:
        if self._host is None and self.out is None:
            self._start()
        elif self._host is not None:
            for event in self._news:
                self._state.apply(event)
        self._news.clear()
        self._ask = (ask.about, view)

    def take(self) -> Any:
        if self._host is None:
            return self.out
        ours = random.getstate()
        random.setstate(self._dice)
        began = time.thread_time_ns()
        try:
            return self._host.decide(*self._ask)
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            words = in_words(error, self.entry.bot, self.entry.name)
            return Fault(Cause.EXCEPTION, one_line(words))
        finally:
            self.call_us.append((time.thread_time_ns() - began) // 1_000)
            self._dice = random.getstate()
            random.setstate(ours)

    def close(self) -> None:
        """Nothing to end."""

    def _start(self) -> None:
        entry = self.entry
        self._state = msgspec.json.decode(msgspec.json.encode(self._source), type=self._game.state)
        try:
            player = load_player(entry.bot, entry.name, self._game.player)
            try:
                self._host = self._game.host(player, self._state, entry.team)
            except Exception as error:
                raise cannot_start(error, entry.bot, entry.name) from error
        except CannotStart as problem:
            self.out = Fault(problem.cause, one_line(problem.detail))
