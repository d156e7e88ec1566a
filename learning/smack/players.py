"""Compiled players, and matches between them."""

from enum import IntEnum

import numpy as np

from engine.games.smack.settings import BULLY_POINTS
from learning.simulation.chance import Row
from learning.simulation.compiled import kernel, part
from learning.simulation.dice import roll
from learning.simulation.log import Log
from learning.smack.bitboards import common, count, read, single, spread
from learning.smack.layout import ENDING, IS_OVER, NERDS, NERDS_SIDE, NO_ORDER, PLY, RUNNING
from learning.smack.moves import (
    ANY,
    CAPTURES,
    GROUP_SIZE,
    MOST_GROUPS,
    count_moves,
    find_moves,
    list_moves,
    nth_move,
    target_of,
)
from learning.smack.rules import half_at, play_round, team_to_move


class Player(IntEnum):
    """Who decides for a team."""

    RANDOM = 0
    """Plays legal moves at random, all equally likely, like `player_one`."""
    GREEDY = 1
    """Captures what brings the most points, and plays any move where nothing can be captured."""


@kernel
def play_each(s: Row, rows: Row, orders: Row, log: Log) -> int:
    """Play a round of each match that is not over; return how many orders were played.

    `orders` has two for each match: one for each board.
    """
    played = 0
    for number in range(len(rows)):
        if not rows[number, IS_OVER]:
            played += play_round(s, rows[number], orders[number, 0], orders[number, 1], log)
    return played


@kernel
def play_to_end(s: Row, rows: Row, players: Row, chance: Row, log: Log) -> int:
    """Play each match to its end; return how many orders were played.

    `players` are those of team 1 and team 2, and `chance` is a number for each match.
    """
    groups = np.empty((MOST_GROUPS, GROUP_SIZE), np.int64)
    played = 0
    for number in range(len(rows)):
        m = rows[number]
        while not m[IS_OVER]:
            first = decide(s, m, 1, players, chance[number], groups)
            second = decide(s, m, 2, players, chance[number], groups)
            played += play_round(s, m, first, second, log)
    return played


@kernel
def legal_orders(s: Row, m: Row, half: int, orders: Row) -> int:
    """Write the legal orders that offer nothing into `orders`; return how many."""
    at = half_at(s, half)
    if m[at + ENDING] != RUNNING:
        return 0
    groups = np.empty((MOST_GROUPS, GROUP_SIZE), np.int64)
    return list_moves(groups, find_moves(m, at, ANY, groups), orders)


@part
def decide(s: Row, m: Row, half: int, players: Row, chance: Row, groups: Row) -> int:
    """Return what the compiled player orders that is to move on a board."""
    at = half_at(s, half)
    if m[at + ENDING] != RUNNING:
        return NO_ORDER
    if players[team_to_move(m, at, half) - 1] == 1:
        found = find_moves(m, at, CAPTURES, groups)
        if found:
            return best_capture(m, at, groups, found, chance)
    return at_random(groups, find_moves(m, at, ANY, groups), chance)


@part
def at_random(groups: Row, found: int, chance: Row) -> int:
    return nth_move(groups, found, roll(chance, count_moves(groups, found)))


@part
def best_capture(m: Row, at: int, groups: Row, found: int, chance: Row) -> int:
    """Return a capture that brings the most points: any of those."""
    best, most, ties = -1, 0, 0
    for n in range(count_moves(groups, found)):
        order = nth_move(groups, found, n)
        points = points_of(m, at, target_of(order))
        if points > most:
            best, most, ties = order, points, 1
        elif points == most:
            ties += 1
            if roll(chance, ties) == 0:
                best = order
    return best


@part
def points_of(m: Row, at: int, target: int) -> int:
    """Return what a capture with this target brings (rules 7.1)."""
    if m[at + PLY] % 2 == NERDS_SIDE:
        return BULLY_POINTS
    return count(common(spread(single(target)), read(m, at + NERDS)))
