"""Changes, hides and removes its own file, for the next match."""

import os

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt


class Player(BasePlayer):
    def decide(self, slime):
        attempt(open, __file__, "a")
        attempt(os.chmod, __file__, 0o777)
        attempt(os.utime, __file__)
        attempt(os.chown, __file__, os.getuid(), os.getgid())
        attempt(os.setxattr, __file__, "user.escaped", b"1")
        attempt(os.remove, __file__)
        attempt(os.rmdir, os.path.dirname(__file__))
        return "UP"
