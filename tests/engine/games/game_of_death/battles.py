"""Battles made by hand, and turns of them."""

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.fault import Fault
from engine.game import Event
from engine.games.game_of_death import rules
from engine.games.game_of_death.events import Deployed, HomesPlaced
from engine.games.game_of_death.frames import Rectangle
from engine.games.game_of_death.geometry import make_geometry
from engine.games.game_of_death.orders import COMMANDS, Action, Command
from engine.games.game_of_death.pieces import Body, Shape, ShapeType, make_shape_id
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.state import Battle, new_battle

DOMINO, UPRIGHT, CORNER, BAR = "##", "#/#", "##/#.", "#####/#####"
BLOCK, PLUS, CLAMP, RING = "###/###/###", ".#./###/.#.", "###/#../###", "###/#.#/###"


def rows(drawing: str) -> tuple[str, ...]:
    return tuple(drawing.split("/"))


class Field:
    """A battle before its first turn; shapes are put where a test wants them.

    Places are those of the world, unless a shape is put by its frame.
    """

    def __init__(self, teams: int = 2, **numbers: Any) -> None:
        usual = {"home_row_drawn": False, "max_turns": 1_000}
        self.settings = Settings(**{**usual, **numbers})
        self.battle = new_battle(self.settings, teams)
        self.battle.apply(HomesPlaced(self.settings.home_v))
        self._types: dict[int, list[ShapeType]] = {team: [] for team in self.battle.all_teams}
        self._shapes: dict[int, list[Shape]] = {team: [] for team in self.battle.all_teams}
        self._bodies: list[Body] = []

    def put(self, team: int, drawing: str, x: int, y: int, **more: Any) -> int:
        """Put a shape with full hp that faces the enemy; `facing` is that of the world."""
        shapes, types = self._shapes[team], self._types[team]
        mask = rows(drawing)
        types.append(ShapeType(f"Type{len(types)}", mask, "code", 1))
        shape = Shape(
            make_shape_id(team, len(shapes) + 1, self.battle.teams),
            len(types) - 1,
            x,
            y,
            facing=self.battle.frames[team - 1].quarters,
            hp=self.settings.hp_factor * make_geometry(mask).size,
        )
        shapes.append(msgspec.structs.replace(shape, **more))
        return shape.id

    def put_in_frame(self, team: int, drawing: str, u: int, v: int, **more: Any) -> int:
        """Put a shape by the player's own coordinates."""
        mask = rows(drawing)
        frame = self.battle.frames[team - 1]
        box = frame.inverse.box(Rectangle(u, v, len(mask[0]), len(mask)))
        return self.put(team, drawing, box.x, box.y, **more)

    def put_body(self, drawing: str, x: int, y: int, left: int | None = None) -> int:
        """Put a body that was a shape of team 1."""
        body_id = self.put(1, drawing, x, y)
        shape = self._shapes[1][-1]
        whole = 10 * self.settings.hp_factor * make_geometry(rows(drawing)).size
        self._bodies.append(Body(shape.id, shape.type, x, y, 0, whole if left is None else left))
        return body_id

    def ready(self, turn: int = 1) -> Battle:
        """Return the battle at the start of this turn."""
        battle = self.battle
        for team in battle.all_teams:
            battle.apply(Deployed(team, tuple(self._types[team]), tuple(self._shapes[team])))
        for body in self._bodies:
            del battle.shapes[body.id]
            battle.bodies[body.id] = body
        battle.turn = turn
        return msgspec.json.decode(msgspec.json.encode(battle), type=Battle)


def play(battle: Battle, orders: Mapping[int, str | Action | Fault] | None = None) -> list[Event]:
    """Play a turn in which shapes do this, and all others nothing; return the applied events."""
    orders = orders or {}
    given = [an_order(orders.get(shape_id, "continue")) for shape_id in sorted(battle.shapes)]
    events = []
    for event in rules.play_turn(battle, given):
        battle.apply(event)
        events.append(event)
    return events


def an_order(word: str | Action | Fault) -> Command | Action | Fault:
    return COMMANDS[word] if isinstance(word, str) else word


def says(*texts: str, do: str = "continue") -> Action:
    return Action(COMMANDS[do], texts)


def only(events: list[Event], *kinds: type) -> list[Event]:
    """Return the events of these types."""
    return [event for event in events if type(event) in kinds]


def positions(battle: Battle) -> dict[int, tuple[int, int, int]]:
    return {shape.id: (shape.x, shape.y, shape.facing) for shape in battle.shapes.values()}
