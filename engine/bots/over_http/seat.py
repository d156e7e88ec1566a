"""The engine's end of a bot that is called over HTTP, on a thread (docs/protocol.md)."""

import secrets
import threading
import time
from array import array
from concurrent.futures import Future
from queue import SimpleQueue

import msgspec

from engine.bot_output import read_notes
from engine.bots.over_http.address import Address
from engine.bots.over_http.connection import CallFailed, Connection
from engine.bots.process_seat import SeatConfig, too_long
from engine.bots.programs.manifest import MANIFEST
from engine.bots.programs.protocol import (
    NONCE_BITS,
    VERSION,
    Answer,
    Failed,
    Hello,
    HttpAsk,
    HttpEnd,
    HttpStart,
    Misspoken,
    Wants,
    message_in,
)
from engine.bots.wire import NOTES_BYTES, REPLY_OVERHEAD
from engine.catalog import find_game
from engine.fault import Cause, Fault
from engine.game import Ask, State
from engine.seat import US_PER_S, Seat
from engine.streams import derive_seed, seed_text
from engine.support.sanitizing import one_line

RESTARTING_FAULTS = frozenset({Cause.UNREACHABLE, Cause.UNREADABLE})
"""Faults after which a bot counts as replaced, as a process is; what comes next may be better."""
MATCH_BYTES = 16
END_MS = 1_000
"""How long the end of a match may take to be told."""

encode = msgspec.json.Encoder().encode
GRACE_S = 0.5
"""How long the engine waits beyond a call's own time, as for a processor, before it gives up."""


class Called(msgspec.Struct, frozen=True):
    """What came of a call."""

    answer: bytes | Fault
    took_us: int


class CallThread:
    """Makes one call after another, in a thread of its own.

    The connection itself keeps the time of all it does but the look-up of a name, for which
    systems have no deadline: a thread that hangs in there is left behind.
    """

    def __init__(self, address: Address, longest: int) -> None:
        self._address = address
        self._longest = longest
        self._calls: SimpleQueue[_Call | None] | None = None
        self._current: _Call | None = None

    def send(self, message: bytes, timeout_ms: float) -> None:
        """Begin a call; what comes of it is fetched afterwards."""
        if self._calls is None:
            self._calls = SimpleQueue()
            connection = Connection(self._address, self._longest)
            threading.Thread(target=_run_calls, args=(connection, self._calls), daemon=True).start()
        self._current = _Call(message, timeout_ms)
        self._calls.put(self._current)

    def fetch(self) -> Called:
        """Return what came of the call that was begun last."""
        call, self._current = self._current, None
        assert call is not None
        try:
            return call.done.result(max(0, call.deadline + GRACE_S - time.monotonic()))
        except TimeoutError:
            self.close()
            message = f"{self._address.origin}: not even a connection in {call.timeout_ms:g} ms"
            return Called(Fault(Cause.UNREACHABLE, message), round(call.timeout_ms * 1_000))

    def close(self) -> None:
        """End the thread and its connection, as soon as it has time to."""
        calls, self._calls = self._calls, None
        if calls is not None:
            calls.put(None)


class _Call:
    """A message on its way, and what comes of it."""

    def __init__(self, message: bytes, timeout_ms: float) -> None:
        self.message = message
        self.timeout_ms = timeout_ms
        self.deadline = time.monotonic() + timeout_ms / 1_000
        self.done: Future[Called] = Future()


def _run_calls(connection: Connection, calls: "SimpleQueue[_Call | None]") -> None:
    """Call until there is nothing more to call."""
    while (call := calls.get()) is not None:
        try:
            call.done.set_result(_perform_call(connection, call))
        except BaseException as error:  # noqa: BLE001 - the engine is to see our mistakes
            call.done.set_exception(error)
    connection.close()


