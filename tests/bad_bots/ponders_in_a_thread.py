"""Thinks on in a thread while the opponent is asked."""

import threading

from engine.games.slime_mind.player import BasePlayer


def ponder():
    print("escaped: a thread")
    while True:
        pass


class Player(BasePlayer):
    def decide(self, slime):
        threading.Thread(target=ponder, daemon=True).start()
        return "UP"
