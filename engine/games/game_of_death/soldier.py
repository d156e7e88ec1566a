"""A `Shape` that knows its trade: it finds its way, and shoots without hitting its friends."""

from collections import deque
from heapq import heappop, heappush

from engine.games.game_of_death.forms import HEADINGS, SIDES, STEPS, Cell
from engine.games.game_of_death.player import Home, Shape

__all__ = ["Soldier"]

GOOD_FOR = 30
"""Turns that it follows a way without looking for a better one."""
MOST_PLACES = 2_000
"""That it looks at to find one."""
WAITING = 8
"""What a step to where a shape is now costs it, in steps."""
PATIENCE = 3
"""Turns that a slow move may be held up before another way is looked for."""


class Soldier(Shape):
    """Derive from it instead of `Shape`, and use of it what you like. It never turns by itself."""

    shots_from_a_place: int = 5
    """How often it shoots before it must have moved."""
    _shot_from: tuple[Cell, int] = (-1, -1), 0
    _goal: Cell | None = None
    """Where it walks to."""
    _way: "deque[str] | None" = None
    """The steps there, as far as it could see."""
    _next: Cell = (-1, -1)
    """Where it will be after the first of them."""
    _until: int = 0
    """The turn in which it looks for another one."""

    _tried: tuple[Cell, str] | None = None
    """Where it began its last step, and to which side."""

    # -- looking --------------------------------------------------------------------------------

    def step_of(self, direction: str) -> Cell:
        """How a cell changes by a move in this direction: (1, 0) is towards the enemy."""
        return STEPS[(HEADINGS.index(self.heading) + SIDES.index(direction)) % len(STEPS)]

    def is_free(self, direction: str) -> bool:
        """Whether nothing lies where a move would take it."""
        du, dv = self.step_of(direction)
        own = set(self.cells)
        ahead = {(u + du, v + dv) for u, v in own} - own
        return all(self.see(u, v) == "." for u, v in ahead)

    def hits(self, direction: str) -> str:
        """The cells that an attack would hit now, as `see` tells them: of "hhf" one is a friend's.

        An `x` for each body that stops it. Whoever comes or goes before the attack, it does not
        know.
        """
        du, dv = self.step_of(direction)
        hit = []
        for u, v in self._edge(du, dv):
            for distance in range(1, self.range + 1):
                there = self.see(u + du * distance, v + dv * distance)
                if there in ("h", "f", "x"):
                    hit.append(there)
                if there is None or there in "xFH":
                    break
        return "".join(hit)

    # -- doing ----------------------------------------------------------------------------------

    def shoot(self, least: int = 2) -> bool:
        """Attack where most hostile cells are hit, and no friend; False if there is no such side.

        `least` is the strength a side must have: most defenses are 1, which a 1 does not hurt.
        Nor does it go on for ever from the same place: the other one may be too thick for it.
        """
        if self._shot_from[0] != self.anchor:
            self._shot_from = self.anchor, 0
        if self.cooldown or self._shot_from[1] >= self.shots_from_a_place or not self.seen("h"):
            return False
        best, most = "", 0
        for direction in SIDES:
            strength = self.strength(direction)
            if strength < least:
                continue
            hit = self.hits(direction)
            if "f" not in hit and strength * hit.count("h") > most:
                best, most = direction, strength * hit.count("h")
        if best:
            self.attack(best)
            self._shot_from = self.anchor, self._shot_from[1] + 1
        return bool(best)

    def walk_to(self, u: int, v: int) -> bool:
        """Go a step nearer to a cell, around what lies in the way; False if it cannot."""
        return self._follow((u, v))

    def reach(self, home: Home) -> bool:
        """The same to the nearest place from which it touches a home."""
        goal = home.u + home.width // 2, home.v + home.height // 2
        return self._follow(goal, home)

    def chase(self, cell: Cell) -> bool:
        """Go where it can shoot at a cell: into its row, then nearer. For bars that lie."""
        u, v = self.anchor
        return self.walk_to(u if v != cell[1] else cell[0], cell[1])

    # -- in detail ------------------------------------------------------------------------------

    def _edge(self, du: int, dv: int) -> list[Cell]:
        """The outermost cell of each line in this direction."""
        outermost: dict[int, Cell] = {}
        for cell in sorted(self.cells, key=lambda cell: cell[0] * du + cell[1] * dv):
            outermost[cell[1] if du else cell[0]] = cell
        return list(outermost.values())

    def _follow(self, goal: Cell, home: Home | None = None) -> bool:
        """Take the next step of the way, or find one: to the goal, or beside the home there."""
        if self._is_under_way():
            return True
        here = self.anchor
        if self._goal == goal and self._way and here == self._next:
            self._way.popleft()
        is_fit = self._goal == goal and self._way and self.now < self._until
        if not (is_fit and self._way and self.is_free(self._way[0])):
            self._goal, self._until = goal, self.now + GOOD_FOR
            self._way = self._find_way(goal, {goal} if home is None else self._beside(home))
        if not self._way or not self.is_free(self._way[0]):
            return False
        du, dv = self.step_of(self._way[0])
        is_held_up = self._tried == (here, self._way[0])
        self._tried, self._next = (here, self._way[0]), (here[0] + du, here[1] + dv)
        if is_held_up and self._gives_way():
            self.rest()
        else:
            self.move(self._way[0])
        return True

    def _find_way(self, goal: Cell, ends: set[Cell]) -> "deque[str]":
        """A*, as far as it sees: where it cannot go, or would have to wait for somebody."""
        here = self.anchor
        offsets = [(u - here[0], v - here[1]) for u, v in self.cells]
        shut, slow = self._in_the_way(offsets)
        came: dict[Cell, tuple[Cell, str] | None] = {here: None}
        costs = {here: 0}
        best, nearest = here, _between(here, goal)
        heap = [(nearest, 0, here)]
        for _ in range(MOST_PLACES):
            if not heap or best in ends:
                break
            _, late, place = heappop(heap)
            if -late > costs[place]:
                continue
            if _between(place, goal) < nearest or place in ends:
                best, nearest = place, _between(place, goal)
            for direction, new in self._next_to(place):
                if new in shut or (place == here and new in slow):
                    continue  # beside it, it would only wait, and maybe for one who waits for it
                cost = costs[place] + (WAITING if new in slow else 1)
                if cost < costs.get(new, cost + 1) and self._fits(new, offsets):
                    costs[new] = cost
                    came[new] = place, direction
                    heappush(heap, (cost + _between(new, goal), -cost, new))
        if best not in ends and heap:
            best = heap[0][2]  # not yet found: where a way may go on
        return _way_to(best, came)

    def _next_to(self, place: Cell) -> list[tuple[str, Cell]]:
        """The four places around one, with the directions that lead there."""
        steps = [(direction, self.step_of(direction)) for direction in SIDES]
        return [(direction, (place[0] + du, place[1] + dv)) for direction, (du, dv) in steps]

    def _fits(self, anchor: Cell, offsets: list[Cell]) -> bool:
        """Whether it would be on the grid."""
        width, height = self.settings.width, self.settings.height
        return all(0 <= anchor[0] + u < width and 0 <= anchor[1] + v < height for u, v in offsets)

    def _in_the_way(self, offsets: list[Cell]) -> tuple[set[Cell], set[Cell]]:
        """Anchors with which it would lie on a body or home, and on a shape."""
        own = set(self.cells)
        homes = [
            (u, v)
            for home in (self.home, self.enemy_home)
            for u in range(home.u, home.u + home.width)
            for v in range(home.v, home.v + home.height)
        ]
        shut = {(u - du, v - dv) for u, v in (*self.seen("x"), *homes) for du, dv in offsets}
        shapes = [cell for cell in (*self.seen("f"), *self.seen("h")) if cell not in own]
        return shut, {(u - du, v - dv) for u, v in shapes for du, dv in offsets}

    def _beside(self, home: Home) -> set[Cell]:
        """Anchors with which it touches a home."""
        here = self.anchor
        return {(u - cu + here[0], v - cv + here[1]) for u, v in home.edge for cu, cv in self.cells}

    def _gives_way(self) -> bool:
        """Sometimes, and seldom both of two that want to go to the same place and cannot."""
        u, v = self.anchor
        return (5 * u + 11 * v + self.now * (3 + v % 4)) % 7 < 3

    def _is_under_way(self) -> bool:
        """Whether a slow move is still being made, or waits for room not too long yet."""
        is_moving = self.pending is not None and self.pending.startswith("move")
        return is_moving and self.speed > 1 and self.progress < self.speed + PATIENCE


def _between(place: Cell, goal: Cell) -> int:
    return abs(place[0] - goal[0]) + abs(place[1] - goal[1])


def _way_to(place: Cell, came: dict[Cell, tuple[Cell, str] | None]) -> "deque[str]":
    """The steps by which one came there."""
    way = deque[str]()
    step = came[place]
    while step is not None:
        way.appendleft(step[1])
        step = came[step[0]]
    return way
