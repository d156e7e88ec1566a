"""A small policy that can learn: it rates a few things that a slime could do, and does the best.

A rating is a sum of features of the slime and its surroundings, each times a weight. The bot
playerCode/player_learned plays by the same features and options, and a test compares the two.
"""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from learning.simulation.compiled import part
from learning.slime_mind.layout import (
    ALIVE,
    ATTACK,
    COLUMNS,
    EMPTY,
    FIRST_PLANT,
    GRID,
    HP,
    LEVEL,
    MAX_HP,
    MAX_TURNS,
    MIN_SPLIT_LEVEL,
    PLACE,
    PLANT_HP_LEFT,
    PLANT_LEVEL,
    PLANT_PLACE,
    PLANT_SIZE,
    PLANTS,
    PLANTS_AT,
    READY,
    ROWS,
    SLIME_SIZE,
    SLIMES,
    SLIMES_AT,
    STRIDE,
    TEAM,
    TURN,
    XP,
    Row,
)
from learning.slime_mind.opponents import (
    FAR,
    FIRST_BITE,
    MERGE,
    acting_slime,
    step_towards,
    steps_between,
)
from learning.slime_mind.rules import empty_around, step_of

Weights = NDArray[np.float64]

OPTIONS = (
    *("bite plant", "bite enemy", "go to plant", "go to enemy", "flee", "split", "merge"),
    "go to friend",
)
"""What a slime chooses between."""


class Feature(IntEnum):
    """What is known of a slime, each a number of about 0 to 1."""

    ONE = 0
    LEVEL = 1
    HEALTH = 2
    XP = 3
    TURN = 4
    END_IS_NEAR = 5
    FRIENDS = 6
    ENEMIES = 7
    LEAD = 8
    PLANTS = 9
    PLANT_IS_NEAR = 10
    ENEMY_IS_NEAR = 11
    FRIEND_IS_NEAR = 12
    STRONGER_THAN_ENEMY = 13
    XP_OF_FRIEND = 14
    HP_OF_PLANT = 15
    ENEMIES_BESIDE = 16
    ENEMY_WOULD_DIE = 17
    DANGER = 18
    FRIEND_IS_READY = 19
    XP_OF_READY_FRIEND = 20
    ROOM = 21
    HAS_MOST_XP = 22
    PLANTS_ARE_GROWN = 23


FEATURES = tuple(feature.name.lower().replace("_", " ") for feature in Feature)
"""Their names, as files of weights have them."""
SPLIT = MERGE - 1
MOST_XP = 700.0
"""A little more than the highest level needs."""


@part
def learned(s: Row, m: Row, weights: Weights, f: Weights) -> int:
    """Return the order of the option with the highest rating; `f` is room for the features."""
    at = acting_slime(s, m)
    plant, friend, enemy = survey(s, m, at, f)
    prey, food = look_beside(s, m, at, f)
    look_for_ready(s, m, at, f)
    # Merging adds up xp far beyond what levels need; unbounded, this would outweigh all others.
    own_xp = float(min(m[at + XP], 2 * MOST_XP))
    f[Feature.ONE] = 1.0
    f[Feature.LEVEL] = m[at + LEVEL] / 12.0
    f[Feature.HEALTH] = m[at + HP] / m[at + MAX_HP]
    f[Feature.XP] = own_xp / MOST_XP
    f[Feature.TURN] = m[TURN] / s[MAX_TURNS]
    f[Feature.END_IS_NEAR] = max(0.0, 1.0 - (s[MAX_TURNS] - m[TURN]) / 100.0)
    levels_ahead = 0.0 if enemy == 0 else (m[at + LEVEL] - m[enemy + LEVEL]) / 12.0
    f[Feature.STRONGER_THAN_ENEMY] = levels_ahead
    f[Feature.XP_OF_FRIEND] = 0.0 if friend == 0 else min(float(m[friend + XP]), MOST_XP) / MOST_XP
    room = empty_around(s, m, m[at + PLACE])
    f[Feature.ROOM] = room / 8.0
    best, order = -1e300, MERGE
    for option in range(8):
        command = command_of(s, m, at, option, plant, friend, enemy, food, prey, room)
        if command >= 0:
            # In this order, as the bot adds them up: the last bits of a sum depend on it.
            rating = 0.0
            for feature in range(len(FEATURES)):
                rating += f[feature] * weights[feature, option]
            if rating > best:
                best, order = rating, command
    return order


@part
def command_of(
    s: Row,
    m: Row,
    at: int,
    option: int,
    plant: int,
    friend: int,
    enemy: int,
    food: int,
    prey: int,
    room: int,
) -> int:
    """Return the command of an option; -1 where there is none."""
    if option == 0:
        return FIRST_BITE + food if food >= 0 else -1
    if option == 1:
        return FIRST_BITE + prey if prey >= 0 else -1
    if option == 2:
        return go_to(s, m, at, plant)
    if option == 3:
        return go_to(s, m, at, m[enemy + PLACE] if enemy else 0)
    if option == 4:
        return step_away(s, m, m[at + PLACE], m[enemy + PLACE]) if enemy else -1
    if option == 5:
        return SPLIT if m[at + LEVEL] >= s[MIN_SPLIT_LEVEL] and room else -1
    return MERGE if option == 6 else go_to(s, m, at, m[friend + PLACE] if friend else 0)


