"""Lanes, hits and damage of attacks (docs/rules/game_of_death.md 6.1 to 6.7)."""

from collections.abc import Iterable, Iterator, Sequence

from engine.games.game_of_death.geometry import STEPS, compute_attack, compute_defense
from engine.games.game_of_death.pieces import Shape
from engine.games.game_of_death.state import Battle

Attack = tuple[Shape, int]
"""The attacker, and the side it attacks to: 0 forward, 1 right, 2 backward, 3 left."""


class IncomingDamage:
    """All attacks that hit one shape or body in a turn."""

    __slots__ = ("defense", "enemies", "total")

    def __init__(self) -> None:
        self.total = 0
        self.defense: int | None = None
        """The smallest defense of the sides that were hit; None before the first hit."""
        self.enemies: set[int] = set()
        """The enemies that contributed: an attack of at least 1 hit it (rules 6.18, 7.3)."""


def incoming_damage(battle: Battle, attacks: Iterable[Attack]) -> dict[int, IncomingDamage]:
    """Return all attacks on each shape or body that is hit, by id (rules 6.3)."""
    incoming: dict[int, IncomingDamage] = {}
    for shape, side in attacks:
        strength, team = attack_strength(battle, shape, side), battle.piece_team(shape.id)
        group = battle.team_group(team)
        direction = (shape.facing + side) % 4
        for hit_id in find_hits(battle, shape, direction):
            taken = incoming.get(hit_id)
            if taken is None:
                taken = incoming[hit_id] = IncomingDamage()
            taken.total += strength
            victim = battle.shapes.get(hit_id)
            if victim is not None:
                _lower_defense(battle, taken, victim, direction)
                if strength and battle.piece_team(hit_id) not in group:
                    taken.enemies.add(team)
    return incoming


def attack_strength(battle: Battle, shape: Shape, side: int) -> int:
    """Return the strength of an attack to this side, with present hp (rules 4.3)."""
    geometry = battle.geometry(shape)
    return compute_attack(geometry.sides[side], shape.hp, battle.settings.hp_factor * geometry.size)


def _lower_defense(battle: Battle, taken: IncomingDamage, victim: Shape, direction: int) -> None:
    """Lower the defense to that of the side that faces this attack, if smaller (rules 6.4)."""
    geometry = battle.geometry(victim)
    # The side that is hit faces the attacker (+ 2: opposite); `- facing` makes it the victim's own.
    side = geometry.sides[(direction + 2 - victim.facing) % 4]
    defense = compute_defense(side, victim.hp, battle.settings.hp_factor * geometry.size)
    if taken.defense is None or defense < taken.defense:
        taken.defense = defense


def find_hits(battle: Battle, shape: Shape, direction: int) -> set[int]:
    """Return the shapes and bodies that an attack hits (rules 6.1 to 6.3)."""
    hits: set[int] = set()
    bodies = battle.bodies
    hits_friends = battle.settings.friendly_fire
    spared = () if hits_friends else battle.team_group(battle.piece_team(shape.id))
    for line in attack_lines(battle, shape, direction):
        if not any(line):
            continue  # most lines are empty, and the loop below is slow
        for hit_id in line:
            if hit_id < 0:
                break  # a home
            if hit_id in bodies:
                hits.add(hit_id)
                break
            if hit_id and battle.piece_team(hit_id) not in spared:
                hits.add(hit_id)
    return hits


def attack_lines(battle: Battle, shape: Shape, direction: int) -> Iterator[Sequence[int]]:
    """Yield what is on the next cells of each line, the nearest first (rules 6.1)."""
    grid, width = battle.grid, battle.settings.width
    step = STEPS[direction][0] + STEPS[direction][1] * width
    for start, length in attack_reach(battle, shape, direction):
        end = start + length * step  # below 0 where a line leaves by the top: then no end
        yield grid[start : end if end >= 0 else None : step]


def attack_reach(battle: Battle, shape: Shape, direction: int) -> Iterator[tuple[int, int]]:
    """Yield the first place of each line, and how many cells of it are on the grid."""
    settings = battle.settings
    geometry = battle.geometry(shape)
    most = settings.range_factor * geometry.size
    dx, dy = STEPS[direction]
    for column, row in geometry.outline(shape.facing, settings.width).edges[direction]:
        x, y = shape.x + column, shape.y + row
        left = (settings.width - 1 - x, settings.height - 1 - y, x, y)[direction]
        length = min(most, left)
        if length:
            yield (y + dy) * settings.width + x + dx, length
