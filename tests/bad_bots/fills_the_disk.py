"""Writes as much as it can wherever it can."""

import os
import pathlib

from engine.games.slime_mind.player import BasePlayer

HOME = pathlib.Path(__file__).parent
PLACES = ["/tmp", "/var/tmp", "/dev/shm", "/run", ".", os.path.expanduser("~"), HOME]
PLACES += list(HOME.parents)[:4]


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
        for place in PLACES:
            file = attempt(open, os.path.join(place, "escaped-large"), "wb")
            if file:
                file.write(bytes(1 << 20))
        return "UP"
