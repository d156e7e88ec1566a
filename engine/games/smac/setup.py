"""The dish before anybody settles: terrain and the teams' points (docs/rules/smac.md 2.3)."""

from collections.abc import Iterator

from engine.game import Event
from engine.games.smac.events import Endowed, TerrainLaid
from engine.games.smac.grid import AT_LEAST, Grid, make_grid, make_mask
from engine.games.smac.settings import MILLI, Characteristics, Settings
from engine.games.smac.state import Dish
from engine.games.smac.terrain import PLAIN, TRAITS
from engine.streams import Stream, Streams

CENTERS_PER_TEAM = 10
"""Free centers per team that a board must have (rules 2.3)."""
FULL_TERRAIN_DRAWS = 100
"""Boards drawn with all of the terrain; each one after them has 1 % less (rules 2.3)."""


def set_up(dish: Dish, streams: Streams) -> Iterator[Event]:
    terrain = draw_terrain(dish.settings, len(dish.teams), streams["terrain"])
    cells = tuple(cell for cell, value in enumerate(terrain) if value != PLAIN)
    yield TerrainLaid(cells, tuple(terrain[cell] for cell in cells))
    points = Characteristics(*dish.settings.start_level_points)
    for team in range(1, len(dish.teams) + 1):
        yield Endowed(team, dish.settings.start_points * MILLI, points)


def draw_terrain(settings: Settings, teams: int, stream: Stream) -> bytearray:
    """Draw boards until one has room for all teams (rules 2.3)."""
    grid, boards = make_grid(settings.side_for(teams)), 0
    while True:
        percent = max(0, settings.terrain_pct - max(0, boards - FULL_TERRAIN_DRAWS))
        terrain = _draw_board(grid, percent, stream, is_symmetric=settings.symmetric_terrain)
        if _free_centers(grid, terrain).bit_count() >= CENTERS_PER_TEAM * teams:
            return terrain
        boards += 1


def _draw_board(grid: Grid, percent: int, stream: Stream, *, is_symmetric: bool) -> bytearray:
    terrain = bytearray(grid.size)
    # Turning by 180 degrees maps cell i to cell -1 - i; an odd board's center maps to itself.
    drawn = (grid.size + 1) // 2 if is_symmetric else grid.size
    for cell in range(drawn):
        if stream.below(100) < percent:
            terrain[cell] = _draw_cell(stream)
            if is_symmetric:
                terrain[-1 - cell] = terrain[cell]
    return terrain


def _draw_cell(stream: Stream) -> int:
    """Draw each trait from -, nothing, nothing, +, until a cell has one at least (rules 2.3)."""
    terrain = PLAIN
    while terrain == PLAIN:
        terrain = sum(stream.choice((minus, 0, 0, plus)) for minus, plus in TRAITS)
    return terrain


def _free_centers(grid: Grid, terrain: bytearray) -> int:
    """Return the middles of 3 x 3 cells without terrain (rules 3.2)."""
    return grid.inner & ~grid.spread(make_mask(terrain, AT_LEAST[1]))
