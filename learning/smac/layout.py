"""Where things are in the arrays: a match is a row of whole numbers, and so are its settings.

A match: its head, the numbers of its teams, and then the cells, as layers of small numbers that
share the row. Cells are numbered on a board with an edge around it, so that no step leaves it: such
a number is a place. Orders have the engine's numbers of cells, `y * side + x`.
"""

import numpy as np
from numpy.typing import NDArray

from engine.games.smac.production import yield_of
from engine.games.smac.settings import ChanceModel, DefenseModel, Settings
from engine.games.smac.terrain import PLAIN

Row = NDArray[np.int64]
Cells = NDArray[np.int16]
"""The layers of a match: (layers, places)."""
Work = NDArray[np.int64]
"""Room to compute in, which holds nothing between two decisions: (lists, places)."""
Log = NDArray[np.int64]
"""Numbers one after the other, of which the first counts them; see log.py."""

# -- a row of settings ------------------------------------------------------------------------
(
    SIDE,
    STRIDE,
    PLACES,
    TEAMS,
    CELLS_AT,
    LAYERS,
    WIDTH,
    TERRAIN_PCT,
    SYMMETRIC,
    START_POINTS,
    MIN_SUPPORT,
    NEED,
    NEED_DIP,
    NEED_HILL,
    CENTER_DISTANCE,
    VICTORY_FROM,
    VICTORY_PCT,
    VICTORY_STEP,
    LAST_TURN,
    SPECIALS_FROM,
    ONE_SPECIAL,
    ROUND_LIMIT,
    IS_NORMAL,
    IS_SEED_DEFENSE,
    EARLY_END,
    START_LEVELS,
) = range(26)
CHARACTERISTICS = 7
YIELDS = START_LEVELS + CHARACTERISTICS
"""From here on are the hundredths of a point that a stack yields, by effective height."""
HEIGHTS_LIMIT = 258

# -- a row of a match: its head ---------------------------------------------------------------
TURN, STAGE, ENDED, FIGHT_DRAWS, SEED_LETTERS = range(5)
"""FIGHT_DRAWS counts what was drawn in combat this turn: turn 1 has two combats."""
PLACEMENT_1, PLACEMENT_2, ORDERS, OVER = range(4)
"""The values of STAGE: what the teams are asked for."""
RUNNING, NOBODY_LEFT, SOLE_SURVIVOR, BY_PRODUCTION, AFTER_LAST_TURN = range(5)
"""The values of ENDED."""
SEED = 5
SEED_WORDS = 5
"""The letters of the seed and a slash, eight in a word: the beginning of its streams' names."""
PLACED_FIRST = SEED + SEED_WORDS
"""From here on are the teams in the order in which they took their centers; 0 before that."""
MOST_TEAMS = 6
TEAMS_AT = PLACED_FIRST + MOST_TEAMS

# -- a team -----------------------------------------------------------------------------------
(
    BANK,
    SELECTED,
    SELECTED_IN,
    USED,
    USED_1,
    CENTERS,
    CENTER_1,
    CENTER_2,
    PRODUCTION,
    SHELLED_IN,
    BLIGHTED_IN,
    OUT_IN,
    SCORE,
    POINTS,
    LEVELS,
) = (0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 15, 16, 17, 18, 25)
"""SELECTED is 1 more than the special, and turns are 0 for never; SCORE is in 1/10000."""
TEAM_SIZE = 32
ATTACK, DEFENSE, JUMP, PRODUCTIVITY, STACKING, PINIT, CINIT = range(CHARACTERISTICS)
SHELL, BLIGHT, ENRICH, BLOOM, SPORE, NUKE = range(6)
SPECIALS = 6

# -- the layers of cells ----------------------------------------------------------------------
(
    TERRAIN,
    OWNER,
    SINCE,
    UNUSUAL,
    FOUGHT_IN,
    FOUGHT_OWNER,
    FOUGHT_ROUNDS,
    FOUGHT_WINNER,
    FOUGHT_LEFT,
) = range(9)
HEIGHTS = 8
"""The raw heights of team n are at HEIGHTS + n, and those in the last fight behind all teams'."""

