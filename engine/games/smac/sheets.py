"""The sheets on which a bot writes its orders: every line is checked before it is sent.

A method that adds a line returns whether it did; if not, `reason` says why, and nothing is
added. Whether an order is legal depends on nothing that others order, so what a sheet accepts is
carried out (only the target of a special may be gone when its turn comes).
"""

from collections.abc import Iterable

from engine.games.smac.allocation import Account
from engine.games.smac.grid import Cell, make_grid
from engine.games.smac.orders import (
    CHARACTERISTICS,
    MAX_ORDERS,
    REFUSED_LINES,
    SHOWN_LETTERS,
    SHOWN_REFUSED,
    SPECIALS,
    Evolve,
    Place,
    Use,
    brief_repr,
    parse_target,
)
from engine.games.smac.pieces import Special
from engine.games.smac.placement import why_not_bid, why_not_center
from engine.games.smac.production import Forecast, compute_forecast, heights_in
from engine.games.smac.settings import MILLI, Characteristics
from engine.games.smac.specials import why_not_armed, why_not_select, why_not_use
from engine.games.smac.state import Dish
from engine.support.plain_values import as_whole_number, from_numpy, require_whole


class Sheet:
    """What both kinds of sheets share."""

    reason: str = ""
    """Why the last line was refused; '' if it was accepted."""

    def __init__(self, dish: Dish, team: int) -> None:
        self._dish = dish
        self._team = team
        self._grid = make_grid(dish.side)
        self._refused_count = 0
        self._first_refused: list[tuple[str, str]] = []

    def _accept_or_count(self, reason: str | None, *line: object) -> bool:
        """Return whether a line is accepted; a refused one is counted for the bot's author."""
        self.reason = reason or ""
        if reason is None:
            return True
        self._refused_count += 1
        if len(self._first_refused) < SHOWN_REFUSED:
            self._first_refused.append((" ".join(map(_shorten_word, line)), reason))
        return False

    def refused_lines(self) -> dict[str, object]:
        """Return what is sent beside the answer: refused lines, for the match's summary."""
        if not self._refused_count:
            return {}
        return {REFUSED_LINES: {"count": self._refused_count, "first": self._first_refused}}

    def _find(self, x: object, y: object) -> Cell | None:
        """Return a cell in numbers of Python's own; None if it is not on the board."""
        column, row = as_whole_number(x), as_whole_number(y)
        if column is None or row is None or not self._grid.is_on_board(column, row):
            return None
        return column, row

    def _why_off_board(self, x: object, y: object) -> str:
        x, y, side = from_numpy(x), from_numpy(y), self._grid.side
        return f"({brief_repr(x)}, {brief_repr(y)}) is no cell of a board of {side} x {side}"


def _why_unknown(special: str) -> str | None:
    """Return why a word is no special; None if it is one."""
    if special in SPECIALS:
        return None
    return f"{brief_repr(special)} is none of {', '.join(SPECIALS)}"


def _own_target(target: object) -> object:
    """Return a target in numbers of Python's own: a cell as a tuple, a team, or what it is."""
    match from_numpy(target):
        case [x, y]:
            return _or_itself(x), _or_itself(y)
        case other:
            return _or_itself(other)


def _or_itself(value: object) -> object:
    number = as_whole_number(value)
    return value if number is None else number


def _shorten_word(word: object) -> str:
    return word[:SHOWN_LETTERS] if isinstance(word, str) else brief_repr(from_numpy(word))


class PlacementSheet(Sheet):
    """A bid, and centers in order of preference (rules 3.1)."""

    def __init__(self, dish: Dish, team: int) -> None:
        super().__init__(dish, team)
        self._bid = 0
        self._centers: list[Cell] = []

    @property
    def bank(self) -> float:
        """Points that are left after the bid."""
        return (self._dish.team(self._team).bank or 0) / MILLI - self._bid

    @property
    def current_bid(self) -> int:
        """The points of the bid so far."""
        return self._bid

    @property
    def centers(self) -> tuple[Cell, ...]:
        """The centers so far, in the order in which they are tried."""
        return tuple(self._centers)

    def bid(self, points: int) -> bool:
        """Pay this many points to choose early; they are gone whether or not it helps."""
        bid = as_whole_number(points)
        if bid is None or bid < 0:
            said = brief_repr(from_numpy(points))
            return self._accept_or_count(f"a bid is a whole number, not {said}", "bid", points)
        if self._accept_or_count(why_not_bid(self._dish, self._team, bid), "bid", bid):
            self._bid = bid
        return not self.reason

    def why_not_center(self, x: int, y: int) -> str | None:
        """Return why your cluster cannot stand there; None if it can, as the board is now."""
        cell = self._find(x, y)
        if cell is None:
            return self._why_off_board(x, y)
        return why_not_center(self._dish, self._team, self._grid.cell(*cell))

    def center(self, x: int, y: int) -> bool:
        """Add a center, to be tried if those before it are taken."""
        reason = self.why_not_center(x, y)
        if reason is None and len(self._centers) >= MAX_ORDERS:
            reason = f"{MAX_ORDERS} centers are the most"
        if self._accept_or_count(reason, "center", x, y):
            self._centers.append((require_whole(x, "x"), require_whole(y, "y")))
        return not self.reason

    why_not_centre, centre = why_not_center, center  # as bots written before 1.0.0 call them

    def answer(self) -> dict[str, object]:
        """Return the answer that is sent (rules 9.2)."""
        return {"bid": self._bid, "centers": self._centers}


