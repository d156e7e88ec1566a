"""Its Player has no method decide."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    pass
