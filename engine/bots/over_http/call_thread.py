"""A thread that calls a bot over HTTP, so that the match never waits longer than it allows."""

import threading
import time
from concurrent.futures import Future
from queue import SimpleQueue

import msgspec

from engine.bots.over_http.address import Address
from engine.bots.over_http.connection import CallFailed, Connection
from engine.fault import Cause, Fault

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
            threading.Thread(target=_work, args=(connection, self._calls), daemon=True).start()
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
            words = f"{self._address.origin}: not even a connection in {call.timeout_ms:g} ms"
            return Called(Fault(Cause.UNREACHABLE, words), round(call.timeout_ms * 1_000))

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


def _work(connection: Connection, calls: "SimpleQueue[_Call | None]") -> None:
    """Call until there is nothing more to call."""
    while (call := calls.get()) is not None:
        try:
            call.done.set_result(_called(connection, call))
        except BaseException as error:  # noqa: BLE001 - the engine is to see our mistakes
            call.done.set_exception(error)
    connection.close()


def _called(connection: Connection, call: _Call) -> Called:
    began = time.perf_counter_ns()
    answer: bytes | Fault
    try:
        answer = connection.call(call.message, call.timeout_ms)
    except CallFailed as failed:
        answer = failed.fault
    return Called(answer, (time.perf_counter_ns() - began) // 1_000)
