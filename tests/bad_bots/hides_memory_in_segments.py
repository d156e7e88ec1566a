"""Keeps memory in System V segments, queues and semaphores."""

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import call


class Player(BasePlayer):
    def decide(self, slime):
        call("shmget", (29, 194), 0, 1 << 20, 0o1600)
        call("shmat", (30, 196), 0, 0, 0)
        call("msgget", (68, 186), 0, 0o1600)
        call("semget", (64, 190), 0, 1, 0o1600)
        return "UP"
