"""A bot's read-only view of the dish, with the queries that most bots need.

Cells are named by `x`, the column from the left, and `y`, the row from the top, from 0. Where a
method takes a team, your own is the default.
"""

from collections.abc import Iterable

from engine.game import Event, Game
from engine.games.smac.combat import fighter, win_probability
from engine.games.smac.grid import AT_LEAST, EQUALS, Cell, make_grid, make_mask
from engine.games.smac.growth import growth, growth_thresholds, remove_unsupported
from engine.games.smac.orders import Order
from engine.games.smac.pieces import Fight, Skip, Special
from engine.games.smac.placement import free_centers
from engine.games.smac.production import production, stack_yield
from engine.games.smac.settings import MILLI, Characteristic, Characteristics, Settings
from engine.games.smac.specials import why_not_select
from engine.games.smac.state import Dish
from engine.games.smac.terrain import effective_height, terrain_names
from engine.simulation import Simulation, Simulator
from engine.support.plain_values import as_whole_number, require_whole


class Board:
    """The dish as a player sees it: read-only and always up to date."""

    __slots__ = ("_dish", "_grid", "_simulator", "_team")

    def __init__(self, dish: Dish, team: int, game: Game[Dish, Event, Order] | None = None) -> None:
        """`game` is what `simulate` plays by."""
        self._dish = dish
        self._team = team
        self._simulator = Simulator(game, dish, team)
        self._grid = make_grid(dish.side)

    def simulate(self, seed: int | None = None) -> Simulation[Dish, Event, Order]:
        """Return a copy of the match that you can play on, to look ahead: see `Simulation`.

        Its chance is its own, from the same `seed` the same. What others hide is drawn so that it
        fits what you know: banks up to a turn's production, points by levels, unused specials.
        """
        return self._simulator(seed)

    # -- the match --------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The turn being played, from 1; the placement rounds belong to the first."""
        return self._dish.turn

    @property
    def team(self) -> int:
        """Your own team's number."""
        return self._team

    @property
    def teams(self) -> list[int]:
        """The teams that are still in the match, your own included."""
        return self._dish.playing

    @property
    def enemies(self) -> list[int]:
        """The other teams that are still in the match."""
        return [team for team in self._dish.playing if team != self._team]

    @property
    def settings(self) -> Settings:
        """The numbers of this match's rules."""
        return self._dish.settings

    @property
    def threshold_pct(self) -> int | None:
        """The share of all production that wins this turn; None if none does yet (rules 6.1)."""
        return self._dish.settings.threshold_pct(self._dish.turn)

    # -- the cells --------------------------------------------------------------------------

    @property
    def side(self) -> int:
        """Cells along an edge of the board."""
        return self._dish.side

    def is_on_board(self, x: int, y: int) -> bool:
        """Return whether there is such a cell."""
        column, row = as_whole_number(x), as_whole_number(y)
        return column is not None and row is not None and self._grid.is_on_board(column, row)

    def terrain(self, x: int, y: int) -> tuple[str, ...]:
        """Return what a cell is like, such as `("SUGAR", "HILL")`; () for a plain cell."""
        return terrain_names(self._dish.terrain[self._cell_number(x, y)])

    def owner(self, x: int, y: int) -> int | None:
        """Return the team that owns the cell; None if nobody does."""
        return self._dish.owners[self._cell_number(x, y)] or None

    def height(self, x: int, y: int, team: int | None = None) -> int:
        """Return the raw height of a team's stack, 0 for none; by default of the owner's."""
        cell = self._cell_number(x, y)
        of_team = self._dish.owners[cell] if team is None else self._team_number(team)
        return self._dish.layer(of_team)[cell] if of_team else 0

    def effective_height(self, x: int, y: int) -> int:
        """Return the height that counts for production and the owner's defense (rules 5.8)."""
        return effective_height(self.height(x, y), self._dish.terrain[self._cell_number(x, y)])

    def is_empty(self, x: int, y: int) -> bool:
        """Return whether nobody has a stack there."""
        return not self._dish.owners[self._cell_number(x, y)]

    def cells(self, team: int | None = None) -> list[Cell]:
        """Return the cells of a team's stacks, row by row."""
        layer = self._dish.layer(self._team_number(team))
        return self._cells_from_mask(make_mask(layer, AT_LEAST[1]))

    def empty_cells(self) -> list[Cell]:
        """Return all cells without a stack, row by row."""
        return self._cells_from_mask(make_mask(self._dish.owners, EQUALS[0]))

    def terrain_cells(self) -> list[Cell]:
        """Return all cells that are not plain, row by row."""
        return self._cells_from_mask(make_mask(self._dish.terrain, AT_LEAST[1]))

    def neighbors(self, x: int, y: int) -> list[Cell]:
        """Return the up to eight cells around."""
        cell, xy = self._cell_number(x, y), self._grid.xy
        return [xy(other) for other in self._grid.block(cell) if other != cell]

    neighbours = neighbors  # as bots written before 1.0.0 call it

    def support(self, x: int, y: int, team: int | None = None) -> int:
        """Return how many cells around hold a stack of the team (rules 5.5, 5.11)."""
        layer, cell = self._dish.layer(self._team_number(team)), self._cell_number(x, y)
        return sum(bool(layer[other]) for other in self._grid.block(cell) if other != cell)

    def distance(self, one: Cell, other: Cell) -> int:
        """Return the distance in steps of a chess king, as for jumps and centers (rules 2.1)."""
        return max(abs(one[0] - other[0]), abs(one[1] - other[1]))

    def is_new(self, x: int, y: int) -> bool:
        """Return whether its owner has taken it since the turn before this one."""
        cell = self._cell_number(x, y)
        return bool(self._dish.owners[cell]) and self._dish.since[cell] >= self._dish.turn - 1

    # -- the teams --------------------------------------------------------------------------

    @property
    def bank(self) -> float:
        """The points in your bank; others' banks are hidden (rules 7.1)."""
        bank = self._dish.team(self._team).bank
        return (bank or 0) / MILLI

    def levels(self, team: int | None = None) -> Characteristics:
        """Return a team's levels: `board.levels(2).attack`, and so on."""
        return self._dish.team(self._team_number(team)).levels

    def invested(self, characteristic: str) -> int:
        """Return the points that you have put into a characteristic."""
        points = self._dish.team(self._team).points or Characteristics()
        number: int = getattr(points, Characteristic(characteristic))
        return number

    def centers(self, team: int | None = None) -> list[Cell]:
        """Return the centers with which a team began."""
        return [self._grid.xy(cell) for cell in self._dish.team(self._team_number(team)).centers]

    def free_centers(self) -> list[Cell]:
        """Return where your next center could be, as the board is now (placement rounds)."""
        return [self._grid.xy(cell) for cell in free_centers(self._dish, self._team)]

    centres, free_centres = centers, free_centers  # as bots written before 1.0.0 call them

    # -- growing and yielding ---------------------------------------------------------------

    def reach(self, team: int | None = None, jump: int | None = None) -> dict[Cell, int]:
        """Return the cells a team can place in with its jump level, or `jump`: cost by cell."""
        number = self._team_number(team)
        ring = make_mask(self._dish.layer(number), AT_LEAST[1])
        costs = dict.fromkeys(self._cells_from_mask(ring), 1)
        level = self.levels(number).jump if jump is None else require_whole(jump, "jump")
        for distance in range(1, level + 1):
            wider = self._grid.spread(ring)
            costs |= dict.fromkeys(self._cells_from_mask(wider & ~ring), 1 + distance)
            ring = wider
        return costs

    def growth(self, team: int | None = None) -> list[Cell]:
        """Return the cells into which a team would grow if nobody placed anything before."""
        number, dish = self._team_number(team), self._dish
        return self._cells_from_mask(
            growth(dish, number, dish.layer(number), growth_thresholds(dish.settings))
        )

    def production(self, team: int | None = None, without: Iterable[Cell] = ()) -> float:
        """Return the points per turn of a team's stacks as they stand.

        With `without` as if it had lost its stacks in these cells, and those that die or are
        reduced in consequence.
        """
        number, dish = self._team_number(team), self._dish
        layer, lost = bytearray(dish.layer(number)), [self._cell_number(x, y) for x, y in without]
        for cell in lost:
            layer[cell] = 0
        if lost:
            remove_unsupported(dish, layer)
        return production(dish, number, layer) / MILLI

    def yield_of(self, x: int, y: int, height: int) -> float:
        """Return the points per turn of a stack of this raw height, without productivity."""
        model = self._dish.settings.production_model
        return stack_yield(height, self._dish.terrain[self._cell_number(x, y)], model) / 100

    # -- fighting ---------------------------------------------------------------------------

    def odds(self, x: int, y: int, height: int, team: int | None = None) -> float:
        """Return the probability that a team's stack of this height beats the owner's there.

        1 where nobody is. Levels count as they are now.
        """
        dish, cell, attacker = self._dish, self._cell_number(x, y), self._team_number(team)
        owner = dish.owners[cell]
        if not owner or owner == attacker:
            return 1.0
        one, other = fighter(dish, cell, attacker), fighter(dish, cell, owner)
        height, model = require_whole(height, "height"), dish.settings.chance_model
        return float(win_probability(one, other, height, dish.layer(owner)[cell], model))

    def fights(self) -> list[Fight]:
        """Return the reports of the last turn's combats."""
        last = self._dish.turn - 1
        return [report for report in self._dish.fights.values() if report.turn >= last]

    # -- specials, and what went wrong ------------------------------------------------------

    @property
    def selected(self) -> Special | None:
        """The special that you have selected, if any."""
        selection = self._dish.team(self._team).selection
        return None if selection is None else selection.special

    @property
    def armed(self) -> Special | None:
        """The special that you can use this turn, if any."""
        selection = self._dish.team(self._team).selection
        is_armed = selection is not None and selection.is_armed(self._dish.turn)
        return self.selected if is_armed else None

    @property
    def selectable(self) -> list[Special]:
        """The specials that you could select this turn."""
        dish, team = self._dish, self._team
        return [special for special in Special if why_not_select(dish, team, special) is None]

    def used(self, team: int | None = None) -> tuple[Special, ...]:
        """Return the specials that a team has used, in order."""
        return tuple(self._dish.team(self._team_number(team)).used)

    @property
    def skipped(self) -> tuple[Skip, ...]:
        """Your orders of the last turn that were not carried out, each with its reason."""
        skips = self._dish.team(self._team).skips
        return () if skips is None or skips.turn < self._dish.turn - 1 else skips.skips

    # ---------------------------------------------------------------------------------------

    def _team_number(self, team: int | None) -> int:
        return self._team if team is None else require_whole(team, "team")

    def _cell_number(self, x: int, y: int) -> int:
        """Return the number of a cell. Raises: IndexError for one off the board."""
        if type(x) is not int or type(y) is not int:  # seldom, and a bot asks often
            column, row = as_whole_number(x), as_whole_number(y)
            if column is None or row is None:
                raise TypeError(f"a cell is two whole numbers, not ({x!r:.40}, {y!r:.40})")
            x, y = column, row
        if not self._grid.is_on_board(x, y):
            raise IndexError(f"({x}, {y}) is off the board of {self.side} x {self.side}")
        return self._grid.cell(x, y)

    def _cells_from_mask(self, mask: int) -> list[Cell]:
        return [self._grid.xy(cell) for cell in self._grid.cells(mask)]
