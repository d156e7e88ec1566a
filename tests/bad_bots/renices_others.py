"""Makes everybody else slow, and itself fast."""

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import call, others


class Player(BasePlayer):
    def decide(self, slime):
        for pid in (0, *others()):
            call("setpriority", (141, 140), 0, pid, 19)
            call("setpriority", (141, 140), 0, pid, 0)
            call("ioprio_set", (251, 30), 1, pid, 3 << 13)
            call("sched_setscheduler", (144, 119), pid, 5, 0)
            call("sched_setattr", (314, 274), pid, 0, 0)
        return "UP"
