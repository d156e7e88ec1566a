import os

from engine.games.slime_mind.player import BasePlayer

decided = 0


class Player(BasePlayer):
    def decide(self, slime):
        global decided
        decided += 1
        return os._exit(3) if decided > 5 else "RIGHT"
