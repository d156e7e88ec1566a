"""A policy that can learn: it rates what a slime could do, and does what has the highest rating.

It searches outward, breadth first, and rates the plants, enemies and friends that it meets, and
besides a MERGE, a SPLIT and each step. A rating is a sum of features, each times a weight, and so
is that of the square where the slime would stand. The bot playerCode/player_learned plays by the
same features, and a test compares the two.
"""

import numpy as np

from learning.slime_mind import layout as lay
from learning.slime_mind.compiled import part
from learning.slime_mind.layout import Row
from learning.slime_mind.notes import FRIENDS, refresh_note
from learning.slime_mind.opponents import FIRST_BITE, MERGE, acting_slime
from learning.slime_mind.planner import SPLIT, is_around
from learning.slime_mind.ratings import (
    DEADLY_AT,
    HERE,
    LATE,
    SIDES_AT,
    Numbers,
    describe_team,
    need_xp,
    rate_enemy,
    rate_friend,
    rate_merge,
    rate_plant,
    rate_split,
    rate_square,
    rate_step,
    slime_at,
)
from learning.slime_mind.rules import empty_around, side_offset

MAX_SEARCH_STEPS = 25
"""It searches so many steps far."""
ENOUGH_GOALS = 8
"""It ends its search when it has met so many plants and enemies, unless the end is near."""
ALL_GOALS = 1 << 30
CROWD_SIZE = 80
"""With more friends than that each searches less far: the time for a match is that of them all."""
MINUS_INFINITY = -np.inf
"""The rating of what is impossible."""


@part
def learned_policy(s: Row, m: Row, w: Numbers, f: Numbers, notes: Row) -> int:
    """Return the order with the highest rating, the first of equals; `f` is room for numbers."""
    at = acting_slime(s, m)
    note = refresh_note(s, m, notes, m[at + lay.TEAM])
    describe_team(s, m, f, notes, note)
    rate_neighbors(s, m, w, f, at)
    best, order = best_goal(s, m, w, f, at, notes[note + FRIENDS])
    rating = f[HERE] + rate_merge(s, m, w, f, at)
    if rating > best:
        best, order = rating, MERGE
    room = empty_around(s, m, m[at + lay.PLACE])
    if m[at + lay.LEVEL] >= s[lay.MIN_SPLIT_LEVEL] and room > 0:
        rating = f[HERE] + rate_split(s, m, w, f, at, room)
        if rating > best:
            best, order = rating, SPLIT
    for side in range(4):
        if m[lay.GRID + m[at + lay.PLACE] + side_offset(s, side)] == lay.EMPTY:
            rating = f[SIDES_AT + side] + rate_step(s, m, w, f, at, side)
            if rating > best:
                best, order = rating, side
    if order == SPLIT:
        notes[note + FRIENDS] += 1
    return int(order)


@part
def rate_neighbors(s: Row, m: Row, w: Numbers, f: Numbers, at: int) -> None:
    """Rate the slime's own square and those on the four sides that are empty."""
    cell = m[at + lay.PLACE]
    f[HERE], _ = rate_square(s, m, w, f, at, cell, 0)
    for side in range(4):
        beside = cell + side_offset(s, side)
        if m[lay.GRID + beside] == lay.EMPTY:
            f[SIDES_AT + side], is_deadly = rate_square(s, m, w, f, at, beside, 0)
            f[DEADLY_AT + side] = 1.0 if is_deadly else 0.0


@part
def enough_goals(f: Numbers, friends: int) -> int:
    """Return the number of plants and enemies after which a search ends."""
    if friends > CROWD_SIZE:
        return max(1, ENOUGH_GOALS * CROWD_SIZE // friends)
    return ENOUGH_GOALS if f[LATE] == 0.0 else ALL_GOALS


@part
def best_goal(  # type: ignore[no-untyped-def]
    s: Row, m: Row, w: Numbers, f: Numbers, at: int, friends: int
):
    """Search breadth first; return the highest rating of what is met, and the order towards it.

    It goes through no square beside the slime where the bites that wait would kill.
    """
    enough = enough_goals(f, friends)
    grid = s[lay.SLIMES_AT] - lay.GRID
    first = np.full(grid, -1, np.int64)
    reached = np.empty(grid, np.int64)
    home = m[at + lay.PLACE]
    first[home], reached[0] = 0, home
    head, tail, goals, best, order = 0, 1, 0, MINUS_INFINITY, MERGE
    for steps in range(MAX_SEARCH_STEPS):
        if goals >= enough:
            break
        ring_end = tail
        while head < ring_end:
            here = reached[head]
            head += 1
            for side in range(4):
                beside = here + side_offset(s, side)
                if first[beside] >= 0:
                    continue
                way = first[here] if steps else side
                there = m[lay.GRID + beside]
                if there == lay.EMPTY:
                    if steps > 0 or f[DEADLY_AT + side] == 0.0:
                        first[beside] = way
                        reached[tail] = beside
                        tail += 1
                elif there < lay.EMPTY or there >= lay.FIRST_PLANT:
                    first[beside] = way
                    rating, is_goal = rate_goal(s, m, w, f, at, beside, steps)
                    rating += square_after(s, m, w, f, at, there, steps, way)
                    goals += is_goal
                    if rating > best:
                        best, order = rating, way if steps else FIRST_BITE + way
    return best, order


@part
def rate_goal(s: Row, m: Row, w: Numbers, f: Numbers, at: int, cell: int, steps: int):  # type: ignore[no-untyped-def]
    """Rate a plant, an enemy or a friend, and say whether it is one of those that are enough."""
    there = m[lay.GRID + cell]
    if there >= lay.FIRST_PLANT:
        plant = s[lay.PLANTS_AT] + (there - lay.FIRST_PLANT) * lay.PLANT_SIZE
        return rate_plant(s, m, w, f, at, plant, steps), True
    other = slime_at(s, there)
    if m[other + lay.TEAM] != m[at + lay.TEAM]:
        return rate_enemy(s, m, w, f, at, other, steps), True
    is_late = f[LATE] > 0.0 and need_xp(m, at, other)
    if is_late and not is_around(s, m[at + lay.PLACE], cell):
        return rate_friend(s, m, w, f, at, other, steps), False
    return MINUS_INFINITY, False


@part
def square_after(
    s: Row, m: Row, w: Numbers, f: Numbers, at: int, there: int, steps: int, way: int
) -> float:
    """Return the rating of the square where the slime stands after a step, or after a bite."""
    if steps > 0:
        return float(f[SIDES_AT + way])
    if there >= lay.FIRST_PLANT:
        return float(f[HERE])
    enemy = slime_at(s, there)
    if m[enemy + lay.HP] > m[at + lay.ATTACK]:
        return float(f[HERE])
    rating, _ = rate_square(s, m, w, f, at, m[at + lay.PLACE], enemy)
    return float(rating)
