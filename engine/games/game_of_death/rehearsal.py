"""Trying out a design: what seldom runs is made to run, so that its mistakes are found.

A battle of two equal armies may go by without a death, and with it goes every mistake in `die`.
"""

from collections.abc import Iterator

from engine.game import Ask
from engine.games.game_of_death.orders import Command
from engine.games.game_of_death.pieces import Shape
from engine.games.game_of_death.state import Battle

TEAM = 1
"""The team that is tried out."""
TURNS = range(12, 16)
"""The turns in which a shape of each type is made to die."""


def rehearsed_order(battle: Battle, ask: Ask) -> Command | None:
    """Return the order to die for the first shape of a type of which none has died yet.

    The last shape of all lives: with it the battle would end.
    """
    if ask.team != TEAM or battle.turn not in TURNS or not ask.piece_id:
        return None
    shape = battle.shapes[ask.piece_id]
    whole = {first.id for first, _ in _whole_types(battle, TEAM)}
    others = sum(1 for other in battle.living(TEAM) if other.id not in whole)
    return Command.SUICIDE if shape.id in whole and others else None


def untried(battle: Battle, team: int) -> tuple[str, ...]:
    """Return the types whose `die` was never called, in words."""
    return tuple(
        f"class {name}: none of its shapes died, and its die was not tried"
        for _, name in _whole_types(battle, team)
    )


def _whole_types(battle: Battle, team: int) -> Iterator[tuple[Shape, str]]:
    """Yield the first shape, and the name, of each type all of whose shapes live."""
    by_type: dict[int, list[Shape]] = {}
    for shape in battle.living(team):
        by_type.setdefault(shape.type, []).append(shape)
    for number, shapes in by_type.items():
        drawn = battle.types[team - 1][number]
        if len(shapes) == drawn.count:
            yield min(shapes, key=lambda shape: shape.id), drawn.name
