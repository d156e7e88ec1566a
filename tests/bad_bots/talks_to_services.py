"""Connects to services of this machine, by file and by name without file."""

import pathlib
import socket

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt

HOME = pathlib.Path(__file__).parents[3]
FILES = ("/run/dbus/system_bus_socket", "/var/run/docker.sock", "/dev/log", "/run/systemd/private")


def connect(address, kind):
    with socket.socket(socket.AF_UNIX, kind) as end:
        end.connect(address)


class Player(BasePlayer):
    def decide(self, slime):
        for address in (f"\0{HOME}", *FILES):
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
                attempt(connect, address, kind)
        attempt(socket.socketpair)
        return "UP"
