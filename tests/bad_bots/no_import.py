"""Imports a module that is nowhere."""

import a_module_that_is_nowhere
from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    pass
