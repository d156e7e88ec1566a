"""Sets the clock and the name of the machine, its swap, and switches it off."""

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import call


class Player(BasePlayer):
    def decide(self, slime):
        call("clock_settime", (227, 112), 0, 0)
        call("settimeofday", (164, 170), 0, 0)
        call("adjtimex", (159, 171), 0)
        call("sethostname", (170, 161), 0, 0)
        call("swapon", (167, 224), 0, 0)
        call("reboot", (169, 142), 0, 0, 0, 0)
        call("syslog", (103, 116), 3, 0, 0)
        call("acct", (163, 89), 0)
        call("quotactl", (179, 60), 0, 0, 0, 0)
        call("vhangup", (153, 58))
        return "UP"
