"""Has no class Player."""


class Bot:
    def decide(self, slime):
        return "UP"