class OrderSheet(Sheet):
    """The orders of a turn, carried out in the order in which they are written."""

    def __init__(self, dish: Dish, team: int) -> None:
        super().__init__(dish, team)
        self._account = Account(dish, team)
        self._orders: list[list[str | int]] = []
        self._use: Use | None = None
        self._select: Special | None = None

    # -- what there is ----------------------------------------------------------------------

    @property
    def bank(self) -> float:
        """Points that are left after the orders so far."""
        return self._account.bank / MILLI

    @property
    def points(self) -> int:
        """The bank in whole points, which is what can be spent (rules 5.4)."""
        return self._account.bank // MILLI

    @property
    def levels(self) -> Characteristics:
        """Levels after the orders so far."""
        return self._account.levels

    def height(self, x: int, y: int) -> int:
        """Return the raw height of your stack after the orders so far."""
        return self._account.heights[self._cell_number(x, y)]

    def heights(self) -> dict[Cell, int]:
        """Return the raw heights of your stacks after the orders so far, row by row."""
        return heights_in(self._grid, self._account.heights)

    def ceiling(self, x: int, y: int) -> int:
        """Return the raw height that reduction would leave of your stack there.

        That is one more than the lowest of your stacks around (rules 5.12), and the stacking
        level at most, after the orders so far.
        """
        block, heights = self._grid.block(self._cell_number(x, y)), self._account.heights
        around = min(heights[other] for other in block if other != self._cell_number(x, y))
        return min(around + 1, self.levels.stacking)

    # -- placing ----------------------------------------------------------------------------

    def cost(self, x: int, y: int) -> int | None:
        """Return the points that a placement there costs; None if it is beyond reach."""
        return self._account.placement_cost(self._cell_number(x, y))

    def why_not_place(self, x: int, y: int) -> str | None:
        """Return why you cannot place there now; None if you can."""
        cell = self._find(x, y)
        if cell is None:
            return self._why_off_board(x, y)
        return self._why_full() or self._account.why_not_place(self._grid.cell(*cell))

    def place(self, x: int, y: int) -> bool:
        """Raise your stack there by one, or begin one."""
        if self._accept_or_count(self.why_not_place(x, y), "place", x, y):
            x, y = require_whole(x, "x"), require_whole(y, "y")
            self._account.carry_out(Place(x, y))
            self._orders.append(["place", x, y])
        return not self.reason

    def costs(self) -> dict[Cell, int]:
        """Return the cells in which you can place now, row by row, and what that costs."""
        if self._why_full():
            return {}
        why_not_place, cost_of = self._account.why_not_place, self._account.placement_cost
        return {
            self._grid.xy(cell): cost
            for cell in range(self._grid.size)
            if (cost := cost_of(cell)) is not None and why_not_place(cell) is None
        }

    # -- evolving ---------------------------------------------------------------------------

    def why_not_evolve(self, characteristic: str) -> str | None:
        """Return why you cannot put a point into it now; None if you can."""
        if characteristic not in CHARACTERISTICS:
            return f"{brief_repr(characteristic)} is none of {', '.join(CHARACTERISTICS)}"
        return self._why_full() or self._account.why_not_evolve(CHARACTERISTICS[characteristic])

    def evolve(self, characteristic: str) -> bool:
        """Put one point into a characteristic."""
        if self._accept_or_count(self.why_not_evolve(characteristic), "evolve", characteristic):
            self._account.carry_out(Evolve(CHARACTERISTICS[characteristic]))
            self._orders.append(["evolve", str(characteristic)])
        return not self.reason

    def to_next_level(self, characteristic: str) -> int:
        """Return the points that its next level still takes."""
        points: int = getattr(self._account.points, CHARACTERISTICS[characteristic])
        level: int = getattr(self.levels, CHARACTERISTICS[characteristic])
        return (level + 1) ** 2 - points

    def is_at_limit(self, characteristic: str) -> bool:
        """Return whether it takes no more points this turn, whatever the bank has (rules 4.2)."""
        return self._account.is_at_limit(CHARACTERISTICS[characteristic])

    def why_not_evolve_level(self, characteristic: str) -> str | None:
        """Return why you cannot put in all points that its next level takes; None if you can."""
        reason = self.why_not_evolve(characteristic)
        if reason is not None:
            return reason
        needed = self.to_next_level(characteristic)
        if needed > self.points:
            return f"the next level costs {needed}, the bank has {self.bank:.3f}"
        before: int = getattr(self._dish.team(self._team).levels, characteristic)
        if getattr(self.levels, characteristic) > before:
            return "it has risen a level this turn already"
        return self._why_full(needed)

    def evolve_level(self, characteristic: str) -> bool:
        """Put in all points that its next level takes, or none of them."""
        reason = self.why_not_evolve_level(characteristic)
        if self._accept_or_count(reason, "evolve_level", characteristic):
            needed = self.to_next_level(characteristic)
            return all(self.evolve(characteristic) for _ in range(needed))
        return False

    # -- specials ---------------------------------------------------------------------------

    def why_not_use(self, special: str, target: Cell | int | None = None) -> str | None:
        """Return why you cannot use it on this target as the dish is now; None if you can."""
        unknown = _why_unknown(special)
        if unknown is not None:
            return unknown
        own = _own_target(target)
        aim = parse_target(self._grid, own)
        if isinstance(aim, str):
            return self._why_off_board(*own) if isinstance(own, tuple) else aim
        reason = why_not_use(self._dish, self._team, Use(SPECIALS[special], aim))
        return reason or self._why_not_beside_select(special)

    def why_not_armed(self, special: str) -> str | None:
        """Return why you cannot use it this turn, whatever its target; None if you can."""
        unknown = _why_unknown(special)
        if unknown is not None:
            return unknown
        unarmed = why_not_armed(self._dish, self._team, SPECIALS[special])
        return unarmed or self._why_not_beside_select(special)

    def use(self, special: str, target: Cell | int | None = None) -> bool:
        """Use the armed special this turn: on a cell `(x, y)`, on a team, or without a target."""
        if self._accept_or_count(self.why_not_use(special, target), "use", special):
            aim = parse_target(self._grid, _own_target(target))
            assert not isinstance(aim, str)  # or it would not be accepted
            self._use = Use(SPECIALS[special], aim)
        return not self.reason

    def select(self, special: str) -> bool:
        """Select a special for the turns to come."""
        if self._accept_or_count(self.why_not_select(special), "select", special):
            self._select = SPECIALS[special]
        return not self.reason

    def why_not_select(self, special: str) -> str | None:
        """Return why you cannot select it after the lines so far; None if you can."""
        unknown = _why_unknown(special)
        if unknown is not None:
            return unknown
        using = None if self._use is None else self._use.special
        return why_not_select(self._dish, self._team, SPECIALS[special], using)

    def _why_not_beside_select(self, special: str) -> str | None:
        """Return why it cannot be used together with what is selected; None if it can (8.1)."""
        if self._select is None:
            return None
        reason = why_not_select(self._dish, self._team, self._select, SPECIALS[special])
        if reason is None:
            return None
        return f"{self._select} is to be selected this turn, and then could not be: {reason}"

    # -- looking ahead ----------------------------------------------------------------------

    def growth(self) -> list[Cell]:
        """Return the cells into which your stacks will grow after the orders so far."""
        return self.forecast().grown

    def forecast(self, also: Iterable[Cell] = ()) -> Forecast:
        """Return what the orders so far lead to.

        `also` are cells in which your stack is assumed to be one higher, whatever that costs.
        """
        layer = bytearray(self._account.heights)
        for x, y in also:
            layer[self._cell_number(x, y)] += 1
        return compute_forecast(self._dish, self._team, self.levels, layer)

    def answer(self) -> dict[str, object]:
        """Return the answer that is sent (rules 9.1)."""
        answer: dict[str, object] = {"orders": self._orders}
        if self._use is not None:
            answer["use"] = {"special": str(self._use.special), "target": self._use.target}
        if self._select is not None:
            answer["select"] = str(self._select)
        return answer

    def _why_full(self, more: int = 1) -> str | None:
        is_full = len(self._orders) + more > MAX_ORDERS
        return f"{MAX_ORDERS} orders are the most of a turn" if is_full else None

    def _cell_number(self, x: int, y: int) -> int:
        """Return the number of a cell. Raises: IndexError for one off the board."""
        cell = self._find(x, y)
        if cell is None:
            raise IndexError(self._why_off_board(x, y))
        return self._grid.cell(*cell)
