"""Put the asks of a recorded match to a bot of today, to see what it would order.

Nothing is played on: whatever the bot answers, what was ordered then is what happens next.
"""

from collections.abc import Callable, Container, Generator

import msgspec

from engine.bot_output import LogLine
from engine.errors import BadReplay
from engine.fault import Cause, Fault
from engine.game import Ask, Event, Refusal
from engine.replays.decisions import encode, order_to_record
from engine.replays.reading import Replay
from engine.replays.resuming import decisions_before
from engine.seat import Seat
from engine.stepper import AnyStepper, Stepper


class RecordedAnswer(msgspec.Struct, frozen=True):
    """An ask of a recorded match: what was ordered then, and what the bot orders now."""

    turn: int
    ask: Ask
    recorded: object
    """An order, or a Fault."""
    now: object
    us: int
    """CPU time of the call now, microseconds."""
    place: str
    """Where in the match the ask stands."""
    logged: tuple[LogLine, ...] = ()
    """What the bot logs meanwhile, by `self.log`."""
    legal: tuple[object, ...] = ()
    """All orders that could be given; empty where they cannot be listed."""

    @property
    def is_same(self) -> bool:
        """Return whether the same was ordered."""
        return bool(as_data(self.recorded) == as_data(self.now))


def as_data(order: object) -> object:
    """Return an order as plain data, as replays have it."""
    return msgspec.json.decode(encode(order_to_record(order)))


def format_place(turn: int, ask: Ask) -> str:
    """Return where in a match an ask stands: `turn 12, piece 7`."""
    return f"turn {turn}, piece {ask.piece_id}" if ask.piece_id else f"turn {turn}"


class RecordedAsks:
    """A recorded match, and a bot of today in the seat of one of its teams."""

    def __init__(
        self,
        replay: Replay,
        seat: Seat,
        team: int,
        before_ask: Callable[[str], object] = lambda place: None,
    ) -> None:
        """`before_ask` is called before each ask that is wanted, with its place.

        The rules must make of the replay's orders what it says: `require_played_so`.
        """
        self._replay = replay
        self._seat = seat
        self._team = team
        self._before_ask = before_ask
        self._is_started = False
        self._stepper: AnyStepper = Stepper(
            replay.game, replay.spec, listeners={team: self._notify_bot}, teams=len(replay.bots)
        )

    def read_answers(
        self, turns: range, *, is_fresh: bool = False, pieces: Container[int] | None = None
    ) -> Generator[RecordedAnswer, None, None]:
        """Yield the answers in some turns.

        The bot is asked in all turns before them as well, so that it remembers what it would in a
        match; `is_fresh`: it begins in the first of these turns, as after a restart. `pieces`: what
        it is asked about; None: everything.
        Raises: BadReplay if a player of the record decides in no such turn.
        """
        stepper, is_found = self._stepper, False
        stepper.start()
        if not is_fresh:
            self._start()
        for decision in decisions_before(self._replay, turns.stop):
            turn = stepper.state.turn
            asks = stepper.asks if decision.ask is None else (decision.ask,)
            recorded = dict(zip(asks, decision.orders, strict=True)) if decision.orders else {}
            for ask in recorded:
                if ask.team != self._team or (turn not in turns and not self._is_started):
                    continue
                self._start()
                if turn not in turns or (pieces is not None and ask.piece_id not in pieces):
                    self._ask_bot_now(ask)
                    continue
                is_found = True
                self._before_ask(format_place(turn, ask))
                now, us = self._ask_bot_now(ask)
                yield RecordedAnswer(
                    turn=turn,
                    ask=ask,
                    recorded=recorded[ask],
                    now=now,
                    us=us,
                    logged=tuple(note for note in self._seat.notes if isinstance(note, LogLine)),
                    place=format_place(turn, ask),
                    legal=tuple(stepper.game.legal_orders(stepper.state, ask) or ()),
                )
            stepper.play(decision)
        if not is_found:
            raise BadReplay(self._why_nothing_asked(turns, pieces))

    def _start(self) -> None:
        """Seat the bot at the board as it is now, once."""
        if self._is_started:
            return
        self._is_started = True
        self._seat.prepare(self._stepper.known[self._team])
        self._seat.start()

    def _notify_bot(self, event: Event) -> None:
        if self._is_started:
            self._seat.notify(event)

    def _ask_bot_now(self, ask: Ask) -> tuple[object, int]:
        """Return what the bot orders now, checked, and the time that it took."""
        calls = len(self._seat.call_us)
        self._seat.notes = ()
        self._seat.put(ask, self._stepper.view(ask))
        answer = self._seat.take()
        us = sum(self._seat.call_us[calls:])
        if type(answer) is Fault:
            return answer, us
        order = self._stepper.check(ask, answer)
        return (Fault(Cause.ILLEGAL, order.reason) if type(order) is Refusal else order), us

    def _why_nothing_asked(self, turns: range, pieces: Container[int] | None) -> str:
        """Return why nothing could be asked."""
        last = turns.stop - 1
        when = f"turn {last}" if len(turns) == 1 else f"turns {turns.start} to {last}"
        what = "" if pieces is None else " about that piece"
        return (
            f"{self._replay.path}: team {self._team} decides nothing{what} in {when}; the match "
            f"has turns up to {self._replay.last_turn}"
        )
