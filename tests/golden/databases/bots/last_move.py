from engine.games.smack.player import BasePlayer


class Player(BasePlayer):
    def decide(self, board):
        return board.position.moves()[-1]
