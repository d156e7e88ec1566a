"""Whole matches between compiled players, on as many cores as are asked for."""

import numpy as np

from learning.simulation.threads import sum_of_parts
from learning.smack.matches import Matches
from learning.smack.players import Player, play_to_end


def play_out(matches: Matches, first: Player, second: Player, *, threads: int = 1) -> int:
    """Play all matches to their ends; return the number of orders."""
    players = np.array([first, second], np.int64)
    rows = matches.rows
    chance = np.arange(1, len(rows) + 1).reshape(-1, 1)
    return sum_of_parts(
        len(rows),
        lambda part: play_to_end(matches.s, rows[part], players, chance[part], matches.no_log),
        threads=threads,
    )