# -- the orders of a team ---------------------------------------------------------------------
FIRST, TARGET, SELECT, FIRST_ORDER = range(4)
"""FIRST is the special to use, or the bid; from FIRST_ORDER on are the orders."""
NONE = -1
LOST = -2
"""In FIRST: the team gave no orders, as if its bot had failed."""
PLACE = CHARACTERISTICS
"""An order below it evolves that characteristic; PLACE + a cell places a stack or a center."""
MOST_ORDERS = 1_000

# -- the lists of the room to compute in ------------------------------------------------------
(
    FOUND,
    VALUES,
    NEIGHBORS,
    TAKEN,
    STREAM,
    ACCOUNT,
    RAW,
    ORDERED,
    INITIATIVE,
    LOTS,
    BIDS,
    PLACED_AT,
    BARRED,
    BARRED_COLUMNS,
) = range(14)
LISTED = 13
"""The places that team n placed in are at LISTED + n; the lists below go on behind all teams'."""
NUMBERS = LISTED + MOST_TEAMS
"""The number of the first order in each of these places."""
INDEXES = NUMBERS + MOST_TEAMS
"""By place, where it is in the list of team n, from 1; 0 if it is not."""
AFTER = INDEXES + MOST_TEAMS
"""By place, how many stacks are added there."""
RANKS = AFTER + MOST_TEAMS
"""By pass, when team n had its turn in it."""
LISTS = RANKS + MOST_TEAMS + 1


def settings_row(settings: Settings, teams: int) -> Row:
    """Return the settings as the rules read them here."""
    side = settings.side_for(teams)
    places = (side + 2) ** 2
    cells_at = TEAMS_AT + teams * TEAM_SIZE
    layers = HEIGHTS + 1 + 2 * teams
    numbers = {
        SIDE: side,
        STRIDE: side + 2,
        PLACES: places,
        TEAMS: teams,
        CELLS_AT: cells_at,
        LAYERS: layers,
        WIDTH: cells_at + (layers * places + 3) // 4,  # four cells of a layer in a number
        TERRAIN_PCT: settings.terrain_pct,
        SYMMETRIC: int(settings.symmetric_terrain),
        START_POINTS: settings.start_points,
        MIN_SUPPORT: settings.min_support,
        NEED: settings.growth_need,
        NEED_DIP: settings.growth_need_dip,
        NEED_HILL: settings.growth_need_hill,
        CENTER_DISTANCE: settings.second_center_min_distance,
        VICTORY_FROM: settings.victory_from_turn,
        VICTORY_PCT: settings.victory_pct,
        VICTORY_STEP: settings.victory_step_pct,
        LAST_TURN: settings.last_turn,
        SPECIALS_FROM: settings.specials_from_turn,
        ONE_SPECIAL: int(settings.one_special_per_game),
        ROUND_LIMIT: settings.combat_round_limit,
        IS_NORMAL: int(settings.chance_model is ChanceModel.NORMAL),
        IS_SEED_DEFENSE: int(settings.defense_counts is DefenseModel.SEED),
        EARLY_END: int(settings.early_elimination),
    }
    row = np.zeros(YIELDS + HEIGHTS_LIMIT, np.int64)
    for place, number in numbers.items():
        row[place] = number
    row[START_LEVELS:YIELDS] = settings.start_level_points
    model = settings.production_model
    row[YIELDS:] = [yield_of(height, PLAIN, model) for height in range(HEIGHTS_LIMIT)]
    return row


def cells_of(s: Row, row: Row) -> Cells:
    """Return the layers of a match, which share its row."""
    size = int(s[LAYERS] * s[PLACES])
    cells: Cells = row[s[CELLS_AT] :].view(np.int16)[:size].reshape(s[LAYERS], s[PLACES])
    return cells
