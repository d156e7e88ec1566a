"""A simple army: scouts run for the flag, guards shoot at enemies that come near."""

from engine.games.game_of_death.player import BasePlayer, Cell, Home, Shape

NAME = "Militia"
AUTHOR = "Slime Mind"
VERSION = "1"

GOT_IT = "got it"
"""The broadcast of a scout that has the flag: the others then go home with it."""
PATIENCE = 3
AWAY = {"forward": "backward", "backward": "forward", "left": "right", "right": "left"}


class Soldier(Shape):
    """What scouts and guards share. They never turn, so forward is always towards the enemy."""

    def step_towards(self, goal: Cell) -> None:
        """Move towards a cell: first along the longer axis, then around what is in the way."""
        u, v = self.anchor
        du, dv = goal[0] - u, goal[1] - v
        along = "forward" if du > 0 else "backward"
        across = "right" if dv > 0 else "left"
        wishes = [along, across] if abs(du) > abs(dv) else [across, along]
        wishes += [AWAY[across] if dv == 0 else AWAY[wishes[1]], AWAY[wishes[0]]]
        for direction in wishes:
            if self.is_free(direction):
                self.move(direction)
                return

    def is_free(self, direction: str) -> bool:
        """Return whether it could move there now."""
        du, dv = {"forward": (1, 0), "backward": (-1, 0), "right": (0, 1), "left": (0, -1)}[
            direction
        ]
        own = set(self.cells)
        ahead = {(u + du, v + dv) for u, v in own} - own
        return all(self.see(u, v) == "." for u, v in ahead)

    def shoot(self) -> bool:
        """Attack the nearest enemy in one of the four lanes, unless a friend is in that lane."""
        if self.cooldown:
            return False
        own = self.cells
        left, right = min(u for u, _ in own), max(u for u, _ in own)
        top, bottom = min(v for _, v in own), max(v for _, v in own)
        for u, v in self.seen("h")[:20]:
            if top <= v <= bottom and 0 < max(u - right, left - u) <= self.range:
                direction = "forward" if u > right else "backward"
            elif left <= u <= right and 0 < max(v - bottom, top - v) <= self.range:
                direction = "right" if v > bottom else "left"
            else:
                continue
            if self.strength(direction) > 1 and not self.has_friend(u, v):
                self.attack(direction)
                return True
        return False

    def has_friend(self, u: int, v: int) -> bool:
        """Return whether a friend is on the straight line to a cell."""
        own = set(self.cells)
        at_u, at_v = min(own, key=lambda cell: abs(cell[0] - u) + abs(cell[1] - v))
        length = max(abs(u - at_u), abs(v - at_v))
        return any(
            self.see(at_u + (u - at_u) * step // length, at_v + (v - at_v) * step // length) == "f"
            for step in range(1, length)
        )

    def die(self) -> None:
        """Take a last shot, if there is an enemy in a lane."""
        self.shoot()


class Scout(Soldier):
    """A small shape, which moves every turn: to the flag, and home with it."""

    drawing = """
        ##
        #.
    """

    def __init__(self) -> None:
        """Remember when the flag's bearer was last heard."""
        self.heard = -PATIENCE

    def update(self) -> None:
        """Fetch the flag. Shooting costs a turn, so a shape that has the flag does not."""
        if GOT_IT in self.receive():
            self.heard = self.now
        if self.has_flag:
            self.broadcast(GOT_IT)
            self.step_towards(middle_of(self.home))
        elif self.now - self.heard < PATIENCE:
            if not self.shoot():
                self.step_towards(middle_of(self.home))
        elif self.touches(self.enemy_home):
            if self.capture_progress == 0 and not self.shoot():
                self.capture()
        elif not self.shoot():
            self.step_towards(middle_of(self.enemy_home))


class Guard(Soldier):
    """A thick shape, which hits hard: it stays where it is, in front of the home."""

    drawing = """
        ###
        ###
        ###
    """

    def update(self) -> None:
        """Shoot, or rest."""
        if not self.shoot():
            self.rest()


class Player(BasePlayer):
    """Guards around the home, scouts in a column at the front."""

    def design(self) -> None:
        """Use a third of the cells for guards, the rest for scouts."""
        settings, home = self.settings, self.home
        guards = settings.max_cells // 3 // 9
        for number in range(guards):
            column, row = divmod(number, 6)
            self.place(Guard, home.u + home.width + 4 + 5 * column, home.v - 10 + 4 * row)
        rows = (settings.height - 2) // 3
        for number in range((settings.max_cells - 9 * guards) // 3):
            column, row = divmod(number, rows)
            self.place(Scout, settings.zone_width - 3 - 3 * column, 1 + 3 * row)


def middle_of(home: Home) -> Cell:
    """Return the middle cell of a home."""
    return home.u + home.width // 2, home.v + home.height // 2
