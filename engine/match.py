"""Play one match: ask the seats, apply their orders, notify the observers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

from engine.fault import Cause, Fault
from engine.game import Ask, DesignInspection, E, Game, O, Outcome, Refusal, S
from engine.observer import Observer
from engine.replays.decisions import Decision
from engine.seat import Seat
from engine.spec import MatchSpec
from engine.stepper import Listener, Stepper

T = TypeVar("T")


class RecordedDecisions(Protocol):
    """What was decided before the match was interrupted (engine/replays/resuming.py)."""

    def decisions(self) -> Iterable[Decision]:
        """Return what was decided, one decision after the other."""

    def override(self, turn: int, ask: Ask, recorded: T | Fault, now: object) -> T | Fault:
        """Return what counts where `recorded` was recorded, and the player answers `now`."""


def play_match(
    game: Game[S, E, O],
    spec: MatchSpec,
    seats: Sequence[Seat],
    observers: Iterable[Observer] = (),
    past: RecordedDecisions | None = None,
    start_bots: Callable[[], object] = lambda: None,
) -> Outcome:
    """Play a match to its end, after what was decided in its past.

    `start_bots` is called once, before the first ask, when every seat knows the board.
    Raises whatever is our own fault or comes from `start_bots`, never a bot's.
    """
    running = _RunningMatch(game, spec, seats, observers)
    stepper = running.stepper
    start_bots()
    # The rules play it again, so that the streams of chance are where they were.
    if past is not None:
        for recorded in past.decisions():
            running.decide_again(recorded, past)
    while stepper.outcome is None:
        running.decide()
    stepper.end()
    return stepper.outcome


def inspect_design(game: Game[S, E, O], spec: MatchSpec, seat: Seat) -> DesignInspection:
    """Ask the bot of team 1 for its design, as a match does; return what the game says of it."""
    stepper = _RunningMatch(game, spec, (seat,)).stepper
    ask = next(ask for ask in stepper.asks if ask.team == 1)
    seat.put(ask, stepper.view(ask))
    answer = seat.take()
    if type(answer) is Fault:
        return DesignInspection(mistakes=(f"no design: {answer.cause}: {answer.detail}",))
    return game.inspect(stepper.state, ask, answer)


def try_first_decision(
    game: Game[S, E, O], spec: MatchSpec, seat: Seat, tries: int
) -> Fault | None:
    """Start the bot of team 1 and put its first ask to it, again if it loses the decision.

    Return why it cannot play: the first fault if every try ended with one, else None.
    """
    running = _RunningMatch(game, spec, (seat,))
    stepper = running.stepper
    while stepper.outcome is None:
        for ask in stepper.asks:
            if ask.team == 1:
                return seat.start() or running.try_ask(ask, tries)
        stepper.decide([Fault(Cause.OUT)] * len(stepper.asks))
    return None


def play_first_turns(
    game: Game[S, E, O],
    spec: MatchSpec,
    seats: Sequence[Seat],
    observers: Iterable[Observer],
    is_enough: Callable[[int], bool],
    start_bots: Callable[[], object] = lambda: None,
) -> None:
    """Play a match until `is_enough` says so of a turn; its observers keep what they want.

    `start_bots` is called once, before the first ask. Raises whatever comes from it.
    """
    running = _RunningMatch(game, spec, seats, observers)
    stepper = running.stepper
    start_bots()
    while stepper.outcome is None and not is_enough(stepper.state.turn):
        running.decide()


def rehearse_design(
    game: Game[S, E, O],
    spec: MatchSpec,
    seats: Sequence[Seat],
    observers: Iterable[Observer],
    is_enough: Callable[[int], bool],
) -> tuple[str, ...]:
    """Play the first turns of a match in which what seldom runs of team 1 is made to run.

    Return what of its design did not come to be asked all the same.
    """
    running = _Rehearsal(game, spec, seats, observers)
    stepper = running.stepper
    while stepper.outcome is None and not is_enough(stepper.state.turn):
        running.decide()
    return game.describe_untried(stepper.state, 1)


class _RunningMatch(Generic[S, E, O]):
    """A running match, and the seats of those who are asked."""

    def __init__(
        self,
        game: Game[S, E, O],
        spec: MatchSpec,
        seats: Sequence[Seat],
        observers: Iterable[Observer] = (),
    ) -> None:
        listeners: dict[int | None, Listener[E]] = {
            team: seat.notify for team, seat in enumerate(seats, 1)
        }
        self.stepper = stepper = Stepper(game, spec, observers, listeners)
        self._game = game
        self._seats = seats
        for team, seat in enumerate(seats, 1):
            seat.prepare(stepper.known[team])
        stepper.start()

    def decide(self) -> None:
        """Ask for a decision and play it: a team's asks one after another, teams side by side."""
        stepper, asks = self.stepper, self.stepper.asks
        if self._game.asks_are_separate(stepper.state):
            stepper.decide_one(asks[0], self._ask(asks[0]))
        elif len(asks) == 1:
            stepper.decide((self._ask(asks[0]),))
        else:
            stepper.decide(self._ask_many(asks, self._take))

    def decide_again(self, recorded: Decision, past: RecordedDecisions) -> None:
        """Play a recorded decision. The players are asked all the same, to remember it."""
        stepper = self.stepper
        if not recorded.orders:
            stepper.play(recorded)
            return
        asks = stepper.asks if recorded.ask is None else (recorded.ask,)
        orders_of = dict(zip(asks, recorded.orders, strict=True))
        orders = self._ask_many(asks, lambda ask: self._take_again(ask, orders_of[ask], past))
        if recorded.ask is None:
            stepper.decide(orders)
        else:
            stepper.decide_one(recorded.ask, orders[0])

    def try_ask(self, ask: Ask, tries: int) -> Fault | None:
        """Return the first fault if every try at the same ask ends with one, else None."""
        faults: list[Fault] = []
        while len(faults) < tries:
            order = self._ask(ask)
            if type(order) is not Fault:
                return None
            faults.append(order)
        return faults[0]

    def _ask_many(
        self, asks: Sequence[Ask], take: Callable[[Ask], O | Fault]
    ) -> tuple[O | Fault, ...]:
        orders: dict[int, O | Fault] = {}
        for places in _side_by_side(asks):
            for index in places:
                self._put(asks[index])
            for index in places:
                orders[index] = take(asks[index])
        return tuple(orders[index] for index in range(len(asks)))

    def _ask(self, ask: Ask) -> O | Fault:
        self._put(ask)
        return self._take(ask)

    def _put(self, ask: Ask) -> None:
        self._seats[ask.team - 1].put(ask, self._game.view(self.stepper.state, ask))

    def _take(self, ask: Ask) -> O | Fault:
        """Return an order, or a Fault of which the observers have been notified."""
        order = self._ask_seat(ask)
        if type(order) is Fault:
            self.stepper.report(ask, order)
        return order

    def _take_again(self, ask: Ask, recorded: O | Fault, past: RecordedDecisions) -> O | Fault:
        """Return what was recorded: what a player does now is no fault."""
        order = past.override(self.stepper.state.turn, ask, recorded, self._ask_seat(ask))
        if type(order) is Fault:  # reported when it is taken, as it was the first time
            self.stepper.report(ask, order)
        return order

    def _ask_seat(self, ask: Ask) -> O | Fault:
        seat = self._seats[ask.team - 1]
        answer = seat.take()
        if seat.notes:
            self.stepper.notify_notes(ask, seat.notes)
            seat.notes = ()
        if type(answer) is Fault:
            return answer
        order = self._game.check(self.stepper.state, ask, answer)
        return Fault(Cause.ILLEGAL, order.reason) if type(order) is Refusal else order


class _Rehearsal(_RunningMatch[S, E, O]):
    """A match of which some orders are the game's, where a design is tried out."""

    def _take(self, ask: Ask) -> O | Fault:
        order = super()._take(ask)
        instead = self._game.rehearsed_order(self.stepper.state, ask)
        return order if instead is None else instead


def _side_by_side(asks: Sequence[Ask]) -> Iterator[list[int]]:
    """Yield the places of the asks that are put together: each team's first, then its second."""
    of_team: dict[int, list[int]] = {}
    for index in reversed(range(len(asks))):  # a team's first one last: pop takes it
        of_team.setdefault(asks[index].team, []).append(index)
    waiting = list(of_team.values())
    while waiting:
        yield [places.pop() for places in waiting]
        waiting = [places for places in waiting if places]
