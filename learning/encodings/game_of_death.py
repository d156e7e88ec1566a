"""The Game of Death in arrays: an agent per shape, which sees what its shape sees.

The designs are given before, or are those of the default army; agents do not broadcast.

Drawings and the number of shapes follow from the settings; only the rows that the home leaves
free are known later, when its row was drawn.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from engine.game import AnyGame, Ask, Refusal
from engine.games.game_of_death.geometry import HEADINGS
from engine.games.game_of_death.orders import Command
from engine.games.game_of_death.perception import (
    BODY,
    ENEMY_HOME,
    FRIEND,
    HOSTILE,
    NOTHING,
    OWN_HOME,
    TeamPerception,
)
from engine.games.game_of_death.pieces import make_shape_id, piece_team
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.shape_context import ShapeContext
from engine.games.game_of_death.state import Battle
from learning.encoding import Array, Choice, Encoding, ListedChoice, Observation, as_numbers

LETTERS = (FRIEND, HOSTILE, BODY, NOTHING, OWN_HOME, ENEMY_HOME)
OWN_CELLS = len(LETTERS)
DEFAULT_SHAPES = 10
"""As many as the template's army has, if there is room."""
DEFAULT_SIZE = 4
"""The cells of a shape, if that is allowed: 2 by 2 like the template's."""
HEIGHT = 2
STRIDE = HEIGHT + 1
"""A row stays free between two shapes, so that each can move by itself."""


class GameOfDeathEncoding(Encoding[Battle]):
    """Planes of (2 sight + 1) by (2 sight + 1) cells, in the frame of the team (rules 2.3).

    The shape's anchor is in the middle; what is beyond its sight or off the grid is 0 on all
    planes. Action n is the nth command of `Command`, in its order.
    """

    planes = (
        *("friends' cells, the own ones among them: 1", "hostile cells: 1", "bodies: 1"),
        *("empty cells: 1", "own home: 1", "enemies' homes: 1", "cells of the shape itself: 1"),
    )
    numbers = (
        *("turn, from 1", "turns left", "the team, from 1"),
        *("column of the anchor, cells", "row of the anchor, cells"),
        *("hp", "max hp", "cells of the shape", "range of its attacks, cells"),
        *(f"1 if it heads {heading}" for heading in HEADINGS),
        *(f"strength of an attack on side {side}, hp" for side in range(4)),
        *(f"defense of side {side}, hp" for side in range(4)),
        *("turns until it can attack", "turns its move or turn is under way"),
        *("turns it has been capturing", "1 if it has a flag", "1 if it is dying"),
    )
    actions = len(Command)

    options = frozenset({"designs"})
    is_simultaneous = True

    def __init__(
        self, game: AnyGame, settings: Settings, teams: int, designs: Sequence[object] = ()
    ) -> None:
        """`designs`: that of each team, as plain data: what a bot's answer would be (rules 3)."""
        super().__init__(game, settings, teams)
        if designs and len(designs) != teams:
            raise ValueError(f"designs: expected {teams}, one for each team, not {len(designs)}")
        self._designs = designs
        self._default = None if designs else DefaultArmy(settings, teams)
        self.rows = self.columns = 2 * settings.sight + 1
        self._choice = ListedChoice(dict(enumerate(Command)))
        self._perceptions: dict[int, TeamPerception] = {}
        self._contexts: dict[int, ShapeContext] = {}

    def __getstate__(self) -> dict[str, object]:
        """Leave out the shapes' contexts, which cannot be pickled and are made when needed."""
        return {**self.__dict__, "_contexts": {}}

    @property
    def agents(self) -> list[str]:
        ids = [
            make_shape_id(team, number, self.teams)
            for team in range(1, self.teams + 1)
            for number in range(1, self._count_shapes(team) + 1)
        ]
        return [f"shape_{shape_id}" for shape_id in sorted(ids)]

    def agent_name(self, ask: Ask) -> str:
        return f"shape_{ask.piece_id}"

    def agent_team(self, agent: str) -> int:
        return piece_team(_parse_shape_id(agent), self.teams)

    def prepare(self, known: dict[int, Battle]) -> None:
        limits = self.game.limits
        self._perceptions = {
            team: TeamPerception(battle, team, limits) for team, battle in known.items()
        }
        self._contexts = {}

    def own_order(self, state: Battle, ask: Ask) -> object:
        """Return the design of a team. Raises: ValueError if it is not legal in this match."""
        if ask.piece_id:
            return None
        assert state.home_v is not None
        default = self._default
        answer = default.design(state.home_v) if default else self._designs[ask.team - 1]
        design = self.game.check(state, ask, answer)
        if isinstance(design, Refusal):
            raise ValueError(f"designs: that of team {ask.team} is not legal: {design.reason}")
        return design

    def choice(self, known: Battle, ask: Ask) -> Choice:
        return self._choice

    def observe(
        self, known: Battle, agent: str, ask: Ask | None, choice: Choice | None
    ) -> Observation:
        shape = known.shapes.get(_parse_shape_id(agent))
        if shape is None:  # it is gone
            return Observation(self.new_planes(), as_numbers(*[0] * len(self.numbers)))
        perception = self._perceptions[self.agent_team(agent)]
        perception.update()
        context = self._contexts.get(shape.id)
        if context is None:
            context = self._contexts[shape.id] = ShapeContext(perception, shape.id)
        context.start_turn(shape)
        return Observation(self._encode_planes(context), self._encode_numbers(known, context))

    def _count_shapes(self, team: int) -> int:
        """Return with how many shapes a team begins."""
        return self._default.shapes if self._default else _shapes_in(self._designs[team - 1])

    def _encode_planes(self, context: ShapeContext) -> Array:
        planes, sight = self.new_planes(), self.settings.sight
        (u, v), view = context.anchor, context.look()
        left, top = u - sight, v - sight
        for plane, letter in zip(planes, LETTERS, strict=False):
            for across, down in view.cells(letter):
                plane[down - top, across - left] = 1
        for across, down in context.cells:
            if 0 <= down - top < self.rows and 0 <= across - left < self.columns:
                planes[OWN_CELLS, down - top, across - left] = 1
        return planes

    def _encode_numbers(self, known: Battle, context: ShapeContext) -> Array:
        shape = context.shape
        return as_numbers(
            *(known.turn, self.settings.max_turns - known.turn, self.agent_team(f"_{shape.id}")),
            *context.anchor,
            *(shape.hp, context.max_hp, context.geometry.size, context.range),
            *(context.heading == heading for heading in HEADINGS),
            *(context.strength(side) for side in range(4)),
            *(context.defense(side) for side in range(4)),
            *(context.cooldown, context.progress, context.capture_progress),
            *(context.has_flag, bool(shape.dying_since)),
        )


