"""One match: ask, play, apply, tell."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

import msgspec

from engine.bots.fault import Cause, Fault
from engine.game import Ask, Event, Game, Inspection, Outcome, Refusal
from engine.spec import MatchSpec
from engine.streams import Streams


class Seat(Protocol):
    """A team's place at the match: where a bot is asked."""

    tell: Callable[[Event], object]
    """Something happened that the team may know; it has been applied to the state."""

    def begin(self, state: Any) -> None:
        """The match begins; `state` is what the team knows, now and whenever it is looked at."""

    def put(self, ask: Ask, view: Any) -> None:
        """Send an ask; the answer is taken afterwards."""

    def take(self) -> Any:
        """The answer to the last ask, as plain data, or a Fault."""


class Observer(Protocol):
    """Is told, never asked. Told of an event after it was applied to the state."""

    def began(self, state: Any) -> None: ...
    def faulted(self, ask: Ask, fault: Fault) -> None: ...
    def decided(self, asks: Sequence[Ask], orders: Sequence[Any]) -> None: ...
    def happened(self, event: Event) -> None: ...
    def ended(self, outcome: Outcome) -> None: ...


class Past(Protocol):
    """What was decided before the match was cut off, if it was (engine/past.py)."""

    def decisions(self) -> Iterable[Sequence[Any]]:
        """An order or a Fault per ask, decision after decision."""

    def insist(self, turn: int, ask: Ask, recorded: Any, now: Any) -> Any:
        """What counts where this was recorded, and the player says that now."""


class Watcher:
    """A base for observers: what one does not override, it is not told of."""

    def began(self, state: Any) -> None:
        """The empty board, before its first event."""

    def faulted(self, ask: Ask, fault: Fault) -> None:
        """A bot gave no usable order; told before `decided`."""

    def decided(self, asks: Sequence[Ask], orders: Sequence[Any]) -> None:
        """What the asked teams ordered: an order or a Fault per ask."""

    def happened(self, event: Event) -> None:
        """An event, applied."""

    def ended(self, outcome: Outcome) -> None:
        """The match is over."""


def play_match(
    game: Game[Any, Any, Any],
    spec: MatchSpec,
    seats: Sequence[Seat],
    observers: Iterable[Observer] = (),
    past: Past | None = None,
) -> Outcome:
    """Play a match to its end, after what was decided in its past.

    Raises whatever is our own fault, never a bot's.
    """
    state, streams = game.new(spec.settings, len(seats)), Streams(spec.seed)
    table = _Table(game, state, seats, tuple(observers))
    table.advance(game.start(state, streams))
    if past is not None:
        for recorded in past.decisions():
            orders = table.recall(game.asks(state), recorded, past)
            table.advance(game.play(state, orders, streams))
    while (outcome := game.outcome(state)) is None:
        orders = table.gather(game.asks(state))
        table.advance(game.play(state, orders, streams))
    table.end(outcome)
    return outcome


def inspect_design(game: Game[Any, Any, Any], spec: MatchSpec, seat: Seat) -> Inspection:
    """Ask the bot of team 1 for its design, as a match does, and the game what it is."""
    state = game.new(spec.settings, game.team_counts.start)
    table = _Table(game, state, (seat,), ())
    table.advance(game.start(state, Streams(spec.seed)))
    ask = next(ask for ask in game.asks(state) if ask.team == 1)
    seat.put(ask, game.view(state, ask))
    answer = seat.take()
    if type(answer) is Fault:
        return Inspection(mistakes=(f"no design: {answer.cause}: {answer.detail}",))
    return game.inspect(state, ask, answer)


