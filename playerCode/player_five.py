"""A guardian: it eats, bites back, and at the end merges its slimes into kings.

Points per xp rise with the level: two slimes of level 11 are worth less than one of level 12
that has the xp of both. So from a certain turn on all slimes walk to the largest friend and
MERGE beside it. Slimes of the highest level do not merge with each other: it would gain nothing.
"""

from engine.games.slime_mind.player import LEVELS, BasePlayer, Slime

NAME = "Guardian"
AUTHOR = "Slime Mind"
VERSION = "1"

GATHERING_TURNS = 150
"""The turns before the end in which they gather."""
FOUNDING_TURNS = 150
"""The turns in which slimes split; after that they grow."""
ENOUGH_XP = LEVELS[-1].min_xp


class Player(BasePlayer):
    def decide(self, slime: Slime) -> str:
        attacker = self.attacker(slime)
        if attacker is not None:
            return self.board.bite(slime, attacker) or "MERGE"
        if self.board.settings.max_turns - self.board.turn < GATHERING_TURNS:
            return self.gather(slime) or self.eat(slime)
        return self.eat(slime)

    def attacker(self, slime: Slime) -> Slime | None:
        """Return an enemy beside us, to bite before it bites again."""
        enemy = self.board.nearest_enemy(slime)
        return enemy if enemy and self.board.distance(slime, enemy) == 1 else None

    def eat(self, slime: Slime) -> str:
        """Bite the nearest plant that survives it, or else the nearest, or step towards it."""
        board = self.board
        if self.may_split(slime):
            return "SPLIT"
        nearest = board.nearest_plant(slime)
        if nearest is None:
            return self.gather(slime) or "MERGE"
        spared = board.nearest_plant(slime, lambda plant: plant.current_hp > slime.attack)
        plant = spared or nearest
        way = board.bite(slime, plant) or board.step_towards(slime, plant)
        return way or board.bite(slime, nearest) or "MERGE"

    def may_split(self, slime: Slime) -> bool:
        """Return whether to split: early, and while there are plants for all."""
        board = self.board
        if board.turn > FOUNDING_TURNS or not board.empty_around(slime):
            return False
        is_able = slime.level >= board.settings.min_split_level
        return is_able and len(board.friends) < len(board.plants) // 3

    def gather(self, slime: Slime) -> str | None:
        """Go to the largest friend that still needs xp, and merge; None if this one needs none."""
        if slime.xp >= ENOUGH_XP:
            return None
        needy = [friend for friend in self.board.friends if friend.xp < ENOUGH_XP]
        # All slimes must choose the same one, so ties go to the lowest id.
        largest = max(needy, key=lambda friend: (friend.xp, -friend.id))
        if largest.id == slime.id or is_around(slime, largest):
            return "MERGE"
        return self.board.step_towards(slime, largest)


def is_around(slime: Slime, other: Slime) -> bool:
    """Return whether the other is on one of the eight squares around."""
    return max(abs(slime.x - other.x), abs(slime.y - other.y)) == 1
