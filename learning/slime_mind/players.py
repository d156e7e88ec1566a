"""Who decides for a team: whoever gives orders from outside, or a compiled player."""

from enum import IntEnum

import numpy as np

from learning.simulation.compiled import kernel, part
from learning.simulation.log import Log
from learning.slime_mind.layout import ENDED, RUNNING, TEAM, Row
from learning.slime_mind.opponents import acting_slime, at_random, glutton
from learning.slime_mind.policy import FEATURES, Weights, learned
from learning.slime_mind.rules import play

NOT_PLAYED = -1
"""The order of a match in which none is given from outside."""
MOST_FEATURES = len(FEATURES)


class Player(IntEnum):
    """Who decides for a team. From LEARNED on it is a policy: that many more is its number."""

    OUTSIDE = -1
    """The orders are given."""
    GLUTTON = 0
    """Eats the nearest plant, like `player_two`."""
    RANDOM = 1
    """Gives any command."""
    LEARNED = 2


@kernel
def advance(
    s: Row, rows: Row, orders: Row, players: Row, weights: Weights, chance: Row, log: Log
) -> int:
    """Play the order of each match, and on to the next that is given from outside, or to the end.

    `players` has who decides for each team, a row for each match; `weights` are those of policies,
    and `chance` is a number for each match. Return how many orders were played.
    """
    f, played = np.zeros(MOST_FEATURES), 0
    for number in range(len(rows)):
        m, order = rows[number], orders[number]
        while m[ENDED] == RUNNING:
            if order == NOT_PLAYED:
                who = players[number, m[acting_slime(s, m) + TEAM] - 1]
                if who < 0:
                    break
                order = decide(s, m, who, weights, chance[number], f)
            play(s, m, order, log)
            order = NOT_PLAYED
            played += 1
    return played


@part
def decide(s: Row, m: Row, who: int, weights: Weights, chance: Row, f: Weights) -> int:
    """Return what a compiled player orders."""
    if who == 0:
        return glutton(s, m)
    return at_random(chance) if who == 1 else learned(s, m, weights[who - 2], f)


@kernel
def order_of(s: Row, m: Row, who: int, weights: Weights) -> int:
    """Return what a compiled player orders for the acting slime of a match."""
    return decide(s, m, who, weights, np.ones(1, np.int64), np.zeros(MOST_FEATURES))
