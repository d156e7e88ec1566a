"""The template: copy this file to player_NAME.py, and change what `decide` does.

    cp playerCode/player_base.py playerCode/player_mine.py
    python3 main.py -1 player_mine -2 player_one

docs/writing_a_bot.md lists all a bot is given; docs/rules/slime_mind.md has the rules.
"""

from engine.games.slime_mind.player import LEVELS, BasePlayer, Sight, Slime

# Shown with your results. They are read without running this file.
NAME = "Template"
AUTHOR = "you"
VERSION = "1"
# Third-party packages you import; the organiser must allow them. numpy needs no mention.
NEEDS: list[str] = []


class Player(BasePlayer):
    """One object is made for each match: what you put into `self` is still there next round."""

    def __init__(self, board: Sight, team: int) -> None:
        """Leave this method out if you have nothing to remember."""
        super().__init__(board, team)
        self.rounds = 0

    def decide(self, slime: Slime) -> str:
        """One of ten words for `slime`, whose round it is.

        LEFT RIGHT UP DOWN                  one step, if the square is empty
        BITELEFT BITERIGHT BITEUP BITEDOWN  bite a plant or a slime: +1 xp, +1 hp for you
        SPLIT                               from level 4: a quarter of the xp, one slime more
        MERGE                               take in a friend beside who said MERGE as well

        Anything else, an exception, or more than 50 ms, and the slime's round is lost.
        """
        self.rounds += 1
        if self.rounds == 1:
            # print() goes to this bot's log: python3 main.py --bot-logs shows it.
            print(f"I am team {self.team} of turn {self.board.turn}")

        # `slime` and all pieces have id, x, y; slimes and plants level, current_hp, max_hp.
        # LEVELS has the table of the rules: least xp, attack, most hp, score.
        if slime.level >= 4 and slime.xp >= 2 * LEVELS[4].min_xp and self.board.empty_around(slime):
            return "SPLIT"

        # An enemy beside us is bitten before it bites; bite() is None if it is not beside us.
        enemy = self.board.nearest_enemy(slime)
        if enemy and (bite := self.board.bite(slime, enemy)):
            return bite

        # The nearest plant that one more bite would not kill, or else the nearest of all.
        nearest = self.board.nearest_plant(slime)
        if nearest is None:  # no food is left: what remains is the enemy
            return (enemy and self.board.step_towards(slime, enemy)) or "MERGE"
        spared = self.board.nearest_plant(slime, lambda plant: plant.current_hp > slime.attack)
        plant = spared or nearest

        # BITELEFT and so on if it is beside us; otherwise the first step of the way to it.
        eat = self.board.bite(slime, plant)
        step = self.board.step_towards(slime, plant)
        # Without a way we are shut in by plants, and eat our way out.
        return eat or step or self.board.bite(slime, nearest) or "MERGE"
