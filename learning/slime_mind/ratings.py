"""What the policy that learns thinks of a plant, an enemy, a friend, a square, a SPLIT, a MERGE.

Each function fills in its features, in the order of features.py, and returns their rating.
`f` is room for numbers: for the features of one rating, and behind them for the situation.
"""

import numpy as np
from numpy.typing import NDArray

from learning.slime_mind import layout as lay
from learning.slime_mind.compiled import part
from learning.slime_mind.features import (
    ENEMY,
    FEATURES,
    FRIEND,
    MERGING,
    OFFSETS,
    PLANT,
    SPLITTING,
    SQUARE,
    STEP,
)
from learning.slime_mind.layout import Row
from learning.slime_mind.notes import ENEMIES, FRIENDS, PLANT_COUNT, SEEDERS
from learning.slime_mind.planner import ENOUGH_XP, enemy_at
from learning.slime_mind.rules import side_offset

Numbers = NDArray[np.float64]

LAST_TURNS = 100.0
"""The turns before the end in which it is near, from 0 to 1; friends count in them."""
SEEDERS_KEPT = 45.0
"""Seeders are rare where there is fewer than one on so many squares."""
MIN_SQUARES_PER_PLANT = 2.25
"""Plants are rare where there is fewer than one on so many squares."""
MAX_FEATURES = max(len(names) for names in FEATURES.values())
LATE, PROGRESS, CROWDING, RARE_PLANTS, RARE_SEEDERS, OUTNUMBERING, HERE = range(
    MAX_FEATURES, MAX_FEATURES + 7
)
"""Where `f` has the situation."""
SIDES_AT = HERE + 1
"""Where `f` has the ratings of the squares on the four sides."""
DEADLY_AT = SIDES_AT + 4
"""Where `f` has 1 for each of these squares where the bites that wait would kill."""
ROOM = DEADLY_AT + 4


@part
def rate(w: Numbers, f: Numbers, kind: int) -> float:
    """Add up features times weights, in the order in which the bot does: floats depend on it."""
    rating = 0.0
    for number in range(OFFSETS[kind + 1] - OFFSETS[kind]):
        rating += f[number] * w[OFFSETS[kind] + number]
    return rating


@part
def describe_team(s: Row, m: Row, f: Numbers, notes: Row, note: int) -> None:
    """Describe the situation of a team: the time, and how many there are of what."""
    squares = s[lay.COLUMNS] * s[lay.ROWS]
    plants, friends = notes[note + PLANT_COUNT], notes[note + FRIENDS]
    enemies = notes[note + ENEMIES]
    f[LATE] = max(0.0, 1.0 - (s[lay.MAX_TURNS] - m[lay.TURN]) / LAST_TURNS)
    f[PROGRESS] = m[lay.TURN] / s[lay.MAX_TURNS]
    f[CROWDING] = min(2.0, friends / max(1, plants))
    f[RARE_PLANTS] = max(0.0, 1.0 - plants * MIN_SQUARES_PER_PLANT / squares)
    f[RARE_SEEDERS] = max(0.0, 1.0 - notes[note + SEEDERS] * SEEDERS_KEPT / squares)
    f[OUTNUMBERING] = (friends - enemies) / (friends + enemies)


@part
def slime_at(s: Row, there: int) -> int:
    """Return where the slime begins that a square of the grid has."""
    return int(s[lay.SLIMES_AT] + (-1 - there) * lay.SLIME_SIZE)


@part
def count_neighbors(s: Row, m: Row, cell: int, team: int, left_out: int):  # type: ignore[no-untyped-def]
    """Return how many friends and enemies are beside a place, and the attack of each together.

    `left_out` is where a slime begins that does not count.
    """
    friends, enemies, support, bites = 0, 0, 0, 0
    for side in range(4):
        there = m[lay.GRID + cell + side_offset(s, side)]
        if there < lay.EMPTY:
            other = slime_at(s, there)
            if other == left_out:
                continue
            if m[other + lay.TEAM] == team:
                friends += 1
                support += m[other + lay.ATTACK]
            else:
                enemies += 1
                bites += m[other + lay.ATTACK]
    return friends, enemies, support, bites


