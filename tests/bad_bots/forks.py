"""Forks until the machine is full, and lets the refusal out."""

import os

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        while True:
            if os.fork() == 0:
                print("escaped: forked")
