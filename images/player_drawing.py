"""A bot for the picture drawings.png: it shows what it wants, and the way there."""

from engine.games.slime_mind.player import BasePlayer, Plant, Slime

HUNTING_LEVEL = 3


class Player(BasePlayer):
    def decide(self, slime: Slime) -> str:
        plant = max(self.board.plants, key=lambda plant: self.worth(slime, plant), default=None)
        enemy = self.board.nearest_enemy(slime)
        if enemy is not None and self.board.distance(slime, enemy) <= HUNTING_LEVEL:
            self.draw.circle(enemy.x, enemy.y, 0.75, color="red", key="danger")
        if plant is None:
            return "LEFT"
        self.show(slime, plant)
        if self.board.distance(slime, plant) <= 1:
            return self.board.bite(slime, plant) or "LEFT"
        return self.board.step_towards(slime, plant) or "LEFT"

    def worth(self, slime: Slime, plant: Plant) -> float:
        return 3 * plant.level - self.board.distance(slime, plant)

    def show(self, slime: Slime, plant: Plant) -> None:
        x, y = slime.x, slime.y
        for square in self.board.path(slime, plant) or []:
            self.draw.line(x, y, *square, key="way")
            x, y = square
        self.draw.rect(plant.x, plant.y, color="purple", key="target")
        self.draw.text(plant.x, plant.y - 1, f"level {plant.level}", color="white", key="level")
        self.log.info(f"to plant {plant.id}")
