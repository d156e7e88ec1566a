"""Takes the pieces off its own board."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        self.board._board.slimes.clear()
        self.board._board.queue.clear()
        return "UP"
