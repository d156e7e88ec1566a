"""The player `player_six`, compiled: order for order the same, but for its steps at random.

playerCode/player_six.py says why it decides so, and a test compares the two.
"""

import numpy as np

from engine.games.slime_mind.settings import LEVELS
from learning.slime_mind import layout as lay
from learning.slime_mind.chance import roll
from learning.slime_mind.compiled import part
from learning.slime_mind.layout import Row
from learning.slime_mind.notes import FRIENDS, PLANT_COUNT, SEEDERS, refresh_note
from learning.slime_mind.opponents import FAR, FIRST_BITE, MERGE, acting_slime
from learning.slime_mind.pathfinding import step_to
from learning.slime_mind.rules import empty_around, side_offset, steps_between

SPLIT = MERGE - 1
NONE = -1
"""What does not apply, as None in the bot."""
GATHERING_TURNS = 70
LAST_SPLIT = 0.75
LARGEST_TO_SPLIT = 5
PLANTS_PER_SLIME = 2
SEEDERS_KEPT = 1 / 45
PLENTY = 4 / 9
PREY = 4.0
REACH = 25
ENOUGH_XP = LEVELS[-1].min_xp


@part
def planner(s: Row, m: Row, notes: Row) -> int:
    """Return what player_six orders."""
    at = acting_slime(s, m)
    note = refresh_note(s, m, notes, m[at + lay.TEAM])
    order = fight(s, m, at)
    if order == NONE:
        order = gather(s, m, at)
    if order == NONE and may_split(s, m, at, notes, note):
        notes[note + FRIENDS] += 1
        order = SPLIT
    if order == NONE:
        order = seek(s, m, at, notes, note)
    return order if order != NONE else step_to_safety(s, m, at, notes)


@part
def side_number(s: Row, number: int) -> int:
    """Return the side of a number in the order of the bot: left, right, lower y, higher y."""
    if number < 2 or side_offset(s, 2) < 0:
        return number
    return 5 - number


@part
def enemy_at(s: Row, m: Row, cell: int, team: int) -> int:
    """Return where the enemy on a square begins; 0: there is none."""
    there = m[lay.GRID + cell]
    if there >= lay.EMPTY:
        return 0
    other = s[lay.SLIMES_AT] + (-1 - there) * lay.SLIME_SIZE
    return int(other) if m[other + lay.TEAM] != team else 0


@part
def bites_beside(s: Row, m: Row, cell: int, team: int) -> int:
    """Return the attack of all enemies beside a square."""
    bites = 0
    for side in range(4):
        enemy = enemy_at(s, m, cell + side_offset(s, side), team)
        if enemy:
            bites += m[enemy + lay.ATTACK]
    return bites


