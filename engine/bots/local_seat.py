"""A seat without a process, for trusted bots: debuggers, profilers, training.

No deadline, no limits and no restarts; the bot still has a board, dice and modules of its own.
"""

import bdb
import sys
import time
from array import array
from collections.abc import Callable
from typing import Any

import msgspec

from engine.bots.apart import Apart
from engine.bots.fault import Cause, Fault
from engine.bots.loading import (
    CannotStart,
    cannot_start,
    cause_of,
    in_words,
    load_player,
    own_frames,
)
from engine.bots.seat import Entry
from engine.bots.wire import one_line
from engine.game import Ask, Event, Game, Host
from engine.streams import derive_seed

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder().decode


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
        self._apart = self._new_place()
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
        with self._apart:
            began = time.thread_time_ns()
            try:
                answer = self._host.decide(*self._ask)
            except bdb.BdbQuit:
                raise  # its author leaves the debugger, and with it the match
            except (Exception, SystemExit) as error:
                sys.stderr.write(own_frames(error, self.entry.bot, self.entry.name))
                return Fault(cause_of(error, Cause.EXCEPTION), self._words(error))
            finally:
                self.call_us.append((time.thread_time_ns() - began) // 1_000)
            try:  # what a worker could not send is no answer here either
                return decode(encode(answer))
            except Exception as error:
                return Fault(Cause.UNREADABLE, f"an answer cannot be sent: {self._words(error)}")

    def close(self) -> None:
        """Nothing to end."""

    def restore(self, restarts: int, out: Fault | None) -> None:
        """Be as after a recorded fault: a player that was replaced then is replaced now."""
        if self.restarts < restarts:
            self.restarts = restarts
            self._host, self._apart = None, self._new_place()
        if out is not None:
            self._host, self.out = None, out

    def _new_place(self) -> Apart:
        entry = self.entry
        seed = derive_seed(entry.match_seed, f"bot/{entry.team}/{self.restarts}")
        return Apart(entry.bot.parent, seed)

    def _start(self) -> None:
        self._state = msgspec.json.decode(encode(self._source), type=self._game.state)
        try:
            with self._apart:
                self._host = self._make_host()
        except CannotStart as problem:
            if isinstance(problem.__cause__, KeyboardInterrupt):
                raise problem.__cause__ from None  # the user's wish, and no bot's fault
            sys.stderr.write(problem.report)
            self.out = Fault(problem.cause, one_line(problem.detail))

    def _make_host(self) -> Host:
        entry = self.entry
        player = load_player(entry.bot, entry.name, self._game.player)
        try:
            return self._game.host(player, self._state, entry.team, entry.limits)
        except (Exception, SystemExit) as error:
            raise cannot_start(error, entry.bot, entry.name) from error

    def _words(self, error: BaseException) -> str:
        return one_line(in_words(error, self.entry.bot, self.entry.name))
