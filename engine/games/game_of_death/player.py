"""What an army is made of: a `Player` that places shapes, and classes of shapes.

All places are cells (u, v) of the player's own frame: u counts from the own edge towards the
enemy, v from the top; both players' homes are at small u, and so is where their armies stand.
"""

from typing import Any, ClassVar

from engine.bots.limits import Limits
from engine.games.game_of_death.forms import SIDES, Cell
from engine.games.game_of_death.mind import Mind
from engine.games.game_of_death.orders import why_no_message
from engine.games.game_of_death.senses import Home
from engine.games.game_of_death.settings import Settings

__all__ = ["BadAction", "BadDesign", "BasePlayer", "Cell", "Home", "Settings", "Shape"]

TURNS = ("cw", "ccw")


class BadAction(ValueError):
    """What a shape wanted is no action; the message says what is possible."""


class BadDesign(ValueError):
    """What a player wanted to place is no shape; the message says where."""


class Shape:
    """A kind of shapes: derive from it, draw it, and say what it does.

    Each shape on the grid is an object of its own, in a copy of the file of its own: what one
    puts into `self`, a class or a module, no other finds there.
    """

    drawing: ClassVar[str] = ""
    """Rows of `#` and `.`; the right edge is the front."""
    _mind: Mind

    def update(self) -> None:
        """What it does in a turn while it lives: at most one major action."""
        raise NotImplementedError(f"{type(self).__name__} needs a method update(self)")

    def die(self) -> None:
        """What it does in its last turn."""
        raise NotImplementedError(f"{type(self).__name__} needs a method die(self)")

    # -- major actions: one in a turn (rules 5.2) ---------------------------------------------

    def move(self, direction: str) -> None:
        """Begin or go on to move a cell "forward", "backward", "left" or "right"."""
        self._do(f"move {one_of(direction, SIDES, 'move')}")

    def turn(self, direction: str) -> None:
        """Begin or go on to turn a quarter, "cw" or "ccw"."""
        self._do(f"turn {one_of(direction, TURNS, 'turn')}")

    def attack(self, direction: str) -> None:
        """Attack whatever is in the lane "forward", "backward", "left" or "right"."""
        self._do(f"attack {one_of(direction, SIDES, 'attack')}")

    def rest(self) -> None:
        """Do nothing, and cancel a pending move."""
        self._do("rest")

    def capture(self) -> None:
        """Capture the enemy's flag, beside its home; go on by doing nothing else."""
        self._do("capture")

    def suicide(self) -> None:
        """Die: in the next turn `die` is called instead of `update`."""
        self._do("suicide")

    def _do(self, command: str) -> None:
        mind = self._mind
        if mind.deed is not None:
            raise BadAction(f"{command}: this turn it has the action '{mind.deed}' already")
        mind.deed = command

    # -- free actions (rules 5.1) -------------------------------------------------------------

    def broadcast(self, message: str) -> None:
        """Say something to all shapes around, friend and foe; they can read it next turn."""
        mind = self._mind
        why = why_no_message(message, mind.settings)
        most = mind.settings.broadcasts_per_turn
        if why is None and len(mind.said) >= most:
            why = f"broadcasts in a turn are limited to {most}"
        if why is not None:
            raise BadAction(f"broadcast: {why}")
        mind.said.append(message)

    def receive(self) -> list[str]:
        """The messages that were not read yet, sorted; none of them says who sent it."""
        return self._mind.receive()

    def location(self) -> Cell:
        """Its upper left corner, from that of the own home (rules 5.6)."""
        mind = self._mind
        (u, v), home = mind.corner, mind.homes[0]
        return u - home.u, v - home.v

    def see(self, u: int, v: int) -> str | None:
        """What is on a cell; None if it is too far away or not on the grid.

        `.` nothing, `f` friendly, `h` hostile, `x` a body, `F` the own home, `H` the enemy's.
        """
        return self._mind.see(u, v)

    def seen(self, what: str) -> list[Cell]:
        """All cells in sight on which `f`, `h` or `x` is, the nearest first."""
        return self._mind.seen(one_of(what, ("f", "h", "x"), "seen"))

    def touches(self, home: Home) -> bool:
        """Whether it is in contact with a home, as capturing and delivering need (rules 6.12)."""
        return not home.edge.isdisjoint(self.cells)

    # -- what it knows of itself (rules 5.9) --------------------------------------------------

    @property
    def now(self) -> int:
        """The turn that is being played, from 1."""
        return self._mind.turn

    @property
    def name(self) -> str:
        """Of its type: that of the class."""
        return self._mind.type.name

    @property
    def cells(self) -> list[Cell]:
        """The cells it is on."""
        return self._mind.cells

    def cells_after(self, turn: str) -> list[Cell]:
        """The cells it would be on after a turn "cw" or "ccw", whatever is there now."""
        is_cw = one_of(turn, TURNS, "cells_after") == "cw"
        return self._mind.cells_after(1 if is_cw else -1)

    @property
    def anchor(self) -> Cell:
        """The cell it sees and hears from: the middle of its bounding box, rounded down."""
        return self._mind.anchor

    @property
    def heading(self) -> str:
        """What forward is: "E" is towards the enemy, "S" down, "W" back, "N" up."""
        return self._mind.heading

    @property
    def hp(self) -> int:
        return self._mind.shape.hp

    @property
    def max_hp(self) -> int:
        return self._mind.max_hp

    @property
    def size(self) -> int:
        """How many cells it has."""
        return self._mind.form.size

    @property
    def speed(self) -> int:
        """Turns per move: 1 is fastest."""
        return self._mind.form.speed

    @property
    def range(self) -> int:
        """How many cells an attack reaches."""
        return self._mind.range

    @property
    def pending(self) -> str | None:
        """The move or turn under way, such as "move forward"; None if there is none."""
        pending = self._mind.shape.pending
        return None if pending is None else str(pending)

    @property
    def progress(self) -> int:
        """How many turns of the pending move are done; it happens when they are `speed`."""
        return self._mind.progress

    @property
    def cooldown(self) -> int:
        """In how many turns it may attack; 0: now."""
        return self._mind.cooldown

    @property
    def capture_progress(self) -> int:
        """How many turns of a capture are done."""
        return self._mind.capture_progress

    @property
    def has_flag(self) -> bool:
        """Whether it holds the enemy's flag."""
        return self._mind.has_flag

    def strength(self, direction: str) -> int:
        """How strong its attack to that side is now (rules 4.3)."""
        return self._mind.strength(SIDES.index(one_of(direction, SIDES, "strength")))

    def defense(self, direction: str) -> int:
        """How strong its defense on that side is now (rules 4.4)."""
        return self._mind.defense(SIDES.index(one_of(direction, SIDES, "defense")))

    # -- what it knows of the grid ------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        """The numbers of this match's rules: `width`, `height`, `sight` and so on."""
        return self._mind.settings

    @property
    def home(self) -> Home:
        """The own home: `u`, `v`, `width`, `height`."""
        return self._mind.homes[0]

    @property
    def enemy_home(self) -> Home:
        """The enemy's home."""
        return self._mind.homes[1]

    @property
    def limits(self) -> Limits:
        """What it may use: `limits.cpu_ms` for a turn of this shape, and so on."""
        return self._mind.limits


