"""The template: copy this file to player_NAME.py, and change what its methods do.

    cp playerCode/smac/player_base.py playerCode/smac/player_mine.py
    python3 main.py -g smac -1 player_mine -2 player_one

docs/writing_a_bot.md lists all a bot is given; docs/rules/smac.md has the rules.
"""

from engine.games.smac.player import BasePlayer, Board, OrderSheet, PlacementSheet

# Shown with your results. They are read without running this file.
NAME = "Template"
AUTHOR = "you"
VERSION = "1"
# Third-party packages you import; the organiser must allow them. numpy needs no mention.
NEEDS: list[str] = []


class Player(BasePlayer):
    """One object is made for each match: what you put into `self` is still there next turn."""

    def __init__(self, board: Board, team: int) -> None:
        """Leave this method out if you have nothing to remember."""
        super().__init__(board, team)
        self.placed = 0

    def settle(self, sheet: PlacementSheet) -> None:
        """Called twice before the first turn: where to begin.

        sheet.bid(3) pays three of the points for an earlier choice; sheet.centre(x, y) adds a
        place to be tried. self.board.free_centres() has all that are free now.
        """
        middle = self.board.side // 2
        centres = self.board.free_centres()
        centres.sort(key=lambda centre: self.board.distance(centre, (middle, middle)))
        for x, y in centres[:20]:
            sheet.centre(x, y)

    def decide(self, orders: OrderSheet) -> None:
        """Called once each turn: what to do with the points.

        Everything you write on the sheet is checked at once: each method says True if it was
        taken, and if not, orders.reason says why.

            orders.points                whole points that are left
            orders.place(x, y)           a stack there, or one higher; costs orders.cost(x, y)
            orders.ceiling(x, y)         how high a stack would stay there
            orders.evolve("jump")        a point into a characteristic
            orders.evolve_level("jump")  all points to its next level
            orders.use("NUKE", (12, 9))  the armed special, at a cell or a team
            orders.select("BLOOM")       a special for the turns to come
            orders.forecast()            what you grow, lose and produce if nobody else does a thing

        self.board shows the dish: stacks, owners, terrain, everybody's levels, your reach.
        An exception, or more time than self.limits.cpu_ms, loses the orders of the turn.
        """
        board = self.board
        for characteristic in ("jump", "stacking"):
            if getattr(board.levels(), characteristic) < 2:
                orders.evolve_level(characteristic)
        for x, y in board.cells():
            if orders.height(x, y) < orders.ceiling(x, y):
                orders.place(x, y)
        free = [cell for cell, cost in board.reach().items() if cost == 2 and board.is_empty(*cell)]
        free.sort(key=lambda cell: -board.support(*cell))
        for x, y in free:
            self.placed += orders.place(x, y)
