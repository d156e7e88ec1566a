"""A bot that learned: it rates a few things that a slime could do, and does the best of them.

A rating is a sum of features, each times a weight. The weights in weights.json were found by
`python3 -m learning.slime_mind.training`, which plays this very policy, compiled, against a
glutton like player_two, from weights of 0 on (docs/learning.md).
"""

import json
from collections.abc import Callable
from pathlib import Path

from engine.games.slime_mind.player import BasePlayer, BoardView, Plant, Slime

NAME = "Learned"
AUTHOR = "Slime Mind"
VERSION = "1"

WEIGHTS: dict[str, dict[str, float]] = json.loads(
    Path(__file__).with_name("weights.json").read_text()
)
SIDES = ("LEFT", "RIGHT", "UP", "DOWN")
MOST_XP = 700.0

Square = tuple[int, int]


class Player(BasePlayer):
    def decide(self, slime: Slime) -> str:
        """Return the command of the option with the highest rating."""
        view = Surroundings(self.board, slime)
        features = view.features()
        best, order = float("-inf"), "MERGE"
        for option, command_of in OPTIONS.items():
            command = command_of(view)
            if command is not None:
                weights = WEIGHTS[option]
                # Added up in the order of the features, as in training: floats depend on it.
                rating = 0.0
                for name, value in features.items():
                    rating += value * weights[name]
                if rating > best:
                    best, order = rating, command
        return order


class Surroundings:
    """What a slime knows of itself and of what is around it."""

    def __init__(self, board: BoardView, slime: Slime) -> None:
        self.board = board
        self.slime = slime
        self.here = slime.x, slime.y
        friends: list[Slime] = []
        enemies: list[Slime] = []
        for other in board.slimes:
            (friends if other.team == slime.team else enemies).append(other)
        self.friends, self.enemies, self.plants = friends, enemies, board.plants
        self.friend = board.nearest(slime, friends)
        self.enemy = board.nearest(slime, enemies)
        self.plant = board.nearest(slime, self.plants)
        up = 1 if board.settings.y_up else -1
        x, y = self.here
        self.sides = {"LEFT": (x - 1, y), "RIGHT": (x + 1, y), "UP": (x, y + up)}
        self.sides["DOWN"] = (x, y - up)
        beside = {side: board.at(*square) for side, square in self.sides.items()}
        self.food = {side: piece for side, piece in beside.items() if isinstance(piece, Plant)}
        self.prey = {
            side: piece
            for side, piece in beside.items()
            if isinstance(piece, Slime) and piece.team != slime.team
        }
        self.room = len(board.empty_around(slime))

    def features(self) -> dict[str, float]:
        """Return numbers of about 0 to 1, in the order in which they are added up."""
        slime, board = self.slime, self.board
        settings, enemy, friend = board.settings, self.enemy, self.friend
        own_xp = sum(each.xp for each in self.friends)
        all_xp = own_xp + sum(each.xp for each in self.enemies)
        plants, levels = len(self.plants), sum(plant.level for plant in self.plants)
        weakest = min((each.current_hp for each in self.prey.values()), default=None)
        bites = sum(each.attack for each in self.prey.values())
        ready = [
            piece.xp
            for piece in board.around(slime)
            if isinstance(piece, Slime) and piece.team == slime.team and piece.ready_to_merge
        ]
        return {
            "one": 1.0,
            "level": slime.level / 12.0,
            "health": slime.current_hp / slime.max_hp,
            "xp": min(slime.xp, 2 * MOST_XP) / MOST_XP,
            "turn": board.turn / settings.max_turns,
            "end is near": max(0.0, 1.0 - (settings.max_turns - board.turn) / 100.0),
            "friends": len(self.friends) / 30.0,
            "enemies": len(self.enemies) / 30.0,
            "lead": own_xp / max(1, all_xp),
            "plants": plants * 10.0 / (board.columns * board.rows),
            "plant is near": self.closeness(self.plant),
            "enemy is near": self.closeness(enemy),
            "friend is near": self.closeness(friend),
            "stronger than enemy": 0.0 if enemy is None else (slime.level - enemy.level) / 12.0,
            "xp of friend": 0.0 if friend is None else min(friend.xp, MOST_XP) / MOST_XP,
            "hp of plant": max((each.current_hp for each in self.food.values()), default=0) / 72.0,
            "enemies beside": len(self.prey) / 4.0,
            "enemy would die": float(weakest is not None and weakest <= slime.attack),
            "danger": min(1.0, bites / slime.current_hp),
            "friend is ready": float(bool(ready)),
            "xp of ready friend": min(max(ready, default=0), MOST_XP) / MOST_XP,
            "room": self.room / 8.0,
            "has most xp": float(all(each.xp <= slime.xp for each in self.friends)),
            "plants are grown": levels / (12.0 * plants) if plants else 0.0,
        }

    def closeness(self, piece: Slime | Plant | None) -> float:
        """Return 0.5 for a piece beside, less for one farther away; 0 for none."""
        return 0.0 if piece is None else 1.0 / (1.0 + self.board.distance(self.slime, piece))

    def bite_plant(self) -> str | None:
        """Bite the plant beside that has the most hp."""
        if not self.food:
            return None
        return f"BITE{max(self.food, key=lambda side: self.food[side].current_hp)}"

    def bite_enemy(self) -> str | None:
        """Bite the enemy beside that has the fewest hp."""
        if not self.prey:
            return None
        return f"BITE{min(self.prey, key=lambda side: self.prey[side].current_hp)}"

    def go_to(self, piece: Slime | Plant | None) -> str | None:
        """Step nearer; where that is blocked, to any empty side, by turns another one."""
        if piece is None or self.board.distance(self.slime, piece) < 2:
            return None
        there = piece.x, piece.y
        here, is_empty = steps(self.here, there), self.board.is_empty
        for side, square in self.sides.items():
            if is_empty(*square) and steps(square, there) < here:
                return side
        for more in range(4):
            side = SIDES[(self.board.turn + more) % 4]
            if is_empty(*self.sides[side]):
                return side
        return "MERGE"

    def flee(self) -> str | None:
        """Step away from the nearest enemy."""
        if self.enemy is None:
            return None
        danger = self.enemy.x, self.enemy.y
        here = steps(self.here, danger)
        for side, square in self.sides.items():
            if self.board.is_empty(*square) and steps(square, danger) > here:
                return side
        return None

    def split(self) -> str | None:
        """Split, where that is possible."""
        is_able = self.slime.level >= self.board.settings.min_split_level and self.room
        return "SPLIT" if is_able else None


def steps(one: Square, other: Square) -> int:
    """Return the steps between two squares, obstacles ignored."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


OPTIONS: dict[str, Callable[[Surroundings], str | None]] = {
    "bite plant": Surroundings.bite_plant,
    "bite enemy": Surroundings.bite_enemy,
    "go to plant": lambda view: view.go_to(view.plant),
    "go to enemy": lambda view: view.go_to(view.enemy),
    "flee": Surroundings.flee,
    "split": Surroundings.split,
    "merge": lambda view: "MERGE",
    "go to friend": lambda view: view.go_to(view.friend),
}
"""What a slime chooses between; of equal ratings the first counts."""
