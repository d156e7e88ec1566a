"""What a bot writes its orders on: every line is checked before it is sent.

A method that adds something says whether it could; if not, `reason` says why, and nothing is
added. Whether orders stand depends on nothing that others order, so what a sheet takes is
carried out (only the target of a special may be gone when its turn comes).
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from engine.games.smac.allocation import Account
from engine.games.smac.grid import Cell, grid_of
from engine.games.smac.growing import growth, needs_of, wither
from engine.games.smac.orders import (
    CHARACTERISTICS,
    MOST_ORDERS,
    SPECIALS,
    Evolve,
    Place,
    Use,
    shown,
)
from engine.games.smac.pieces import Special
from engine.games.smac.placement import why_not_bid, why_not_centre
from engine.games.smac.production import production
from engine.games.smac.settings import MILLI, Characteristics
from engine.games.smac.specials import why_not_select, why_not_use
from engine.games.smac.state import Dish


class Forecast(NamedTuple):
    """What becomes of one's own stacks this turn if nobody else does anything.

    Stacks in cells of other teams count as lost.
    """

    grown: list[Cell]
    died: list[Cell]
    heights: dict[Cell, int]
    """The raw heights at the end of the turn."""
    production: float
    """Points at the end of the turn."""


class Sheet:
    """What both kinds share."""

    reason: str = ""
    """Why the last line was not taken; '' if it was."""

    def __init__(self, dish: Dish, team: int) -> None:
        self._dish = dish
        self._team = team
        self._grid = grid_of(dish.side)

    def _takes(self, reason: str | None) -> bool:
        self.reason = reason or ""
        return reason is None

    def _why_off_board(self, x: Any, y: Any) -> str | None:
        if type(x) is int and type(y) is int and self._grid.is_on_board(x, y):
            return None
        side = self._grid.side
        return f"({shown(x)}, {shown(y)}) is no cell of a board of {side} x {side}"


class PlacementSheet(Sheet):
    """A bid, and centres in the order in which they are to be tried."""

    def __init__(self, dish: Dish, team: int) -> None:
        super().__init__(dish, team)
        self._bid = 0
        self._centers: list[Cell] = []

    @property
    def bank(self) -> float:
        """Points that are left after the bid."""
        return (self._dish.team(self._team).bank or 0) / MILLI - self._bid

    def bid(self, points: int) -> bool:
        """Pay so much to be early; it is gone whether or not it helps."""
        if type(points) is not int or points < 0:
            return self._takes(f"a bid is a whole number, not {shown(points)}")
        if self._takes(why_not_bid(self._dish, self._team, points)):
            self._bid = points
        return not self.reason

    def why_not_centre(self, x: int, y: int) -> str | None:
        """Why one's cluster cannot stand there; None if it can, as the board is now."""
        off_board = self._why_off_board(x, y)
        return off_board or why_not_centre(self._dish, self._team, self._grid.cell(x, y))

    def centre(self, x: int, y: int) -> bool:
        """Add a centre, to be tried if those before it are taken."""
        reason = self.why_not_centre(x, y)
        if reason is None and len(self._centers) >= MOST_ORDERS:
            reason = f"{MOST_ORDERS} centres are the most"
        if self._takes(reason):
            self._centers.append((x, y))
        return not self.reason

    def answer(self) -> dict[str, Any]:
        """What is sent (rules 9)."""
        return {"bid": self._bid, "centers": self._centers}


