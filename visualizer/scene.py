"""What a scene is: a state of a game as things to draw. No library in it.

Window, picture, page and terminal draw the same things. Lengths are in squares of the board,
x to the right and y down, (0, 0) the upper left corner of the upper left square.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from importlib import import_module
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import msgspec

from engine.errors import EngineFailure
from engine.game import Event
from visualizer.theme import TEAM_COLOURS

Fact = int | float | str | bool


class Sprite(msgspec.Struct, frozen=True, array_like=True, tag="sprite", gc=False):
    """A picture on the board; `x`, `y` is its middle and `size` its width and height."""

    kind: str
    x: float
    y: float
    size: float
    image: str
    """Its name, and after a colon the level for which a bot may have its own: `slime_1:7`."""
    bar: tuple[int, int] | None = None
    """What is left and how much it could be: hp."""
    badge: str = ""
    """A letter or two on its corner."""
    facts: tuple[Fact, ...] = ()
    """For the inspector, in the order of its kind's `facts`."""


class Tile(msgspec.Struct, frozen=True, array_like=True, tag="tile", gc=False):
    """A rectangle; `x`, `y` is its upper left corner. Colours are `#rrggbb`, '' for none."""

    kind: str
    x: float
    y: float
    width: float
    height: float
    fill: str
    border: str = ""
    facts: tuple[Fact, ...] = ()


class Block(msgspec.Struct, frozen=True, array_like=True, tag="block", gc=False):
    """Squares that hang together and are one body; `x`, `y` is its upper left corner."""

    kind: str
    x: float
    y: float
    width: float
    height: float
    cells: str
    """Its squares among those of its rectangle, row by row: `##/#.`."""
    fill: str
    border: str
    front: str = ""
    """E, S, W or N: where it looks; '' if nowhere."""
    bar: tuple[int, int] | None = None
    """What is left and how much it could be: hp."""
    facts: tuple[Fact, ...] = ()


class Label(msgspec.Struct, frozen=True, array_like=True, tag="label", gc=False):
    """A line of text around `x`, `y`; `size` is the height of its letters."""

    kind: str
    x: float
    y: float
    size: float
    text: str
    colour: str
    facts: tuple[Fact, ...] = ()


Thing = Sprite | Tile | Block | Label
"""What is drawn: tiles, then blocks, sprites and labels, each in the order of their ids."""


class Kind(msgspec.Struct, frozen=True):
    """A kind of things: what one is called (`slime` 7), and the names of its facts."""

    title: str
    facts: tuple[str, ...] = ()
    """What is called `team` or `level` is so: a terminal draws it by colour and number. `name` is
    what the thing is called instead, and `at` where it is; others have a number and a square."""
    bar: str = "hp"
    is_seen_through: bool = False
    """Whether pointing at one means what lies below it."""


class Mark(StrEnum):
    """A sign drawn for one step, where something happened.

    What scenes with thousands of small things note stays to be seen: signs have a least size.
    """

    STRIKE = "strike"
    """From the one to the other."""
    BIRTH = "birth"
    """The other came out of the one."""
    JOIN = "join"
    """The other went into the one."""
    DEATH = "death"
    """The one is gone."""
    RISE = "rise"
    """The one grew."""
    FAULT = "fault"
    """The one's turn was lost."""
    BLOCKED = "blocked"
    """The one tried in vain."""
    HIT = "hit"
    """The one was struck, by whomever."""
    CALL = "call"
    """The one said something to all around it: a ring around it."""
    REACH = "reach"
    """What the one reached: the note's rectangles, in the colour of its team."""


class Happening(msgspec.Struct, frozen=True):
    """A kind of notes: a sentence about the one, a sign on the board, a place on the timeline.

    In `says`, `{other}` is the name of the other thing, `{words}` is the note's own; `{place}`,
    `{bar}`, `{other_bar}` and facts such as `{level}` are what the one (the other) has after
    the step.
    """

    says: str
    mark: Mark | None = None
    timeline: str = ""
    """What it is called on the timeline: `kills`. '' if it is not shown there."""


