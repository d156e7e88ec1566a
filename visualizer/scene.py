"""What a scene is: a state of a game as things to draw. No library in it.

Window, picture, page and terminal draw the same things. Lengths are in squares of the board,
x to the right and y down, (0, 0) the upper left corner of the upper left square.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import msgspec

from engine.catalog import describe_game
from engine.description import load_part
from engine.errors import EngineFailure
from engine.game import Ask, Event
from visualizer.theme import COORDINATES, TEAM_COLORS

TEAM = re.compile(r"\bteam (\d+)\b")
Fact = int | float | str | bool
NO_FACT = "-"
"""What stands where there is nothing to tell."""
COORDINATE_SIZE = 0.42
"""The height of the numbers of columns and rows, squares."""


class Sprite(msgspec.Struct, frozen=True, array_like=True, tag="sprite", gc=False):
    """A picture on the board; `x`, `y` is its middle and `size` its width and height."""

    kind: str
    x: float
    y: float
    size: float
    image: str
    """The name of its picture; a level after a colon selects a bot's own: `slime_1:7`."""
    bar: tuple[int, int] | None = None
    """The present and the highest value, such as hp."""
    badge: str = ""
    """A letter or two on its corner."""
    facts: tuple[Fact, ...] = ()
    """Facts for the inspector, in the order of its kind's `facts`."""


class Tile(msgspec.Struct, frozen=True, array_like=True, tag="tile", gc=False):
    """A rectangle; `x`, `y` is its upper left corner. Colors are `#rrggbb`, '' for none."""

    kind: str
    x: float
    y: float
    width: float
    height: float
    fill: str
    border: str = ""
    facts: tuple[Fact, ...] = ()


class Block(msgspec.Struct, frozen=True, array_like=True, tag="block", gc=False):
    """Connected squares that are one body; `x`, `y` is its upper left corner."""

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
    """The side it faces: E, S, W or N; '' if none."""
    bar: tuple[int, int] | None = None
    """The present and the highest value, such as hp."""
    facts: tuple[Fact, ...] = ()


class Label(msgspec.Struct, frozen=True, array_like=True, tag="label", gc=False):
    """A line of text around `x`, `y`; `size` is the height of its letters."""

    kind: str
    x: float
    y: float
    size: float
    text: str
    color: str
    facts: tuple[Fact, ...] = ()


Thing = Sprite | Tile | Block | Label
"""What is drawn: tiles, then blocks, sprites and labels, each in the order of their ids."""


class Kind(msgspec.Struct, frozen=True):
    """A kind of things: its name (`slime` 7), and the names of its facts."""

    title: str
    facts: tuple[str, ...] = ()
    """What is called `team` or `level` is so: a terminal draws it by color and number. `name` is
    what the thing is called instead, and `at` where it is; others have a number and a square."""
    bar: str = "hp"
    is_seen_through: bool = False
    """Whether the pointer selects what lies below it."""
    plain: str = ""
    """The color of its sprites where squares are so small that nobody could tell them apart."""
    least: int = 0
    """The least width of its sprites, pixels."""
    hover: tuple[str, ...] = ()
    """The facts that a pointer tells of it besides its name, but those that are NO_FACT."""
    has_base: bool = False
    """Whether its sprites stand on a disc in the color of their team, with their level at its
    edge: pictures may be of any color."""


class Mark(StrEnum):
    """A sign drawn where something happened, for one step.

    What scenes with thousands of small things note stays to be seen: signs have a least size.
    """

    STRIKE = "strike"
    """The one hit the other."""
    BIRTH = "birth"
    """The other came out of the one."""
    JOIN = "join"
    """The other went into the one."""
    DEATH = "death"
    """The one died."""
    RISE = "rise"
    """The one grew."""
    FAULT = "fault"
    """The one's turn was forfeited."""
    BLOCKED = "blocked"
    """The order of the one had no effect."""
    HIT = "hit"
    """The one was struck, by an unnamed attacker."""
    CALL = "call"
    """The one spoke to all around it: a speech bubble beside it."""
    ATTACK_LANE = "attack_lane"
    """The squares that an attack of the one covers, in the color of its team."""
    CONTEST = "contest"
    """Several teams fought over the one."""
    SPECIAL = "special"
    """The one was affected by something that is not of every turn."""
    FLAG = "flag"
    """The one took, brought or got back a flag."""
    LEAD = "lead"
    """The lead changed: of the timeline alone."""
    END = "end"
    """A team or a part of the match is out."""


