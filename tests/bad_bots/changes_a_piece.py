"""Makes its slime invincible."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        slime.current_hp = 1_000
        return "UP"
