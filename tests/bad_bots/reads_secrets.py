"""Reads what people keep on their machines."""

import os
import pathlib

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt

PATHS = [
    *("/etc/passwd", "/etc/shadow", "/etc/hostname", "/etc", "/", "/home", "/root", "/tmp"),
    *("~", "~/.ssh", "~/.ssh/id_rsa", "~/.bash_history", "~/.aws/credentials", "~/.netrc"),
    *("/var/log/syslog", "/run", "/sys", "/dev", "/boot", "/usr/bin/env", "/usr/share/doc"),
]
PATHS += [str(folder / "secret.txt") for folder in pathlib.Path(__file__).parents]


class Player(BasePlayer):
    def decide(self, slime):
        for path in PATHS:
            attempt(open, os.path.expanduser(path))
            attempt(os.listdir, os.path.expanduser(path))
        return "UP"
