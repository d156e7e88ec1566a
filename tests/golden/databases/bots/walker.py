from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return ("LEFT", "UP", "RIGHT", "DOWN")[(slime.id + slime.x) % 4]
