"""An army that searches: each shape compares what it could do, and walks by the shortest path.

`Soldier` brings the search for paths and for shots; docs/api/game_of_death.md explains it, and
docs/rules/game_of_death.md has the rules and all methods of a shape.
"""

from engine.games.game_of_death.flag_runner import FlagRunner
from engine.games.game_of_death.player import BasePlayer, Cell

# Shown with your results. They are read without running this file.
NAME = "Template"
AUTHOR = "you"
VERSION = "1"

# Everything a search can tune stands up here, where you find it again.
GUARDS = 0.25
"""The share of our cells that stays at home."""
ALARM = 30
"""The distance from our home at which an enemy is chased by the guards, cells."""


class Runner(FlagRunner):
    """A small and fast shape: it captures the flag, and shoots at what is in its way."""

    # The right edge is the front. Two cells: it moves a cell every turn.
    drawing = "##"

    def update(self) -> None:
        """Take the first of these that can be done: the order is the plan."""
        plans = (self.carry, self.shoot, self.cover)
        if not any(plan() for plan in plans):  # each returns whether it acted
            self.reach(self.enemy_home)


class Guard(FlagRunner):
    """A thick shape: slow, and hard to kill."""

    drawing = """
        ###
        ###
        ###
    """

    def update(self) -> None:
        """Shoot, turn to where a shot is possible, or go for the most dangerous enemy."""
        if self.shoot() or self.aim():
            return
        enemies = sorted(self.seen("h"), key=self.danger)
        if enemies and self.danger(enemies[0]) <= ALARM:
            self.chase(enemies)

    def danger(self, cell: Cell) -> int:
        """Return how far an enemy is from our home: the nearer, the more dangerous."""
        return abs(cell[0] - self.home.u) + abs(cell[1] - self.home.v)


class Player(BasePlayer):
    """The designer of the army: called once, before the battle."""

    def design(self) -> None:
        """Place the guards around our home and the runners at the front, as far as cells go."""
        settings, home = self.settings, self.home
        guards = int(GUARDS * settings.max_cells) // 9
        for number in range(guards):
            column, row = divmod(number, 6)
            u, v = home.u + home.width + 3 + 4 * column, home.v - 9 + 4 * row
            self.place(Guard, u, min(max(v, 0), settings.height - 3))
        rows = settings.height // 2
        for number in range((settings.max_cells - 9 * guards) // 2):
            column, row = divmod(number, rows)
            self.place(Runner, settings.zone_width - 2 - 3 * column, 2 * row)
