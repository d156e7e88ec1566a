"""Who decides for a team: whoever gives orders from outside, or a compiled player."""

from enum import IntEnum

import numpy as np

from learning.slime_mind.chance import roll
from learning.slime_mind.compiled import kernel, part
from learning.slime_mind.layout import COMMANDS, ENDED, RUNNING, TEAM, Row
from learning.slime_mind.log import Log
from learning.slime_mind.opponents import acting_slime, decide_as_glutton
from learning.slime_mind.planner import planner
from learning.slime_mind.policy import learned_policy
from learning.slime_mind.ratings import ROOM, Numbers
from learning.slime_mind.rules import play

NOT_PLAYED = -1
"""The order of a match in which none is given from outside."""
GLUTTON_NUMBER, RANDOM_NUMBER, PLANNER_NUMBER, FIRST_LEARNED = range(4)


class Player(IntEnum):
    """Who decides for a team. From LEARNED on it is a policy: that many more is its number."""

    OUTSIDE = -1
    """The orders are given."""
    GLUTTON = GLUTTON_NUMBER
    """Eats the nearest plant, like `player_two`."""
    RANDOM = RANDOM_NUMBER
    """Gives any command."""
    PLANNER = PLANNER_NUMBER
    """Gives the orders of `player_six`."""
    LEARNED = FIRST_LEARNED


@kernel
def advance(
    s: Row, rows: Row, orders: Row, players: Row, weights: Numbers, notes: Row, log: Log
) -> int:
    """Play the order of each match, and on to the next that is given from outside, or to the end.

    `players` has who decides for each team, a row for each match; `weights` are those of policies,
    and `notes` what players keep, a row for each match. Return how many orders were played.
    """
    f, played = np.zeros(ROOM), 0
    for number in range(len(rows)):
        m, order = rows[number], orders[number]
        while m[ENDED] == RUNNING:
            if order == NOT_PLAYED:
                who = players[number, m[acting_slime(s, m) + TEAM] - 1]
                if who < 0:
                    break
                order = decide(s, m, who, weights, notes[number], f)
            play(s, m, order, log)
            order = NOT_PLAYED
            played += 1
    return played


@part
def decide(s: Row, m: Row, who: int, weights: Numbers, notes: Row, f: Numbers) -> int:
    """Return what a compiled player orders."""
    if who == GLUTTON_NUMBER:
        return decide_as_glutton(s, m)
    if who == RANDOM_NUMBER:
        return roll(notes, COMMANDS)
    if who == PLANNER_NUMBER:
        return planner(s, m, notes)
    return learned_policy(s, m, weights[who - FIRST_LEARNED], f, notes)


@kernel
def choose_order(s: Row, m: Row, who: int, weights: Numbers, notes: Row) -> int:
    """Return what a compiled player orders for the acting slime of a match."""
    return decide(s, m, who, weights, notes, np.zeros(ROOM))