class _Table:
    """Who sits at a match and who watches it."""

    def __init__(
        self,
        game: Game[Any, Any, Any],
        state: Any,
        seats: Sequence[Seat],
        observers: tuple[Observer, ...],
    ) -> None:
        self._game = game
        self._state = state
        self._seats = seats
        self._observers = observers
        # What each team knows: the state itself, or where a game hides things a fold of its own.
        self._known = [state if game.open_information else _copy(game, state) for _ in seats]
        self._faulted = _told_of(observers, "faulted")
        self._decided = _told_of(observers, "decided")
        self._happened = _told_of(observers, "happened")
        if game.open_information:
            self._happened += [seat.tell for seat in seats]
        else:
            self._happened.append(self._tell_what_is_seen)
        for observer in observers:
            observer.began(state)
        for seat, known in zip(seats, self._known, strict=True):
            seat.begin(known)

    def end(self, outcome: Outcome) -> None:
        for observer in self._observers:
            observer.ended(outcome)

    def advance(self, events: Iterable[Event]) -> None:
        """Apply each event before the rule resumes, then tell of it."""
        apply, happened = self._state.apply, self._happened
        for event in events:
            apply(event)
            for tell in happened:
                tell(event)

    def gather(self, asks: Sequence[Ask]) -> Sequence[Any]:
        """An order or a Fault per ask: a team's one after another, the teams' side by side."""
        if len(asks) == 1:
            self._put(asks[0])
            orders = (self._take(asks[0]),)
        else:
            orders = self._gather_many(asks)
        for tell in self._decided:
            tell(asks, orders)
        return orders

    def recall(self, asks: Sequence[Ask], recorded: Sequence[Any], past: Past) -> Sequence[Any]:
        """What counts of the past. The players are asked as ever, to remember it."""
        orders: dict[int, Any] = {}
        for places in _side_by_side(asks):
            for place in places:
                self._put(asks[place])
            for place in places:
                orders[place] = self._insist(asks[place], recorded[place], past)
        decided = tuple(orders[place] for place in range(len(asks)))
        for tell in self._decided:
            tell(asks, decided)
        return decided

    def _insist(self, ask: Ask, recorded: Any, past: Past) -> Any:
        faulted, self._faulted = self._faulted, []  # what a player does now is no fault
        now = self._take(ask)
        self._faulted = faulted
        order = past.insist(self._state.turn, ask, recorded, now)
        if type(order) is Fault:
            for tell in faulted:
                tell(ask, order)
        return order

    def _gather_many(self, asks: Sequence[Ask]) -> tuple[Any, ...]:
        orders: dict[int, Any] = {}
        for places in _side_by_side(asks):
            for place in places:
                self._put(asks[place])
            for place in places:
                orders[place] = self._take(asks[place])
        return tuple(orders[place] for place in range(len(asks)))

    def _put(self, ask: Ask) -> None:
        self._seats[ask.team - 1].put(ask, self._game.view(self._state, ask))

    def _take(self, ask: Ask) -> Any:
        """An order, or a Fault of which the observers have been told."""
        order = answer = self._seats[ask.team - 1].take()
        if type(answer) is not Fault:
            order = self._game.check(self._state, ask, answer)
            if type(order) is not Refusal:
                return order
            order = Fault(Cause.ILLEGAL, order.reason)
        for tell in self._faulted:
            tell(ask, order)
        return order

    def _tell_what_is_seen(self, event: Event) -> None:
        for team, (seat, known) in enumerate(zip(self._seats, self._known, strict=True), 1):
            seen = self._game.told(self._state, event, team)
            if seen is not None:
                known.apply(seen)
                seat.tell(seen)


def _told_of(observers: Iterable[Observer], what: str) -> list[Callable[..., object]]:
    """The methods of those observers that care."""
    methods = [getattr(observer, what) for observer in observers]
    nobody = getattr(Watcher, what)
    return [method for method in methods if getattr(method, "__func__", None) is not nobody]


def _copy(game: Game[Any, Any, Any], state: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(state), type=game.state)


def _side_by_side(asks: Sequence[Ask]) -> Iterator[list[int]]:
    """The places of the asks that are put together: each team's first, then its second."""
    waiting = _by_team(asks)
    while waiting:
        yield [places.pop() for places in waiting]
        waiting = [places for places in waiting if places]


def _by_team(asks: Sequence[Ask]) -> list[list[int]]:
    """The places of each team's asks, the first one last (so that pop takes it)."""
    places: dict[int, list[int]] = {}
    for place in reversed(range(len(asks))):
        places.setdefault(asks[place].team, []).append(place)
    return list(places.values())
