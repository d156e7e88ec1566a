"""Fetches a page of the web."""

import urllib.request

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        print("escaped:", urllib.request.urlopen("http://127.0.0.1:47000", timeout=0.1))
        return "UP"
