"""Where things are in the arrays: a match is a row of whole numbers, and so are its settings.

A match: its head, the keys and draws of its two streams, and then the grid, the slimes, the plants
and the queue, which begin where the settings say. Squares are numbered on a grid with an edge
around it, so that no step leaves it.
"""

from bisect import bisect_left

import numpy as np
from numpy.typing import NDArray

from engine.games.slime_mind.settings import LEVELS, Settings
from engine.streams import DRAWS, UNIT

Row = NDArray[np.int64]

# -- a row of settings ------------------------------------------------------------------------
(
    STRIDE,
    COLUMNS,
    ROWS,
    UP,
    MAX_TURNS,
    SLIME_PAIRS,
    ROCK_PAIRS,
    PLANT_PAIRS,
    PLANT_MAX_LEVEL,
    GROWTH,
    SEEDING,
    PLANT_HP,
    PLANT_START_HP,
    SLIME_MAX_LEVEL,
    MIN_SPLIT_LEVEL,
    SPLIT_DIVISOR,
    BITE_HP,
    BITE_XP,
    MERGE_HEALS,
    SLIMES_AT,
    PLANTS_AT,
    QUEUE_AT,
    WIDTH,
    TABLES_AT,
    LEVELS_AT,
) = range(25)
MIN_XP, ATTACK_OF, MAX_HP_OF, TENTHS = range(4)
"""The numbers of a level, of which the table of levels has a row each, from `LEVELS_AT` on."""
LEVEL_SIZE = 4
"""Behind them, from `TABLES_AT` on, are the column of each place and then its row, from 0."""

LANES = 16
DRAWS_AT_A_TIME = 8 * LANES
"""So many draws of a stream are computed at a time: eight in a block, and a block in each lane."""

# -- a row of a match: its head ---------------------------------------------------------------
(
    TURN,
    NEXT_ID,
    SLIMES,
    PLANTS,
    EATEN,
    QUEUE_NEXT,
    QUEUE_END,
    TEAM_1,
    TEAM_2,
    ENDED,
    TENTHS_1,
    TENTHS_2,
    PLANTS_BLOCK,
    PLANTS_DRAWN,
    SPLIT_BLOCK,
    SPLIT_DRAWN,
) = range(16)
"""SLIMES and PLANTS count slots, those of dead ones among them; EATEN counts dead plants."""
RUNNING, ELIMINATION, LAST_TURN = range(3)
"""The values of ENDED."""
PLANTS_KEY = 16
SPLIT_KEY = PLANTS_KEY + 8
PLANTS_DRAWS_AT = SPLIT_KEY + 8
SPLIT_DRAWS_AT = PLANTS_DRAWS_AT + DRAWS_AT_A_TIME
GRID = SPLIT_DRAWS_AT + DRAWS_AT_A_TIME

# -- a square of the grid ---------------------------------------------------------------------
EMPTY, EDGE, ROCK, FIRST_PLANT = range(4)
"""From FIRST_PLANT on a plant's slot follows; a slime's slot n is -1 - n."""

# -- a slime and a plant ----------------------------------------------------------------------
ID, TEAM, PLACE, XP, LEVEL, HP, MAX_HP, ATTACK, READY, ALIVE = range(10)
SLIME_SIZE = 10
PLANT_ID, PLANT_PLACE, PLANT_LEVEL, PLANT_HP_LEFT = range(4)
PLANT_SIZE = 4

COMMANDS = 10
NO_ORDER = COMMANDS
"""The order of a slime whose bot gave none."""


def settings_row(settings: Settings) -> Row:
    """Return the settings as the rules read them here."""
    stride = settings.columns + 2
    grid = stride * (settings.rows + 2)
    squares = settings.columns * settings.rows
    # In a turn as many slimes can be born as there were; slots are given anew once a turn.
    slimes_at = GRID + grid
    plants_at = slimes_at + 2 * squares * SLIME_SIZE
    queue_at = plants_at + squares * PLANT_SIZE
    numbers = {
        STRIDE: stride,
        COLUMNS: settings.columns,
        ROWS: settings.rows,
        UP: stride if settings.y_up else -stride,
        MAX_TURNS: settings.max_turns,
        SLIME_PAIRS: settings.slime_pairs,
        ROCK_PAIRS: settings.rock_pairs,
        PLANT_PAIRS: settings.plant_pairs,
        PLANT_MAX_LEVEL: settings.plant_max_level,
        GROWTH: draws_below(settings.plant_level_chance_pct),
        SEEDING: draws_below(settings.plant_seed_chance_pct),
        PLANT_HP: settings.plant_hp_per_level,
        PLANT_START_HP: settings.plant_start_hp,
        SLIME_MAX_LEVEL: settings.slime_max_level,
        MIN_SPLIT_LEVEL: settings.min_split_level,
        SPLIT_DIVISOR: settings.split_divisor,
        BITE_HP: settings.bite_hp,
        BITE_XP: settings.bite_xp,
        MERGE_HEALS: settings.merge_heals,
        SLIMES_AT: slimes_at,
        PLANTS_AT: plants_at,
        QUEUE_AT: queue_at,
        WIDTH: queue_at + squares,
        TABLES_AT: LEVELS_AT + LEVEL_SIZE * len(LEVELS),
    }
    places = np.arange(grid)
    tables = np.concatenate([np.ravel(LEVELS), places % stride - 1, places // stride - 1])
    row = np.concatenate([np.zeros(LEVELS_AT, np.int64), tables])
    for cell, number in numbers.items():
        row[cell] = number
    return row


def square_of_place(settings: Settings, cell: int) -> tuple[int, int]:
    """Return the square of the map that has a number on the grid with its edge."""
    y, x = divmod(cell, settings.columns + 2)
    return x - 1, y - 1


def draws_below(percent: int) -> int:
    """Return how many of the 2**53 draws of a stream are below a chance, as the rules compare."""
    return bisect_left(_Draws(), True, key=lambda draw: draw * UNIT * 100 >= percent)


class _Draws:
    """All draws of a stream, in ascending order."""

    def __len__(self) -> int:
        return DRAWS

    def __getitem__(self, draw: int) -> int:
        return draw
