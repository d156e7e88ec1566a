"""Whole matches between compiled players, on as many cores as are asked for."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from learning.slime_mind.compiled import kernel
from learning.slime_mind.layout import ENDED, RUNNING, TEAM, Log, Row
from learning.slime_mind.matches import Matches
from learning.slime_mind.opponents import Opponent, acting_slime, decide
from learning.slime_mind.rules import play


def play_out(matches: Matches, first: Opponent, second: Opponent, *, threads: int = 1) -> int:
    """Play all matches to their ends; return the number of orders."""
    chance = np.arange(1, len(matches.rows) + 1).reshape(-1, 1)
    parts = [slice(number, None, threads) for number in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        orders = pool.map(
            lambda part: play_rows(
                matches.s,
                matches.rows[part],
                int(first),
                int(second),
                chance[part],
                matches.no_log,
            ),
            parts,
        )
        return sum(orders)


@kernel
def play_rows(s: Row, rows: Row, first: int, second: int, chance: Row, log: Log) -> int:
    """Play matches to their ends, one at a time; return the number of orders."""
    orders = 0
    for number in range(len(rows)):
        m = rows[number]
        while m[ENDED] == RUNNING:
            who = first if m[acting_slime(s, m) + TEAM] == 1 else second
            play(s, m, decide(s, m, who, chance[number]), log)
            orders += 1
    return orders
