"""The worker's end of an army: its design first, then a turn of one shape after the other."""

import sys
from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction
from textwrap import dedent
from typing import Any

from engine.bots.limits import Limits
from engine.bots.loading import FreshCopies
from engine.games.game_of_death.flag_runner import FlagRunner
from engine.games.game_of_death.mind import Mind
from engine.games.game_of_death.player import BadDesign, BasePlayer, Shape
from engine.games.game_of_death.senses import Home, Senses
from engine.games.game_of_death.soldier import Soldier
from engine.games.game_of_death.sources import source_of
from engine.games.game_of_death.state import Battle

FOR_BOTS = (Soldier, FlagRunner)
"""What they may import besides; where they do, no file of ours can be read any more."""


class ArmyHost:
    """Makes the player for its design, and each shape from a copy of the bot's own files."""

    def __init__(self, player: type[BasePlayer], battle: Battle, team: int, limits: Limits) -> None:
        self._kind = player
        self._battle = battle
        self._team = team
        self._limits = limits
        self._senses: Senses | None = None
        self._shapes: dict[int, Shape] = {}
        self._copies = FreshCopies(player.__module__)
        names = [cls.__module__ for cls in player.__mro__ if issubclass(cls, BasePlayer)]
        self._modules = {name: sys.modules[name] for name in names[:-1]}  # the last is BasePlayer
        """Where classes of shapes are looked for: in the file of `Player`, or of what it is."""
        player.limits = limits

    def decide(self, about: int, view: None) -> Any:
        """The design, or what a shape does."""
        if self._senses is None:
            self._senses = Senses(self._battle, self._team, self._limits)
        if not about:
            return self._design(*self._senses.homes)
        self._senses.look()
        state = self._battle.shapes[about]
        shape = self._shapes.get(about)
        if shape is None:
            shape = self._awaken(about)
        mind = shape._mind  # noqa: SLF001 - out of the way of its author's names
        mind.begin(state)
        if state.dying_since:
            shape.die()
        else:
            shape.update()
        return mind.answer

    def place(self, about: int) -> str:
        if not about:
            return "design"
        return f"turn {self._battle.turn}, shape {about}"

    def _design(self, home: Home, enemy_home: Home) -> dict[str, Any]:
        player = self._kind(self._battle.settings, home, enemy_home)
        player.design()
        kinds: dict[type[Shape], int] = {}
        for kind, _, _ in player.placed:
            kinds.setdefault(kind, len(kinds))
        return {
            "types": [self._drawn(kind) for kind in kinds],
            "placements": [(kinds[kind], u, v) for kind, u, v in player.placed],
        }

    def _drawn(self, kind: type[Shape]) -> tuple[str, list[str], str]:
        self._require_whole(kind)
        return kind.__name__, rows_of(kind.drawing), source_of(kind, Shape)

    def _require_whole(self, kind: type[Shape]) -> None:
        """Raises: BadDesign if a shape of this class could not be made or asked (rules 3.5)."""
        name = kind.__name__
        for method in ("update", "die"):
            own = getattr(kind, method)
            if own is getattr(Shape, method) or not callable(own):
                raise BadDesign(f"class {name}: needs a method {method}(self)")
            if iscoroutinefunction(own) or isgeneratorfunction(own) or isasyncgenfunction(own):
                raise BadDesign(
                    f"class {name}: {method} has a yield, or is async, and so does nothing when "
                    "it is called; make it a plain method"
                )
        if not isinstance(kind.drawing, str):
            raise BadDesign(f"class {name}: drawing must be a text, not {kind.drawing!r:.60}")
        if all(getattr(module, name, None) is not kind for module in self._modules.values()):
            raise BadDesign(f"class {name}: must stand in the file of Player, under this name")

    def _awaken(self, shape_id: int) -> Shape:
        """An object for a shape; nothing it can reach by its code is another shape's."""
        assert self._senses is not None
        mind = Mind(self._senses, shape_id)
        self._copies.make()
        kind = self._kind_named(mind.type.name)
        shape = kind.__new__(kind)
        shape._mind = mind  # noqa: SLF001
        shape.__init__()  # type: ignore[misc]
        self._shapes[shape_id] = shape
        return shape

    def _kind_named(self, name: str) -> type[Shape]:
        """In the copy that was made last. Raises: LookupError if it defines no such class."""
        copies = [sys.modules.get(module) for module in self._modules]
        found = [getattr(copy, name) for copy in copies if hasattr(copy, name)]
        if not found:
            raise LookupError(f"class {name} is gone: the file does not always define the same")
        kind: type[Shape] = found[0]
        return kind


def rows_of(drawing: str) -> list[str]:
    """The lines of a drawing, without what the source text around it needs."""
    lines = dedent(drawing).splitlines()
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    return [line.rstrip() for line in lines]
