"""The template: copy this file to player_NAME.py, and change what its methods do.

    cp playerCode/smac/player_base.py playerCode/smac/player_mine.py
    python3 main.py -g smac -1 player_mine -2 player_one

docs/api/smac.md has the full API reference, docs/rules/smac.md the rules.
"""

from engine.games.smac.player import BasePlayer, Board, OrderSheet, PlacementSheet

# Shown with your results. They are read without running this file.
NAME = "Template"
AUTHOR = "you"
VERSION = "1"
# Third-party packages you import; the organizer must allow them. numpy needs no mention.
NEEDS: list[str] = []


class Player(BasePlayer):
    """One object is made per match: what you store in `self` is still there in the next turn."""

    def __init__(self, board: Board, team: int) -> None:
        """Prepare what you want to remember; leave this method out if that is nothing."""
        super().__init__(board, team)
        self.placed = 0

    def settle(self, sheet: PlacementSheet) -> None:
        """Choose where to begin. Called twice, before the first turn.

        sheet.bid(3) pays three points to choose earlier; sheet.center(x, y) adds a center to your
        list of preferences. self.board.free_centers() returns all that are free now.
        """
        middle = self.board.side // 2
        centers = self.board.free_centers()
        centers.sort(key=lambda center: self.board.distance(center, (middle, middle)))
        for x, y in centers[:20]:
            sheet.center(x, y)

    def decide(self, orders: OrderSheet) -> None:
        """Give the orders of a turn. Called once per turn.

        Every line you write on the sheet is checked at once: each method returns True if the line
        was accepted; if not, orders.reason says why, and the summary of the match counts it.
        orders.why_not_place(x, y) and so on say before whether a line would be accepted.

            orders.points                the whole points you can still spend
            orders.place(x, y)           begin or raise a stack; costs orders.cost(x, y)
            orders.ceiling(x, y)         the height up to which a stack would not be reduced
            orders.evolve("jump")        put a point into a characteristic
            orders.evolve_level("jump")  put in all points that its next level takes
            orders.use("NUKE", (12, 9))  use the armed special, on a cell or a team
            orders.select("BLOOM")       select a special for later turns
            orders.forecast()            what you grow, lose and produce if nobody else acts

        self.board shows the dish: stacks, owners, terrain, everybody's levels, your reach.
        An exception, or more CPU time than self.limits.cpu_ms, forfeits the orders of the turn.
        """
        board = self.board
        # Jump 1 lets us place beside our own cells, stacking 2 lets stacks grow.
        for characteristic in ("jump", "stacking"):
            is_payable = orders.to_next_level(characteristic) <= orders.points
            if is_payable and getattr(board.levels(), characteristic) < 2:
                orders.evolve_level(characteristic)
        # Height pays: a stack of 2 produces points, a plain one of 1 does not (rules 5.13).
        for x, y in board.cells():
            is_low = orders.height(x, y) < orders.ceiling(x, y)
            if is_low and orders.why_not_place(x, y) is None:
                orders.place(x, y)
        # What is left goes into new cells, first those with many of ours around.
        free = [cell for cell, cost in board.reach().items() if cost == 2 and board.is_empty(*cell)]
        free.sort(key=lambda cell: -board.support(*cell))
        for x, y in free:
            if orders.why_not_place(x, y) is None:
                self.placed += orders.place(x, y)
