"""A bot that hangs when its first slime is asked for, and ignores interrupts."""

from engine.games.slime_mind.player import BasePlayer, Slime


class Player(BasePlayer):
    def decide(self, slime: Slime) -> str:
        while slime.id == self.board.friends[0].id:
            try:
                while True:
                    pass
            except BaseException:  # noqa: BLE001 - the worst there is
                pass
        return "UP"
