from engine.games.game_of_death.player import BasePlayer, Shape


class Bar(Shape):
    drawing = "#####"

    def update(self):
        self.move("forward")

    def die(self):
        self.rest()


class Player(BasePlayer):
    def design(self):
        self.place(Bar, 20, self.home.v)
