"""The production of stacks (docs/rules/smac.md 5.13 to 5.16), in integers: exact everywhere."""

from collections import Counter
from functools import cache
from math import isqrt

from engine.games.smac.settings import ProductionModel
from engine.games.smac.state import Dish
from engine.games.smac.terrain import BARE, SUGAR, effective_height

TABLE = (0, 0, 40, 70, 100, 124)
"""Hundredths of a point by effective height (rules 5.13); above it, the square root less 1."""


@cache
def yield_of(raw: int, terrain: int, model: ProductionModel) -> int:
    """Return the hundredths of a point that a stack yields per turn (rules 5.13, 5.14)."""
    if not raw:
        return 0
    effective = effective_height(raw, terrain)
    points = _base(effective, model)
    if terrain & SUGAR and effective:
        points += 100
    return max(0, points - 100) if terrain & BARE else points


def production(dish: Dish, team: int, layer: bytearray) -> int:
    """Return the thousandths of a point that a team with these stacks produces (rules 5.15)."""
    model = dish.settings.production_model
    # A dish has few kinds of cells: counting them first saves a call per cell.
    counts = Counter(zip(layer, dish.terrain, strict=True))
    hundredths = sum(
        number * yield_of(raw, terrain, model) for (raw, terrain), number in counts.items()
    )
    return hundredths * (10 + dish.team(team).levels.productivity)


def _base(effective: int, model: ProductionModel) -> int:
    if model is ProductionModel.LINEAR:
        return max(0, 100 * (effective - 1))
    if effective < len(TABLE):
        return TABLE[effective]
    # 100 * sqrt(effective) to the nearest (rules 5.13): half of the integer root of (200^2 * e).
    return (isqrt(40_000 * effective) + 1) // 2 - 100
