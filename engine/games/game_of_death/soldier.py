"""A `Shape` with pathfinding and aiming: it shoots without hitting its friends."""

import random
import re
from collections import deque
from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_

from engine.games.game_of_death.geometry import HEADINGS, SIDES, STEPS, Cell, edge_of
from engine.games.game_of_death.pathfinding import (
    MovementMap,
    Window,
    anchors_touching,
    distance,
    find_path,
)
from engine.games.game_of_death.perception import cell_of
from engine.games.game_of_death.player import TURNS, Home, Shape, one_of

__all__ = ["Soldier"]

PATH_LIFETIME = 30
"""The turns for which it follows a path without a new search; a longer path to its end."""
MAX_WAIT = 3
"""The turns that a slow move may be blocked, or no path be found, before a new search."""
TARGET_DRIFT = 2
"""How far its target may have moved in a turn, cells."""
WAIT_PROBABILITY = 0.6
"""The probability of waiting for a shape in its way, instead of searching a new path."""
LANE = re.compile("[^FHx]*x?")
"""What an attack reaches of a line: all before a home, and a body at last."""
YIELD_PROBABILITY = 0.4
"""The probability of letting others go first after a blocked step."""


class Soldier(Shape):
    """Derive from it instead of `Shape`, and use what you like of it."""

    shots_from_a_place: int = 5
    """How often it shoots at enemies from one place; then it must move first."""
    _shot_from: tuple[Cell, int] = (-1, -1), 0
    _target: Cell = (-1_000, -1_000)
    """The cell of the enemy that it chases."""
    _destination: tuple[Cell, str] | None = None
    """Where it walks to, and its heading then, which the path's directions are relative to."""
    _path: "deque[str] | None" = None
    """The steps there, as far as it could see."""
    _next: Cell = (-1, -1)
    """Where it will be after the first step."""
    _search_again_at: int = 0
    """The turn in which it searches a new path."""
    _stuck_at: Cell | None = None
    """Where it found no path."""
    _last_step: tuple[Cell, str] | None = None
    """Where it began its last step, and in which direction."""
    _clearing: tuple[Cell, str] | None = None
    """Where it last shot at bodies in its way, and in which direction."""

    # -- looking --------------------------------------------------------------------------------

    def step_of(self, direction: str) -> Cell:
        """Return the change of a cell by a move in this direction: (1, 0) is towards the enemy."""
        return STEPS[self._grid_direction(direction)]

    def is_free(self, direction: str) -> bool:
        """Return whether nothing is where a move would take it."""
        return self._cells_ahead(direction) == {"."}

    def hits(self, direction: str, after: str | None = None) -> str:
        """Return what an attack would hit now, a letter of `see` per cell: "hhf" has one friend.

        There is an `x` for each body that stops it. Shapes that move before the attack are not
        foreseen. With `after` "cw" or "ccw": what it would hit after such a turn.
        """
        towards = self._grid_direction(
            direction, 0 if after is None else 1 if after == "cw" else -1
        )
        du, dv = STEPS[towards]
        cells = self.cells if after is None else self.cells_after(after)
        hit = []
        for u, v in edge_of(cells, towards):
            line = self._context.line((u + du, v + dv), (du, dv), self.range)
            if after is not None and "f" in line:
                # Its own cells are seen as friends, and some of them will not be there any more.
                line = self._clear_own(line, (u + du, v + dv), (du, dv))
            in_lane = LANE.match(line)
            hit.append(in_lane[0] if in_lane else "")
        all_hit = "".join(hit).replace(".", "")
        return all_hit if self.settings.friendly_fire else all_hit.replace("f", "")

    # -- doing ----------------------------------------------------------------------------------

    def die(self) -> None:
        """Take a last shot; if it was killed, it has no strength left (rules 6.7)."""
        self.shoot()

    def shoot(self, least: int = 2) -> bool:
        """Attack where most hostile cells are hit, and no friend; return False if it cannot.

        `least` is the strength a side must have: most defenses are 1, which a 1 does not hurt. It
        stops after some shots from the same place: the enemy there may be too thick for it.
        """
        if self.cooldown or not self._has_shots() or not self.seen("h"):
            return False
        _, best = self._best_shot(least)
        if best:
            self.attack(best)
            self._shot_from = self.anchor, self._shot_from[1] + 1
        return bool(best)

    def aim(self, least: int = 2) -> bool:
        """Turn to where it can shoot next; return False if it could not, or has no room to turn."""
        enemies = self.seen("h")
        reach = self.range + self.size
        if not enemies or distance(self.anchor, enemies[0]) > reach or not self._has_shots():
            return False
        if self.pending in ("turn cw", "turn ccw") and self.progress >= self.speed:
            return False  # blocked, maybe by an enemy that wants to turn into the same cells
        own = self.cells
        shots = [
            (self._best_shot(least, turn)[0], turn)
            for turn in TURNS
            if all(cell in own or self.see(*cell) == "." for cell in self.cells_after(turn))
        ]
        most, best = max(shots, default=(0, ""))
        if most:
            self.turn(best)
        return bool(most)

    def walk_to(self, u: int, v: int) -> bool:
        """Go a step towards a cell, around what is in the way; return False if it cannot.

        It shoots bodies away where walking around them takes longer.
        """
        goal = cell_of(u, v)
        return self._follow(goal, lambda: {goal})

    def reach(self, home: Home) -> bool:
        """Go a step towards the nearest place from which it touches a home, as `walk_to` does."""
        goal = home.u + home.width // 2, home.v + home.height // 2
        return self._follow(goal, lambda: self._places_beside(home))

    def _places_beside(self, home: Home) -> set[Cell]:
        """Return where its anchor is when one of its cells is on the edge of a home."""
        au, av = self.anchor
        cells = [(u - au, v - av) for u, v in self.cells]
        return {(u - du, v - dv) for u, v in home.edge for du, dv in cells}

    def chase(self, prey: Sequence[Cell], least: int = 2) -> bool:
        """Go a step towards where it can shoot at one of these cells; return False if it cannot.

        It also returns False if it is there already. Its target is the first cell, and then the
        one nearest to its last target, as long as there is one close by.
        """
        if not len(prey):  # an array has no truth
            return False
        close = min(prey, key=lambda cell: distance(cell, self._target))
        chosen = close if distance(close, self._target) <= TARGET_DRIFT else prey[0]
        self._target = cell = cell_of(*chosen)
        own, (au, av) = self.cells, self.anchor
        ends = set[Cell]()
        for direction in SIDES:
            if self.strength(direction) < least:
                continue
            towards = self._grid_direction(direction)
            du, dv = STEPS[towards]
            for far in range(1, self.range + 1):
                u, v = cell[0] - du * far, cell[1] - dv * far
                # Bodies and homes stop the shot, as may what is out of sight; shapes move away.
                if (u, v) not in own and self.see(u, v) not in (".", "f", "h"):
                    break
                ends |= {(u - eu + au, v - ev + av) for eu, ev in edge_of(own, towards)}
        return (au, av) not in ends and self._follow(cell, lambda: ends)

    def _clear_own(self, line: str, cell: Cell, step: Cell) -> str:
        """Return what is on a line from a cell on, were its own cells free."""
        own = set(self.cells)
        cells = ((cell[0] + far * step[0], cell[1] + far * step[1]) for far in range(len(line)))
        return "".join(
            "." if each in own else there for each, there in zip(cells, line, strict=True)
        )

    # -- details --------------------------------------------------------------------------------

    def _grid_direction(self, direction: str, quarters: int = 0) -> int:
        """Return the direction on the grid, after this many quarter turns clockwise."""
        facing = HEADINGS.index(self.heading) + quarters
        side = SIDES.index(one_of(direction, SIDES, "direction"))
        return (facing + side) % len(STEPS)

    def _cells_ahead(self, direction: str) -> set[str | None]:
        """Return what is where a move would take it."""
        du, dv = self.step_of(direction)
        own = set(self.cells)
        return {self.see(u, v) for u, v in {(u + du, v + dv) for u, v in own} - own}

    def _has_shots(self) -> bool:
        """Return whether it may shoot from here once more."""
        if self._shot_from[0] != self.anchor:
            self._shot_from = self.anchor, 0
        return self._shot_from[1] < self.shots_from_a_place

    def _best_shot(self, least: int, after: str | None = None) -> tuple[int, str]:
        """Return the most damage of a shot now, or after a turn, and its direction; 0 if none."""
        best, most = "", 0
        for direction in SIDES:
            strength = self.strength(direction)
            if strength < least:
                continue
            hit = self.hits(direction, after)
            if "f" not in hit and strength * hit.count("h") > most:
                best, most = direction, strength * hit.count("h")
        return most, best

    def _follow(self, goal: Cell, ends: Callable[[], set[Cell]]) -> bool:
        """Take the next step of the path to one of the ends, searching one if needed.

        Which ends there are is asked for a search alone, which most steps do without.
        """
        if self._is_under_way():
            return True
        here = self.anchor
        direction = self._next_direction(here, (goal, self.heading), ends)
        if direction is None:
            return False
        front = self._cells_ahead(direction)
        if not front <= {".", "x"}:
            return False
        if "x" in front:
            self._clearing = here, direction
            return self._clear(direction)
        du, dv = self.step_of(direction)
        # Two that want to pass each other would block each other for ever: by chance, one rests.
        is_held_up = self._last_step == (here, direction)
        self._last_step, self._next = (here, direction), (here[0] + du, here[1] + dv)
        if is_held_up and random.random() < YIELD_PROBABILITY:
            self.rest()
        else:
            self.move(direction)
        return True

    def _next_direction(
        self, here: Cell, destination: tuple[Cell, str], ends: Callable[[], set[Cell]]
    ) -> str | None:
        """Return the next step of the path, or of a new one; None if it waits, or there is none."""
        is_same = self._destination == destination
        if here == self._next:
            self._next = (-1, -1)  # a step is done once, even if none is begun this turn
            if is_same and self._path:
                self._path.popleft()
        is_fit = is_same and self.now < self._search_again_at
        if is_fit and (here == self._stuck_at or self._is_blocked()):
            return None
        if not (is_fit and self._is_passable(here)):
            self._path = find_path(self._movement_map(), here, destination[0], ends())
            self._destination = destination
            self._stuck_at = None if self._path else here
            # A path is outdated when others have moved, but who is slow must get to its end at all.
            good_for = max(PATH_LIFETIME, self.speed * len(self._path)) if self._path else MAX_WAIT
            self._search_again_at = self.now + good_for
        return self._path[0] if self._path else None

    def _is_blocked(self) -> bool:
        """Return whether it waits for a shape in its way, which may be gone soon."""
        if not self._path or not self._cells_ahead(self._path[0]) & {"f", "h"}:
            return False
        return random.random() < WAIT_PROBABILITY

    def _is_passable(self, here: Cell) -> bool:
        """Return whether the next step is free, or blocked by bodies it is shooting away."""
        if not self._path:
            return False
        front = self._cells_ahead(self._path[0])
        return front == {"."} or (front <= {".", "x"} and self._clearing == (here, self._path[0]))

    def _clear(self, direction: str) -> bool:
        """Shoot at the bodies in the way as soon as it can; return False if a friend is there."""
        if self.cooldown:
            return True
        if "f" in self.hits(direction):
            return False
        self.attack(direction)
        return True

    def _movement_map(self) -> MovementMap:
        """Return what it sees of where it could go."""
        # Everything is stated as places of the anchor (a configuration space), so that the search
        # moves a point and not a shape.
        settings, view = self.settings, self.look()
        au, av = self.anchor
        own = self.cells
        offsets = [(u - au, v - av) for u, v in own]
        us, vs = [u for u, _ in offsets], [v for _, v in offsets]
        margin = 1 + max(map(abs, (*us, *vs)))
        window = Window(view.u, view.v, len(view.rows[0]), len(view.rows), margin)
        homes = (self.home, *(other.home for other in (*self.enemies, *self.partners)))
        at_homes = reduce(or_, (window.rectangle(*home.sides) for home in homes))
        others = window.cells_with_letters(view.rows, "fh") & ~window.bits(own)
        durability, between_shots = self.max_hp * settings.body_factor, settings.attack_gap + 1
        return MovementMap(
            window,
            steps={direction: self.step_of(direction) for direction in SIDES},
            speed=self.speed,
            # The turns that it takes to shoot a body away: shots needed, times the turns of each.
            clearing={
                direction: -(-durability // max(1, self.strength(direction))) * between_shots
                for direction in SIDES
            },
            columns=range(-min(us), settings.width - max(us)),
            rows=range(-min(vs), settings.height - max(vs)),
            homes=anchors_touching(at_homes, offsets, window.stride),
            bodies=anchors_touching(
                window.cells_with_letters(view.rows, "x"), offsets, window.stride
            ),
            shapes=anchors_touching(others, offsets, window.stride),
        )

    def _is_under_way(self) -> bool:
        """Return whether a slow move is in progress, and not blocked for too long."""
        is_moving = self.pending is not None and self.pending.startswith("move")
        return is_moving and self.speed > 1 and self.progress < self.speed + MAX_WAIT
