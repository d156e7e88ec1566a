"""Resume an interrupted match: play its recorded part again, then go on.

The recorded orders and faults count; the players are asked all the same, so that they remember
what they would, and what they say now is compared.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from engine.errors import BadReplay
from engine.fault import Fault
from engine.game import Ask, Stage
from engine.replays.decisions import Decision, encode, order_to_record
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.replays.writing import Continued, Deviation, FaultAside
from engine.result_folder import ResultFolder
from engine.seat import Seat
from engine.support.typed_commands import detect_commands

T = TypeVar("T")


class ResumedMatch:
    """What a replay holds of a match, put to the players in `seats`."""

    def __init__(
        self,
        replay: Replay,
        seats: Sequence[Seat],
        on_end: Callable[[Continued], object],
        before_turn: int | None = None,
    ) -> None:
        """Orders from `before_turn` on do not count."""
        self._decisions = list(decisions_before(replay, before_turn))
        self._seats = seats
        self._on_end = on_end
        self._faults = _faults_by_team(replay, len(seats))
        self._turn = before_turn or replay.last_turn
        self._deviation: Deviation | None = None

    @property
    def continued(self) -> Continued:
        """Return where the match was resumed, once it was."""
        return Continued(turn=self._turn, deviation=self._deviation)

    def decisions(self) -> Iterator[Decision]:
        """Yield one decision after the other."""
        yield from self._decisions
        self._on_end(self.continued)

    def override(self, turn: int, ask: Ask, recorded: T | Fault, now: object) -> T | Fault:
        """Return what counts instead of what the player says now, and restore its seat."""
        if type(recorded) is Fault:
            recorded = self._replayed_fault(ask, recorded)
        if self._deviation is None and _comparable_bytes(recorded) != _comparable_bytes(now):
            self._deviation = Deviation(
                turn=turn,
                team=ask.team,
                piece_id=ask.piece_id,
                recorded=_order_text(recorded),
                now=_order_text(now),
            )
        return recorded

    def _replayed_fault(self, ask: Ask, fault: Fault) -> Fault:
        """Return a recorded fault with its words, after doing what it did to its bot."""
        recorded = self._faults[ask.team - 1]
        if not recorded:
            return fault
        aside = recorded.popleft()
        self._seats[ask.team - 1].restore(aside.restarts, aside.out)
        return Fault(fault.cause, aside.detail)


def require_continuable(replay: Replay, before_turn: int | None) -> None:
    """Raises: BadReplay for a match that cannot be resumed, or not from this replay."""
    path = replay.path
    require_played_so(replay, before_turn)
    # A match that was interrupted between its end and its filing is resumed as well, to be filed.
    is_kept = path.absolute().parent.parent.name == ResultFolder.INTERRUPTED_MATCHES
    if replay.outcome is not None and before_turn is None and not is_kept:
        raise BadReplay(f"{path}: is complete: there is nothing to continue")


def require_played_so(replay: Replay, before_turn: int | None) -> None:
    """Raises: BadReplay for what no rules made of its orders, or a turn that it does not have."""
    path = replay.path
    if tuple(bot.digest for bot in replay.bots) != replay.spec.bots:
        raise BadReplay(f"{path}: is damaged: its bots are not those of its match")
    if (difference := verify(replay)) is not None:
        raise BadReplay(
            f"{path}: cannot be resumed: from turn {difference.turn} on it is not what the rules "
            f"make of its orders; {detect_commands().replay} --verify says where"
        )
    if before_turn is not None and not 1 <= before_turn <= replay.last_turn:
        raise BadReplay(f"{path}: has turns 1 to {replay.last_turn}, not {before_turn}")


def decisions_before(replay: Replay, before_turn: int | None) -> Iterator[Decision]:
    """Yield what was decided before a turn; None: all of it."""
    turn = 0
    for entry in replay.entries():
        if isinstance(entry, Stage):
            turn = entry.turn
        elif isinstance(entry, Decision):
            if before_turn is not None and turn >= before_turn:
                return
            yield entry


def _faults_by_team(replay: Replay, teams: int) -> list[deque[FaultAside]]:
    """Return the words of all recorded faults; a team's are in the order of its faults."""
    by_team: list[deque[FaultAside]] = [deque() for _ in range(teams)]
    for aside in replay.asides:
        if isinstance(aside, FaultAside) and 1 <= aside.team <= teams:
            by_team[aside.team - 1].append(aside)
    return by_team


def _comparable_bytes(order: object) -> bytes:
    """Return what of an order is compared: no words of a fault, and an order as it is written."""
    return encode(order_to_record(order))


def _order_text(order: object) -> str:
    if type(order) is Fault:
        return f"{order.cause}: {order.detail}" if order.detail else str(order.cause)
    return order if isinstance(order, str) else encode(order).decode()
