"""Whole matches between compiled players, on as many cores as are asked for."""

import numpy as np

from learning.simulation.threads import sum_of_parts
from learning.slime_mind.layout import Row
from learning.slime_mind.matches import NO_WEIGHTS, Matches
from learning.slime_mind.notes import new_notes
from learning.slime_mind.players import NOT_PLAYED, Player, advance
from learning.slime_mind.ratings import Numbers


def play_out(matches: Matches, first: Player, second: Player, *, threads: int = 1) -> int:
    """Play all matches to their ends; return the number of orders."""
    players = np.tile(np.array([first, second], np.int64), (len(matches.rows), 1))
    return play_rows(matches, matches.rows, players, NO_WEIGHTS, threads=threads)


def play_rows(
    matches: Matches, rows: Row, players: Row, weights: Numbers, *, threads: int = 1
) -> int:
    """Play rows of matches with these settings to their ends; return the number of orders."""
    orders = np.full(len(rows), NOT_PLAYED)
    notes = new_notes(len(rows))
    return sum_of_parts(
        len(rows),
        lambda part: advance(
            *(matches.s, rows[part], orders[part], players[part]),
            *(weights, notes[part], matches.no_log),
        ),
        threads=threads,
    )
