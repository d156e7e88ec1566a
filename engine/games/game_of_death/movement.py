"""Moving and turning, and what blocks it (docs/rules/game_of_death.md 6.8 to 6.11)."""

from collections.abc import Iterable
from typing import NamedTuple

from engine.games.game_of_death.geometry import SIDES, STEPS
from engine.games.game_of_death.orders import Command
from engine.games.game_of_death.pieces import Shape
from engine.games.game_of_death.state import FREE, Battle

DIRECTION_OF = {Command(f"move {side}"): number for number, side in enumerate(SIDES)}
QUARTERS = {Command.TURN_CW: 1, Command.TURN_CCW: 3}


class Goal(NamedTuple):
    """The place that a shape would have, and the cells of the grid that it would take."""

    x: int
    y: int
    facing: int
    places: list[int]
    is_on_grid: bool
    """Whether all of it is on the grid. If not, it claims the rest all the same (rules 6.9)."""


def due_movers(battle: Battle) -> list[Shape]:
    """Return the shapes whose move is due; those dying since this turn stay (rules 6, phase 5)."""
    turn = battle.turn
    return [
        shape
        for shape in battle.shapes.values()
        if shape.pending is not None
        and shape.dying_since != turn
        and turn - shape.pending_since + 1 >= battle.geometry(shape).speed
    ]


def compute_goals(battle: Battle, movers: Iterable[Shape]) -> dict[int, Goal]:
    """Return the goals of the movers that are not blocked, all at once (rules 6.9)."""
    wanted = {shape.id: _find_goal(battle, shape) for shape in movers}
    blocked = _find_blocked(battle, wanted)
    _propagate_blocking(battle, wanted, blocked)
    return {shape_id: goal for shape_id, goal in wanted.items() if shape_id not in blocked}


def _find_goal(battle: Battle, shape: Shape) -> Goal:
    settings, geometry = battle.settings, battle.geometry(shape)
    command = shape.pending
    assert command is not None
    if command in QUARTERS:
        facing = (shape.facing + QUARTERS[command]) % 4
        x, y = battle.corner_after_turn(shape)
    else:
        facing = shape.facing
        dx, dy = STEPS[(facing + DIRECTION_OF[command]) % 4]
        x, y = shape.x + dx, shape.y + dy
    outline = geometry.outline(facing, settings.width)
    corner = y * settings.width + x
    if 0 <= x <= settings.width - outline.width and 0 <= y <= settings.height - outline.height:
        return Goal(x, y, facing, [corner + offset for offset in outline.offsets], is_on_grid=True)
    places = [
        corner + offset
        for (dx, dy), offset in zip(outline.cells, outline.offsets, strict=True)
        if 0 <= x + dx < settings.width and 0 <= y + dy < settings.height
    ]
    return Goal(x, y, facing, places, is_on_grid=False)


def _find_blocked(battle: Battle, wanted: dict[int, Goal]) -> set[int]:
    """Return the shapes blocked by the edge, by what stays, by each other or by swapping places."""
    grid = battle.grid
    blocked = {shape_id for shape_id, goal in wanted.items() if not goal.is_on_grid}
    claimed: dict[int, int] = {}
    for shape_id, goal in wanted.items():
        entered = set()
        for cell in goal.places:
            other = claimed.setdefault(cell, shape_id)
            if other != shape_id:
                blocked |= {shape_id, other}
            there = grid[cell]
            if there not in (FREE, shape_id):
                entered.add(there)
        for other in entered:
            if other not in wanted or _enters_cell_of(battle, wanted[other], shape_id):
                blocked.add(shape_id)
    return blocked


def _enters_cell_of(battle: Battle, goal: Goal, shape_id: int) -> bool:
    """Return whether a goal takes a cell that this shape is on."""
    grid = battle.grid
    return any(grid[cell] == shape_id for cell in goal.places)


def _propagate_blocking(battle: Battle, wanted: dict[int, Goal], blocked: set[int]) -> None:
    """Block all that would enter a cell of a blocked shape, transitively (rules 6.9)."""
    grid = battle.grid
    followers: dict[int, list[int]] = {}
    for shape_id, goal in wanted.items():
        for there in {grid[cell] for cell in goal.places} - {FREE, shape_id}:
            followers.setdefault(there, []).append(shape_id)
    waiting = list(blocked)
    while waiting:
        for follower in followers.get(waiting.pop(), ()):
            if follower not in blocked:
                blocked.add(follower)
                waiting.append(follower)