MARK_NAMES: Mapping[Mark, str] = {
    Mark.STRIKE: "strikes",
    Mark.DEATH: "dies",
    Mark.BIRTH: "is new",
    Mark.JOIN: "merges",
    Mark.RISE: "gains",
    Mark.BLOCKED: "no effect",
    Mark.FAULT: "forfeits",
    Mark.HIT: "is hit",
    Mark.ATTACK_LANE: "attack lane",
    Mark.CALL: "speaks",
    Mark.CONTEST: "fought over",
    Mark.SPECIAL: "special",
    Mark.FLAG: "flag event",
    Mark.END: "is out",
}
"""What a legend says of each mark, in its order."""


class EventStyle(msgspec.Struct, frozen=True):
    """A kind of events: its sentence, its sign on the board, its row on the timeline.

    In `says`, `{other}` is the name of the other thing, `{words}` is the note's own; `{place}`,
    `{bar}`, `{other_bar}` and facts such as `{level}` are what the one (the other) has after
    the step.
    """

    says: str
    mark: Mark | None = None
    timeline: str = ""
    """The name of its row on the timeline: `kills`. '' if it is not shown there."""
    weight: int = 0
    """How much it matters: the heaviest of a turn is its caption, and routine has 0 or less."""
    tells: str = ""
    """The caption, where it can be one. Besides the above, `{team}` and `{other_team}` are names
    of bots, and facts of the other begin with `other_`; the heaviest of several is told of."""
    tells_many: str = ""
    """The caption of several by one team in a turn, of which there are `{n}`."""
    grows_by: str = ""
    """The value that adds to its weight: `other_level`."""
    sign: Mark | None = None
    """Its sign on the timeline, if that is not the one on the board."""


