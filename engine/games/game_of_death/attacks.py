"""Lanes, hits and what they cost (docs/rules/game_of_death.md 6A)."""

from collections.abc import Iterable, Iterator, Sequence

from engine.games.game_of_death.forms import STEPS, attack_of, defense_of
from engine.games.game_of_death.pieces import Shape, team_of
from engine.games.game_of_death.state import Battle

Attack = tuple[Shape, int]
"""Who, and to which side of its own: 0 forward, 1 right, 2 backward, 3 left."""


class Blow:
    """All that hits one shape or body in a turn."""

    __slots__ = ("defense", "is_by_enemy", "total")

    def __init__(self) -> None:
        self.total = 0
        self.defense: int | None = None
        """The smallest of the sides that were hit."""
        self.is_by_enemy = False
        """Whether an attack of the enemy contributed (rules 6.18)."""


def blows_of(battle: Battle, attacks: Iterable[Attack]) -> dict[int, Blow]:
    """What hits whom, by id; of shapes and bodies alike (rules 6.3)."""
    blows: dict[int, Blow] = {}
    for shape, side in attacks:
        strength = strength_of(battle, shape, side)
        direction = (shape.facing + side) % 4
        for hit_id in hits_of(battle, shape, direction):
            blow = blows.get(hit_id)
            if blow is None:
                blow = blows[hit_id] = Blow()
            blow.total += strength
            victim = battle.shapes.get(hit_id)
            if victim is not None:
                _meet(battle, blow, victim, direction)
                blow.is_by_enemy |= strength > 0 and (hit_id ^ shape.id) & 1 == 1
    return blows


def strength_of(battle: Battle, shape: Shape, side: int) -> int:
    """Rules 4.3."""
    form = battle.form(shape)
    return attack_of(form.sides[side], shape.hp, battle.settings.hp_factor * form.size)


def _meet(battle: Battle, blow: Blow, victim: Shape, direction: int) -> None:
    """The side that faces the attack defends; of several the weakest (rules 6.4)."""
    form = battle.form(victim)
    side = form.sides[(direction + 2 - victim.facing) % 4]
    defense = defense_of(side, victim.hp, battle.settings.hp_factor * form.size)
    if blow.defense is None or defense < blow.defense:
        blow.defense = defense


def hits_of(battle: Battle, shape: Shape, direction: int) -> set[int]:
    """The shapes and bodies in the lane (rules 6.1 to 6.3)."""
    hits: set[int] = set()
    bodies = battle.bodies
    is_spared = None if battle.settings.friendly_fire else team_of(shape.id)
    for line in lines_of(battle, shape, direction):
        if not any(line):
            continue
        for hit_id in line:
            if hit_id < 0:
                break  # a home
            if hit_id in bodies:
                hits.add(hit_id)
                break
            if hit_id and team_of(hit_id) != is_spared:
                hits.add(hit_id)
    return hits


def lines_of(battle: Battle, shape: Shape, direction: int) -> Iterator[Sequence[int]]:
    """What stands on the next cells of each line, the nearest first (rules 6.1)."""
    grid, width = battle.grid, battle.settings.width
    step = STEPS[direction][0] + STEPS[direction][1] * width
    for start, length in reach_of(battle, shape, direction):
        end = start + length * step
        yield grid[start : end if end >= 0 else None : step]


def reach_of(battle: Battle, shape: Shape, direction: int) -> Iterator[tuple[int, int]]:
    """The first place of each line and how many cells it goes on, on the grid."""
    settings = battle.settings
    form = battle.form(shape)
    most = settings.range_factor * form.size
    dx, dy = STEPS[direction]
    for column, row in form.outline(shape.facing, settings.width).edges[direction]:
        x, y = shape.x + column, shape.y + row
        left = (settings.width - 1 - x, settings.height - 1 - y, x, y)[direction]
        length = min(most, left)
        if length:
            yield (y + dy) * settings.width + x + dx, length