@part
def bites_to_kill(m: Row, biter: int, target: int) -> int:
    return int(-(-m[target + lay.HP] // m[biter + lay.ATTACK]))


@part
def fight(s: Row, m: Row, at: int) -> int:
    cell, team = m[at + lay.PLACE], m[at + lay.TEAM]
    target, bite, least = 0, NONE, 0.0
    for number in range(4):
        side = side_number(s, number)
        enemy = enemy_at(s, m, cell + side_offset(s, side), team)
        if enemy:
            effort = bites_to_kill(m, at, enemy) / m[enemy + lay.ATTACK]
            if target == 0 or effort < least:
                target, bite, least = enemy, FIRST_BITE + side, effort
    if target == 0:
        return NONE
    is_deadly = bites_beside(s, m, cell, team) >= m[at + lay.HP]
    if is_deadly and m[target + lay.HP] > m[at + lay.ATTACK]:
        for number in range(4):  # retreat
            side = side_number(s, number)
            beside = cell + side_offset(s, side)
            if m[lay.GRID + beside] == lay.EMPTY and bites_beside(s, m, beside, team) == 0:
                return side
    return bite


@part
def gather(s: Row, m: Row, at: int) -> int:
    if s[lay.MAX_TURNS] - m[lay.TURN] > GATHERING_TURNS or m[at + lay.XP] >= ENOUGH_XP:
        return NONE
    cell, team, friend, shortest = m[at + lay.PLACE], m[at + lay.TEAM], 0, FAR
    for other in range(
        s[lay.SLIMES_AT], s[lay.SLIMES_AT] + m[lay.SLIMES] * lay.SLIME_SIZE, lay.SLIME_SIZE
    ):
        is_friend = m[other + lay.ALIVE] and m[other + lay.TEAM] == team and other != at
        if is_friend and m[other + lay.XP] < ENOUGH_XP:
            steps = steps_between(s, cell, m[other + lay.PLACE])
            if steps < shortest:
                friend, shortest = other, steps
    if friend == 0:
        return NONE
    if is_around(s, cell, m[friend + lay.PLACE]):
        return MERGE
    return step_to(s, m, cell, m[friend + lay.PLACE], team)


@part
def is_around(s: Row, one: int, other: int) -> bool:
    """Return whether one place is on one of the eight squares around another."""
    xs = s[lay.TABLES_AT]
    ys = xs + s[lay.SLIMES_AT] - lay.GRID
    across, down = abs(s[xs + one] - s[xs + other]), abs(s[ys + one] - s[ys + other])
    return bool(max(across, down) == 1)


@part
def may_split(s: Row, m: Row, at: int, notes: Row, note: int) -> bool:
    wanted = notes[note + PLANT_COUNT] // PLANTS_PER_SLIME - notes[note + FRIENDS]
    is_early = m[lay.TURN] < LAST_SPLIT * s[lay.MAX_TURNS]
    is_fit = s[lay.MIN_SPLIT_LEVEL] <= m[at + lay.LEVEL] <= LARGEST_TO_SPLIT
    return bool(is_early and is_fit and wanted > 0 and empty_around(s, m, m[at + lay.PLACE]) > 0)


@part
def seek(s: Row, m: Row, at: int, notes: Row, note: int) -> int:
    """Search breadth first for what has the best value; -1: there is nothing."""
    grid = s[lay.SLIMES_AT] - lay.GRID
    first = np.full(grid, NONE, np.int64)
    reached = np.empty(grid, np.int64)
    home, team = m[at + lay.PLACE], m[at + lay.TEAM]
    first[home], reached[0] = 0, home
    head, tail, best, order = 0, 1, 0.0, NONE
    for steps in range(REACH):
        if best * (steps + 1) >= PREY:
            break
        ring_end = tail
        while head < ring_end:
            here = reached[head]
            head += 1
            for number in range(4):
                side = side_number(s, number)
                beside = here + side_offset(s, side)
                if first[beside] != NONE:
                    continue
                if m[lay.GRID + beside] == lay.EMPTY:
                    if steps or bites_beside(s, m, beside, team) < m[at + lay.HP]:
                        first[beside] = first[here] if steps else side
                        reached[tail] = beside
                        tail += 1
                    continue
                value = value_at(s, m, at, beside, steps, notes, note)
                if value > best:
                    best, order = value, first[here] if steps else FIRST_BITE + side
    return order


@part
def value_at(s: Row, m: Row, at: int, cell: int, steps: int, notes: Row, note: int) -> float:
    there = m[lay.GRID + cell]
    if there >= lay.FIRST_PLANT:
        plant = s[lay.PLANTS_AT] + (there - lay.FIRST_PLANT) * lay.PLANT_SIZE
        bites = -(-m[plant + lay.PLANT_HP_LEFT] // m[at + lay.ATTACK])
        return float(plant_weight(s, m, at, plant, notes, note) * bites / (steps + bites))
    enemy = enemy_at(s, m, cell, m[at + lay.TEAM])
    if enemy == 0:
        return 0.0
    attack = m[at + lay.ATTACK] + bites_beside(s, m, cell, 3 - m[at + lay.TEAM])
    ours = -(-m[enemy + lay.HP] // attack)
    return PREY / (steps + ours) if ours < bites_to_kill(m, enemy, at) else 0.0


@part
def plant_weight(s: Row, m: Row, at: int, plant: int, notes: Row, note: int) -> float:
    squares = s[lay.COLUMNS] * s[lay.ROWS]
    if s[lay.MAX_TURNS] - m[lay.TURN] < GATHERING_TURNS:
        return 1.0
    if m[plant + lay.PLANT_LEVEL] == s[lay.PLANT_MAX_LEVEL]:
        return 1.0 if notes[note + SEEDERS] >= SEEDERS_KEPT * squares else 0.02
    is_plenty = notes[note + PLANT_COUNT] >= PLENTY * squares
    return 1.0 if is_plenty or m[plant + lay.PLANT_HP_LEFT] > m[at + lay.ATTACK] else 0.05


@part
def step_to_safety(s: Row, m: Row, at: int, notes: Row) -> int:
    """Step at random to a safe square; MERGE if there is none."""
    cell, count = m[at + lay.PLACE], 0
    for number in range(4):
        count += is_safe(s, m, at, cell + side_offset(s, side_number(s, number)))
    if count == 0:
        return MERGE
    chosen = roll(notes, count)
    for number in range(4):
        side = side_number(s, number)
        if is_safe(s, m, at, cell + side_offset(s, side)):
            if chosen == 0:
                return side
            chosen -= 1
    return MERGE


@part
def is_safe(s: Row, m: Row, at: int, cell: int) -> bool:
    """Return whether a slime can step to a square and survive the bites that wait there."""
    if m[lay.GRID + cell] != lay.EMPTY:
        return False
    return bool(bites_beside(s, m, cell, m[at + lay.TEAM]) < m[at + lay.HP])
