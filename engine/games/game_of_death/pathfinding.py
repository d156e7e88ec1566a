"""The quickest path of a shape over a grid it partly sees: a flood of bitboards (in the worker).

A bitboard is a set of cells as the bits of one integer, so that a whole wave of places takes one
step in a few operations. Dial's algorithm takes the waves in the order of their costs.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from heapq import heappop, heappush
from operator import or_
from typing import NamedTuple

from engine.games.game_of_death.geometry import Cell

WAITING_COST = 8
"""The cost in turns of a step to where a shape is now: it may leave, or not."""
DIGIT_ONE = ord("1")


class Window(NamedTuple):
    """The part of the grid that a search looks at, and which bit stands for which cell.

    It has a margin on all sides: what is shifted by less than the margin over one side does not
    come back on the other.
    """

    u: int
    v: int
    """The upper left cell."""
    width: int
    height: int
    margin: int

    @property
    def stride(self) -> int:
        """The bits from a cell to the one below it."""
        return self.width + 2 * self.margin

    @property
    def columns(self) -> range:
        return range(self.u, self.u + self.width)

    @property
    def rows(self) -> range:
        return range(self.v, self.v + self.height)

    def bit(self, cell: Cell) -> int:
        """Return the number of the bit of a cell in the window or in its margin."""
        return (cell[1] - self.v + self.margin) * self.stride + cell[0] - self.u + self.margin

    def cell(self, bit: int) -> Cell:
        """Return the cell of a bit."""
        row, column = divmod(bit, self.stride)
        return column - self.margin + self.u, row - self.margin + self.v

    def nearest(self, cell: Cell) -> Cell:
        """Return the cell of the window that is nearest to a cell."""
        u, v = cell
        columns, rows = self.columns, self.rows
        return min(max(u, columns[0]), columns[-1]), min(max(v, rows[0]), rows[-1])

    def has(self, cell: Cell) -> bool:
        """Return whether a cell is in the window itself."""
        return cell[0] in self.columns and cell[1] in self.rows

    def bits(self, cells: Iterable[Cell]) -> int:
        """Return cells of the window or of its margin as bits."""
        stride, first = self.stride, self.bit((0, 0))
        found = bytearray(b"0" * (stride * (self.height + 2 * self.margin)))
        for u, v in cells:
            found[first + v * stride + u] = DIGIT_ONE
        return _number_from_bits(found)

    def cells(self, bits: int) -> Iterator[Cell]:
        """Yield the cells of bits."""
        while bits:
            last = bits.bit_length() - 1
            yield self.cell(last)
            bits ^= 1 << last

    def cells_with_letters(self, rows: Sequence[str], letters: str) -> int:
        """Return the cells with one of these letters; `rows` are the texts of the window."""
        blank = " " * self.margin
        text = "".join(f"{blank}{row}{blank}" for row in rows).encode()
        digits = text.translate(_digit_table(letters.encode()))
        return _number_from_bits(digits) << (self.margin * self.stride)

    def rectangle(self, columns: range, rows: range) -> int:
        """Return the cells in these columns and rows, as far as they are here or in the margin."""
        left, right = self.u - self.margin, self.u + self.width + self.margin
        top, bottom = self.v - self.margin, self.v + self.height + self.margin
        left, right = max(left, columns.start), min(right, columns.stop)
        top, bottom = max(top, rows.start), min(bottom, rows.stop)
        if left >= right or top >= bottom:
            return 0
        row = (1 << (right - left)) - 1
        return row * _bit_column(self.stride, bottom - top) << self.bit((left, top))


class MovementMap(NamedTuple):
    """The places that a shape's anchor can have, and the costs of steps in turns."""

    window: Window
    steps: Mapping[str, Cell]
    """The change of its place by a move in each direction."""
    speed: int
    """The turns of a step to a free place."""
    clearing: Mapping[str, int]
    """The turns it takes to shoot a body away in each direction."""
    columns: range
    rows: range
    """The rows and columns in which all of it is on the grid."""
    homes: int
    """Places where it would overlap a home: never allowed."""
    bodies: int
    """Places where it would overlap a body."""
    shapes: int
    """Places where it would overlap another shape."""

    @property
    def allowed(self) -> int:
        """The places in the window where it could be, once nobody else is."""
        window = self.window
        columns, rows = (_overlap(window.columns, self.columns), _overlap(window.rows, self.rows))
        return window.rectangle(columns, rows) & ~self.homes

    def may_hold(self, cell: Cell) -> bool:
        """Return whether all of it would be on the grid."""
        return cell[0] in self.columns and cell[1] in self.rows

    def exits_towards(self, goal: Cell) -> int:
        """Return the places from which a step leads out of the window towards a goal.

        Of a goal that is in the window, all places from which one leads out of it.
        """
        window = self.window
        (u, v), columns, rows = goal, window.columns, window.rows
        sides = [
            (columns.start > self.columns.start, u < columns.start, columns[:1], rows),
            (columns.stop < self.columns.stop, u >= columns.stop, columns[-1:], rows),
            (rows.start > self.rows.start, v < rows.start, columns, rows[:1]),
            (rows.stop < self.rows.stop, v >= rows.stop, columns, rows[-1:]),
        ]
        places = [
            window.rectangle(across, down)
            for is_open, is_ahead, across, down in sides
            if is_open and (is_ahead or window.has(goal))
        ]
        return reduce(or_, places, 0)


