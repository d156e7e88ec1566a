"""The worker's side of an army: first its design, then the turns of its shapes."""

import sys
from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction

import msgspec

from engine.bot_modules import FreshCopies
from engine.games.game_of_death.behaviors import BEHAVIORS
from engine.games.game_of_death.designs import parse_rows
from engine.games.game_of_death.disclosure import class_source
from engine.games.game_of_death.flag_runner import FlagRunner
from engine.games.game_of_death.lone_shapes import LoneView, apply_lone_view
from engine.games.game_of_death.perception import TeamPerception
from engine.games.game_of_death.player import BadDesign, BasePlayer, Shape
from engine.games.game_of_death.shape_context import ShapeContext
from engine.games.game_of_death.soldier import Soldier
from engine.games.game_of_death.state import Battle
from engine.limits import Limits
from engine.signatures import own_method, why_not_callable

FOR_BOTS = (Soldier, FlagRunner, *BEHAVIORS.values())
"""Base classes that bots may import; loaded here, as the sandbox bars reading files later."""


class ArmyHost:
    """Calls the player for its design, and makes each shape from a copy of the bot's files."""

    def __init__(self, player: type[BasePlayer], battle: Battle, team: int, limits: Limits) -> None:
        self._kind = player
        self._battle = battle
        self._team = team
        self._limits = limits
        self._perception: TeamPerception | None = None
        self._shapes: dict[int, Shape] = {}
        self._copies = FreshCopies(player.__module__)
        names = [cls.__module__ for cls in player.__mro__ if issubclass(cls, BasePlayer)]
        self._modules = {name: sys.modules[name] for name in names[:-1]}  # the last is BasePlayer
        """The modules in which classes of shapes are looked up: those of `Player` and its bases."""
        player.limits = limits
        self._notes = player._note_taker  # noqa: SLF001 - private, so that authors' names are free
        self._notes.draw.place = battle.frames[team - 1].inverse.turn_cell

    def decide(self, piece_id: int, view: object) -> object:
        """Return the design, or a shape's action; a shape alone is shown what it may know."""
        if self._perception is None:
            self._perception = TeamPerception(self._battle, self._team, self._limits)
        if not piece_id:
            return self._ask_for_design(self._perception)
        if view is not None:
            known = msgspec.convert(view, LoneView)
            apply_lone_view(self._battle, known)
            self._perception.friendly = known.friendly
        self._perception.update()
        state = self._battle.shapes[piece_id]
        shape = self._shapes.get(piece_id)
        if shape is None:
            shape = self._create_shape(piece_id)
        context = shape._context  # noqa: SLF001 - private, so that authors' names are free
        context.start_turn(state)
        if state.dying_since:
            shape.die()
        else:
            shape.update()
        return context.answer

    def place(self, piece_id: int) -> str:
        if not piece_id:
            return "design"
        return f"turn {self._battle.turn}, shape {piece_id}"

    def _ask_for_design(self, perception: TeamPerception) -> dict[str, object]:
        self._kind.enemies, self._kind.partners = perception.enemies, perception.partners
        player = self._kind(self._battle.settings, perception.home, perception.enemy_home)
        player.design()
        kinds: dict[type[Shape], int] = {}
        for kind, _, _ in player.placed:
            kinds.setdefault(kind, len(kinds))
        return {
            "types": [self._describe_type(kind) for kind in kinds],
            "placements": [(kinds[kind], u, v) for kind, u, v in player.placed],
        }

    def _describe_type(self, kind: type[Shape]) -> tuple[str, list[str], str]:
        self._require_whole(kind)
        return kind.__name__, parse_rows(kind.drawing), class_source(kind, Shape)

    def _require_whole(self, kind: type[Shape]) -> None:
        """Check that shapes of a class can be made and asked (rules 3.5). Raises: BadDesign."""
        name = kind.__name__
        for method in ("update", "die"):
            own = getattr(kind, method)
            if own is getattr(Shape, method) or not callable(own):
                raise BadDesign(f"class {name}: needs a method {method}(self)")
            why = why_not_callable(own_method(kind, method), getattr(Shape, method))
            if why:
                raise BadDesign(f"class {name}, line {own.__code__.co_firstlineno}: {why}")
            if iscoroutinefunction(own) or isgeneratorfunction(own) or isasyncgenfunction(own):
                raise BadDesign(
                    f"class {name}: {method} has a yield, or is async, and so does nothing when "
                    "it is called; make it a plain method"
                )
        if not isinstance(kind.drawing, str):
            raise BadDesign(f"class {name}: drawing must be a text, not {kind.drawing!r:.60}")
        if all(getattr(module, name, None) is not kind for module in self._modules.values()):
            raise BadDesign(f"class {name}: must stand in the file of Player, under this name")

    def _create_shape(self, shape_id: int) -> Shape:
        """Make the object of a shape, from a fresh copy of the bot's modules (rules 3.4)."""
        assert self._perception is not None
        context = ShapeContext(self._perception, shape_id, self._notes)
        self._copies.make()
        kind = self._find_class(context.type.name)
        # Not `kind()`: an author's `__init__` may already use what is behind `_context`.
        shape = kind.__new__(kind)
        shape._context = context  # noqa: SLF001
        shape.__init__()  # type: ignore[misc]
        self._shapes[shape_id] = shape
        return shape

    def _find_class(self, name: str) -> type[Shape]:
        """Return a class of the newest copy. Raises: LookupError if it is not defined there."""
        copies = [sys.modules.get(module) for module in self._modules]
        found = [getattr(copy, name) for copy in copies if hasattr(copy, name)]
        if not found:
            raise LookupError(f"class {name} is gone: the file does not always define the same")
        kind: type[Shape] = found[0]
        return kind
