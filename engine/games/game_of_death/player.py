"""What an author of an army subclasses: a `Player` that places shapes, and classes of shapes.

All places are cells (u, v) of the player's own frame: u counts from the own edge towards the
enemy, v from the top; both players' homes are at small u, and so is where their armies stand.
"""

from abc import abstractmethod
from functools import cached_property, lru_cache
from typing import ClassVar

from engine.bot_output_api import NOBODY_RECORDS, Draw, Log, NoteTaker
from engine.games.game_of_death.designs import Zone, cells_from, parse_rows
from engine.games.game_of_death.geometry import SIDES, Cell
from engine.games.game_of_death.orders import why_not_broadcast
from engine.games.game_of_death.perception import Home, OtherTeam, View, cell_of
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.shape_context import ShapeContext
from engine.limits import Limits
from engine.support.plain_values import as_whole_number, from_numpy

__all__ = [
    "BadAction",
    "BadDesign",
    "BasePlayer",
    "Cell",
    "Enemy",
    "Home",
    "OtherTeam",
    "Settings",
    "Shape",
    "View",
]

TURNS = ("cw", "ccw")
NEAR = 20
"""How far `place_near` looks for a place, cells."""
NEARBY = sorted(
    ((du, dv) for du in range(-NEAR, NEAR + 1) for dv in range(abs(du) - NEAR, NEAR - abs(du) + 1)),
    key=lambda step: (abs(step[0]) + abs(step[1]), abs(step[0]), step),
)
"""The steps to all cells that are as near, the nearest first."""
Enemy = OtherTeam
"""Its name before there were partners."""


class BadAction(ValueError):
    """A shape called an action with a wrong word; the message says what is possible."""


class BadDesign(ValueError):
    """A player placed something that is not a shape; the message says where."""


