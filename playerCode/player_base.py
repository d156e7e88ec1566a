"""The template: copy this file to player_NAME.py, and change what `decide` does.

    cp playerCode/player_base.py playerCode/player_mine.py
    python3 main.py -1 player_mine -2 player_one

docs/api/slime_mind.md has the full API reference, docs/rules/slime_mind.md the rules.
"""

from engine.games.slime_mind.player import LEVELS, BasePlayer, BoardView, Slime

# Shown with your results. They are read without running this file.
NAME = "Template"
AUTHOR = "you"
VERSION = "1"
# Third-party packages you import; the organizer must allow them. numpy needs no mention.
NEEDS: list[str] = []


class Player(BasePlayer):
    """One object is made per match: what you store in `self` is still there in the next round."""

    def __init__(self, board: BoardView, team: int) -> None:
        """Prepare what you want to remember; leave this method out if that is nothing."""
        super().__init__(board, team)
        self.rounds = 0

    def decide(self, slime: Slime) -> str:
        """Return a command for `slime`. Called once per turn for each of your slimes.

        LEFT RIGHT UP DOWN                  move one square, if it is empty
        BITELEFT BITERIGHT BITEUP BITEDOWN  bite a plant or a slime: +1 xp, +1 hp for you
        SPLIT                               from level 4: keep a quarter of the xp, get a new slime
        MERGE                               absorb a friend beside you that gave MERGE as well

        Anything else, an exception, or more than 50 ms forfeits this activation of the slime.
        """
        self.rounds += 1
        if self.rounds == 1:
            # print() goes to this bot's log: python3 main.py --bot-logs shows it.
            print(f"I am team {self.team} of turn {self.board.turn}")

        # `slime` and all pieces have id, x, y; slimes and plants level, current_hp, max_hp.
        # LEVELS is the table of the rules: min_xp, attack, max_hp, score_tenths.
        # One slime more means one more bite per turn, so split once there is xp to spare.
        if slime.level >= 4 and slime.xp >= 2 * LEVELS[4].min_xp and self.board.empty_around(slime):
            return "SPLIT"

        # Bite an enemy beside us before it bites us; bite() is None if it is not beside us.
        enemy = self.board.nearest_enemy(slime)
        if enemy and (bite := self.board.bite(slime, enemy)):
            return bite

        # Prefer a plant that survives our bite: it grows again, and we can bite it once more.
        nearest = self.board.nearest_plant(slime)
        if nearest is None:  # no food is left: go for the enemy
            return (enemy and self.board.step_towards(slime, enemy)) or "MERGE"
        spared = self.board.nearest_plant(slime, lambda plant: plant.current_hp > slime.attack)
        plant = spared or nearest

        # bite() gives BITELEFT and so on if it is beside us, step_towards() the way to it.
        eat = self.board.bite(slime, plant)
        step = self.board.step_towards(slime, plant)
        # Without a path we are enclosed by plants, and eat our way out.
        return eat or step or self.board.bite(slime, nearest) or "MERGE"
