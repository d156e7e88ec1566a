"""Computes in a pool of processes."""

import multiprocessing

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        with multiprocessing.get_context("fork").Pool(4) as pool:
            print("escaped:", pool.map(abs, [1, 2, 3]))
        return "UP"
