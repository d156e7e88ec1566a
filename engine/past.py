"""The recorded part of a match that was cut off: it is gone through again, and the match goes on.

The recorded orders and faults count; the players are asked all the same, so that they remember
what they would, and what they say now is compared.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from engine.bots.fault import Fault
from engine.errors import BadReplay
from engine.game import Ask, Stage
from engine.record import Continued, Deviation, FaultAside, FaultMark, encode
from engine.replay import Decision, Replay
from engine.shelves import Shelf
from engine.verifying import verify


class Restorable(Protocol):
    """A seat whose bot can be made what it was after a recorded fault."""

    def restore(self, restarts: int, out: Fault | None) -> None: ...


class RecordedPast:
    """What a replay holds of a match, put to the players in `seats`."""

    def __init__(
        self,
        replay: Replay,
        seats: Sequence[Restorable],
        on_end: Callable[[Continued], object],
        before_turn: int | None = None,
    ) -> None:
        """`before_turn`: orders from this turn on do not count."""
        self._decisions = list(_decisions(replay, before_turn))
        self._seats = seats
        self._on_end = on_end
        self._told = _faults_by_team(replay, len(seats))
        self._turn = before_turn or replay.last_turn
        self._deviation: Deviation | None = None

    @property
    def continued(self) -> Continued:
        """What is to be said of it in the end."""
        return Continued(turn=self._turn, deviation=self._deviation)

    def decisions(self) -> Iterator[Sequence[Any]]:
        """The orders and faults of one decision after the other."""
        for decision in self._decisions:
            yield decision.orders
        self._on_end(self.continued)

    def insist(self, turn: int, ask: Ask, recorded: Any, now: Any) -> Any:
        """What counts instead of what the player says now; its seat is as it was after that."""
        if type(recorded) is Fault:
            recorded = self._suffered(ask, recorded)
        if self._deviation is None and _essence(recorded) != _essence(now):
            self._deviation = Deviation(
                turn=turn,
                team=ask.team,
                about=ask.about,
                recorded=_words(recorded),
                now=_words(now),
            )
        return recorded

    def _suffered(self, ask: Ask, fault: Fault) -> Fault:
        """A recorded fault with its words, after what it did to its bot."""
        told = self._told[ask.team - 1]
        if not told:
            return fault
        aside = told.popleft()
        self._seats[ask.team - 1].restore(aside.restarts, aside.out)
        return Fault(fault.cause, aside.detail)


def require_continuable(replay: Replay, before_turn: int | None) -> None:
    """Raises: BadReplay for a match that cannot go on, or not from this replay."""
    path = replay.path
    if tuple(bot.digest for bot in replay.bots) != replay.spec.bots:
        raise BadReplay(f"{path}: is damaged: its bots are not those of its match")
    if (difference := verify(replay)) is not None:
        raise BadReplay(
            f"{path}: cannot go on: from turn {difference.turn} on it is not what the rules make "
            "of its orders; replay.py --verify says where"
        )
    if before_turn is not None and not 1 <= before_turn <= replay.last_turn:
        raise BadReplay(f"{path}: has turns 1 to {replay.last_turn}, not {before_turn}")
    # One that was ended just before it was filed goes on as well, to be filed.
    is_kept = path.absolute().parent.parent.name == Shelf.CUT_OFF
    if replay.outcome is not None and before_turn is None and not is_kept:
        raise BadReplay(f"{path}: is complete: there is nothing to continue")


def _decisions(replay: Replay, before_turn: int | None) -> Iterator[Decision]:
    turn = 0
    for entry in replay.entries():
        if isinstance(entry, Stage):
            turn = entry.turn
        elif isinstance(entry, Decision):
            if before_turn is not None and turn >= before_turn:
                return
            yield entry


def _faults_by_team(replay: Replay, teams: int) -> list[deque[FaultAside]]:
    """The words of all recorded faults; a team's are in the order of its faults."""
    told: list[deque[FaultAside]] = [deque() for _ in range(teams)]
    for aside in replay.asides:
        if isinstance(aside, FaultAside) and 1 <= aside.team <= teams:
            told[aside.team - 1].append(aside)
    return told


def _essence(order: Any) -> bytes:
    """What of it is compared: no words of a fault, and an order as it is written."""
    return encode(FaultMark(order.cause) if type(order) is Fault else order)


def _words(order: Any) -> str:
    if type(order) is Fault:
        return f"{order.cause}: {order.detail}" if order.detail else str(order.cause)
    return order if isinstance(order, str) else encode(order).decode()
