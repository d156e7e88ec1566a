"""Answers a pickle in place of JSON."""

import os
import pickle

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import worker


class Bomb:
    def __reduce__(self):
        return print, ("escaped",)


class Player(BasePlayer):
    def decide(self, slime):
        its_worker, nonce = worker()
        os.write(its_worker._writer, pickle.dumps(Bomb()) + b"\n")
        return "UP"