@part
def go_to(s: Row, m: Row, at: int, goal: int) -> int:
    """Return the command of a step towards a place that is not beside; -1 if there is none."""
    place = m[at + PLACE]
    if goal == 0 or steps_between(s, place, goal) < 2:
        return -1
    return step_towards(s, m, place, goal)


@part
def survey(s: Row, m: Row, at: int, f: Weights):  # type: ignore[no-untyped-def]
    """Look at all slimes and plants; return the nearest plant's place, friend and enemy."""
    place, team = m[at + PLACE], m[at + TEAM]
    # 0 is none: no slime's numbers begin there, and the edge of the grid is there, not a plant.
    friend, enemy, plant = 0, 0, 0
    to_friend, to_enemy, to_plant = FAR, FAR, FAR
    friends, enemies, own_xp, all_xp, has_most = 0, 0, 0, 0, 1.0
    for other in range(s[SLIMES_AT], s[SLIMES_AT] + m[SLIMES] * SLIME_SIZE, SLIME_SIZE):
        if m[other + ALIVE] == 0:
            continue
        all_xp += m[other + XP]
        steps = steps_between(s, place, m[other + PLACE])
        if m[other + TEAM] != team:
            enemies += 1
            if steps < to_enemy:
                enemy, to_enemy = other, steps
            continue
        friends += 1
        own_xp += m[other + XP]
        if m[other + XP] > m[at + XP]:
            has_most = 0.0
        if other != at and steps < to_friend:
            friend, to_friend = other, steps
    plants, levels = 0, 0
    for other in range(s[PLANTS_AT], s[PLANTS_AT] + m[PLANTS] * PLANT_SIZE, PLANT_SIZE):
        if m[other + PLANT_HP_LEFT] == 0:
            continue
        plants += 1
        levels += m[other + PLANT_LEVEL]
        steps = steps_between(s, place, m[other + PLANT_PLACE])
        if steps < to_plant:
            plant, to_plant = m[other + PLANT_PLACE], steps
    f[Feature.FRIENDS], f[Feature.ENEMIES] = friends / 30.0, enemies / 30.0
    f[Feature.LEAD] = own_xp / max(1, all_xp)
    f[Feature.PLANTS] = plants * 10.0 / (s[COLUMNS] * s[ROWS])
    f[Feature.PLANT_IS_NEAR] = 1.0 / (1.0 + to_plant) if plant else 0.0
    f[Feature.ENEMY_IS_NEAR] = 1.0 / (1.0 + to_enemy) if enemy else 0.0
    f[Feature.FRIEND_IS_NEAR] = 1.0 / (1.0 + to_friend) if friend else 0.0
    f[Feature.HAS_MOST_XP] = has_most
    f[Feature.PLANTS_ARE_GROWN] = levels / (12.0 * plants) if plants else 0.0
    return plant, friend, enemy


@part
def look_beside(s: Row, m: Row, at: int, f: Weights):  # type: ignore[no-untyped-def]
    """Look at the four sides; return those of the best enemy and plant to bite, or -1."""
    place, team, attack = m[at + PLACE], m[at + TEAM], m[at + ATTACK]
    prey, food, least, most, count, bites = -1, -1, 1 << 60, 0, 0, 0
    for side in range(4):
        there = m[GRID + place + step_of(s, side)]
        if there >= FIRST_PLANT:
            hp = m[s[PLANTS_AT] + (there - FIRST_PLANT) * PLANT_SIZE + PLANT_HP_LEFT]
            if hp > most:
                food, most = side, hp
        elif there < EMPTY:
            other = s[SLIMES_AT] + (-1 - there) * SLIME_SIZE
            if m[other + TEAM] != team:
                count += 1
                bites += m[other + ATTACK]
                if m[other + HP] < least:
                    prey, least = side, m[other + HP]
    f[Feature.HP_OF_PLANT] = most / 72.0  # 12 levels of 6 hp, the default settings
    f[Feature.ENEMIES_BESIDE] = count / 4.0
    f[Feature.ENEMY_WOULD_DIE] = 1.0 if prey >= 0 and least <= attack else 0.0
    f[Feature.DANGER] = min(1.0, bites / m[at + HP])
    return prey, food


@part
def look_for_ready(s: Row, m: Row, at: int, f: Weights) -> None:
    """Look for friends around that are ready to merge."""
    place, team = m[at + PLACE], m[at + TEAM]
    # A MERGE takes in a friend on any of the eight squares around (rules 6.4), not just four.
    ready, ready_xp = 0.0, 0
    for row in range(place - s[STRIDE], place + s[STRIDE] + 1, s[STRIDE]):
        for beside in range(row - 1, row + 2):
            there = m[GRID + beside]
            if there < EMPTY and beside != place:
                other = s[SLIMES_AT] + (-1 - there) * SLIME_SIZE
                if m[other + TEAM] == team and m[other + READY]:
                    ready, ready_xp = 1.0, max(ready_xp, m[other + XP])
    f[Feature.FRIEND_IS_READY] = ready
    f[Feature.XP_OF_READY_FRIEND] = min(float(ready_xp), MOST_XP) / MOST_XP


@part
def step_away(s: Row, m: Row, place: int, danger: int) -> int:
    """Return the command of a step to the first empty square that is farther; -1: there is none."""
    here = steps_between(s, place, danger)
    for side in range(4):
        beside = place + step_of(s, side)
        if m[GRID + beside] == EMPTY and steps_between(s, beside, danger) > here:
            return side
    return -1
