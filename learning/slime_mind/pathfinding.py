"""The engine's shortest path (engine/games/slime_mind/pathfinding.py), compiled: the same one."""

from heapq import heappop, heappush

import numpy as np

from learning.slime_mind.compiled import part
from learning.slime_mind.layout import COLUMNS, EMPTY, GRID, ROWS, SLIMES_AT, STRIDE, TABLES_AT, Row
from learning.slime_mind.rules import find_side, side_offset, steps_between

BITS = 12
"""So many bits of a key each have what remains, x and y; a map has at most 1000 columns and rows.

The rest of it, above them, is the length of the path."""
LOW_BITS_MASK = (1 << BITS) - 1


@part
def step_to(s: Row, m: Row, cell: int, goal: int, team: int) -> int:
    """Return the first command of the path to a place; -1: there is no path, or it is beside."""
    grid = s[SLIMES_AT] - GRID
    came_from = np.full(grid, -1, np.int64)
    steps_to = np.full(grid, 1 << 30, np.int64)
    steps_to[cell] = 0
    estimate = steps_between(s, cell, goal)
    frontier = [encode_key(s, estimate, estimate, cell, team)]
    while len(frontier) > 0:
        key = heappop(frontier)
        here = decode_place(s, key, team)
        if (key >> 2 * BITS) & LOW_BITS_MASK <= 1:
            return first_side(s, came_from, cell, here)
        steps = steps_to[here] + 1
        for side in range(4):
            beside = here + side_offset(s, side)
            if m[GRID + beside] == EMPTY and steps < steps_to[beside]:
                came_from[beside], steps_to[beside] = here, steps
                remaining = steps_between(s, beside, goal)
                heappush(frontier, encode_key(s, steps + remaining, remaining, beside, team))
    return -1


@part
def encode_key(s: Row, total: int, remaining: int, cell: int, team: int) -> int:
    """Return a number that is as high in the heap as the engine's tuple; team 2's is turned."""
    xs = s[TABLES_AT]
    x, y = s[xs + cell], s[xs + s[SLIMES_AT] - GRID + cell]
    if team == 2:
        x, y = s[COLUMNS] - 1 - x, s[ROWS] - 1 - y
    return int((((total << BITS) + remaining << BITS) + x << BITS) + y)


@part
def decode_place(s: Row, key: int, team: int) -> int:
    """Return the place of a key."""
    x, y = (key >> BITS) & LOW_BITS_MASK, key & LOW_BITS_MASK
    if team == 2:
        x, y = s[COLUMNS] - 1 - x, s[ROWS] - 1 - y
    return int((y + 1) * s[STRIDE] + x + 1)


@part
def first_side(s: Row, came_from: Row, cell: int, last: int) -> int:
    """Return the side of the first step of a path that ends at a place; -1: it has no steps."""
    if last == cell:
        return -1
    while came_from[last] != cell:
        last = came_from[last]
    return find_side(s, cell, last)
