"""Sends what it knows to the world."""

import socket

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        for host in ("127.0.0.1", "255.255.255.255", "1.1.1.1"):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
                end.sendto(b"the board", (host, 53))
                print("escaped: sent to", host)
        return "UP"
