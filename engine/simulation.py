"""Play on a copy of a match by the rules, for bots that look ahead.

The events are those of the engine's own rules, so a simulation says of an order what the match
would say. Chance is its own: what the match is going to draw cannot be found out here.
"""

from collections.abc import Iterator, Sequence
from random import getrandbits
from typing import Generic, Self

from engine.fault import Cause, Fault
from engine.game import Ask, E, Game, O, Outcome, Refusal, S
from engine.streams import SEED_BITS, Streams
from engine.support.plain_values import from_numpy, require_whole

UNKNOWN_STREAM = "unknown"
"""The stream from which is drawn what a team does not know."""
NO_ORDER = Fault(Cause.ILLEGAL, "no order")


class IllegalOrder(ValueError):
    """Raised for an order that the rules refuse; it says why."""


class Simulation(Generic[S, E, O]):
    """A copy of a match: see who must decide, give orders, and look at what comes of them."""

    __slots__ = ("_game", "_streams", "asks", "events", "outcome", "state")

    asks: Sequence[Ask]
    """Who must decide now; nobody once the match is over."""
    outcome: Outcome | None
    """The scores, and why the match ended; None while it goes on."""
    events: list[E]
    """What the last orders led to."""

    def __init__(self, game: Game[S, E, O], state: S, seed: int | None = None) -> None:
        """Play on with `state` itself, and chance of this seed; without one it is drawn."""
        self._game = game
        self._streams = Streams(getrandbits(SEED_BITS) if seed is None else seed)
        self.state = state
        self.events = []
        self._update_asks()

    @property
    def turn(self) -> int:
        """The turn being played."""
        return self.state.turn

    @property
    def scores(self) -> tuple[float, ...]:
        """The points of each team so far, team 1 first."""
        return self._game.standing(self.state).scores

    def legal_orders(self, ask: Ask | None = None) -> Sequence[O]:
        """Return all orders that may be given now, by default to the first ask.

        Raises: IllegalOrder where a game has too many to list: there a sheet is filled in.
        """
        listed = self._game.legal_orders(self.state, ask or self.asks[0])
        if listed is None:
            raise IllegalOrder(f"{self._game.title} has too many orders to list them")
        return listed

    def board(self, team: int) -> object:
        """Return the board of the simulation as the bot of a team would see it."""
        return self._game.board(self.state, team)

    def sheet(self, team: int) -> object:
        """Return an empty sheet for the orders of a team. Raises: NotImplementedError."""
        return self._game.sheet(self.state, team)

    def play(self, *orders: object) -> list[E]:
        """Play an order per ask, in the order of `asks`, and return the events that follow.

        An order is one of `legal_orders`, a sheet, or what else a bot may answer; None: no order.
        Raises: IllegalOrder; then nothing has been played.
        """
        asks = self.asks
        if len(orders) != len(asks):
            raise IllegalOrder(f"expected an order for each of {len(asks)} asks, not {len(orders)}")
        checked = [self._check_answer(ask, order) for ask, order in zip(asks, orders, strict=True)]
        self.events = []
        if not self._game.asks_are_separate(self.state):
            self._apply_events(self._game.play(self.state, checked, self._streams))
            return self.events
        for ask, order in zip(asks, checked, strict=True):
            if ask in self.asks:  # the match may end before
                self._apply_events(self._game.play_one(self.state, ask, order, self._streams))
        return self.events

    def copy(self, seed: int | None = None) -> Self:
        """Return a copy that is played on by itself, with other chance."""
        seed = None if seed is None else require_whole(seed, "a seed")
        return type(self)(self._game, self._game.copy(self.state), seed)

    def _check_answer(self, ask: Ask, answer: object) -> O | Fault:
        if answer is None:
            return NO_ORDER
        order = self._game.check(self.state, ask, self._game.as_answer(from_numpy(answer)))
        if isinstance(order, Refusal):
            raise IllegalOrder(order.reason)
        return order

    def _apply_events(self, events: Iterator[E]) -> None:
        apply, happened = self.state.apply, self.events.append
        for event in events:
            apply(event)
            happened(event)
        self._update_asks()

    def _update_asks(self) -> None:
        self.outcome = self._game.outcome(self.state)
        self.asks = () if self.outcome else self._game.asks(self.state)


class Simulator(Generic[S, E, O]):
    """Makes simulations of a match from what one team knows of it."""

    __slots__ = ("_game", "_state", "_team")

    def __init__(self, game: Game[S, E, O] | None, state: S, team: int) -> None:
        """Prepare to simulate; without a game, on a board made by hand, nothing can be."""
        self._game = game
        self._state = state
        self._team = team

    def __call__(self, seed: int | None = None) -> Simulation[S, E, O]:
        """Return a copy of the match as it stands, with chance of its own.

        What the team does not know is drawn, so that it fits what it knows. `seed` is for whoever
        wants the same chance again; without one it is drawn by `random`, as a bot's own chance is.
        """
        if self._game is None:
            raise TypeError("this board was made without a game, so nothing can be simulated")
        seed = getrandbits(SEED_BITS) if seed is None else require_whole(seed, "a seed")
        state = self._game.sample(self._state, self._team, Streams(seed)[UNKNOWN_STREAM])
        return Simulation(self._game, state, seed)

    def __repr__(self) -> str:
        return "simulate"