def _parse_shape_id(agent: str) -> int:
    return int(agent.rpartition("_")[2])


def _shapes_in(design: Any) -> int:
    """Return the number of shapes of a design, right or wrong."""
    try:
        return len(design["placements"])
    except (TypeError, KeyError) as error:
        raise ValueError(
            f"designs: expected an object with types and placements, not {design!r:.60}"
        ) from error


class DefaultArmy:
    """The same army for each team, which can be placed wherever the home is."""

    def __init__(self, settings: Settings, teams: int) -> None:
        """Raises: ValueError if there is no room for a single shape."""
        self._settings = settings
        self._size = min(max(DEFAULT_SIZE, settings.min_shape_size), settings.max_shape_size)
        self._width = -(-self._size // HEIGHT)
        self._left = max(0, settings.zone_width - self._width - 1)  # as the template's: a step back
        rows = settings.zone_rows(teams)
        middle = (rows.start + rows.stop - HEIGHT) // 2
        tops = range(rows.start + (middle - rows.start) % STRIDE, rows.stop - HEIGHT + 1, STRIDE)
        self._tops = sorted(tops, key=lambda top: (abs(top - middle), top))
        room = len(self._tops) - self._most_taken_by_a_home()
        self.shapes = min(DEFAULT_SHAPES, settings.max_cells // self._size, room)
        """How many there are in each team."""
        if self.shapes < 1 or self._width > settings.zone_width:
            raise ValueError(
                "designs: these settings leave no room for the default army; expected the design "
                "of each team"
            )

    def design(self, home_v: int) -> dict[str, object]:
        """Return the design, as a bot would answer it, where the home begins in this row."""
        first = "#" * self._width
        second = "#" * (self._size - self._width)
        tops = sorted([*self._free_tops(home_v)][: self.shapes])
        return {
            "types": [["Soldier", [first, second]]],
            "placements": [[0, self._left, top] for top in tops],
        }

    def _free_tops(self, home_v: int) -> Iterator[int]:
        """Yield the upper rows of shapes that are not on the home, from the middle outwards."""
        last = home_v + self._settings.home_height
        for top in self._tops:
            if not self._is_in_columns_of_home() or top + HEIGHT <= home_v or top >= last:
                yield top

    def _is_in_columns_of_home(self) -> bool:
        first = self._settings.home_u
        right = self._left + self._width
        return self._left < first + self._settings.home_width and right > first

    def _most_taken_by_a_home(self) -> int:
        """Return how many of the places a home can be on, in the worst row."""
        if not self._is_in_columns_of_home():
            return 0
        return -(-(self._settings.home_height + HEIGHT - 1) // STRIDE)
