"""The production of stacks (docs/rules/smac.md 5.13 to 5.16), in integers, and its forecast."""

from collections import Counter
from functools import cache
from math import isqrt
from typing import NamedTuple

from msgspec.structs import replace

from engine.games.smac.grid import Cell, Grid, make_grid
from engine.games.smac.growth import growth, growth_thresholds, remove_unsupported
from engine.games.smac.settings import MILLI, Characteristics, ProductionModel
from engine.games.smac.state import Dish
from engine.games.smac.terrain import BARE, SUGAR, effective_height

PRODUCTION_TABLE = (0, 0, 40, 70, 100, 124)
"""Hundredths of a point by effective height (rules 5.13); above it, the square root less 1."""


@cache
def stack_yield(raw: int, terrain: int, model: ProductionModel) -> int:
    """Return the hundredths of a point that a stack yields per turn (rules 5.13, 5.14)."""
    if not raw:
        return 0
    effective = effective_height(raw, terrain)
    points = _base_production(effective, model)
    if terrain & SUGAR and effective:
        points += 100
    return max(0, points - 100) if terrain & BARE else points


def production(dish: Dish, team: int, layer: bytearray) -> int:
    """Return the thousandths of a point that a team with these stacks produces (rules 5.15)."""
    model = dish.settings.production_model
    # A dish has few kinds of cells: counting them first saves a call per cell.
    counts = Counter(zip(layer, dish.terrain, strict=True))
    hundredths = sum(
        number * stack_yield(raw, terrain, model) for (raw, terrain), number in counts.items()
    )
    return hundredths * (10 + dish.team(team).levels.productivity)


def _base_production(effective: int, model: ProductionModel) -> int:
    if model is ProductionModel.LINEAR:
        return max(0, 100 * (effective - 1))
    if effective < len(PRODUCTION_TABLE):
        return PRODUCTION_TABLE[effective]
    # 100 * sqrt(effective) to the nearest (rules 5.13): half of the integer root of (200^2 * e).
    return (isqrt(40_000 * effective) + 1) // 2 - 100


class Forecast(NamedTuple):
    """What becomes of your own stacks this turn if nobody else does anything.

    Stacks in cells of other teams count as lost.
    """

    grown: list[Cell]
    """Where your stacks grow by themselves."""
    died: list[Cell]
    """Where they die for lack of support."""
    heights: dict[Cell, int]
    """The raw heights at the end of the turn."""
    production: float
    """Points at the end of the turn."""


def compute_forecast(dish: Dish, team: int, levels: Characteristics, layer: bytearray) -> Forecast:
    """Return what comes of these raw heights and levels after allocation; `layer` is changed."""
    dish, grid = _replace_levels(dish, team, levels), make_grid(dish.side)
    grown = grid.cells(growth(dish, team, layer, growth_thresholds(dish.settings)))
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


def _replace_levels(dish: Dish, team: int, levels: Characteristics) -> Dish:
    """Return a view of the dish, with the same layers, in which the team has these levels."""
    teams = list(dish.teams)
    teams[team - 1] = replace(dish.team(team), levels=levels)
    return replace(dish, teams=teams)
