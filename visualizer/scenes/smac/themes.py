"""Colors, sizes, and the ids of things on the dish of SMAC."""

from engine.games.smac.terrain import (
    ACID,
    BARE,
    BASE,
    DIP,
    HILL,
    PLAIN,
    SUGAR,
    TERRAINS,
    terrain_names,
)

NUMERALS = ("#ffffff", "#2b1600", "#ffffff", "#ffffff", "#06272a", "#ffffff")
"""The color of text on a team's color."""
TAN = "#d3bd93"  # terrain
REMINDER = "#747d7a"
"""The 1 of an empty BASE cell."""

BORDER = 0.1
"""The border of a cell in which something unusual happened, cells."""
PLATE = 0.86
MIN_STACK_WIDTH, HIGHER, MAX_STACK_WIDTH = 0.7, 0.04, 0.86
"""The width of a stack of 1, what each level adds, and the most."""
ON_TERRAIN, FROM_EDGE = 0.8, 0.02
"""How large a stack is on terrain, of one on plain ground, and how far from the lower and the right
edge of its cell: signs are in the other corners."""
UNSHADED_WIDTH = 0.94
"""A stack that fills its picture is so much wider in it than one with its shadow."""
NUMERAL, NUMERAL_OF_TWO = 0.98, 0.72
"""The size of the letters of a height of one digit and of two, of its stack's width."""
BASE_REMINDER_SIZE = 0.42

PLATES = tuple(terrain for terrain in TERRAINS if terrain != PLAIN)

# Ids: a layer of things, and in it a thing per cell or per team.
LAYER = 10_000
TERRAIN, ONE, STACK, HEIGHT, RIVALS, RIVAL_HEIGHTS, CELL, INNER, TEAM, SHARE, GOAL, KEY = (
    layer * LAYER for layer in (1, 2, 3, 4, 10, 20, 30, 31, 40, 41, 42, 43)
)
"""Above `RIVALS` there is a layer for each team in a cell of several; so with their heights."""
GOAL_WORDS = GOAL + 1


def picture_of_stack(team: int, *, is_new: bool) -> str:
    return f"new_stack_{team}" if is_new else f"stack_{team}"


def picture_of_terrain(terrain: int) -> str:
    """Return the name of a terrain's picture: `sugar_hill`."""
    return "_".join(terrain_names(terrain)).lower()


SIGNS = {HILL: "▲", DIP: "▼", BASE: "■", ACID: "○", SUGAR: "◆", BARE: "✗"}
"""The letters that look like the signs on the plates."""


def terrain_signs(terrain: int) -> str:
    """Return the signs of a terrain as letters."""
    return "".join(letter for sign, letter in SIGNS.items() if terrain & sign)
