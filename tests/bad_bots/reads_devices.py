"""Opens the memory, the disks and the terminals of the machine."""

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt


class Player(BasePlayer):
    def decide(self, slime):
        for name in (
            "mem",
            "kmem",
            "port",
            "sda",
            "vda",
            "nvme0n1",
            "tty",
            "tty1",
            "console",
            "ptmx",
            "kvm",
            "fuse",
            "loop-control",
            "input/event0",
            "kmsg",
            "net/tun",
            "userfaultfd",
        ):
            attempt(open, f"/dev/{name}", "rb")
        return "UP"
