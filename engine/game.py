"""What a game is to the engine: states, asks, orders, events and outcomes."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar, final

import msgspec

from engine.bots.fault import Fault
from engine.bots.limits import Limits
from engine.streams import Streams


class Event(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Something that happened in a match: results, never instructions."""


class Stage(Event, tag="stage", frozen=True, array_like=True, gc=False):
    """A named part of a turn begins; the events that follow belong to it."""

    turn: int
    name: str


class MatchEnded(Event, tag="ended", frozen=True, array_like=True, gc=False):
    """Nothing begins after this. `scores` are points per team, team 1 first."""

    scores: tuple[float, ...]
    reason: str


class Ask(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The engine wants a decision of one team now, about one of its pieces (or 0)."""

    team: int
    about: int = 0


@final
class Refusal(msgspec.Struct, frozen=True):
    """Why an answer is no order."""

    reason: str


class Outcome(msgspec.Struct, frozen=True):
    """Points per team (team 1 first) and why the match ended."""

    scores: tuple[float, ...]
    reason: str

    @property
    def winner(self) -> int | None:
        """The team with the highest score; None when the best are equal."""
        best = max(self.scores)
        leaders = [team for team, score in enumerate(self.scores, 1) if score == best]
        return leaders[0] if len(leaders) == 1 else None


class Standing(msgspec.Struct, frozen=True):
    """Where a running match stands: for progress bars and panels."""

    turn: int
    last_turn: int
    scores: tuple[float, ...]


class Area(msgspec.Struct, frozen=True):
    """A rectangle in the picture of a design, drawn over those before it."""

    name: str
    """What lies there: all of one name have one colour."""
    x: int
    y: int
    width: int
    height: int
    is_wrong: bool = False


class Inspection(msgspec.Struct, frozen=True):
    """What there is to say of a bot's design before it is played, for its author."""

    text: str = ""
    mistakes: tuple[str, ...] = ()
    """Each with its place; none: it can be played."""
    areas: tuple[Area, ...] = ()
    """Its picture; the first one is the ground."""


class State(Protocol):
    """A board. A msgspec struct, so that encoded it is a keyframe and decoded a board again."""

    turn: int

    def apply(self, event: Any) -> None:
        """Make it so. The only code that changes a state; needs no rules and no chance."""


class Host(Protocol):
    """The worker's side of a game: turns an ask into calls of the bot's player."""

    def decide(self, about: int, view: Any) -> Any:
        """The bot's answer, as plain data. Whatever the bot raises comes out."""

    def place(self, about: int) -> str:
        """Where in the match this ask stands, for the bot's log: `turn 12, slime 7`."""


S = TypeVar("S", bound=State)
E = TypeVar("E", bound=Event)
O = TypeVar("O")  # noqa: E741 - an order


class Game(ABC, Generic[S, E, O]):
    """A set of rules. A base class, no Protocol: it gives the usual answers."""

    name: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int]
    """Part of a match's key: an engine release alone changes no result."""
    team_counts: ClassVar[range]
    settings: ClassVar[type[msgspec.Struct]]
    state: ClassVar[type]
    event: ClassVar[Any]
    """The union of the game's events, for decoding."""
    order: ClassVar[Any]
    """The type of an order, for decoding."""
    player: ClassVar[type]
    """The class a bot's `Player` derives from."""
    bots: ClassVar[str]
    """Where in playerCode its bots lie: a folder, or `.`."""
    limits: ClassVar[Limits]
    keyframe_turns: ClassVar[int]
    """How often a replay repeats the whole state, turns."""
    open_information: ClassVar[bool] = True
    """Every team may know every event: `told` and `seen_by` are not asked."""
    has_designs: ClassVar[bool] = False
    """Each team designs something first: `inspect` can say what there is to say of it."""

    @abstractmethod
    def new(self, settings: Any, teams: int) -> S:
        """An empty board; changed by events alone."""

    @abstractmethod
    def start(self, state: S, streams: Streams) -> Iterator[E]:
        """From the empty board to the first decision."""

    @abstractmethod
    def asks(self, state: S) -> Sequence[Ask]:
        """Who must decide now; answered together, played together."""

    @abstractmethod
    def check(self, state: S, ask: Ask, answer: Any) -> O | Refusal:
        """An answer, as plain data from a stranger, made an order or refused with a reason."""

    @abstractmethod
    def play(self, state: S, orders: Sequence[O | Fault], streams: Streams) -> Iterator[E]:
        """From one decision to the next; `orders` are in the order of the asks."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """What `MatchEnded` said, or None while the match runs."""

    @abstractmethod
    def host(self, player: type, state: S, team: int, limits: Limits) -> Host:
        """Make the bot's player on its copy of the board (in the worker).

        `limits` are what it may use; a player that searches wants to know.
        """

    @abstractmethod
    def standing(self, state: S) -> Standing:
        """Turn and scores so far."""

    @abstractmethod
    def describe(self, state: S, team: int) -> str:
        """What a team has, in a few words, for summaries."""

    @abstractmethod
    def text(self, state: S) -> str:
        """The board as text, with a legend."""

    def view(self, state: S, ask: Ask) -> Any:
        """What the asked one is shown besides its events."""
        return None

    def seen_by(self, event: E, team: int) -> E | None:
        """The event as this team may know it; None if it may not."""
        return event

    def told(self, state: S, event: E, team: int) -> E | None:
        """The same where it depends on the state, to which the event was applied already.

        What a team hears of an event may be another one, made for its copy of the state alone:
        what its pieces see now, say.
        """
        return self.seen_by(event, team)

    def inspect(self, state: S, ask: Ask, answer: Any) -> Inspection:
        """What there is to say of a team's answer to the first ask, right or wrong."""
        return Inspection(mistakes=(f"{self.title} has no designs",))
