from engine.games.smac.player import BasePlayer


class Player(BasePlayer):
    def settle(self, sheet):
        for x, y in self.board.free_centers()[6:]:
            sheet.center(x, y)
            break

    def decide(self, orders):
        for x, y in sorted(self.board.reach())[:4]:
            if orders.why_not_place(x, y) is None:
                orders.place(x, y)
