"""Runs an event loop, which needs sockets."""

import asyncio

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        asyncio.run(asyncio.sleep(0))
        print("escaped: an event loop")
        return "UP"
