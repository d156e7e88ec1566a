"""Growth, death and reduction of stacks (docs/rules/smac.md 5.5, 5.11, 5.12)."""

from typing import NamedTuple

from engine.games.smac.grid import AT_LEAST, EQUALS, HAS_FLAG, make_grid, make_mask
from engine.games.smac.settings import Settings
from engine.games.smac.state import NOBODY, Dish
from engine.games.smac.terrain import DIP, HILL


class GrowthThresholds(NamedTuple):
    """The own neighbors that growth takes, by relief (rules 5.5)."""

    dip: int
    plain: int
    hill: int

    def lower(self) -> "GrowthThresholds":
        """Return the thresholds of a BLOOM, one less each (rules 8.3)."""
        return GrowthThresholds(self.dip - 1, self.plain - 1, self.hill - 1)


def growth_thresholds(settings: Settings) -> GrowthThresholds:
    return GrowthThresholds(
        settings.growth_need_dip, settings.growth_need, settings.growth_need_hill
    )


def growth(dish: Dish, team: int, layer: bytearray, thresholds: GrowthThresholds) -> int:
    """Return the cells in which a team with these stacks gains a level (rules 5.5).

    Not in its own cells, nor in a cell without an owner where it has a stack already (rules 8.6),
    nor beyond its stacking level.
    """
    # Bitboards: a few integer operations for the whole dish instead of a loop over all cells.
    grid = make_grid(dish.side)
    stacks = make_mask(layer, AT_LEAST[1])
    owned, unowned = (make_mask(dish.owners, EQUALS[team]), make_mask(dish.owners, EQUALS[NOBODY]))
    full = make_mask(layer, AT_LEAST[dish.team(team).levels.stacking])
    counts = grid.neighbors(stacks)
    dips, hills = (make_mask(dish.terrain, HAS_FLAG[DIP]), make_mask(dish.terrain, HAS_FLAG[HILL]))
    enough = grid.at_least(counts, thresholds.plain) & ~(dips | hills)
    enough |= grid.at_least(counts, thresholds.dip) & dips
    enough |= grid.at_least(counts, thresholds.hill) & hills
    return enough & ~owned & ~(unowned & stacks) & ~full


def find_unsupported(dish: Dish, layer: bytearray) -> int:
    """Return the stacks with fewer own neighbors than `min_support` (rules 5.11)."""
    grid = make_grid(dish.side)
    stacks = make_mask(layer, AT_LEAST[1])
    return stacks & ~grid.at_least(grid.neighbors(stacks), dish.settings.min_support)


def reductions(dish: Dish, layer: bytearray) -> dict[int, int]:
    """Return the stacks that are too high for their neighbors, and their new heights (5.12).

    Going up level by level, a level stays where the one below stands on all cells around. That
    is the fixed point that lowering stacks one by one, until nothing changes, ends at.
    """
    grid = make_grid(dish.side)
    standing = make_mask(layer, AT_LEAST[1])
    left: dict[int, int] = {}
    for height in range(2, max(layer) + 1):
        wanted = make_mask(layer, AT_LEAST[height])
        # Erosion: the cells all of whose neighbors on the board stand at the level below. What
        # lies beyond the edge does not count (rules 5.12), so the edge is not eroded.
        firm = grid.full & ~grid.spread(grid.full & ~standing)
        standing = wanted & firm
        for cell in grid.cells(wanted & ~firm):
            left.setdefault(cell, height - 1)
    return left


def remove_unsupported(dish: Dish, layer: bytearray) -> int:
    """Remove the stacks that die, reduce those too high then; return the cells of the dead."""
    died = find_unsupported(dish, layer)
    for cell in make_grid(dish.side).cells(died):
        layer[cell] = 0
    for cell, height in reductions(dish, layer).items():
        layer[cell] = height
    return died
