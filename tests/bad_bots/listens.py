"""Waits for orders from the world."""

import socket

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        with socket.create_server(("", 0)) as server:
            print("escaped: listens at", server.getsockname())
        return "UP"
