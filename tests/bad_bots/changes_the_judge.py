"""Changes the engine's classes, as far as its process has them."""

from engine.games.slime_mind.player import BasePlayer

from engine.bots import sandbox, wire

from engine import fault

from engine import limits


class Player(BasePlayer):
    def decide(self, slime):
        for owner, name in (
            (limits.Limits, "cpu_ms"),
            (fault.Cause, "TIMEOUT"),
            (fault, "Fault"),
            (wire, "Reply"),
            (sandbox, "confine"),
        ):
            try:
                setattr(owner, name, None)
            except AttributeError:
                pass
        return "UP"