class Shape:
    """A type of shapes: derive from it, draw it, and write what it does.

    Each shape on the grid is an object of its own, made from its own copy of your file: what one
    puts into `self`, a class or a module, no other one can read there (rules 3.4).
    """

    drawing: ClassVar[str] = ""
    """The drawing: rows of `#` and `.`; the right edge is the front."""
    _context: ShapeContext

    def update(self) -> None:
        """Act in a turn while the shape lives: call at most one major action."""
        raise NotImplementedError(f"{type(self).__name__} needs a method update(self)")

    def die(self) -> None:
        """Act in the shape's last turn."""
        raise NotImplementedError(f"{type(self).__name__} needs a method die(self)")

    # -- major actions: one in a turn (rules 5.2) ---------------------------------------------

    def move(self, direction: str) -> None:
        """Begin or continue to move one cell "forward", "backward", "left" or "right"."""
        self._set_command(f"move {one_of(direction, SIDES, 'move')}")

    def turn(self, direction: str) -> None:
        """Begin or continue a quarter turn, "cw" or "ccw"."""
        self._set_command(f"turn {one_of(direction, TURNS, 'turn')}")

    def attack(self, direction: str) -> None:
        """Attack whatever is in the lane "forward", "backward", "left" or "right"."""
        self._set_command(f"attack {one_of(direction, SIDES, 'attack')}")

    def rest(self) -> None:
        """Do nothing, and cancel a pending move."""
        self._set_command("rest")

    def capture(self) -> None:
        """Capture the enemy's flag, beside its home; taking no action continues it (rules 6.13)."""
        self._set_command("capture")

    def suicide(self) -> None:
        """Die: in the next turn `die` is called instead of `update`."""
        self._set_command("suicide")

    def _set_command(self, command: str) -> None:
        context = self._context
        if context.action is not None:
            raise BadAction(f"{command}: this turn it has the action '{context.action}' already")
        context.action = command

    # -- free actions (rules 5.1) -------------------------------------------------------------

    def broadcast(self, message: str) -> None:
        """Send a message to all shapes around, friend and enemy; they can read it next turn."""
        context, message = self._context, from_numpy(message)
        why = why_not_broadcast(message, context.settings)
        most = context.settings.broadcasts_per_turn
        if why is None and len(context.messages) >= most:
            why = f"broadcasts in a turn are limited to {most}"
        if why is not None:
            raise BadAction(f"broadcast: {why}")
        context.messages.append(message)

    def receive(self) -> list[str]:
        """Return the messages not read yet, sorted; they do not say who sent them."""
        return self._context.receive()

    def location(self) -> Cell:
        """Return the shape's upper left corner, relative to that of your home (rules 5.6)."""
        context = self._context
        (u, v), home = context.corner, context.perception.home
        return u - home.u, v - home.v

    def see(self, u: int, v: int) -> str | None:
        """Return what is on a cell; None if it is out of sight or not on the grid.

        `.` nothing, `f` friendly, `h` hostile, `x` a body, `F` your home, `H` the enemy's.
        """
        return self._context.see(*cell_of(u, v))

    def look(self) -> View:
        """Return everything in sight at once, read-only: what `see` returns for each cell.

        `view = self.look()`: `view.rows` are texts, the first of row `view.v` with its first
        letter for column `view.u`; a blank is out of sight. `view.at(u, v)` is `self.see(u, v)`.
        """
        return self._context.look()

    def seen(self, what: str) -> list[Cell]:
        """Return all cells in sight with an `f`, `h` or `x`, the nearest first."""
        return self._context.seen(one_of(what, ("f", "h", "x"), "seen"))

    def touches(self, home: Home) -> bool:
        """Return whether it is in contact with a home, to capture or deliver (rules 6.12)."""
        return not home.edge.isdisjoint(self.cells)

    # -- what it knows of itself (rules 5.9) --------------------------------------------------

    @property
    def now(self) -> int:
        """The turn that is being played, from 1."""
        return self._context.turn

    @property
    def name(self) -> str:
        """The name of its type: that of the class."""
        return self._context.type.name

    @property
    def cells(self) -> list[Cell]:
        """The cells it is on."""
        return self._context.cells

    def cells_after(self, turn: str) -> list[Cell]:
        """Return the cells it would be on after a turn "cw" or "ccw", whatever is there now."""
        is_cw = one_of(turn, TURNS, "cells_after") == "cw"
        return self._context.cells_after(1 if is_cw else -1)

    @property
    def anchor(self) -> Cell:
        """The cell it sees and hears from: the middle of its bounding box (rules 5.7)."""
        return self._context.anchor

    @property
    def heading(self) -> str:
        """The direction of its front: "E" is towards the enemy, "S" down, "W" back, "N" up."""
        return self._context.heading

    @property
    def hp(self) -> int:
        """Its hit points now."""
        return self._context.shape.hp

    @property
    def max_hp(self) -> int:
        """Its hit points at the start, and the most it can have."""
        return self._context.max_hp

    @property
    def size(self) -> int:
        """The number of its cells."""
        return self._context.geometry.size

    @property
    def speed(self) -> int:
        """Turns per move: 1 is fastest."""
        return self._context.geometry.speed

    @property
    def range(self) -> int:
        """The number of cells that an attack reaches."""
        return self._context.range

    @property
    def pending(self) -> str | None:
        """The move or turn under way, such as "move forward"; None if there is none."""
        pending = self._context.shape.pending
        return None if pending is None else str(pending)

    @property
    def progress(self) -> int:
        """The turns done of the pending move; it happens when they are `speed`."""
        return self._context.progress

    @property
    def cooldown(self) -> int:
        """The turns until it may attack; 0: now."""
        return self._context.cooldown

    @property
    def capture_progress(self) -> int:
        """The turns done of a capture."""
        return self._context.capture_progress

    @property
    def has_flag(self) -> bool:
        """Return whether it holds an enemy's flag."""
        return self._context.has_flag

    def strength(self, direction: str) -> int:
        """Return the strength of its attack to that side now (rules 4.3)."""
        return self._context.strength(SIDES.index(one_of(direction, SIDES, "strength")))

    def defense(self, direction: str) -> int:
        """Return the strength of its defense on that side now (rules 4.4)."""
        return self._context.defense(SIDES.index(one_of(direction, SIDES, "defense")))

    # -- what it knows of the grid ------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        """The numbers of this match's rules: `width`, `height`, `sight` and so on."""
        return self._context.settings

    @property
    def home(self) -> Home:
        """Your home: `u`, `v`, `width`, `height`."""
        return self._context.perception.home

    @property
    def enemy_home(self) -> Home:
        """The enemy's home: of several, that of the one opposite, or the next that is not out."""
        return self._context.perception.enemy_home

    @property
    def enemies(self) -> tuple[OtherTeam, ...]:
        """All enemies, clockwise from your seat: `home` and `is_defeated` of each."""
        return self._context.perception.enemies

    @property
    def partners(self) -> tuple[OtherTeam, ...]:
        """Those who play together with you, likewise; none unless the match has groups."""
        return self._context.perception.partners

    @property
    def limits(self) -> Limits:
        """Resource limits: `limits.cpu_ms` is the CPU time for a turn of this shape, and so on."""
        return self._context.perception.limits

    # -- for those who watch ------------------------------------------------------------------

    @property
    def draw(self) -> Draw:
        """Draws on the grid for those who watch: `self.draw.line(u, v, u2, v2, key="plan")`."""
        return self._context.notes.draw

    @property
    def log(self) -> Log:
        """Logs lines for those who watch: `self.log.info("lost")`."""
        return self._context.notes.log


