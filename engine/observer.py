"""Define what observes a match: replay writer, progress bar, window and tallies."""

from collections.abc import Sequence

from engine.bot_output import Note
from engine.fault import Fault
from engine.game import Act, Ask, Event, Outcome, State
from engine.replays.decisions import SeatChange
from engine.seat import Seat


class Observer:
    """Is notified of a match, and never asked. Subclasses override what they need.

    What a subclass does not override is not called: most observers need few of the events.
    """

    def on_start(self, state: State) -> None:
        """Receive the empty board before its first event; it changes while the match runs."""

    def on_fault(self, ask: Ask, fault: Fault) -> None:
        """Receive a fault; called before `on_decision`."""

    def on_decision(self, asks: Sequence[Ask], orders: Sequence[object]) -> None:
        """Receive what the asked teams ordered: an order or a Fault per ask."""

    def on_single_decision(self, ask: Ask, order: object) -> None:
        """Receive what was ordered for one ask while others wait: a decision of its own."""
        self.on_decision((ask,), (order,))

    def on_notes(self, ask: Ask, notes: Sequence[Note]) -> None:
        """Receive what a bot drew and logged while it decided; called before `on_decision`."""

    def on_act(self, act: Act) -> None:
        """Receive what a team does besides ordering; the events that follow come of it."""

    def on_seat_change(self, sits: SeatChange) -> None:
        """Receive who plays a team from here on; for the rules nothing happens."""

    def on_event(self, event: Event) -> None:
        """Receive an event, after it was applied to the state."""

    def on_end(self, outcome: Outcome) -> None:
        """Receive the outcome: the match is over."""


class SeatObserver(Observer):
    """Is shown the seats besides: what their bots use and print, which nobody else is told."""

    def on_seats(self, seats: Sequence[Seat]) -> None:
        """Receive the seats, by the order of their teams, before anything is asked."""
