"""A `Shape` that knows its trade: it finds its way, and shoots without hitting its friends."""

import random
from collections import deque
from collections.abc import Iterable, Sequence

from engine.games.game_of_death.forms import HEADINGS, SIDES, STEPS, Cell, edge_of
from engine.games.game_of_death.player import TURNS, Home, Shape, one_of
from engine.games.game_of_death.ways import Ground, distance, find_way

__all__ = ["Soldier"]

GOOD_FOR = 30
"""Turns that it follows a way without looking for a better one; a longer way to its end."""
PATIENCE = 3
"""Turns that a slow move may be held up, or no way be found, before another one is looked for."""
CLOSE = 2
"""How far its prey may have moved in a turn, cells."""
WAITS = 0.6
"""How often it waits for a shape in its way, instead of looking for another one."""
GIVES_WAY = 0.4
"""How often it lets others go first when a step of it was held up."""


class Soldier(Shape):
    """Derive from it instead of `Shape`, and use of it what you like."""

    shots_from_a_place: int = 5
    """How often it shoots at enemies before it must have moved."""
    _shot_from: tuple[Cell, int] = (-1, -1), 0
    _prey: Cell = (-1_000, -1_000)
    """Whom it chases."""
    _errand: tuple[Cell, str] | None = None
    """Where it walks to, and how it is headed: directions on the way count from that."""
    _way: "deque[str] | None" = None
    """The steps there, as far as it could see."""
    _next: Cell = (-1, -1)
    """Where it will be after the first of them."""
    _until: int = 0
    """The turn in which it looks for another one."""
    _stuck_at: Cell | None = None
    """Where there was no way on."""
    _tried: tuple[Cell, str] | None = None
    """Where it began its last step, and to which side."""
    _breaks: tuple[Cell, str] | None = None
    """Where it last shot at bodies in its way, and to which side."""

    # -- looking --------------------------------------------------------------------------------

    def step_of(self, direction: str) -> Cell:
        """How a cell changes by a move in this direction: (1, 0) is towards the enemy."""
        return STEPS[self._towards(direction)]

    def is_free(self, direction: str) -> bool:
        """Whether nothing lies where a move would take it."""
        return self._ahead(direction) == {"."}

    def hits(self, direction: str, after: str | None = None) -> str:
        """The cells that an attack would hit now, as `see` tells them: of "hhf" one is a friend's.

        An `x` for each body that stops it. Whoever comes or goes before the attack, it does not
        know. With `after` "cw" or "ccw": what it would hit after such a turn.
        """
        towards = self._towards(direction, 0 if after is None else 1 if after == "cw" else -1)
        du, dv = STEPS[towards]
        cells = self.cells if after is None else self.cells_after(after)
        own = set(self.cells)
        missed = "." if self.settings.friendly_fire else ".f"
        hit = []
        for u, v in edge_of(cells, towards):
            for far in range(1, self.range + 1):
                cell = u + du * far, v + dv * far
                there = "." if cell in own else self.see(*cell)
                if there is None or there in "FH":
                    break
                if there not in missed:
                    hit.append(there)
                if there == "x":
                    break
        return "".join(hit)

    # -- doing ----------------------------------------------------------------------------------

    def die(self) -> None:
        """A last shot, of which who was killed is not capable any more (rules 6.7)."""
        self.shoot()

    def shoot(self, least: int = 2) -> bool:
        """Attack where most hostile cells are hit, and no friend; False if there is no such side.

        `least` is the strength a side must have: most defenses are 1, which a 1 does not hurt.
        Nor does it go on for ever from the same place: the other one may be too thick for it.
        """
        if self.cooldown or not self._has_shots() or not self.seen("h"):
            return False
        _, best = self._best_shot(least)
        if best:
            self.attack(best)
            self._shot_from = self.anchor, self._shot_from[1] + 1
        return bool(best)

    def aim(self, least: int = 2) -> bool:
        """Turn to where it could shoot then; False if it could not, or finds no room to turn."""
        enemies = self.seen("h")
        reach = self.range + self.size
        if not enemies or distance(self.anchor, enemies[0]) > reach or not self._has_shots():
            return False
        if self.pending in ("turn cw", "turn ccw") and self.progress >= self.speed:
            return False  # held up, maybe by an enemy that would turn to the same place
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
        """Go a step nearer to a cell, around what lies in the way; False if it cannot.

        Through bodies, where around them is farther than shooting them away takes.
        """
        return self._follow((u, v), {(u, v)})

    def reach(self, home: Home) -> bool:
        """The same to the nearest place from which it touches a home."""
        goal = home.u + home.width // 2, home.v + home.height // 2
        au, av = self.anchor
        cells = [(u - au, v - av) for u, v in self.cells]
        return self._follow(goal, {(u - du, v - dv) for u, v in home.edge for du, dv in cells})

    def chase(self, prey: Sequence[Cell], least: int = 2) -> bool:
        """Go a step nearer to where it can shoot at one of these cells; False if it cannot.

        Nor if it is there. It goes for the first of them, and then stays with that one as long as
        it is one of them, or close to one.
        """
        if not prey:
            return False
        close = min(prey, key=lambda cell: distance(cell, self._prey))
        self._prey = cell = close if distance(close, self._prey) <= CLOSE else prey[0]
        own, (au, av) = self.cells, self.anchor
        ends = set[Cell]()
        for direction in SIDES:
            if self.strength(direction) < least:
                continue
            towards = self._towards(direction)
            du, dv = STEPS[towards]
            for far in range(1, self.range + 1):
                u, v = cell[0] - du * far, cell[1] - dv * far
                if (u, v) not in own and self.see(u, v) not in (".", "f", "h"):
                    break
                ends |= {(u - eu + au, v - ev + av) for eu, ev in edge_of(own, towards)}
        return (au, av) not in ends and self._follow(cell, ends)

    # -- in detail ------------------------------------------------------------------------------

    def _towards(self, direction: str, quarters: int = 0) -> int:
        """Where that is on the grid (see forms), after turns by so many quarters clockwise."""
        facing = HEADINGS.index(self.heading) + quarters
        side = SIDES.index(one_of(direction, SIDES, "direction"))
        return (facing + side) % len(STEPS)

    def _ahead(self, direction: str) -> set[str | None]:
        """What is where a move would take it."""
        du, dv = self.step_of(direction)
        own = set(self.cells)
        return {self.see(u, v) for u, v in {(u + du, v + dv) for u, v in own} - own}

    def _has_shots(self) -> bool:
        """Whether it may shoot from here once more."""
        if self._shot_from[0] != self.anchor:
            self._shot_from = self.anchor, 0
        return self._shot_from[1] < self.shots_from_a_place

    def _best_shot(self, least: int, after: str | None = None) -> tuple[int, str]:
        """How much it hits at most, and where; 0 if there is no shot, now or after a turn."""
        best, most = "", 0
        for direction in SIDES:
            strength = self.strength(direction)
            if strength < least:
                continue
            hit = self.hits(direction, after)
            if "f" not in hit and strength * hit.count("h") > most:
                best, most = direction, strength * hit.count("h")
        return most, best

    def _follow(self, goal: Cell, ends: set[Cell]) -> bool:
        """Take the next step of the way to one of the ends, or find one."""
        if self._is_under_way():
            return True
        here = self.anchor
        direction = self._way_on(here, (goal, self.heading), ends)
        if direction is None:
            return False
        ahead = self._ahead(direction)
        if not ahead <= {".", "x"}:
            return False
        if "x" in ahead:
            self._breaks = here, direction
            return self._break(direction)
        du, dv = self.step_of(direction)
        is_held_up = self._tried == (here, direction)
        self._tried, self._next = (here, direction), (here[0] + du, here[1] + dv)
        if is_held_up and random.random() < GIVES_WAY:
            self.rest()
        else:
            self.move(direction)
        return True

    def _way_on(self, here: Cell, errand: tuple[Cell, str], ends: set[Cell]) -> str | None:
        """The next step of the way, or of a new one; None if it waits, or there is none."""
        is_same = self._errand == errand
        if here == self._next:
            self._next = (-1, -1)  # a step is done once, even if none is begun this turn
            if is_same and self._way:
                self._way.popleft()
        is_fit = is_same and self.now < self._until
        if is_fit and (here == self._stuck_at or self._waits()):
            return None
        if not (is_fit and self._is_passable(here)):
            self._way = find_way(self._ground(), here, errand[0], ends)
            self._errand = errand
            self._stuck_at = None if self._way else here
            good_for = max(GOOD_FOR, self.speed * len(self._way)) if self._way else PATIENCE
            self._until = self.now + good_for
        return self._way[0] if self._way else None

    def _waits(self) -> bool:
        """Whether a shape is in the way that may be gone soon."""
        if not self._way or not self._ahead(self._way[0]) & {"f", "h"}:
            return False
        return random.random() < WAITS

    def _is_passable(self, here: Cell) -> bool:
        """Whether nothing is in the way, or bodies it is shooting away already."""
        if not self._way:
            return False
        ahead = self._ahead(self._way[0])
        return ahead == {"."} or (ahead <= {".", "x"} and self._breaks == (here, self._way[0]))

    def _break(self, direction: str) -> bool:
        """Shoot at the bodies in the way, as soon as it can; False if a friend would be hit."""
        if self.cooldown:
            return True
        if "f" in self.hits(direction):
            return False
        self.attack(direction)
        return True

    def _ground(self) -> Ground:
        """What it sees of where it could go."""
        settings = self.settings
        au, av = self.anchor
        own = set(self.cells)
        offsets = [(u - au, v - av) for u, v in own]
        us, vs = [u for u, _ in offsets], [v for _, v in offsets]
        homes = [
            (u, v)
            for home in (self.home, self.enemy_home)
            for u in range(home.u, home.u + home.width)
            for v in range(home.v, home.v + home.height)
        ]

        def touching(cells: Iterable[Cell]) -> set[Cell]:
            return {(u - du, v - dv) for u, v in cells for du, dv in offsets}

        shapes = [cell for cell in (*self.seen("f"), *self.seen("h")) if cell not in own]
        durability, between_shots = self.max_hp * settings.body_factor, settings.attack_gap + 1
        return Ground(
            steps={direction: self.step_of(direction) for direction in SIDES},
            speed=self.speed,
            breaking={
                direction: -(-durability // max(1, self.strength(direction))) * between_shots
                for direction in SIDES
            },
            columns=range(-min(us), settings.width - max(us)),
            rows=range(-min(vs), settings.height - max(vs)),
            homes=touching(homes),
            bodies=touching(self.seen("x")),
            shapes=touching(shapes),
        )

    def _is_under_way(self) -> bool:
        """Whether a slow move is still being made, or waits for room not too long yet."""
        is_moving = self.pending is not None and self.pending.startswith("move")
        return is_moving and self.speed > 1 and self.progress < self.speed + PATIENCE
