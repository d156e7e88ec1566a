"""Simple players, compiled: they decide on rows of numbers."""

import numpy as np

from engine.games.slime_mind.orders import Command
from learning.slime_mind import layout as lay
from learning.slime_mind.compiled import part
from learning.slime_mind.layout import Row
from learning.slime_mind.rules import find_side, steps_between

MERGE = [*Command].index(Command.MERGE)
FIRST_BITE = [*Command].index(Command.BITELEFT)
FAR = 1 << 30


@part
def acting_slime(s: Row, m: Row) -> int:
    """Return where the numbers of the slime that must decide begin."""
    return int(s[lay.SLIMES_AT] + m[s[lay.QUEUE_AT] + m[lay.QUEUE_NEXT]] * lay.SLIME_SIZE)


@part
def nearest_plant(s: Row, m: Row, cell: int) -> int:
    """Return the place of the nearest plant, of several that with the lowest id; 0: none."""
    found, shortest = 0, FAR
    for at in range(
        s[lay.PLANTS_AT], s[lay.PLANTS_AT] + m[lay.PLANTS] * lay.PLANT_SIZE, lay.PLANT_SIZE
    ):
        if m[at + lay.PLANT_HP_LEFT]:
            steps = steps_between(s, cell, m[at + lay.PLANT_PLACE])
            if steps < shortest:
                found, shortest = m[at + lay.PLANT_PLACE], steps
    return found


@part
def nearest_slime(s: Row, m: Row, team: int, cell: int) -> int:
    """Return where the nearest slime of a team begins that is not at this place; 0: none."""
    found, shortest = 0, FAR
    for at in range(
        s[lay.SLIMES_AT], s[lay.SLIMES_AT] + m[lay.SLIMES] * lay.SLIME_SIZE, lay.SLIME_SIZE
    ):
        if m[at + lay.ALIVE] and m[at + lay.TEAM] == team and m[at + lay.PLACE] != cell:
            steps = steps_between(s, cell, m[at + lay.PLACE])
            if steps < shortest:
                found, shortest = at, steps
    return found


@part
def step_on_path(s: Row, m: Row, cell: int, goal: int, team: int) -> int:
    """Return the first command of a shortest path to a place beside the goal; MERGE: none."""
    here = steps_between(s, cell, goal)
    for number in range(4):
        beside = cell + place_difference(s, number, team)
        if m[lay.GRID + beside] == lay.EMPTY and steps_between(s, beside, goal) < here:
            return find_side(s, cell, beside)
    return step_around(s, m, cell, goal, team)


@part
def place_difference(s: Row, number: int, team: int) -> int:
    """Return the difference of places of a side, in the order in which the engine's A* has them."""
    sign = 1 if team == 1 else -1
    if number == 0:
        return -sign
    if number == 3:
        return sign
    return int(-sign * s[lay.STRIDE] if number == 1 else sign * s[lay.STRIDE])


@part
def step_around(s: Row, m: Row, cell: int, goal: int, team: int) -> int:
    """Return the first command of a shortest path around what is in the way, breadth first."""
    first = np.full(s[lay.SLIMES_AT] - lay.GRID, -1, np.int64)
    reached = np.empty(s[lay.SLIMES_AT] - lay.GRID, np.int64)
    first[cell], reached[0] = 0, cell
    head, tail = 0, 1
    while head < tail:
        here = reached[head]
        head += 1
        for number in range(4):
            beside = here + place_difference(s, number, team)
            if m[lay.GRID + beside] != lay.EMPTY or first[beside] >= 0:
                continue
            first[beside] = find_side(s, cell, beside) if here == cell else first[here]
            if steps_between(s, beside, goal) == 1:
                return int(first[beside])
            reached[tail] = beside
            tail += 1
    return MERGE


@part
def decide_as_glutton(s: Row, m: Row) -> int:
    """Return what a slime orders that goes to the nearest plant and bites; then to enemies.

    It decides like playerCode/player_two.py; of equally long paths it may take another one.
    """
    at = acting_slime(s, m)
    cell = m[at + lay.PLACE]
    goal = nearest_plant(s, m, cell)
    if goal == 0:
        enemy = nearest_slime(s, m, 3 - m[at + lay.TEAM], cell)
        if enemy == 0:
            return MERGE
        goal = m[enemy + lay.PLACE]
    side = find_side(s, cell, goal)
    return FIRST_BITE + side if side >= 0 else step_on_path(s, m, cell, goal, m[at + lay.TEAM])