class BasePlayer:
    """The designer of an army: a bot file holds a class `Player(BasePlayer)` with a `design`."""

    limits: Limits
    """Resource limits of the design."""
    enemies: tuple[OtherTeam, ...]
    """All enemies, clockwise from your seat: `home` of each; between two teams there is one."""
    partners: tuple[OtherTeam, ...] = ()
    """Those who play together with you, likewise; none unless the match has groups."""
    settings: Settings
    home: Home
    enemy_home: Home
    placed: list[tuple[type[Shape], int, int]]
    """The shapes placed so far: class, u, v."""
    draw: Draw = NOBODY_RECORDS.draw
    """Draws on the board for those who watch: `self.draw.rect(u, v, 4, 3, key="plan")`."""
    log: Log = NOBODY_RECORDS.log
    """Logs lines for those who watch: `self.log.info("hungry")`."""
    _note_taker: NoteTaker = NOBODY_RECORDS

    def __init__(self, settings: Settings, home: Home, enemy_home: Home) -> None:
        """Keep all three; your own `__init__` passes them on to `super().__init__`."""
        self.settings = settings
        """The numbers of this match's rules."""
        self.home = home
        """Your home, in your frame."""
        self.enemy_home = enemy_home
        """The home of the enemy: among four, of the one opposite."""
        self.placed = []
        self._taken = set[Cell]()
        """The cells of the shapes that `fits` has looked at so far: the first ones of `placed`."""
        self._looked_at = 0

    @property
    def zone_rows(self) -> range:
        """The rows in which shapes may be placed: among four teams, not those of the corners."""
        return self.settings.zone_rows(self._teams)

    @abstractmethod
    def design(self) -> None:
        """Place the army: `self.place(Wall, u, v)` for each shape. Called once, first of all."""
        raise NotImplementedError("a Player needs a method design(self)")

    def fits(self, kind: type[Shape], u: int, v: int) -> bool:
        """Return whether `self.place(kind, u, v)` is legal after what was placed so far.

        All cells are in the zone, none is on the home or on another shape, and all shapes together
        have no more cells than `settings.max_cells` (rules 3.3).
        """
        for other, column, row in self.placed[self._looked_at :]:
            self._taken.update((column + du, row + dv) for du, dv in drawing_cells(other.drawing))
        self._looked_at = len(self.placed)
        cells = {(u + du, v + dv) for du, dv in drawing_cells(kind.drawing)}
        return (
            0 < len(cells) <= self.settings.max_cells - len(self._taken)
            and self._taken.isdisjoint(cells)
            and all(self._zone.why_not(cell) is None for cell in cells)
        )

    def place_near(self, kind: type[Shape], u: int, v: int) -> bool:
        """Place a shape at the nearest place where it `fits`; return False if none is near.

        So an army that is laid out around its home stands wherever the home lies. The nearest to a
        place outside the zone is at its edge.
        """
        cells = drawing_cells(kind.drawing)
        if not cells:
            return False
        width, height = (max(numbers) + 1 for numbers in zip(*cells, strict=True))
        u = max(0, min(u, self.settings.zone_width - width))
        v = max(self.zone_rows.start, min(v, self.zone_rows.stop - height))
        for du, dv in NEARBY:
            if self.fits(kind, u + du, v + dv):
                self.place(kind, u + du, v + dv)
                return True
            if len(cells) > self.settings.max_cells - len(self._taken):
                return False  # and need not look at all those places
        return False

    @property
    def _teams(self) -> int:
        return 1 + len(self.partners) + len(self.enemies)

    @cached_property
    def _zone(self) -> Zone:
        return Zone(self.settings, self.home.v, self._teams)

    def place(self, kind: type[Shape], u: int, v: int) -> None:
        """Place a shape of this class, the upper left corner of its drawing at the cell (u, v)."""
        where = f"placement {len(self.placed) + 1}"
        if not (isinstance(kind, type) and issubclass(kind, Shape)):
            raise BadDesign(f"{where}: {kind!r:.60} is not a class derived from Shape")
        column, row = as_whole_number(u), as_whole_number(v)
        if column is None or row is None:
            wrong = u if column is None else v
            raise BadDesign(
                f"{where} ({kind.__name__}): a cell has whole numbers, not {wrong!r:.60}"
            )
        self.placed.append((kind, column, row))


@lru_cache(maxsize=64)
def drawing_cells(drawing: str) -> tuple[Cell, ...]:
    """Return the cells of a drawing whose upper left corner is at (0, 0)."""
    return tuple(cells_from(parse_rows(drawing), 0, 0))


def one_of(word: object, choices: tuple[str, ...], what: str) -> str:
    """Return a word if it is one of these. Raises: BadAction, naming them."""
    if word not in choices:
        raise BadAction(f"{what} {word!r:.40}: expected one of {', '.join(choices)}")
    return str(word)