@part
def threat_at(s: Row, m: Row, cell: int, team: int) -> int:
    """Return the attack of all enemies two steps from a place: they could come beside it."""
    bites = 0
    for side in range(4):
        beside = cell + side_offset(s, side)
        if m[lay.GRID + beside] == lay.EDGE:
            continue
        bites += attack_at(s, m, beside + side_offset(s, side), team)
        if side >= 2:
            bites += attack_at(s, m, beside - 1, team) + attack_at(s, m, beside + 1, team)
    return bites


@part
def attack_at(s: Row, m: Row, cell: int, team: int) -> int:
    """Return the attack of an enemy on a square, 0 if there is none."""
    enemy = enemy_at(s, m, cell, team)
    return int(m[enemy + lay.ATTACK]) if enemy else 0


@part
def rate_square(s: Row, m: Row, w: Numbers, f: Numbers, at: int, cell: int, victim: int):  # type: ignore[no-untyped-def]
    """Rate standing on a square, and say whether the bites that wait there would kill.

    `victim` is where an enemy begins that will be dead by then; 0: there is none.
    """
    team, hp = m[at + lay.TEAM], m[at + lay.HP]
    friends, enemies, _, bites = count_neighbors(s, m, cell, team, at)
    if victim:
        enemies -= 1
        bites -= m[victim + lay.ATTACK]
    f[0] = min(2.0, bites / hp)
    f[1] = 1.0 if bites >= hp else 0.0
    f[2] = enemies / 4.0
    f[3] = min(2.0, threat_at(s, m, cell, team) / hp)
    f[4] = friends / 4.0
    return rate(w, f, SQUARE), bites >= hp