def find_path(ground: MovementMap, here: Cell, goal: Cell, ends: set[Cell]) -> deque[str]:
    """Return the directions to the cheapest one of the ends, which lie around the goal.

    Empty if it could be at none of them. If none in the window can be reached, the path leads to
    where it leaves the window, as if all were free from there on, or to the place nearest to the
    goal. The first step is never to where a shape is: it would only wait there, maybe for one that
    waits for it. Ties go to the straightest path, then to the one on the right, so that shapes
    that meet pass each other.
    """
    window = ground.window
    wanted = window.bits(filter(window.has, ends)) & ground.allowed
    is_outside = any(ground.may_hold(end) for end in ends if not window.has(end))
    if here in ends or not (wanted or is_outside):
        return deque()
    waves: dict[int, int] = {}
    line, exits, speed = _Line(here, goal), ground.exits_towards(goal), ground.speed
    beyond = distance(window.nearest(goal), goal) * speed
    best: tuple[int, tuple[int, int], int, Cell] | None = None
    for cost, wave in _cost_waves(ground, here):
        waves[cost] = wave
        # Waves come in the order of their costs: the first that has an end has the cheapest one.
        if wave & wanted:
            places = window.cells(wave & wanted)
            return _path_to(ground, waves, cost, min(places, key=line.deviation), line)
        # No later wave leaves the window for less than this one costs and what is at least beyond.
        if best is not None and not wanted and cost + beyond > best[0]:
            break
        for cell in window.cells(wave & exits):
            in_all = cost + distance(cell, goal) * speed
            found = in_all, line.deviation(cell), cost, cell
            best = found if best is None else min(best, found)
    if best is None:
        cell = _nearest_place(window, waves.values(), goal)
        cost = next(cost for cost, wave in waves.items() if wave >> window.bit(cell) & 1)
    else:
        *_, cost, cell = best
    return _path_to(ground, waves, cost, cell, line)


def distance(cell: Cell, goal: Cell) -> int:
    """Return the distance in steps (Manhattan distance)."""
    return abs(cell[0] - goal[0]) + abs(cell[1] - goal[1])


class _Line(NamedTuple):
    """The straight line from where a shape is to where it goes."""

    here: Cell
    goal: Cell

    def deviation(self, cell: Cell) -> tuple[int, int]:
        """Return how far a place is from the line; of two as far the one on the right is less."""
        (u, v), (to_u, to_v) = self.here, self.goal
        to_the_right = (to_u - u) * (cell[1] - v) - (to_v - v) * (cell[0] - u)
        return abs(to_the_right), -to_the_right


