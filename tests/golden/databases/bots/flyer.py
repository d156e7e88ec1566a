from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return "FLY" if slime.x % 3 == 0 else "BITELEFT"
