"""Step through a match without a loop: which asks are open, and what follows from an order.

A stepper asks nobody and waits for nobody. `engine.match` brings it what bots answer; whoever
keeps orders elsewhere, in a database or in a recording, brings it those.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic

from engine.bot_output import Note
from engine.fault import Fault
from engine.game import Act, Ask, E, Game, O, Outcome, Refusal, S
from engine.observer import Observer
from engine.replays.decisions import Decision
from engine.spec import MatchSpec, begins_anew, seed_at
from engine.streams import Streams

Listener = Callable[[E], object]
"""Is called for each event that a team (None: the public) may know."""


class Stepper(Generic[S, E, O]):
    """A match: its state, what each listener knows of it, and the orders that came so far."""

    def __init__(
        self,
        game: Game[S, E, O],
        spec: MatchSpec,
        observers: Iterable[Observer] = (),
        listeners: Mapping[int | None, Listener[E]] | None = None,
        teams: int | None = None,
    ) -> None:
        """`teams`: how many there are, where the spec names fewer bots."""
        self.game = game
        self.state = game.new(spec.settings, teams or len(spec.bots))
        self.asks: Sequence[Ask] = ()
        """The asks that are open, answered or not; none before `start` and after the end."""
        self.outcome: Outcome | None = None
        self.decided = 0
        """How often something was decided."""
        self._spec = spec
        self._streams = Streams(seed_at(spec.seed, spec.origin, 0))
        self._orders: dict[Ask, O | Fault] = {}
        listeners = listeners or {}
        self.known: dict[int | None, S] = {
            team: self.state if game.open_information else game.copy(self.state)
            for team in listeners
        }
        """What each listener knows: the state itself, or where a game hides things its own."""
        self._listeners = listeners
        # The bound methods of those who care, looked up once: there are many events in a match.
        self.observers = observers = tuple(observers)
        self._faulted = [each.on_fault for each in observers if _overrides(each, "on_fault")]
        self._decided = [each.on_decision for each in observers if _overrides(each, "on_decision")]
        self._happened: list[Listener[E]] = [
            each.on_event for each in observers if _overrides(each, "on_event")
        ]
        if game.open_information:
            self._happened += listeners.values()
        elif listeners:
            self._happened.append(self._notify_who_may_know)
        for observer in observers:
            observer.on_start(self.state)

    def start(self) -> None:
        """Play from the empty board to the first decision."""
        self._apply_events(self.game.start(self.state, self._streams))

    @property
    def open_asks(self) -> list[Ask]:
        """Return the asks that have no order yet."""
        return [ask for ask in self.asks if ask not in self._orders]

    def view(self, ask: Ask) -> object:
        """Return what the asked one is shown besides its events."""
        return self.game.view(self.state, ask)

    def check(self, ask: Ask, answer: object) -> O | Refusal:
        """Return an order made of untrusted plain data, or a refusal with its reason."""
        return self.game.check(self.state, ask, answer)

    def take(self, ask: Ask, order: O | Fault) -> bool:
        """Take what was ordered for an open ask; play it once nothing else is waited for.

        Return whether it was played. An order of an ask that has one already takes its place.
        """
        if type(order) is Fault:
            self.report(ask, order)
        if self.game.asks_are_separate(self.state):
            self.decide_one(ask, order)
            return True
        self._orders[ask] = order
        return self._play_if_complete()

    def take_back_order(self, ask: Ask) -> None:
        """Forget an order that was not played yet."""
        self._orders.pop(ask, None)

    def act(self, act: Act) -> None:
        """Play something that a team does besides ordering; it must be in `game.acts`."""
        for observer in self.observers:
            observer.on_act(act)
        self._count()
        self._apply_events(self.game.play_act(self.state, act))
        self._orders = {ask: self._orders[ask] for ask in self.asks if ask in self._orders}
        self._play_if_complete()

    def play(self, decision: Decision) -> None:
        """Play what was decided elsewhere, or before."""
        if decision.sits is not None:
            for observer in self.observers:  # for the rules nothing happens
                observer.on_seat_change(decision.sits)
            return
        if decision.act is not None:
            self.act(decision.act)
            return
        asks = self.asks if decision.ask is None else (decision.ask,)
        for ask, order in zip(asks, decision.orders, strict=True):
            if type(order) is Fault:
                self.report(ask, order)
        if decision.ask is None:
            self.decide(decision.orders)
        else:
            self.decide_one(decision.ask, decision.orders[0])

    def decide(self, orders: Sequence[O | Fault]) -> None:
        """Play an order or a Fault per ask, in the order of `asks`."""
        for notify in self._decided:
            notify(self.asks, orders)
        self._count()
        self._apply_events(self.game.play(self.state, orders, self._streams))

    def decide_one(self, ask: Ask, order: O | Fault) -> None:
        """Play the order of one ask, in a game whose asks are separate."""
        for observer in self.observers:
            observer.on_single_decision(ask, order)
        self._count()
        self._apply_events(self.game.play_one(self.state, ask, order, self._streams))

    def report(self, ask: Ask, fault: Fault) -> None:
        """Notify the observers of a fault; before it is decided."""
        for notify in self._faulted:
            notify(ask, fault)

    def notify_notes(self, ask: Ask, notes: Sequence[Note]) -> None:
        """Notify the observers of what a bot drew and logged; for the rules nothing happens."""
        for observer in self.observers:
            observer.on_notes(ask, notes)

    def end(self) -> None:
        """Notify the observers of the outcome."""
        assert self.outcome is not None
        for observer in self.observers:
            observer.on_end(self.outcome)

    def _play_if_complete(self) -> bool:
        if not self.asks or len(self._orders) < len(self.asks):
            return False
        orders, self._orders = self._orders, {}
        self.decide([orders[ask] for ask in self.asks])
        return True

    def _count(self) -> None:
        """Count a decision; where those of another match end, chance begins anew."""
        self.decided += 1
        if self._spec.origin is not None and begins_anew(self._spec.origin, self.decided):
            self._streams = Streams(seed_at(self._spec.seed, self._spec.origin, self.decided))

    def _apply_events(self, events: Iterable[E]) -> None:
        """Apply each event before the rule resumes, then notify of it."""
        state, happened = self.state, self._happened
        apply = state.apply
        for event in events:
            apply(event)
            for notify in happened:
                notify(event)
        self.outcome = self.game.outcome(state)
        self.asks = self.game.asks(state) if self.outcome is None else ()

    def _notify_who_may_know(self, event: E) -> None:
        for team, listen in self._listeners.items():
            observed = self.game.observed_event(self.state, event, team)
            if observed is not None:
                self.known[team].apply(observed)
                listen(observed)


def _overrides(observer: Observer, method: str) -> bool:
    """Return whether an observer cares: the others need not be called for every event."""
    bound = getattr(observer, method)
    return getattr(bound, "__func__", None) is not getattr(Observer, method)


AnyStepper = Stepper[Any, Any, Any]
