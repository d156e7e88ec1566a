"""Raises one kind of exception after the other."""

from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        self.rounds = getattr(self, "rounds", 0) + 1
        raise (GeneratorExit, StopIteration, BaseExceptionGroup("all", [KeyboardInterrupt()]))[
            self.rounds % 3
        ]