def _perform_call(connection: Connection, call: _Call) -> Called:
    began = time.perf_counter_ns()
    answer: bytes | Fault
    try:
        answer = connection.call(call.message, call.timeout_ms)
    except CallFailed as failed:
        answer = failed.fault
    return Called(answer, (time.perf_counter_ns() - began) // 1_000)


class HttpSeat(Seat):
    """One bot at an address, for one match. Its time is the wall time of its answers."""

    def __init__(self, config: SeatConfig, address: Address, plays: str) -> None:
        """`plays`: the game that the bot says it plays."""
        self.config = config
        self.restarts = 0
        """How often it was not there, or not understood."""
        self.call_us: array[int] = array("I")
        self._limits = config.limits
        self._plays = plays
        self._longest = config.limits.answer_bytes + REPLY_OVERHEAD
        self._calls = CallThread(address, self._longest + NOTES_BYTES)
        self._game = find_game(config.game)
        self._match = secrets.token_hex(MATCH_BYTES)
        self._hello: Hello | None = None
        self._left_us = config.limits.bank_s * US_PER_S
        self._state: State | None = None
        self._nonce = 0
        self._fault: Fault | None = None

    def prepare(self, state: State) -> None:
        self._state = state

    def start(self) -> Fault | None:
        """Tell the bot of the match; return why it cannot play, if so."""
        if self.out is None and self._hello is None:
            self.out = self._send_start()
        return self.out

    def put(self, ask: Ask, view: object) -> None:
        self._fault = self.start()
        if self._fault is not None:
            return
        assert self._hello is not None
        self._nonce = secrets.randbits(NONCE_BITS) or 1
        is_listed = self._hello.legal
        message = HttpAsk(
            match=self._match,
            team=self.config.team,
            nonce=self._nonce,
            piece=ask.piece_id,
            view=view,
            legal=self._game.legal_orders(self._state, ask) if is_listed else None,
            state=self._state,
        )
        self._calls.send(encode(message), self._limits.wall_ms)

    def take(self) -> object:
        if self._fault is not None:
            return self._fault
        called = self._calls.fetch()
        fault = self._charge_call(called)
        if fault is not None:
            return fault
        if isinstance(called.answer, Fault):
            return self._count(called.answer)
        try:
            return self._answer_in(called.answer)
        except Misspoken as error:
            return self._count(Fault(Cause.UNREADABLE, one_line(error)))

    def restore(self, restarts: int, out: Fault | None) -> None:
        """Be as after a recorded fault."""
        self.restarts = max(self.restarts, restarts)
        self.out = self.out or out

    def close(self) -> None:
        """Tell the bot that the match is over, if it ever heard of it."""
        if self._hello is not None and self.out is None:
            end = HttpEnd(match=self._match, team=self.config.team, state=self._state)
            self._calls.send(encode(end), min(END_MS, self._limits.wall_ms))
            self._calls.fetch()
        self._calls.close()

    def _send_start(self) -> Fault | None:
        config = self.config
        if self._plays != config.game:
            text = f"{MANIFEST}: it plays {self._plays}, and this is a match of {config.game}"
            return Fault(Cause.WRONG_TYPE, one_line(text))
        seed = derive_seed(config.match_seed, f"bot/{config.team}/0")
        message = HttpStart(
            match=self._match,
            protocol=VERSION,
            game=config.game,
            rules_version=self._game.rules_version,
            team=config.team,
            seed=seed_text(seed),
            limits=self._limits,
            notes=True,
            state=msgspec.Raw(encode(self._state)),
        )
        self._calls.send(encode(message), self._limits.load_ms)
        answer = self._calls.fetch().answer
        if isinstance(answer, Fault):
            is_late = answer.cause is Cause.TIMEOUT
            return Fault(Cause.LOAD_TIMEOUT, answer.detail) if is_late else answer
        try:
            hello = message_in(answer, (Hello,), '{"type":"hello","protocol":1}')
        except Misspoken as error:
            return Fault(Cause.UNREADABLE, one_line(error))
        if hello.protocol != VERSION:
            text = f"it speaks version {hello.protocol} of the protocol, and this is {VERSION}"
            return Fault(Cause.WRONG_TYPE, text)
        if hello.wants is not Wants.SNAPSHOTS:
            text = "over HTTP each ask has the whole state; its hello wants something else"
            return Fault(Cause.WRONG_TYPE, text)
        self._hello = hello
        return None

    def _charge_call(self, called: Called) -> Fault | None:
        """Take the time of a call off the bank; return a Fault if it is empty."""
        self.call_us.append(called.took_us)
        self._left_us -= called.took_us
        if self._left_us >= 0:
            return None
        message = f"used its {self._limits.bank_s} s, which over HTTP are wall time"
        self.out = Fault(Cause.BANK_EMPTY, message)
        return self.out

    def _count(self, fault: Fault) -> Fault:
        """Count what would have broken a process; after too much of it the bot is out."""
        if fault.cause not in RESTARTING_FAULTS:
            return fault
        if self.restarts >= self._limits.max_restarts:
            self.out = Fault(Cause.OUT, f"{fault.cause}: {fault.detail}")
        else:
            self.restarts += 1
        return fault

    def _answer_in(self, content: bytes) -> object:
        """Raises: Misspoken."""
        expected = f'{{"type":"answer","nonce":{self._nonce},"answer":...}}'
        kinds: tuple[type[Answer] | type[Failed], ...] = (Answer, Failed)
        said: Answer | Failed = message_in(content, kinds, expected)
        if said.nonce != self._nonce:
            raise Misspoken(f"an answer with the nonce {said.nonce}, where {self._nonce} was asked")
        notes = bytes(said.notes)
        if self.config.keeps_notes:
            self.notes = read_notes(notes)
        if isinstance(said, Failed):
            return Fault(Cause.EXCEPTION, one_line(said.error))
        if len(content) - len(notes) > self._longest:
            return too_long(self._limits)
        return said.answer
