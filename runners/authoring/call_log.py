"""What a team was asked in a match, what it ordered, and what each call took."""

from collections.abc import Sequence

import msgspec

from engine.fault import Cause, Fault
from engine.game import AnyGame, Ask, State
from engine.observer import Observer
from engine.replays.decisions import encode, order_to_record
from engine.replays.recorded_asks import format_place
from engine.seat import Seat


class Call(msgspec.Struct, frozen=True):
    """A call of a bot: where in the match, and the CPU time it took."""

    turn: int
    ask: Ask
    us: int

    @property
    def place(self) -> str:
        """Return where it was: `turn 12, piece 7`."""
        return format_place(self.turn, self.ask)


class FaultsOfCause(msgspec.Struct):
    """The faults of one cause: the first of them, and how many there were."""

    fault: Fault
    turn: int
    ask: Ask
    times: int = 0

    @property
    def place(self) -> str:
        """Return where the first one was: `turn 12, piece 7`."""
        return format_place(self.turn, self.ask)


class CallLog(Observer):
    """Notes the calls, orders and faults of one team."""

    def __init__(self, game: AnyGame, seat: Seat, team: int) -> None:
        self.parts = 0
        """The parts of all its answers, those that were refused among them."""
        self.calls: list[Call] = []
        self.orders: list[tuple[str, bytes]] = []
        """Where, and what, as replays write it."""
        self.faults: dict[Cause, FaultsOfCause] = {}
        self._game = game
        self._seat = seat
        self._team = team
        self._read_count = 0
        self._state: State

    @property
    def last_turn(self) -> int:
        """Return the turn after which the match is over at the latest."""
        return self._game.standing(self._state).last_turn

    def on_start(self, state: State) -> None:
        self._state = state

    def on_decision(self, asks: Sequence[Ask], orders: Sequence[object]) -> None:
        own = [(ask, order) for ask, order in zip(asks, orders, strict=True) if self._is_own(ask)]
        taken = self._seat.call_us[self._read_count :]
        self._read_count += len(taken)
        turn = self._state.turn
        # A bot that is out is called no more: then there are fewer calls than asks.
        for (ask, _), us in zip(own, taken, strict=False):
            self.calls.append(Call(turn, ask, us))
        for ask, order in own:
            self.orders.append((format_place(turn, ask), encode(order_to_record(order))))
            if type(order) is not Fault:
                self.parts += self._game.parts(order)

    def on_single_decision(self, ask: Ask, order: object) -> None:
        self.on_decision((ask,), (order,))

    def on_fault(self, ask: Ask, fault: Fault) -> None:
        if self._is_own(ask):
            first = FaultsOfCause(fault, self._state.turn, ask)
            self.faults.setdefault(fault.cause, first).times += 1

    def _is_own(self, ask: Ask) -> bool:
        return ask.team == self._team


def first_difference(one: CallLog, other: CallLog) -> str | None:
    """Return where two playings of a match first ordered something else; None if nowhere."""
    for before, after in zip(one.orders, other.orders, strict=False):
        if before != after:
            return before[0]
    return None