class BasePlayer:
    """Designs an army. A bot file holds a class `Player(BasePlayer)` with a method `design`."""

    limits: Limits
    """What it may use."""

    def __init__(self, settings: Settings, home: Home, enemy_home: Home) -> None:
        """An `__init__` of your own passes all three on."""
        self.settings = settings
        self.home = home
        self.enemy_home = enemy_home
        self.placed: list[tuple[type[Shape], int, int]] = []
        """What was placed so far."""

    def design(self) -> None:
        """Place the army: `self.place(Wall, u, v)` for each shape. Called once, first of all."""
        raise NotImplementedError("a Player needs a method design(self)")

    def place(self, kind: type[Shape], u: int, v: int) -> None:
        """A shape of this class, the upper left corner of its drawing at the cell (u, v)."""
        where = f"placement {len(self.placed) + 1}"
        if not (isinstance(kind, type) and issubclass(kind, Shape)):
            raise BadDesign(f"{where}: {kind!r:.60} is no class derived from Shape")
        for coordinate in (u, v):
            if type(coordinate) is not int:
                raise BadDesign(
                    f"{where} ({kind.__name__}): a cell has whole numbers, not {coordinate!r:.60}"
                )
        self.placed.append((kind, u, v))


def one_of(word: Any, words: tuple[str, ...], what: str) -> str:
    if word not in words:
        raise BadAction(f"{what} {word!r:.40}: one of {', '.join(words)}")
    return str(word)