class Note(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Something that happened in a step, to say and to draw."""

    happening: str
    one: int
    other: int = 0
    words: str = ""
    reach: tuple[tuple[float, float, float, float], ...] = ()
    """Rectangles from the one's `x`, `y`: what it reached, as left, top, width, height."""


class Extent(NamedTuple):
    """What of the plane is to be seen: the board and what stands at its edge."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top


class Paper(msgspec.Struct, frozen=True):
    """Something longer to read, as it was written."""

    title: str
    text: str


Panel = tuple[tuple[str, Fact | tuple[int, ...]], ...]
"""A team's lines beside the board; a tuple of numbers is drawn as columns."""

S = TypeVar("S")


class Scene(ABC, Generic[S]):
    """How states of one match look. Things have ids that stay the same while they live."""

    kinds: ClassVar[Mapping[str, Kind]]
    rows_up: int = 0
    """How many rows there are if they are counted from below; 0 if from above."""
    happenings: ClassVar[Mapping[str, Happening]]
    letters: ClassVar[Mapping[str, str]] = {}
    """By the name of a picture, without its level: one letter for where there are no pictures;
    of a block, by its kind.

    Where a letter is missing, it is the first one of what the thing is called.
    """
    team_colours: ClassVar[tuple[str, ...]] = TEAM_COLOURS
    """Team 1 first. Whatever shows a team of this game asks here: cards, graphs, sprites, sites."""
    score_name: ClassVar[str] = "score"
    """What the scores are, for the graph of them."""

    def __init__(self, settings: Any, teams: int) -> None:
        self.settings = settings
        self.teams = teams

    @classmethod
    def team_colour(cls, team: int) -> str:
        """Teams are numbered from 1; after the last colour they begin again."""
        return cls.team_colours[(team - 1) % len(cls.team_colours)]

    @property
    @abstractmethod
    def extent(self) -> Extent: ...

    @property
    def parts(self) -> Sequence[Extent]:
        """What stands side by side, from left to right, and might stand one below the other.

        Every thing lies within one of them; the extent is around them all. How they are shown
        is up to who shows them (visualizer/arrangement.py).
        """
        return (self.extent,)

    @abstractmethod
    def backdrop(self) -> Sequence[Tile | Label]:
        """What lies below everything and never changes."""

    @abstractmethod
    def ids(self, state: S) -> Iterable[int]:
        """All things there are now."""

    @abstractmethod
    def thing(self, state: S, thing_id: int) -> Thing | None:
        """How it looks now; None if it is not there (any more)."""

    @abstractmethod
    def touched(self, event: Any) -> Collection[int]:
        """The things an event makes look different, come or go."""

    @abstractmethod
    def notes(self, state: S, event: Any) -> Sequence[Note]:
        """What to say of an event; `state` is the one before it."""

    @abstractmethod
    def panel(self, state: S, team: int) -> Panel:
        """What a team has, for the lines beside the board."""

    def papers(self, state: S) -> Sequence[Paper]:
        """What everybody may read once the match is over; on its page."""
        return ()

    def threshold(self, state: S) -> float | None:
        """The score that wins as things stand, for the graph; None where there is none."""
        return None

    def order_text(self, order: Any) -> str:
        """An order in a word or two."""
        return str(order)


def no_ids(event: Event) -> Collection[int]:
    """For events that change nothing one can see."""
    return ()


def scene_class(game: str) -> type[Scene[Any]]:
    """The scene of a game: `SCENE` in the module of its name. Raises: EngineFailure."""
    try:
        module = import_module(f"visualizer.scenes.{game}")
    except ModuleNotFoundError as error:
        raise EngineFailure(f"{game} has no scene: visualizer/scenes/{game}.py") from error
    scene: type[Scene[Any]] = module.SCENE
    return scene
