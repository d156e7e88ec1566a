"""Its Player derives from nothing of ours."""


class Player:
    def __init__(self, board, team):
        pass

    def decide(self, slime):
        return "UP"
