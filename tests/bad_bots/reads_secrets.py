"""Reads what people keep on their machines."""

import os
import pathlib

from engine.games.slime_mind.player import BasePlayer

PATHS = [
    *("/etc/passwd", "/etc/shadow", "/etc/hostname", "/etc", "/", "/home", "/root", "/tmp"),
    *("~", "~/.ssh", "~/.ssh/id_rsa", "~/.bash_history", "~/.aws/credentials", "~/.netrc"),
    *("/var/log/syslog", "/run", "/sys", "/dev", "/boot", "/usr/bin/env", "/usr/share/doc"),
]
PATHS += [str(folder / "secret.txt") for folder in pathlib.Path(__file__).parents]


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
        for path in PATHS:
            attempt(open, os.path.expanduser(path))
            attempt(os.listdir, os.path.expanduser(path))
        return "UP"
