"""Growth, death and reduction: what stacks do by themselves (docs/rules/smac.md 5B, 5E, 5F)."""

from typing import NamedTuple

from engine.games.smac.grid import AT_LEAST, EQUAL, FLAGGED, grid_of, mask_of
from engine.games.smac.settings import Settings
from engine.games.smac.state import NOBODY, Dish
from engine.games.smac.terrain import DIP, HILL


class Needs(NamedTuple):
    """Own neighbours that growth takes, by relief (rules 5.5)."""

    dip: int
    plain: int
    hill: int

    def lowered(self) -> "Needs":
        """By a BLOOM (rules 8.3)."""
        return Needs(self.dip - 1, self.plain - 1, self.hill - 1)


def needs_of(settings: Settings) -> Needs:
    return Needs(settings.growth_need_dip, settings.growth_need, settings.growth_need_hill)


def growth(dish: Dish, team: int, layer: bytearray, needs: Needs) -> int:
    """The cells in which a team with these stacks gains a level (rules 5.5).

    Not where it owns the cell or has the only claim to one that nobody owns, nor beyond its
    stacking level.
    """
    grid = grid_of(dish.side)
    stacks = mask_of(layer, AT_LEAST[1])
    owned, unowned = mask_of(dish.owners, EQUAL[team]), mask_of(dish.owners, EQUAL[NOBODY])
    full = mask_of(layer, AT_LEAST[dish.team(team).levels.stacking])
    counts = grid.neighbours(stacks)
    dips, hills = mask_of(dish.terrain, FLAGGED[DIP]), mask_of(dish.terrain, FLAGGED[HILL])
    enough = grid.at_least(counts, needs.plain) & ~(dips | hills)
    enough |= grid.at_least(counts, needs.dip) & dips
    enough |= grid.at_least(counts, needs.hill) & hills
    return enough & ~owned & ~(unowned & stacks) & ~full


def deaths(dish: Dish, layer: bytearray) -> int:
    """The stacks with fewer own neighbours than `min_support` (rules 5.11)."""
    grid = grid_of(dish.side)
    stacks = mask_of(layer, AT_LEAST[1])
    return stacks & ~grid.at_least(grid.neighbours(stacks), dish.settings.min_support)


def reduced(dish: Dish, layer: bytearray) -> dict[int, int]:
    """The stacks that are too high for their neighbours, and what is left of them (rules 5.12).

    Going up level by level, a level stays where the one below stands on all cells around; that
    is where doing it cell by cell, again and again, ends.
    """
    grid = grid_of(dish.side)
    standing = mask_of(layer, AT_LEAST[1])
    left: dict[int, int] = {}
    for height in range(2, max(layer) + 1):
        wanted = mask_of(layer, AT_LEAST[height])
        firm = grid.full & ~grid.spread(grid.full & ~standing)
        standing = wanted & firm
        for cell in grid.cells(wanted & ~firm):
            left.setdefault(cell, height - 1)
    return left


def wither(dish: Dish, layer: bytearray) -> int:
    """Take from a team's stacks what dies, and what is too high then; the cells of the dead."""
    died = deaths(dish, layer)
    for cell in grid_of(dish.side).cells(died):
        layer[cell] = 0
    for cell, height in reduced(dish, layer).items():
        layer[cell] = height
    return died
