"""Handles page faults by itself, a tool of many break-ins."""

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import call


class Player(BasePlayer):
    def decide(self, slime):
        call("userfaultfd", (323, 282), 1)
        call("eventfd2", (290, 19), 0, 0)
        call("signalfd4", (289, 74), -1, 0, 8, 0)
        call("epoll_create1", (291, 20), 0)
        call("splice", (275, 76), 0, 0, 1, 0, 1, 0)
        call("tee", (276, 77), 0, 1, 1, 0)
        call("vmsplice", (278, 75), 1, 0, 0, 0)
        call("sendfile", (40, 71), 1, 0, 0, 1)
        call("copy_file_range", (326, 285), 0, 0, 1, 0, 1, 0)
        call("process_madvise", (440, 440), 0, 0, 0, 0, 0)
        call("mlockall", (151, 230), 3)
        call("fadvise64", (221, 223), 0, 0, 0, 4)
        call("membarrier", (324, 283), 1, 0, 0)
        return "UP"
