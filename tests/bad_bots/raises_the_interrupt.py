"""Raises what the engine's interrupt raises."""

from engine.games.slime_mind.player import BasePlayer

from engine.bots.worker import OutOfTime


class Player(BasePlayer):
    def decide(self, slime):
        raise OutOfTime
