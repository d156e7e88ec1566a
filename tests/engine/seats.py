"""Fake players and a watcher that writes everything down."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from engine.fault import Fault
from engine.game import Ask, Event, Outcome
from engine.observer import Observer
from engine.seat import Seat

Answer = Callable[[Ask, Any], Any]


class ScriptedSeat(Seat):
    """A seat without a bot: answers what a function makes of the ask and the known state."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._ask: Ask | None = None
        self.state: Any = None
        self.first_state: Any = None
        self.told: list[Event] = []
        self.notify = self.told.append

    def prepare(self, state: Any) -> None:
        self.state, self.first_state = state, copy_over_wire(state)

    def put(self, ask: Ask, view: Any) -> None:
        self._ask = ask

    def take(self) -> Any:
        assert self._ask is not None
        return self._answer(self._ask, self.state)


class Recorder(Observer):
    """The whole stream, the orders, and the state as it was and as it is."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.orders: list[tuple[Ask, Any]] = []
        self.faults: list[tuple[Ask, Fault]] = []
        self.outcome: Outcome | None = None
        self.state: Any = None
        self.first_state: Any = None

    def on_start(self, state: Any) -> None:
        self.state, self.first_state = state, copy_over_wire(state)

    def on_fault(self, ask: Ask, fault: Fault) -> None:
        self.faults.append((ask, fault))

    def on_decision(self, asks: Sequence[Ask], orders: Sequence[Any]) -> None:
        self.orders += zip(asks, orders, strict=True)

    def on_event(self, event: Event) -> None:
        self.events.append(event)

    def on_end(self, outcome: Outcome) -> None:
        self.outcome = outcome


def copy_over_wire(state: Any) -> Any:
    """Made as a worker's is: through the wire."""
    return msgspec.json.decode(msgspec.json.encode(state), type=type(state))
