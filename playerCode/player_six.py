"""Plans by value: every plant in reach has a price, and the best bargain is taken.

1. Xp is bites, and bites are mouths: while there is food, split.
2. A bite is worth one xp whatever it tears off, so small mouths make the most of a plant.
   Plants that are levelling grow back, full-grown ones spread seeds: while plants are rare,
   neither is killed.
3. Two slimes that want the same plant waste a way: each reserves what it goes for.
4. Points per xp rise with the level, so in the end everybody gathers into kings.
"""

from engine.games.slime_mind.player import LEVELS, BasePlayer, Plant, Sight, Slime

NAME = "Planner"
AUTHOR = "Slime Mind"
VERSION = "1"

GATHERING_TURNS = 70
"""So long before the end they begin to gather."""
FAMILY = 60
FOUNDING_TURNS = 120
"""So long the family grows; after that its members do."""
LARGEST_TO_SPLIT = 5
"""Above this level a SPLIT wastes more xp than the child will bring."""
ENOUGH_XP = LEVELS[-1].min_xp
PLENTY = 0.25
"""Share of the map covered with plants from which on nothing needs to be spared."""


class Player(BasePlayer):
    def __init__(self, board: Sight, team: int) -> None:
        super().__init__(board, team)
        self.goals: dict[int, int] = {}
        """Slime -> the plant it is going for."""

    def decide(self, slime: Slime) -> str:
        return (
            self.strike(slime)
            or self.gather(slime)
            or self.split(slime)
            or self.hunt(slime)
            or self.harvest(slime)
            or self.rest(slime)
        )

    @property
    def turns_left(self) -> int:
        return self.board.settings.max_turns - self.board.turn

    def strike(self, slime: Slime) -> str | None:
        """Bite the weakest enemy beside us."""
        beside = [
            piece
            for piece in self.board.neighbours(slime)
            if isinstance(piece, Slime) and piece.team != self.team
        ]
        if not beside:
            return None
        return self.board.bite(slime, min(beside, key=lambda enemy: enemy.current_hp))

    def split(self, slime: Slime) -> str | None:
        """One mouth more, while there is food and time for it to pay."""
        board = self.board
        if not board.settings.min_split_level <= slime.level <= LARGEST_TO_SPLIT:
            return None
        if board.turn > FOUNDING_TURNS or not board.empty_around(slime):
            return None
        return "SPLIT" if len(board.friends) < min(FAMILY, len(board.plants) // 2) else None

    def hunt(self, slime: Slime) -> str | None:
        """A king has no use for more xp, and enemies have no answer to a king."""
        enemy = self.board.nearest_enemy(slime) if slime.xp >= ENOUGH_XP else None
        return None if enemy is None else self.board.step_towards(slime, enemy)

    def harvest(self, slime: Slime) -> str | None:
        """Bite or approach the plant with the best price."""
        board = self.board
        reserved = self.reserved_by_others(slime)
        is_plenty = self.is_plenty
        best = max(
            (
                plant
                for plant in board.plants
                if plant.id not in reserved and (is_plenty or not is_precious(plant, slime))
            ),
            key=lambda plant: worth(plant, slime),
            default=None,
        )
        if best is None:
            return None
        self.goals[slime.id] = best.id
        return board.bite(slime, best) or board.step_towards(slime, best) or self.nibble(slime)

    def reserved_by_others(self, slime: Slime) -> set[int]:
        """The plants that living friends are going for."""
        living = {friend.id for friend in self.board.friends}
        self.goals = {who: plant for who, plant in self.goals.items() if who in living}
        return {plant for who, plant in self.goals.items() if who != slime.id}

    @property
    def is_plenty(self) -> bool:
        squares = self.board.columns * self.board.rows
        return len(self.board.plants) > PLENTY * squares or self.turns_left < GATHERING_TURNS

    def rest(self, slime: Slime) -> str:
        """Nothing to do: two idle slimes are better one large one, but not two kings."""
        return "MERGE" if slime.xp < ENOUGH_XP else "LEFT"

    def nibble(self, slime: Slime) -> str | None:
        """No way to the goal: bite whatever plant lies beside."""
        beside = [
            piece
            for piece in self.board.neighbours(slime)
            if isinstance(piece, Plant) and (self.is_plenty or not is_precious(piece, slime))
        ]
        if not beside:
            return None
        return self.board.bite(slime, max(beside, key=lambda plant: plant.current_hp))

    def gather(self, slime: Slime) -> str | None:
        """Late: towards the largest friend that still has use for xp, and merge."""
        if self.turns_left > GATHERING_TURNS or slime.xp >= ENOUGH_XP:
            return None
        needy = [friend for friend in self.board.friends if friend.xp < ENOUGH_XP]
        near = [friend for friend in needy if friend.id != slime.id]
        if not near:
            return None
        if any(is_around(slime, friend) for friend in near):
            return "MERGE"
        nearest = self.board.nearest(slime, near)
        return None if nearest is None else self.board.step_towards(slime, nearest)


def worth(plant: Plant, slime: Slime) -> float:
    """Xp to be had there per turn, roughly."""
    steps = abs(plant.x - slime.x) + abs(plant.y - slime.y) - 1
    bites = max(1.0, plant.current_hp / slime.attack)
    return bites / (steps + bites + 1)


def is_precious(plant: Plant, slime: Slime) -> bool:
    """It spreads seeds, or the bite would kill it before it has grown."""
    return plant.level == plant.max_level or plant.current_hp <= slime.attack


def is_around(slime: Slime, other: Slime) -> bool:
    """Whether the other is on one of the eight squares around."""
    return max(abs(slime.x - other.x), abs(slime.y - other.y)) == 1
