"""What one shape knows, and what it will do this turn (in the worker)."""

from functools import cached_property
from math import isqrt

from msgspec.structs import replace

from engine.bot_output_api import NOBODY_RECORDS, NoteTaker
from engine.games.game_of_death.frames import Rectangle
from engine.games.game_of_death.geometry import (
    HEADINGS,
    Cell,
    Geometry,
    compute_attack,
    compute_defense,
)
from engine.games.game_of_death.perception import TeamPerception, View
from engine.games.game_of_death.pieces import Shape, ShapeType, shape_number
from engine.games.game_of_death.settings import Settings


class ShapeContext:
    """The state behind a `Shape`: what it perceives, has read, and does this turn."""

    shape: Shape

    def __init__(
        self, perception: TeamPerception, shape_id: int, notes: NoteTaker = NOBODY_RECORDS
    ) -> None:
        battle = perception.battle
        self.shape = battle.shapes[shape_id]
        self.settings: Settings = battle.settings
        self.notes = notes
        self.type: ShapeType = battle.piece_type(self.shape)
        self.geometry: Geometry = battle.geometry(self.shape)
        self.max_hp = battle.max_hp(self.shape)
        self.range = battle.settings.range_factor * self.geometry.size
        self.action: str | None = None
        self.messages: list[str] = []
        self.perception = perception
        self._number = shape_number(shape_id, battle.teams)
        self._read = 0
        """The number of turns whose broadcasts it has read."""
        self.start_turn(self.shape)

    def start_turn(self, shape: Shape) -> None:
        """Begin a turn, in which this is the shape."""
        self.shape = shape
        self.action = None
        self.messages = []
        self._seen: dict[str, list[Cell]] = {}
        """Cells in sight by letter, nearest first, as far as asked for."""
        for name in ONCE_A_TURN:
            self.__dict__.pop(name, None)

    @property
    def answer(self) -> str | list[object] | None:
        """The answer for the engine: the action, with broadcasts if there are any."""
        return [self.action or "continue", self.messages] if self.messages else self.action

    # -- perception ---------------------------------------------------------------------------

    def receive(self) -> list[str]:
        batches = self.perception.batches
        new = [text for batch in batches[self._read :] for text in batch.for_shape(self._number)]
        self._read = len(batches)
        return sorted(new)

    def see(self, u: int, v: int) -> str | None:
        settings = self.settings
        au, av = self.anchor
        if (u - au) ** 2 + (v - av) ** 2 > settings.sight**2:
            return None
        if not (0 <= u < settings.width and 0 <= v < settings.height):
            return None
        x, y = self.perception.world.turn_cell((u, v))
        return self.perception.at(y * settings.width + x)

    def line(self, cell: Cell, step: Cell, count: int) -> str:
        """Return what is on at most so many cells of a line, up to the first one out of sight."""
        (u, v), (au, av), (du, dv) = cell, self.anchor, step
        across, along = (v - av, (u - au) * du) if du else (u - au, (v - av) * dv)
        half = self.settings.sight**2 - across**2
        far = isqrt(half) if half >= 0 else -1
        if not -far <= along <= far:
            return ""
        return self.perception.line(cell, step, min(count, far - along + 1))

    def look(self) -> View:
        return self._view

    @cached_property
    def _view(self) -> View:
        return self.perception.view(self.anchor)

    def seen(self, what: str) -> list[Cell]:
        seen = self._seen
        if what not in seen:
            seen[what] = self.perception.cells_around(self.anchor, what)
        return seen[what].copy()

    # -- itself -------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        return self.perception.battle.turn

    @cached_property
    def corner(self) -> Cell:
        """The upper left cell of its bounding box."""
        shape, outline = self.shape, self.perception.battle.outline(self.shape)
        box = Rectangle(shape.x, shape.y, outline.width, outline.height)
        return self.perception.frame.box(box)[:2]

    @cached_property
    def anchor(self) -> Cell:
        return self.perception.frame.turn_cell(self.perception.battle.anchor(self.shape))

    @property
    def cells(self) -> list[Cell]:
        return self._sorted_cells.copy()

    @cached_property
    def _sorted_cells(self) -> list[Cell]:
        turned = self.perception.frame.turn_cell
        return sorted(turned(cell) for cell in self.perception.battle.cells(self.shape))

    def cells_after(self, quarters: int) -> list[Cell]:
        """Return its cells after a quarter turn, 1 clockwise or -1 (rules 6.11)."""
        battle, shape = self.perception.battle, self.shape
        x, y = battle.corner_after_turn(shape)
        after = replace(shape, x=x, y=y, facing=(shape.facing + quarters) % len(HEADINGS))
        return sorted(map(self.perception.frame.turn_cell, battle.cells(after)))

    @property
    def heading(self) -> str:
        return HEADINGS[(self.shape.facing - self.perception.frame.quarters) % 4]

    @property
    def progress(self) -> int:
        # Since-when, not how-long: a counter would be an event per shape and turn.
        since = self.shape.pending_since
        return self.turn - since if since else 0

    @property
    def cooldown(self) -> int:
        attacked = self.shape.attacked
        ready = attacked + self.settings.attack_gap + 1 if attacked else 0
        return max(0, ready - self.turn)

    @property
    def capture_progress(self) -> int:
        since = self.shape.capturing_since
        return self.turn - since if since else 0

    @property
    def has_flag(self) -> bool:
        return self.shape.id in self.perception.battle.bearers

    def strength(self, side: int) -> int:
        return compute_attack(self.geometry.sides[side], self.shape.hp, self.max_hp)

    def defense(self, side: int) -> int:
        return compute_defense(self.geometry.sides[side], self.shape.hp, self.max_hp)


ONCE_A_TURN = tuple(
    name for name, member in vars(ShapeContext).items() if isinstance(member, cached_property)
)
"""What is computed once per turn, in the frame of the player, when it is asked for."""
