"""How a game looks to a program that learns: its agents, arrays of what they know, and actions.

Every array holds whole numbers, in units that `planes` and `numbers` name. An agent is shown what
its team knows, and nothing else.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.catalog import describe_game, find_game
from engine.description import load_part
from engine.errors import BadArgument
from engine.game import AnyGame, Ask, Game
from engine.support.lazy_import import BEFORE_OURS

S = TypeVar("S")
Array = NDArray[np.int32]

MAX_INT32 = 2**31 - 1
"""The largest number of an observation; larger ones are cut off."""


class Observation(NamedTuple):
    """What an agent is shown, besides the mask of its actions."""

    planes: Array
    """A layer per name in `Encoding.planes`, each with a number per row and column."""
    numbers: Array
    """A number per name in `Encoding.numbers`."""


class Choice(ABC):
    """What an agent may do now. A number is an action; several may make one order."""

    @property
    @abstractmethod
    def legal(self) -> Sequence[int] | Array:
        """Return the actions that may be taken now."""

    def allows(self, action: int) -> bool:
        """Return whether an action may be taken now."""
        return action in self.legal

    @abstractmethod
    def take(self, action: int) -> object:
        """Take a legal action; return the order, or None while more actions are waited for."""


class ListedChoice(Choice):
    """One of the orders that the game lists."""

    def __init__(self, orders: dict[int, object]) -> None:
        self._orders = orders

    @property
    def legal(self) -> Sequence[int]:
        return [*self._orders]

    def allows(self, action: int) -> bool:
        return action in self._orders

    def take(self, action: int) -> object:
        return self._orders[action]


class Encoding(ABC, Generic[S]):
    """One game, with its settings and teams, in arrays."""

    options: ClassVar[frozenset[str]] = frozenset()
    """What else a class is made with, by name, which other games have not."""
    is_simultaneous: bool = False
    """Whether all agents that are asked at all are asked at the same time."""
    planes: tuple[str, ...]
    """What each layer of an observation holds, and its unit."""
    numbers: tuple[str, ...]
    """What the other numbers of an observation are, and their units."""
    actions: int
    """How many actions there are, legal or not."""
    rows: int
    columns: int

    def __init__(self, game: AnyGame, settings: Any, teams: int) -> None:
        self.game = game
        self.settings = settings
        self.teams = teams

    @property
    def agents(self) -> list[str]:
        """Return all agents that there may be in a match."""
        return [f"team_{team}" for team in range(1, self.teams + 1)]

    def agent_name(self, ask: Ask) -> str:
        """Return the agent that decides when this is asked."""
        return f"team_{ask.team}"

    def agent_team(self, agent: str) -> int:
        """Return the team of an agent."""
        return int(agent.rpartition("_")[2])

    def prepare(self, known: dict[int, S]) -> None:
        """Prepare for a match; `known` is what each team knows, and changes as it is played."""

    def own_order(self, state: S, ask: Ask) -> object:
        """Return the order of an ask that no agent answers; None if an agent does."""
        return None

    @abstractmethod
    def choice(self, known: S, ask: Ask) -> Choice:
        """Return what the asked agent may do; `known` is what its team knows."""

    @abstractmethod
    def observe(self, known: S, agent: str, ask: Ask | None, choice: Choice | None) -> Observation:
        """Return what an agent is shown, with the ask and the choice that it has, if any."""

    def new_planes(self) -> Array:
        """Return planes of zeros: (planes, rows, columns)."""
        return np.zeros((len(self.planes), self.rows, self.columns), np.int32)


AnyEncoding = Encoding[Any]


def has_encoding(game: str) -> bool:
    """Return whether programs can learn a game: it is described how, or all orders are listed."""
    is_listed = type(find_game(game)).all_orders is not Game.all_orders
    return bool(describe_game(game).encoding) or is_listed


def find_encoding(game: str) -> type[AnyEncoding]:
    """Return the encoding of a game. Raises: BadArgument where it has none."""
    if not has_encoding(game):
        raise BadArgument(f"{game} has no encoding for programs that learn, and no all_orders")
    place = describe_game(game).encoding or f"{BEFORE_OURS}learning.encodings.listed:ListedEncoding"
    encoding: type[AnyEncoding] = load_part(place)
    return encoding


def as_numbers(*numbers: float) -> Array:
    """Return numbers as an array, cut off at `MAX_INT32`."""
    return np.array([min(int(number), MAX_INT32) for number in numbers], np.int32)