class Annotation(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An event of a step, to say and to draw."""

    event_style: str
    one: int
    other: int = 0
    words: str = ""
    attack_lanes: tuple[tuple[float, float, float, float], ...] = ()
    """The rectangles an attack covers: left and top from the one's `x`, `y`, width, height."""


class Effect(StrEnum):
    """How a thing moves in a step. Whatever changes its place glides, and what is new grows."""

    GLIDE = "glide"
    """The one goes to where the other is after the step, which takes its place; without another
    one, to its own place."""
    JOIN = "join"
    """The one flows into the other, and is gone."""
    COME = "come"
    """The one is new, and comes from where the other was."""
    LUNGE = "lunge"
    """The one darts at the other, and comes back."""
    GROW = "grow"
    RISE = "rise"
    """Words rise from the one."""


class Motion(NamedTuple):
    """How an event moves a thing, beyond what follows from the places of things."""

    effect: Effect
    thing_id: int
    other: int = 0
    words: str = ""


class Grid(NamedTuple):
    """The squares of a board on which people order."""

    label: str
    left: float
    """The left edge of the first column, in the plane."""
    top: float
    columns: int
    rows: int
    names: Sequence[str] = ()
    """Of each square, row by row; "" where the board has none. Empty: all are named `12, 3`."""


class Extent(NamedTuple):
    """A rectangle of the plane, such as the board with its margin, which is all to be seen."""

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


class EndWords(NamedTuple):
    """Why a match ended as it did, and the figures to it; those of the winner come first."""

    why: str
    figures: tuple[str, ...] = ()


class Disclosure(msgspec.Struct, frozen=True):
    """A long text that everybody may read."""

    title: str
    text: str


class KeyEntry(NamedTuple):
    """A line of a board's key: what something looks like, and what it means."""

    things: tuple[Thing, ...]
    """They lie in the square from (0, 0) to (1, 1)."""
    words: str


Square = tuple[int, int]
"""The upper left corner of a square of the plane."""
Panel = tuple[tuple[str, Fact | tuple[int, ...]], ...]
"""The lines of a team panel; a tuple of numbers is drawn as a histogram."""

S = TypeVar("S")


class Scene(ABC, Generic[S]):
    """Turns the states of one match into things, whose ids stay the same while they live."""

    kinds: ClassVar[Mapping[str, Kind]]
    rows_up: int = 0
    """The number of rows if they are counted from below; 0 if from above."""
    event_styles: ClassVar[Mapping[str, EventStyle]]
    dirty_ids_by_type: ClassVar[Mapping[type[Event], Callable[[Any, Any], Collection[int]]]] = {}
    """What finds `dirty_ids`, of a scene and an event; other types of events change nothing."""
    annotations_by_type: ClassVar[
        Mapping[type[Event], Callable[[Any, Any], Sequence[Annotation]]]
    ] = {}
    """What makes `annotations`, of a state and an event; of other types there is none."""
    letters: ClassVar[Mapping[str, str]] = {}
    """The letters of pictures, by name without level, and of blocks, by kind, for terminals.

    Where a letter is missing, it is the first one of what the thing is called. Several letters
    stand beside each other on a square.
    """
    plain_letters: ClassVar[Mapping[str, str]] = {}
    """Those that are shown in place of others where a terminal has no colors."""
    has_short_panels: ClassVar[bool] = False
    """Whether the panels of teams have a few lines alone, and no histogram."""
    moves: ClassVar[tuple[str, ...]] = ()
    """The event styles whose words are moves of a board game, which pages list by part."""
    score_name: str = "score"
    """The name of the scores, for their graph."""
    points_name: str = "points"
    """What the scores at the end are counted in."""
    forfeited_name: ClassVar[str] = "forfeited turns"
    """What a team loses by its faults: docs/architecture.md."""
    mark_names: ClassVar[Mapping[Mark, str]] = MARK_NAMES
    """What the legend says of each mark; a game may mean something of its own by one."""
    turns_per_s: ClassVar[float] = 4.0
    """How many turns are played in a second at speed 1."""

    def __init__(self, settings: Any, teams: int) -> None:
        self.settings = settings
        self.teams = teams
        self.names: Sequence[str] = [f"team {team}" for team in range(1, teams + 1)]
        """What the bots of the teams are called; who knows them sets them."""

    @classmethod
    def team_color(cls, team: int) -> str:
        """Return the color of a team, from 1; after the last color they repeat."""
        return TEAM_COLORS[(team - 1) % len(TEAM_COLORS)]

    @property
    @abstractmethod
    def extent(self) -> Extent: ...

    @property
    def parts(self) -> Sequence[Extent]:
        """Return the parts that stand side by side and may be stacked, from left to right.

        Every thing lies within one of them; the extent is around them all. How they are shown
        is up to who shows them (visualizer/drawing/arrangement.py).
        """
        return (self.extent,)

    @property
    def grids(self) -> Sequence[Grid]:
        """Return the boards on which people order, in the order of their numbers.

        By default this is the whole plane, if `order_squares` says what they click.
        """
        if type(self).order_squares is Scene.order_squares:
            return ()
        extent = self.extent
        columns, rows = int(extent.width), int(extent.height)
        return (Grid("Board", extent.left, extent.top, columns, rows),)

    def order_squares(self, state: S, ask: Ask, order: Any) -> Sequence[Sequence[Square]]:
        """Return what people click for a legal order: square after square; () for a button.

        Where any of several squares will do, they stand together, with that first which is marked.
        """
        return ()

    def place_of(self, x: float, y: float, piece_id: int) -> tuple[float, float]:
        """Return the middle of a square as bots count squares.

        `piece_id` is what the bot was asked about, where there are several boards.
        """
        return x + 0.5, y + 0.5

    @abstractmethod
    def backdrop(self) -> Sequence[Tile | Label]:
        """Return what lies below everything and never changes."""

    @abstractmethod
    def ids(self, state: S) -> Iterable[int]:
        """Return the ids of all things there are now."""

    @abstractmethod
    def thing(self, state: S, thing_id: int) -> Thing | None:
        """Return a thing as it is now; None if it does not exist."""

    def dirty_ids(self, event: Event) -> Collection[int]:
        """Return the ids of the things that an event changes, adds or removes."""
        find = self.dirty_ids_by_type.get(type(event))
        return () if find is None else find(self, event)

    def annotations(self, state: S, event: Event) -> Sequence[Annotation]:
        """Return the annotations of an event; `state` is the one before it."""
        annotate = self.annotations_by_type.get(type(event))
        return () if annotate is None else annotate(state, event)

    def motions(self, state: S, event: Event) -> Sequence[Motion]:
        """Return how an event moves things; `state` is the one before it."""
        return ()

    @abstractmethod
    def panel(self, state: S, team: int) -> Panel:
        """Return the lines of a team's panel."""

    def key(self) -> Sequence[KeyEntry]:
        """Return what the looks of things on the board mean, for its key."""
        return ()

    def disclosures(self, state: S) -> Sequence[Disclosure]:
        """Return the texts that everybody may read after the match, on its page."""
        return ()

    def trails(self, state: S) -> Mapping[int, tuple[float, float]]:
        """Return where that is whose way is drawn as a line, by the team whose color it has."""
        return {}

    def name_teams(self, text: str) -> str:
        """Return words of an event with the name of each team in place of `team 2`."""
        return TEAM.sub(lambda found: self.name_of_team(int(found[1])) or found[0], text)

    def name_of_team(self, team: int | None) -> str:
        """Return what a team is called; '' for none."""
        return self.names[team - 1] if team and team <= len(self.names) else ""

    def team_of(self, thing_id: int, thing: Thing | None) -> int | None:
        """Return the team of a thing; None if it has none."""
        names = () if thing is None else self.kinds[thing.kind].facts
        fact = thing.facts[names.index("team")] if thing and "team" in names else None
        return fact if isinstance(fact, int) else None

    def explain_end(self, state: S, reason: str, winners: Sequence[int]) -> EndWords:
        """Return why a match is over, to whoever knows no rule; `reason` is the rules' word."""
        return EndWords(reason)

    def scores(self, state: S, ruled: tuple[float, ...]) -> tuple[float, ...]:
        """Return the scores to show, where those of the rules mean something else at the end."""
        return ruled

    def in_order(self, winners: Sequence[int]) -> Sequence[int]:
        """Return all teams, the winners first: in this order figures are told."""
        others = (team for team in range(1, self.teams + 1) if team not in winners)
        return [*winners, *others]

    def compare(self, values: Sequence[object], unit: str, winners: Sequence[int]) -> str:
        """Return what each team has, the winner first: `3 : 0 slimes`; of many with names."""
        pairs = [(self.names[team - 1], values[team - 1]) for team in self.in_order(winners)]
        if len(pairs) == 2:
            return f"{' : '.join(str(value) for _, value in pairs)} {unit}"
        return f"{unit}: {', '.join(f'{name} {value}' for name, value in pairs)}"

    def threshold(self, state: S) -> float | None:
        """Return the score that would win now, for the graph; None where there is none."""
        return None

    def order_text(self, order: Any) -> str:
        """Return an order in a word or two."""
        return str(order)


AnyScene = Scene[Any]
"""The scene of a game that viewers do not know: the state is passed on, never read."""


def coordinate_label(x: float, y: float, number: int) -> Label:
    """Return the number of a column or row, beside a board."""
    return Label("coordinate", x, y, COORDINATE_SIZE, str(number), COORDINATES)


def middle_of_thing(thing: Thing) -> tuple[float, float]:
    """Return where the middle of a thing is."""
    if isinstance(thing, Tile | Block):
        return thing.x + thing.width / 2, thing.y + thing.height / 2
    return thing.x, thing.y


def pluralize(number: int, noun: str) -> str:
    """Return `1 turn`, `2 turns`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def scene_class(game: str) -> type[AnyScene]:
    """Return the scene of a game. Raises: EngineFailure where there is none."""
    place = describe_game(game).scene
    try:
        scene: type[AnyScene] = load_part(place)
    except ModuleNotFoundError as error:
        if error.name != place.partition(":")[0]:  # the scene is there, and imports what is not
            raise
        raise EngineFailure(f"{game} has no scene: {place}") from error
    return scene
