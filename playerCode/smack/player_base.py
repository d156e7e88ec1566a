"""The template: copy this file to player_NAME.py, and change what `decide` does.

    cp playerCode/smack/player_base.py playerCode/smack/player_mine.py
    python3 main.py -g smack -1 player_mine -2 player_one

docs/api/smack.md has the full API reference, docs/rules/smack.md the rules.
"""

from engine.games.smack.player import BasePlayer, Board, Move

# Shown with your results. They are read without running this file.
NAME = "Template"
AUTHOR = "you"
VERSION = "1"
# Third-party packages you import; the organizer must allow them. numpy needs no mention.
NEEDS: list[str] = []


class Player(BasePlayer):
    """One object is made per match: what you store in `self` is still there at the next move."""

    def __init__(self, team: int) -> None:
        """Prepare what you want to remember; leave this method out if that is nothing."""
        super().__init__(team)
        self.moves = 0

    def decide(self, board: Board) -> Move:
        """Return a move on this board: we play nerds on one of the two, and bullies on the other.

        board.side says which; board.position knows the rules:

            position.moves()             all legal moves
            position.captures()          those that remove something
            position.captured_by(move)   what a move removes, as a set of squares (bits)
            position.points_of(captured) what that is worth
            position.after(move)         the position it leads to, with the other side to move

        An illegal move, an exception, or more CPU time than self.limits.cpu_ms forfeits the half.
        """
        self.moves += 1
        position = board.position
        captures = position.captures()
        if captures:  # take what is worth most; a better bot looks at the reply, too
            return max(captures, key=lambda move: position.points_of(position.captured_by(move)))
        return position.moves()[0]
