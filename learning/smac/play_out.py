"""Whole matches between compiled players, on as many cores as are asked for."""

import numpy as np

from learning.simulation.threads import sum_of_parts
from learning.smac.layout import MOST_ORDERS
from learning.smac.matches import Matches
from learning.smac.players import Player, advance

MANY = 1 << 30
MOST = 32


def play_out(matches: Matches, *, most: int = MOST, threads: int = 1) -> int:
    """Play all matches to their ends between random players; return the number of decisions.

    A decision is a turn or a placement round, in which a team gives `most` orders at most.
    Raises: ValueError for more than 1000 orders.
    """
    if not 0 <= most <= MOST_ORDERS:
        raise ValueError(f"most = {most}: expected 0 to {MOST_ORDERS}")
    orders = matches.no_orders(most)
    players = np.full(orders.shape[:2], Player.RANDOM, np.int64)
    chance = np.arange(1, len(orders) + 1).reshape(-1, 1)
    return sum_of_parts(
        len(orders),
        lambda part: advance(
            *(matches.s, matches.rows[part], orders[part], players[part]),
            *(chance[part], MANY, matches.no_log),
        ),
        threads=threads,
    )
