"""A `Shape` that knows its trade: it finds its way, and shoots without hitting its friends."""

from collections import deque
from collections.abc import Iterator

from engine.games.game_of_death.forms import HEADINGS, SIDES, STEPS, Cell
from engine.games.game_of_death.player import Home, Shape

__all__ = ["Soldier"]

REACH = 9
"""How far around itself it looks for a way, cells."""
PATIENCE = 3
"""Turns that a move may be held up before another way is looked for."""


class Soldier(Shape):
    """Derive from it instead of `Shape`, and use of it what you like. It never turns by itself."""

    _way: "deque[str] | None" = None
    """The steps of a way around something."""
    _from: Cell | None = None
    """Where the first of them begins."""
    _since: int = 0
    """The turn in which it arrived there."""

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

    def touches(self, home: Home) -> bool:
        """Whether it is in contact with a home, as capturing and delivering need."""
        across, down = range(home.u, home.u + home.width), range(home.v, home.v + home.height)
        return any(
            (u in across and v in (home.v - 1, home.v + home.height))
            or (v in down and u in (home.u - 1, home.u + home.width))
            for u, v in self.cells
        )

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
        """
        if self.cooldown or not self.seen("h"):
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
        return bool(best)

    def walk_to(self, u: int, v: int) -> bool:
        """Go a step nearer to a cell, around what lies in the way; False if it cannot."""
        here = self.anchor
        if here != self._from:
            if self._from is not None and self._way:
                self._way.popleft()
            self._from, self._since = here, self.now
        if self.now - self._since > PATIENCE + self.speed:
            self._way, self._since = None, self.now
        if self._way and self.is_free(self._way[0]):
            self.move(self._way[0])
            return True
        self._way = None
        for direction in self._straight(u, v):
            if self.is_free(direction):
                self.move(direction)
                return True
        self._way = self._around(u, v)
        if self._way:
            self.move(self._way[0])
        return bool(self._way)

    # -- in detail ------------------------------------------------------------------------------

    def _edge(self, du: int, dv: int) -> list[Cell]:
        """The outermost cell of each line in this direction."""
        outermost: dict[int, Cell] = {}
        for cell in sorted(self.cells, key=lambda cell: cell[0] * du + cell[1] * dv):
            outermost[cell[1] if du else cell[0]] = cell
        return list(outermost.values())

    def _straight(self, u: int, v: int) -> Iterator[str]:
        """The directions that lead there, the longer way first."""
        du, dv = u - self.anchor[0], v - self.anchor[1]
        wished = [(du > 0) - (du < 0), 0], [0, (dv > 0) - (dv < 0)]
        for step in wished if abs(du) >= abs(dv) else wished[::-1]:
            for direction in SIDES:
                if any(step) and self.step_of(direction) == tuple(step):
                    yield direction

    def _around(self, u: int, v: int) -> "deque[str] | None":
        """The way to the nearest place to the goal that it sees a way to (breadth first)."""
        at = self.anchor
        steps = [(direction, self.step_of(direction)) for direction in SIDES]
        own = self.cells
        free = dict.fromkeys(own, True)
        came: dict[Cell, tuple[Cell, str] | None] = {(0, 0): None}
        best, nearest = (0, 0), abs(u - at[0]) + abs(v - at[1])
        waiting = deque([(0, 0)])
        while waiting:
            moved = waiting.popleft()
            left = abs(u - at[0] - moved[0]) + abs(v - at[1] - moved[1])
            if left < nearest:
                best, nearest = moved, left
            for direction, (du, dv) in steps:
                new = moved[0] + du, moved[1] + dv
                if new in came or max(abs(new[0]), abs(new[1])) > REACH:
                    continue
                for cell in own:
                    there = cell[0] + new[0], cell[1] + new[1]
                    if there not in free:
                        free[there] = self.see(*there) == "."
                    if not free[there]:
                        break
                else:
                    came[new] = moved, direction
                    waiting.append(new)
        way: deque[str] = deque()
        step = came[best]
        while step is not None:
            way.appendleft(step[1])
            step = came[step[0]]
        return way or None
