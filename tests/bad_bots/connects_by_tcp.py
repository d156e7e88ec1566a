"""Connects to this machine and to the world."""

import pathlib
import socket
import zlib

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt

HOME = pathlib.Path(__file__).parents[3]
PORT = 20_000 + zlib.crc32(bytes(HOME)) % 10_000


def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as end:
        end.settimeout(0.05)
        end.connect(address)


class Player(BasePlayer):
    def decide(self, slime):
        for family, host in (
            (socket.AF_INET, "127.0.0.1"),
            (socket.AF_INET6, "::1"),
            (socket.AF_INET, "1.1.1.1"),
        ):
            for port in (22, 53, 80, PORT):
                attempt(connect, family, (host, port))
        return "UP"
