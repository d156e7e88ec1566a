"""Its __init__ takes other arguments."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def __init__(self):
        pass
