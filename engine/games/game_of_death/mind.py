"""What one shape knows, and what it is about to do (in the worker)."""

from functools import cached_property

from msgspec.structs import replace

from engine.bots.limits import Limits
from engine.games.game_of_death.forms import HEADINGS, Cell, Form, attack_of, defense_of
from engine.games.game_of_death.pieces import Shape, ShapeType, number_of, team_of
from engine.games.game_of_death.senses import Senses
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.state import Box, turned_corner


class Moment:
    """Where a shape is in one turn, in its player's frame; worked out when it is asked for."""

    def __init__(self, senses: Senses, shape: Shape) -> None:
        self._senses = senses
        self._shape = shape
        self.seen: dict[str, list[Cell]] = {}
        """What it was asked for already, by what it is."""

    @cached_property
    def box(self) -> Box:
        """Its bounding box."""
        shape, outline = self._shape, self._senses.battle.outline(self._shape)
        return self._senses.frame.box(Box(shape.x, shape.y, outline.width, outline.height))

    @cached_property
    def anchor(self) -> Cell:
        return self._senses.frame.turned(self._senses.battle.anchor(self._shape))


class Mind:
    """One shape's share of its team's senses, what it has read, and what it does this turn."""

    shape: Shape
    _moment: Moment

    def __init__(self, senses: Senses, shape_id: int) -> None:
        battle = senses.battle
        self.shape = battle.shapes[shape_id]
        self.settings: Settings = battle.settings
        self.limits: Limits = senses.limits
        self.homes = senses.homes
        self.type: ShapeType = battle.type_of(self.shape)
        self.form: Form = battle.form(self.shape)
        self.max_hp = battle.max_hp(self.shape)
        self.range = battle.settings.range_factor * self.form.size
        self.deed: str | None = None
        self.said: list[str] = []
        self._senses = senses
        self._number = number_of(shape_id)
        self._read = 0
        """How many batches of messages it has read."""
        self.begin(self.shape)

    def begin(self, shape: Shape) -> None:
        """A turn begins, and this is the shape now."""
        self.shape = shape
        self.deed = None
        self.said = []
        self._moment = Moment(self._senses, shape)

    @property
    def answer(self) -> str | list[object] | None:
        """What it does, for the engine."""
        return [self.deed or "continue", self.said] if self.said else self.deed

    # -- senses -------------------------------------------------------------------------------

    def receive(self) -> list[str]:
        batches = self._senses.batches
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
        x, y = self._senses.frame.turned((u, v))
        return self._senses.at(y * settings.width + x)

    def seen(self, what: str) -> list[Cell]:
        seen = self._moment.seen
        if what not in seen:
            reach = self.settings.sight**2
            au, av = self.anchor
            all_of_them = [
                ((u - au) ** 2 + (v - av) ** 2, u, v) for u, v in self._senses.cells(what)
            ]
            found = sorted(each for each in all_of_them if each[0] <= reach)
            seen[what] = [(u, v) for _, u, v in found]
        return seen[what].copy()

    # -- itself -------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        return self._senses.battle.turn

    @property
    def corner(self) -> Cell:
        """The upper left of its bounding box."""
        box = self._moment.box
        return box.x, box.y

    @property
    def anchor(self) -> Cell:
        return self._moment.anchor

    @property
    def cells(self) -> list[Cell]:
        turned = self._senses.frame.turned
        return sorted(turned(cell) for cell in self._senses.battle.cells(self.shape))

    def cells_after(self, quarters: int) -> list[Cell]:
        """Where it would be after so many quarters clockwise: 1 or -1 (rules 6.11)."""
        battle, shape = self._senses.battle, self.shape
        x, y = turned_corner(shape.x, shape.y, team_of(shape.id), battle.outline(shape))
        after = replace(shape, x=x, y=y, facing=(shape.facing + quarters) % len(HEADINGS))
        return sorted(map(self._senses.frame.turned, battle.cells(after)))

    @property
    def heading(self) -> str:
        return HEADINGS[(self.shape.facing + 2 * self._senses.frame.is_turned) % 4]

    @property
    def progress(self) -> int:
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
        enemy = 3 - team_of(self.shape.id)
        return self._senses.battle.bearers[enemy - 1] == self.shape.id

    def strength(self, side: int) -> int:
        return attack_of(self.form.sides[side], self.shape.hp, self.max_hp)

    def defense(self, side: int) -> int:
        return defense_of(self.form.sides[side], self.shape.hp, self.max_hp)
