"""Where things are in the arrays: a match is a row of whole numbers, and so are its settings.

A match: its head and then its two halves, each with two bitboards of four words (bitboards.py) and
the plies since its last capture, from which every position that could come back follows.
"""

import numpy as np

from engine.games.smack.settings import Pace, Settings
from engine.games.smack.squares import SQUARES
from learning.encodings.smack import NUMBER_OF, PAIRS
from learning.simulation.chance import DRAWN, Row

# -- a row of settings ------------------------------------------------------------------------
IS_FREE, OPENING_PLIES, NO_CAPTURE_LIMIT, REPETITION_LIMIT, PLY_LIMIT, HALF_SIZE, WIDTH = range(7)

# -- a row of a match: its head ---------------------------------------------------------------
TURN, IS_OVER, FIRST_HALF = range(3)

# -- a half -----------------------------------------------------------------------------------
NERDS, BULLIES, CAPTURED = 0, 4, 8
"""CAPTURED are the squares on which the last ply removed pieces."""
PLY, QUIET, POINTS_1, POINTS_2, WANTS_END, LAST, ENDING, HISTORY = range(12, 20)
"""LAST is the last ply, and from HISTORY on are those since the last capture: QUIET many."""
RUNNING, AGREEMENT, NO_PIECES, NO_MOVES, NO_CAPTURES, REPETITION, ENOUGH_PLIES, FORFEIT = range(8)
"""The values of ENDING."""
NERDS_SIDE, BULLIES_SIDE = range(2)
"""The side to move is PLY modulo 2: nerds begin (rules 3.1)."""

# -- a ply: its source times 256 plus its target ----------------------------------------------
SOURCE = 256

# -- the stream of the opening, while it is drawn ---------------------------------------------
STREAM_BLOCK, STREAM_DRAWN, STREAM_KEY = range(3)
STREAM_DRAWS = STREAM_KEY + 8
STREAM_SIZE = STREAM_DRAWS + DRAWN

# -- an order: the action of `SmackEncoding`, with PAIRS more an offer to end the half ---------
ORDERS = 2 * PAIRS
NO_ORDER = ORDERS
"""The order of a team that gave none: it forfeits the half, as any other that is illegal does."""
WAIT = ORDERS + 1
"""With `pace = free`: nothing is played on this board now."""

NUMBERS = np.full(SOURCE, -1, np.int64)
"""The number of each square in an order; -1 for what is none."""
for _square, _number in NUMBER_OF.items():
    NUMBERS[_square] = _number
SQUARES_BY_NUMBER = np.array(SQUARES, np.int64)


def settings_row(settings: Settings) -> Row:
    """Return the settings as the rules read them here."""
    half_size = HISTORY + min(settings.no_capture_limit, settings.ply_limit)
    numbers = {
        IS_FREE: settings.pace is Pace.FREE,
        OPENING_PLIES: settings.opening_plies,
        NO_CAPTURE_LIMIT: settings.no_capture_limit,
        REPETITION_LIMIT: settings.repetition_limit,
        PLY_LIMIT: settings.ply_limit,
        HALF_SIZE: half_size,
        WIDTH: FIRST_HALF + 2 * half_size,
    }
    return np.array([numbers[place] for place in range(len(numbers))], np.int64)
