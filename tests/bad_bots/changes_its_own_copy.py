"""Changes, hides and removes its own file, for the next match."""

import os

from engine.games.slime_mind.player import BasePlayer


def attempt(what, *words, **named):
    """Call it; says so if it worked."""
    try:
        result = what(*words, **named)
    except (OSError, ValueError, ImportError):
        return None
    print(f"escaped: {getattr(what, '__name__', what)}{words!r:.200} gave {result!r:.80}")
    return result


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
