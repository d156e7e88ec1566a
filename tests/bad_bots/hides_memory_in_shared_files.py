"""Keeps memory in /dev/shm."""


from multiprocessing import shared_memory

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        kept = shared_memory.SharedMemory("escaped-memory", create=True, size=1 << 20)
        print("escaped:", kept)
        return "UP"
