"""Writes into the pipe it should read from."""

import os

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import worker


class Player(BasePlayer):
    def decide(self, slime):
        its_worker, nonce = worker()
        os.write(its_worker._reader, b"[1,[],1,null]\n")
        return "UP"