@part
def rate_plant(s: Row, m: Row, w: Numbers, f: Numbers, at: int, plant: int, steps: int) -> float:
    attack, hp = m[at + lay.ATTACK], m[plant + lay.PLANT_HP_LEFT]
    friends, enemies, _, _ = count_neighbors(s, m, m[plant + lay.PLANT_PLACE], m[at + lay.TEAM], at)
    bites = -(-hp // attack)
    pace = bites / (steps + bites)
    is_grown = m[plant + lay.PLANT_LEVEL] == s[lay.PLANT_MAX_LEVEL]
    grown = pace if is_grown else 0.0
    killing = pace if not is_grown and hp <= attack else 0.0
    f[0] = pace
    f[1] = grown
    f[2] = grown * f[RARE_SEEDERS]
    f[3] = killing
    f[4] = killing * f[RARE_PLANTS]
    f[5] = pace * m[plant + lay.PLANT_LEVEL] / s[lay.PLANT_MAX_LEVEL]
    f[6] = (grown + killing) * f[LATE]
    f[7] = pace * friends / 4.0
    f[8] = pace * enemies / 4.0
    f[9] = 1.0 / (1.0 + steps)
    f[10] = pace * (bites * attack - hp) / attack
    return rate(w, f, PLANT)


@part
def rate_enemy(s: Row, m: Row, w: Numbers, f: Numbers, at: int, enemy: int, steps: int) -> float:
    attack, hp = m[at + lay.ATTACK], m[at + lay.HP]
    _, _, support, _ = count_neighbors(s, m, m[enemy + lay.PLACE], 3 - m[enemy + lay.TEAM], at)
    ours = -(-m[enemy + lay.HP] // (attack + support))
    theirs = -(-hp // m[enemy + lay.ATTACK])
    pace = 1.0 / (steps + ours)
    beside = 1.0 if steps == 0 else 0.0
    f[0] = pace
    f[1] = pace if ours < theirs else 0.0
    f[2] = pace if ours == theirs else 0.0
    f[3] = pace * min(3.0, m[enemy + lay.XP] / 100.0)
    f[4] = beside
    f[5] = beside if m[enemy + lay.HP] <= attack else 0.0
    f[6] = beside if ours < theirs else 0.0
    f[7] = pace * f[LATE]
    f[8] = pace * f[OUTNUMBERING]
    f[9] = pace * min(2.0, support / attack)
    f[10] = beside * min(2.0, m[enemy + lay.ATTACK] / hp)
    return rate(w, f, ENEMY)


@part
def rate_friend(s: Row, m: Row, w: Numbers, f: Numbers, at: int, friend: int, steps: int) -> float:
    gain = merge_gain(s, m[at + lay.XP], m[friend + lay.XP])
    f[0] = 1.0
    f[1] = f[LATE]
    f[2] = 1.0 / (1.0 + steps)
    f[3] = gain
    f[4] = f[LATE] * gain
    f[5] = 1.0 if m[friend + lay.XP] > m[at + lay.XP] else 0.0
    return rate(w, f, FRIEND)


@part
def merge_gain(s: Row, xp: int, other_xp: int) -> float:
    """Return the share by which points would grow if two slimes were one."""
    together = xp_in_tenths(s, xp + other_xp)
    return together / (xp_in_tenths(s, xp) + xp_in_tenths(s, other_xp)) - 1.0


@part
def xp_in_tenths(s: Row, xp: int) -> int:
    """Return what a slime with this xp scores, in tenths of a point."""
    level = s[lay.SLIME_MAX_LEVEL]
    while level > 1 and s[lay.LEVELS_AT + level * lay.LEVEL_SIZE + lay.MIN_XP] > xp:
        level -= 1
    return int(s[lay.LEVELS_AT + level * lay.LEVEL_SIZE + lay.TENTHS])


@part
def rate_merge(s: Row, m: Row, w: Numbers, f: Numbers, at: int) -> float:
    cell, team = m[at + lay.PLACE], m[at + lay.TEAM]
    # A MERGE takes in a friend on any of the eight squares around (rules 6.4), not just four.
    around, ready, gain, ready_gain = 0.0, 0.0, 0.0, 0.0
    for row in range(cell - s[lay.STRIDE], cell + s[lay.STRIDE] + 1, s[lay.STRIDE]):
        for beside in range(row - 1, row + 2):
            there = m[lay.GRID + beside]
            if there >= lay.EMPTY or beside == cell:
                continue
            other = slime_at(s, there)
            if m[other + lay.TEAM] != team or not need_xp(m, at, other):
                continue
            gained = merge_gain(s, m[at + lay.XP], m[other + lay.XP])
            gain = gained if around == 0.0 else max(gain, gained)
            around = 1.0
            if m[other + lay.READY]:
                ready_gain = gained if ready == 0.0 else max(ready_gain, gained)
                ready = 1.0
    f[0] = 1.0
    f[1] = around
    f[2] = around * f[LATE]
    f[3] = gain
    f[4] = gain * f[LATE]
    f[5] = ready
    f[6] = ready_gain
    f[7] = ready * (1.0 - m[at + lay.HP] / m[at + lay.MAX_HP])
    return rate(w, f, MERGING)


@part
def need_xp(m: Row, one: int, other: int) -> bool:
    """Return whether both of two slimes are below the highest level of all."""
    return bool(m[one + lay.XP] < ENOUGH_XP and m[other + lay.XP] < ENOUGH_XP)


@part
def rate_split(s: Row, m: Row, w: Numbers, f: Numbers, at: int, room: int) -> float:
    _, enemies, _, _ = count_neighbors(s, m, m[at + lay.PLACE], m[at + lay.TEAM], at)
    f[0] = 1.0
    f[1] = m[at + lay.LEVEL] / 12.0
    f[2] = max(0, m[at + lay.LEVEL] - 5) / 7.0
    f[3] = f[CROWDING]
    f[4] = f[RARE_PLANTS]
    f[5] = f[RARE_SEEDERS]
    f[6] = f[PROGRESS]
    f[7] = f[LATE]
    f[8] = enemies / 4.0
    f[9] = f[OUTNUMBERING]
    f[10] = room / 8.0
    return rate(w, f, SPLITTING)


@part
def rate_step(s: Row, m: Row, w: Numbers, f: Numbers, at: int, side: int) -> float:
    f[0] = 1.0
    f[1] = 1.0 if (m[lay.TURN] + m[at + lay.ID] + side) % 4 == 0 else 0.0
    f[2] = f[LATE]
    return rate(w, f, STEP)
