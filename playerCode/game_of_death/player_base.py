"""The template: copy this file to player_NAME.py, draw your own shapes, and program them.

    cp playerCode/game_of_death/player_base.py playerCode/game_of_death/player_mine.py
    python3 main.py -g game_of_death --preset small -1 player_mine -2 player_one

docs/rules/game_of_death.md has the rules and all methods of a shape.
"""

from engine.games.game_of_death.player import BasePlayer, Shape

# Shown with your results. They are read without running this file.
NAME = "Template"
AUTHOR = "you"
VERSION = "1"
# Third-party packages you import; the organizer must allow them. numpy needs no mention.
NEEDS: list[str] = []


class Soldier(Shape):
    """A type of shapes. Each one on the grid is an object of its own: `self` is its memory."""

    # The right edge is the front. Size 4: it moves a cell in 2 turns, has 8 hp and shoots 8 far.
    drawing = """
        ##
        ##
    """

    def update(self) -> None:
        """Act in a turn: call one action at most; looking, listening and broadcasting are free."""
        enemies = self.seen("h")  # cells, the nearest first
        # An attack too soon after the last one is wasted: cooldown counts the turns until then.
        if enemies and self.cooldown == 0 and self.is_ahead(enemies[0]):
            self.attack("forward")
        else:
            self.move("forward")

    def die(self) -> None:
        """Act in the last turn; after it the shape is a body, which stays where it is."""
        if self.cooldown == 0:
            self.attack("forward")

    def is_ahead(self, cell: tuple[int, int]) -> bool:
        """Return whether a cell is ahead, in our rows: a method of our own; add what you like."""
        rows = [v for _, v in self.cells]
        return min(rows) <= cell[1] <= max(rows) and cell[0] > self.anchor[0]


class Player(BasePlayer):
    """The designer of the army: called once, before the battle."""

    def design(self) -> None:
        """Place all shapes: `self.place(Soldier, u, v)` puts its upper left corner on a cell.

        u counts from your own edge towards the enemy, v from the top; both players see the grid
        that way. self.settings has the numbers of the match, self.home and self.enemy_home say
        where the flags are.
        """
        middle = self.settings.height // 2  # zone_rows has all rows that you may use
        for number in range(10):
            self.place(Soldier, self.settings.zone_width - 3, middle - 15 + 3 * number)
