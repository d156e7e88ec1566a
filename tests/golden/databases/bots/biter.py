from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return ("BITELEFT", "BITEUP", "BITERIGHT", "BITEDOWN")[(slime.x + slime.y) % 4]
