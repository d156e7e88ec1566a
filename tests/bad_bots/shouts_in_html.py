"""Prints and raises what a web page would run."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        print("<script>alert('escape')</script>" * 10)
        raise ValueError("<img src=x onerror=alert(1)>=1+1|cmd")
