"""What a team's stacks come to at the end of a turn in which nobody else does anything."""

from typing import NamedTuple

from msgspec.structs import replace

from engine.games.smac.grid import Cell, Grid, grid_of
from engine.games.smac.growth import growth, remove_unsupported, thresholds_of
from engine.games.smac.production import production
from engine.games.smac.settings import MILLI, Characteristics
from engine.games.smac.state import Dish


class Forecast(NamedTuple):
    """What becomes of your own stacks this turn if nobody else does anything.

    Stacks in cells of other teams count as lost.
    """

    grown: list[Cell]
    died: list[Cell]
    heights: dict[Cell, int]
    """The raw heights at the end of the turn."""
    production: float
    """Points at the end of the turn."""


def forecast_of(dish: Dish, team: int, levels: Characteristics, layer: bytearray) -> Forecast:
    """Return what comes of these raw heights and levels after allocation; `layer` is changed."""
    dish, grid = _with_levels(dish, team, levels), grid_of(dish.side)
    grown = grid.cells(growth(dish, team, layer, thresholds_of(dish.settings)))
    for cell in grown:
        layer[cell] += 1
    for cell, owner in enumerate(dish.owners):
        if owner and owner != team:
            layer[cell] = 0  # an invader: who wins there is not foreseen
    died = grid.cells(remove_unsupported(dish, layer))
    return Forecast(
        grown=[grid.xy(cell) for cell in grown],
        died=[grid.xy(cell) for cell in died],
        heights=heights_in(grid, layer),
        production=production(dish, team, layer) / MILLI,
    )


def heights_in(grid: Grid, layer: bytearray) -> dict[Cell, int]:
    """Return the raw heights of a layer's stacks, row by row."""
    return {grid.xy(cell): height for cell, height in enumerate(layer) if height}


def _with_levels(dish: Dish, team: int, levels: Characteristics) -> Dish:
    """Return a view of the dish, with the same layers, in which the team has these levels."""
    teams = list(dish.teams)
    teams[team - 1] = replace(dish.team(team), levels=levels)
    return replace(dish, teams=teams)