def _cost_waves(ground: MovementMap, here: Cell) -> Iterator[tuple[int, int]]:
    """Yield the costs at which places are reached, from the least, with all places of each."""
    window, speed = ground.window, ground.speed
    left, across, down = ground.allowed, 1, window.stride
    shapes, bodies = ground.shapes, ground.bodies
    # By what is there: the places, and the turns that it adds to a step.
    grounds = [(left & ~(shapes | bodies), 0), (left & shapes & ~bodies, WAITING_COST)]
    moves = [
        (dv * down + du * across, ground.clearing[direction])
        for direction, (du, dv) in ground.steps.items()
    ]
    queue = _Queue()
    queue.put(0, 1 << window.bit(here))
    while queue:
        cost, wave = queue.pop()
        if cost:
            wave &= left
            if not wave:
                continue
        left ^= left & wave  # a place is in the first wave that reaches it, and in no later one
        yield cost, wave
        around = (wave << across | wave >> across | wave << down | wave >> down) & left
        if not cost:  # the first step is never to where a shape is
            around &= ~shapes
        for places, turns in grounds:
            queue.put(cost + speed + turns, around & places)
        if around & bodies:
            for shift, clearing in moves:
                front = _shift_bits(wave, shift) & around & bodies
                queue.put(cost + speed + clearing, front & ~shapes)
                queue.put(cost + speed + clearing + WAITING_COST, front & shapes)


class _Queue:
    """Places by the cost at which they can be reached."""

    def __init__(self) -> None:
        self._costs: list[int] = []
        self._places: dict[int, int] = {}

    def __bool__(self) -> bool:
        return bool(self._costs)

    def put(self, cost: int, places: int) -> None:
        if places:
            if cost not in self._places:
                self._places[cost] = 0
                heappush(self._costs, cost)
            self._places[cost] |= places

    def pop(self) -> tuple[int, int]:
        """Return the least cost, and all places that can be reached at it."""
        cost = heappop(self._costs)
        return cost, self._places.pop(cost)


def _path_to(
    ground: MovementMap, waves: Mapping[int, int], cost: int, cell: Cell, line: _Line
) -> deque[str]:
    """Return the steps by which a place was reached, which are found from its end."""
    window, path = ground.window, deque[str]()
    bit, first = window.bit(cell), window.bit(line.here)
    steps = [
        (direction, dv * window.stride + du, ground.clearing[direction])
        for direction, (du, dv) in ground.steps.items()
    ]
    # Backwards: a neighbor came before if it is in the wave that is earlier by what the step costs.
    while bit != first:
        waiting = WAITING_COST if ground.shapes >> bit & 1 else 0
        is_body = ground.bodies >> bit & 1
        found = []
        for direction, change, clearing in steps:
            before = bit - change
            earlier = cost - ground.speed - waiting - (clearing if is_body else 0)
            is_way = waves.get(earlier, 0) >> before & 1
            if is_way and not (waiting and not earlier):
                found.append((direction, earlier, before))
        if len(found) > 1:
            found.sort(key=lambda step: (line.deviation(window.cell(step[2])), step[0]))
        direction, cost, bit = found[0]
        path.appendleft(direction)
    return path


def _nearest_place(window: Window, waves: Iterable[int], goal: Cell) -> Cell:
    """Return one of the places that is nearest to the goal."""
    reached = sum(waves)  # no place is in two of them
    here = window.nearest(goal)
    around = 1 << window.bit(here)
    stride = window.stride
    while not around & reached:
        around |= around << 1 | around >> 1 | around << stride | around >> stride
    return next(window.cells(around & reached))


def anchors_touching(bits: int, offsets: Iterable[Cell], stride: int) -> int:
    """Return where the anchor of a shape is when one of its cells is on one of these cells."""
    return (
        reduce(or_, (_shift_bits(bits, -(dv * stride + du)) for du, dv in offsets)) if bits else 0
    )


def _shift_bits(bits: int, by: int) -> int:
    return bits << by if by > 0 else bits >> -by


def _overlap(one: range, other: range) -> range:
    """Return the numbers that are in both of two ranges."""
    return range(max(one.start, other.start), min(one.stop, other.stop))


def _number_from_bits(digits: bytes | bytearray) -> int:
    """Return the number whose lowest bit is the first digit, 0 or 1."""
    return int(digits[::-1], 2) if digits else 0


@lru_cache(maxsize=4_096)
def _bit_column(stride: int, count: int) -> int:
    """Return as many bits below each other."""
    return sum(1 << (stride * down) for down in range(count))


@lru_cache(maxsize=64)
def _digit_table(letters: bytes) -> bytes:
    """Return a table that turns these letters into 1, and all others into 0."""
    return bytes(b"01"[letter in letters] for letter in range(256))
