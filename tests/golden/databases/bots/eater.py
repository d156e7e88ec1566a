from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return ("BITEUP", "LEFT", "BITEDOWN", "UP", "BITERIGHT")[(slime.x + slime.current_hp) % 5]
