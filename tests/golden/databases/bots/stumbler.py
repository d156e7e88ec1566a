from engine.games.slime_mind.player import BasePlayer

decided = 0


class Player(BasePlayer):
    def decide(self, slime):
        global decided
        decided += 1
        return "FLY" if decided % 4 == 0 else "UP"
