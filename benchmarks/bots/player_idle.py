"""A bot that walks up until something is in the way, and does nothing from then on."""

from engine.games.slime_mind.player import BasePlayer, Slime


class Player(BasePlayer):
    def decide(self, slime: Slime) -> str:
        return "UP"
