"""Define the Game protocol: states, asks, orders, events and outcomes."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any, ClassVar, Generic, Protocol, TypeVar, Union, final, get_args

import msgspec

from engine.fault import Fault
from engine.limits import Limits
from engine.streams import Stream, Streams


class Event(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Something that happened in a match: results, never instructions.

    Subclasses inherit `array_like` and `gc`; they repeat `frozen` for type checkers, which want it.
    """


class Stage(Event, tag="stage", frozen=True):
    """A named part of a turn begins; the events that follow belong to it."""

    turn: int
    name: str


class MatchEnded(Event, tag="ended", frozen=True):
    """Nothing begins after this. `scores` are points per team, team 1 first."""

    scores: tuple[float, ...]
    reason: str


def union_of_events(module: ModuleType) -> Any:
    """Return the union of all events that a game's module defines, and of those of every game."""
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type)]
    own = [kind for kind in kinds if issubclass(kind, Event) and kind.__module__ == module.__name__]
    return Union[Stage, *own, MatchEnded]


class Ask(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The engine wants a decision of one team now, about one of its pieces (or 0)."""

    team: int
    piece_id: int = 0


class Act(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Something that a person does besides ordering, whoever's turn it is: to resign, say."""

    team: int
    piece_id: int
    name: str


CLAIM_ACT = "claim"
"""The name of the act that takes what an opponent is overdue with. Rules see no clock: they list it
wherever there would be something to claim, and who keeps the clock says when that is allowed."""


@final
class Refusal(msgspec.Struct, frozen=True):
    """The reason why an answer is not an order."""

    reason: str


class Refused(msgspec.Struct, frozen=True):
    """Parts of a team's answer that were refused, while the rest of it was taken."""

    count: int
    first: tuple[str, ...]
    """Some of them, each with its reason."""
    team: int = 0
    """The team whose answer it was; 0: the team whose order this is."""


Groups = tuple[tuple[int, ...], ...]
"""Teams that play together, as in ((1, 3), (2, 4))."""


def find_winners(scores: Sequence[float], groups: Groups = ()) -> tuple[int, ...]:
    """Return the team with the highest score, or the teams of a group that has it; () if none."""
    best = max(scores)
    leaders = tuple(team for team, score in enumerate(scores, 1) if score == best)
    is_one = len(leaders) == 1 or any(set(leaders) <= set(group) for group in groups)
    return leaders if is_one else ()


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """Points per team (team 1 first) and why the match ended."""

    scores: tuple[float, ...]
    reason: str
    groups: Groups = ()
    """The teams that play together; () where each plays for itself."""

    @property
    def winner(self) -> int | None:
        """Return the team with the highest score; None when the best are equal."""
        winners = self.winners
        return winners[0] if len(winners) == 1 else None

    @property
    def winners(self) -> tuple[int, ...]:
        """Return the team that won, or those of the group that did; () for a draw."""
        return find_winners(self.scores, self.groups)


class Standing(msgspec.Struct, frozen=True):
    """The present state of a running match, for progress bars and panels."""

    turn: int
    last_turn: int
    scores: tuple[float, ...]


class Area(msgspec.Struct, frozen=True):
    """A rectangle in the picture of a design, drawn over those before it."""

    name: str
    """The kind of the area: all areas of one name have one color."""
    x: int
    y: int
    width: int
    height: int
    is_wrong: bool = False


class Drawing(msgspec.Struct, frozen=True):
    """A kind of piece of a design, to be drawn large."""

    name: str
    """That of its areas in the picture."""
    rows: tuple[str, ...]
    """`#` is a cell of it."""
    sides: tuple[tuple[str, ...], ...]
    """What is written beside its right, bottom, left and top side."""
    words: tuple[str, ...]
    """What is written below it."""


class DesignInspection(msgspec.Struct, frozen=True):
    """What there is to say of a bot's design before it is played, for its author."""

    text: str = ""
    mistakes: tuple[str, ...] = ()
    """The mistakes, each with its place; without one it can be played."""
    areas: tuple[Area, ...] = ()
    """The picture of the design; the first area is the ground."""
    drawings: tuple[Drawing, ...] = ()
    """Its kinds of pieces, which the picture shows large."""


class RefusedLine(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A line of a draft that changed nothing, and why."""

    place: int
    """Where it stands among the lines, from 0."""
    reason: str


class Draft(msgspec.Struct, frozen=True):
    """What a person's clicks so far amount to, and what may follow."""

    answer: object
    """The answer, as plain data, that submitting the draft would give: `check` accepts it."""
    refused: tuple[RefusedLine, ...]
    shows: msgspec.Struct
    """What there is now, in a struct of the game's own; a form or a board is made from it."""


DesignPart = tuple[int, int]
"""A team, and the number of a part of its design, which has source of its own."""


class State(Protocol):
    """A board. A msgspec struct, so that encoded it is a keyframe and decoded a board again."""

    turn: int
    settings: Any
    ending: MatchEnded | None

    def apply(self, event: Any) -> None:
        """Change the state as the event says, without rules and without chance.

        No other code changes a state. `event` is one of the game's own events.
        """


class Host(Protocol):
    """The worker's side of a game: turns an ask into calls of the bot's player."""

    def decide(self, piece_id: int, view: Any) -> object:
        """Return the bot's answer, as plain data. Whatever the bot raises comes out."""

    def place(self, piece_id: int) -> str:
        """Return where in the match this ask stands, for the bot's log: `turn 12, slime 7`."""


def _begin_stage(state: State, event: Stage) -> None:
    state.turn = event.turn


def _end_match(state: State, event: MatchEnded) -> None:
    state.ending = event


def find_appliers(names: Mapping[str, object]) -> dict[type, Callable[[Any, Any], None]]:
    """Return what applies each type of events to a state, for its `apply`.

    They are the functions `_apply_...` of a module: each is for the types of its `event`.
    """
    found: dict[type, Callable[[Any, Any], None]] = {Stage: _begin_stage, MatchEnded: _end_match}
    for name, function in names.items():
        if name.startswith("_apply_") and isinstance(function, FunctionType):
            kind = function.__annotations__["event"]
            found |= dict.fromkeys(get_args(kind) or (kind,), function)
    return found


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
    takes_agents: ClassVar[bool] = True
    """Whether a bot may be a function that is shown the state, in place of a class."""
    calls: ClassVar[tuple[str, ...]] = ("decide",)
    """The methods of `player` that `host` calls."""
    bots: ClassVar[str]
    """The folder of the game's bots in playerCode, or `.`."""
    limits: ClassVar[Limits]
    keyframe_turns: ClassVar[int]
    """How often a replay repeats the whole state, turns."""
    score_decimals: ClassVar[int] = 0
    """How many decimals its scores have; 0 where they are whole numbers."""
    open_information: ClassVar[bool] = True
    """Every team may know every event: `observed_event` is not called."""
    public_is_late: ClassVar[bool] = False
    """The public may know every event, but none of them before the match is over."""
    has_designs: ClassVar[bool] = False
    """Each team designs something first: `inspect` can say what there is to say of it."""
    has_premoves: ClassVar[bool] = False
    """A person may order ahead for the pieces of a team, which are asked one after another."""
    quick_preset: ClassVar[str | None] = None
    """The preset to compare two bots with where matches of the usual settings take minutes."""
    has_numpy: ClassVar[bool] = False
    """What stands between a bot and the rules uses numpy: processes of bots begin with it."""

    def why_not_played(self, settings: Any, teams: int) -> str | None:
        """Return why so many teams, one of `team_counts`, cannot play with these settings.

        None if they can. It names the settings, and what to do.
        """
        return None

    def why_not_rated(self, settings: Any) -> str | None:
        """Return why results with these settings say nothing of who is better; None if they do."""
        return None

    def groups(self, settings: Any) -> Groups:
        """Return the teams that play together with these settings; () where none do."""
        return ()

    @abstractmethod
    def new(self, settings: Any, teams: int) -> S:
        """Return an empty board, which events alone change."""

    @abstractmethod
    def start(self, state: S, streams: Streams) -> Iterator[E]:
        """Yield the events from the empty board to the first decision."""

    @abstractmethod
    def asks(self, state: S) -> Sequence[Ask]:
        """Return who must decide now; asks are answered together and played together."""

    @abstractmethod
    def check(self, state: S, ask: Ask, answer: object) -> O | Refusal:
        """Return an order made of untrusted plain data, or a refusal with its reason."""

    @abstractmethod
    def play(self, state: S, orders: Sequence[O | Fault], streams: Streams) -> Iterator[E]:
        """Yield the events up to the next decision; `orders` are in the order of the asks."""

    def outcome(self, state: S) -> Outcome | None:
        """Return what `MatchEnded` said, or None while the match runs."""
        if (end := state.ending) is None:
            return None
        return Outcome(end.scores, end.reason, self.groups(state.settings))

    @abstractmethod
    def host(self, player: type, state: S, team: int, limits: Limits) -> Host:
        """Make the bot's player on its copy of the board (in the worker).

        `limits` are what it may use; a player that searches wants to know.
        """

    @abstractmethod
    def standing(self, state: S) -> Standing:
        """Return the turn and the scores so far."""

    @abstractmethod
    def describe(self, state: S, team: int) -> str:
        """Return what a team has, in a few words, for summaries."""

    @abstractmethod
    def text(self, state: S) -> str:
        """Return the board as text, with a legend."""

    def view(self, state: S, ask: Ask) -> object:
        """Return what the asked one is shown besides its events."""
        return None

    def asks_are_separate(self, state: S) -> bool:
        """Return whether each ask is a decision of its own, played when it is answered."""
        return False

    def play_one(self, state: S, ask: Ask, order: O | Fault, streams: Streams) -> Iterator[E]:
        """Yield the events that follow from one order, in a game whose asks are separate."""
        raise NotImplementedError(f"the asks of {self.title} are played together")

    def legal_acts(self, state: S, team: int) -> Sequence[Act]:
        """Return what a person of this team may do besides ordering, now."""
        return ()

    def play_act(self, state: S, act: Act) -> Iterator[E]:
        """Yield the events that follow from one of `acts`."""
        raise NotImplementedError(f"{self.title} has no acts")

    def has_lone_pieces(self, settings: Any) -> bool:
        """Return whether each piece of a team decides in a process of its own."""
        return False

    def lone_board(self, known: S) -> S:
        """Return the board with which the process of a lone piece begins.

        It is made from what the team knows, and has nothing that one piece alone may not know.
        """
        raise NotImplementedError(f"{self.title} has no lone pieces")

    def lone_views(self, known: S) -> Callable[[int], object]:
        """Return what shows each piece what it alone may know now, by its id.

        It is called once for each round of asks; what it returns, as plain data, is what the
        piece's host is shown. No events are sent to lone pieces.
        """
        raise NotImplementedError(f"{self.title} has no lone pieces")

    def legal_orders(self, state: S, ask: Ask) -> Sequence[O] | None:
        """Return all orders that `check` accepts for this ask; None where they cannot be listed.

        None of them twice. Each, encoded as JSON, is itself an answer that `check` turns into it.
        """
        return None

    def all_orders(self, settings: Any) -> Sequence[O] | None:
        """Return all orders that may ever be legal, for programs that learn; None if too many."""
        return None

    def premove(self, state: S, ask: Ask, order: object) -> O | Refusal:
        """Return what something ordered ahead comes to, were its ask open now.

        `order` is untrusted plain data: what `check` takes, or an errand that the game has for
        people.
        """
        return self.check(state, ask, order)

    def premove_lasts(self, state: S, ask: Ask, order: object) -> bool:
        """Return whether something ordered ahead in an earlier turn is still to be done."""
        return False

    def draft(self, state: S, ask: Ask, lines: object) -> Draft | None:
        """Return what these clicks of a person amount to; None where the game has no drafts.

        `state` is what the asked team knows. `lines` are untrusted plain data from a browser: a
        list, from which undoing drops the last line. A line that is not legal is refused with its
        reason and changes nothing; nothing raises. The same lines give the same draft.
        """
        return None

    def observed_event(self, state: S, event: E, team: int | None) -> E | None:
        """Return the event as this team may know it; None if it may not know of it.

        A team of None is the public, which watches a match that is not over.

        `event` was applied to `state` already. What is returned may be another event, made for
        the team's copy of the state alone: what its pieces see now, for example.
        """
        return event

    def readable_parts(self, state: S, team: int) -> frozenset[DesignPart]:
        """Return the parts of designs whose source a team may read, once the match has ended so."""
        return frozenset()

    def public_event(self, event: E, readable: Container[DesignPart] = ()) -> E:
        """Return the event as it is published when the match is over.

        It has no bot's source: what stands for that is its `source_hash`, except of the parts in
        `readable`.
        """
        return event

    def public_order(self, order: O, team: int, readable: Container[DesignPart] = ()) -> O:
        """Return the same of an order of a team."""
        return order

    def copy(self, state: S) -> S:
        """Return a copy of a state; a game may know a faster way."""
        copied: S = msgspec.json.decode(msgspec.json.encode(state), type=self.state)
        return copied

    def sample(self, state: S, team: int, chance: Stream) -> S:
        """Return a whole state that fits what a team knows, for a bot that looks ahead.

        `state` is the team's copy, which stays as it is. What is None in it is drawn.
        """
        return self.copy(state)

    def board(self, state: S, team: int) -> object:
        """Return the board as the bot of this team is shown it."""
        return state

    def sheet(self, state: S, team: int) -> object:
        """Return an empty sheet on which a bot writes its orders. Raises: NotImplementedError."""
        raise NotImplementedError(f"the orders of {self.title} are not written on a sheet")

    def as_answer(self, order: object) -> object:
        """Return as plain data what `check` takes: of an order, or of what a bot may return."""
        return msgspec.to_builtins(order) if isinstance(order, msgspec.Struct) else order

    def find_refusals(self, what: E | O) -> Refused | None:
        """Return what an order, or an event, says of parts of an answer that were refused."""
        return None

    def parts(self, order: O) -> int:
        """Return how many parts a bot's answer had, those that were refused among them."""
        return 1

    def rehearsed_order(self, state: S, ask: Ask) -> O | None:
        """Return an order that makes seldom code of a bot run, when a design is tried out.

        None where the bot's own order counts.
        """
        return None

    def describe_untried(self, state: S, team: int) -> tuple[str, ...]:
        """Return what of a team's design did not come to be asked, in words."""
        return ()

    def inspect(self, state: S, ask: Ask, answer: object) -> DesignInspection:
        """Return what there is to say of a team's answer to the first ask, right or wrong."""
        return DesignInspection(mistakes=(f"{self.title} has no designs",))


AnyGame = Game[Any, Any, Any]
"""A game whose types are known at run time only: one that was named on a command line, say."""
