"""Asks for the address of a name, which may carry what it knows."""

import socket

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import attempt


class Player(BasePlayer):
    def decide(self, slime):
        attempt(socket.gethostbyname, "the-board.example.org")
        attempt(socket.getaddrinfo, "the-board.example.org", 80)
        return "UP"