class OrderSheet(Sheet):
    """The orders of a turn, carried out in the order in which they are written."""

    def __init__(self, dish: Dish, team: int) -> None:
        super().__init__(dish, team)
        self._account = Account(dish, team)
        self._orders: list[list[Any]] = []
        self._use: Use | None = None
        self._select: Special | None = None

    # -- what there is ----------------------------------------------------------------------

    @property
    def bank(self) -> float:
        """Points that are left after the orders so far."""
        return self._account.bank / MILLI

    @property
    def points(self) -> int:
        """The same in whole points, which is what can be spent."""
        return self._account.bank // MILLI

    @property
    def levels(self) -> Characteristics:
        """Levels after the orders so far."""
        return self._account.levels

    def height(self, x: int, y: int) -> int:
        """The raw height of the own stack after the orders so far."""
        return self._account.heights[self._cell(x, y)]

    def ceiling(self, x: int, y: int) -> int:
        """The raw height up to which the own stack would stay after the orders so far.

        That is one more than the lowest own stack around (rules 5.12), and the stacking level
        at most.
        """
        block, heights = self._grid.block(self._cell(x, y)), self._account.heights
        around = min(heights[other] for other in block if other != self._cell(x, y))
        return min(around + 1, self.levels.stacking)

    # -- placing ----------------------------------------------------------------------------

    def cost(self, x: int, y: int) -> int | None:
        """Points for a placement there; None if it is beyond reach."""
        return self._account.cost(self._cell(x, y))

    def why_not_place(self, x: int, y: int) -> str | None:
        """None if it can be the next order."""
        off_board = self._why_off_board(x, y)
        return off_board or self._why_full() or self._account.why_not_place(self._grid.cell(x, y))

    def place(self, x: int, y: int) -> bool:
        """Raise the own stack there by one, or begin one."""
        if self._takes(self.why_not_place(x, y)):
            self._account.carry_out(Place(x, y))
            self._orders.append(["place", x, y])
        return not self.reason

    # -- evolving ---------------------------------------------------------------------------

    def why_not_evolve(self, characteristic: str) -> str | None:
        """None if it can be the next order."""
        if characteristic not in CHARACTERISTICS:
            return f"{shown(characteristic)} is none of {', '.join(CHARACTERISTICS)}"
        return self._why_full() or self._account.why_not_evolve(CHARACTERISTICS[characteristic])

    def evolve(self, characteristic: str) -> bool:
        """Put one point into a characteristic."""
        if self._takes(self.why_not_evolve(characteristic)):
            self._account.carry_out(Evolve(CHARACTERISTICS[characteristic]))
            self._orders.append(["evolve", str(characteristic)])
        return not self.reason

    def to_next_level(self, characteristic: str) -> int:
        """Points that its next level still takes."""
        points: int = getattr(self._account.points, CHARACTERISTICS[characteristic])
        level: int = getattr(self.levels, CHARACTERISTICS[characteristic])
        return (level + 1) ** 2 - points

    def evolve_level(self, characteristic: str) -> bool:
        """All points that its next level takes, or none of them."""
        reason = self.why_not_evolve(characteristic)
        needed = 0 if reason else self.to_next_level(characteristic)
        if reason is None and needed > self.points:
            reason = f"the next level costs {needed}, the bank has {self.bank:.3f}"
        if reason is None and characteristic in CHARACTERISTICS:
            before: int = getattr(self._dish.team(self._team).levels, characteristic)
            if getattr(self.levels, characteristic) > before:
                reason = "it has risen a level this turn already"
        if self._takes(reason):
            return all(self.evolve(characteristic) for _ in range(needed))
        return False

    # -- specials ---------------------------------------------------------------------------

    def why_not_use(self, special: str, target: Cell | int | None = None) -> str | None:
        """None if it is armed and could be used on its target as the dish is now."""
        if special not in SPECIALS:
            return f"{shown(special)} is none of {', '.join(SPECIALS)}"
        if isinstance(target, tuple):
            off_board = self._why_off_board(*target)
            if off_board:
                return off_board
        return why_not_use(self._dish, self._team, Use(SPECIALS[special], target))

    def use(self, special: str, target: Cell | int | None = None) -> bool:
        """Use the armed special this turn: on a cell `(x, y)`, on a team, or as it is."""
        if self._takes(self.why_not_use(special, target)):
            self._use = Use(SPECIALS[special], target)
        return not self.reason

    def select(self, special: str) -> bool:
        """Select a special for the turns to come."""
        if special not in SPECIALS:
            return self._takes(f"{shown(special)} is none of {', '.join(SPECIALS)}")
        using = None if self._use is None else self._use.special
        if self._takes(why_not_select(self._dish, self._team, SPECIALS[special], using)):
            self._select = SPECIALS[special]
        return not self.reason

    # -- looking ahead ----------------------------------------------------------------------

    def growth(self) -> list[Cell]:
        """The cells into which one's stacks will grow after the orders so far."""
        return self.forecast().grown

    def forecast(self, also: Iterable[Cell] = ()) -> Forecast:
        """What the orders so far lead to.

        `also` are cells in which one's stack is to be taken for one higher, whatever that costs.
        """
        dish, team, grid = self._dish, self._team, self._grid
        layer = bytearray(self._account.heights)
        for x, y in also:
            layer[self._cell(x, y)] += 1
        grown = grid.cells(growth(dish, team, layer, needs_of(dish.settings)))
        for cell in grown:
            layer[cell] += 1
        for cell, owner in enumerate(dish.owners):
            if owner and owner != team:
                layer[cell] = 0
        died = grid.cells(wither(dish, layer))
        return Forecast(
            grown=[grid.xy(cell) for cell in grown],
            died=[grid.xy(cell) for cell in died],
            heights={grid.xy(cell): height for cell, height in enumerate(layer) if height},
            production=production(dish, team, layer) / MILLI,
        )

    def answer(self) -> dict[str, Any]:
        """What is sent (rules 9)."""
        answer: dict[str, Any] = {"orders": self._orders}
        if self._use is not None:
            answer["use"] = {"special": str(self._use.special), "target": self._use.target}
        if self._select is not None:
            answer["select"] = str(self._select)
        return answer

    def _why_full(self) -> str | None:
        is_full = len(self._orders) >= MOST_ORDERS
        return f"{MOST_ORDERS} orders are the most of a turn" if is_full else None

    def _cell(self, x: int, y: int) -> int:
        """Raises: IndexError for a cell off the board."""
        off_board = self._why_off_board(x, y)
        if off_board:
            raise IndexError(off_board)
        return self._grid.cell(x, y)
