"""A bot that learned: it rates what a slime could do, and does what has the highest rating.

It searches outward, breadth first, and rates the plants, enemies and friends that it meets, and
besides a MERGE, a SPLIT and each step. A rating is a sum of features, each times a weight. The
weights in weights.json were found by `python3 -m learning.slime_mind.training`, which plays this
very policy, compiled, against player_six, player_two and itself (docs/library.md).
"""

import json
from pathlib import Path

from engine.games.slime_mind.player import LEVELS, BasePlayer, BoardView, Plant, Slime

NAME = "Learned"
AUTHOR = "Slime Mind"
VERSION = "2"

FEATURES: dict[str, tuple[str, ...]] = {
    "plant": (
        *("pace", "grown", "grown, seeders are rare", "young, bite kills"),
        *("young, bite kills, plants are rare", "level", "bite kills, end is near"),
        *("friends beside it", "enemies beside it", "nearness", "waste"),
    ),
    "enemy": (
        *("pace", "would win", "would tie", "xp", "beside", "dies", "beside, would win"),
        *("end is near", "outnumbered", "supported", "beside, harm"),
    ),
    "friend": ("one", "end is near", "nearness", "gain", "end is near, gain", "has more xp"),
    "merge": (
        *("one", "around", "around, end is near", "gain", "gain, end is near"),
        *("ready", "ready, gain", "ready, hurt"),
    ),
    "split": (
        *("one", "level", "level above 5", "crowding", "plants are rare", "seeders are rare"),
        *("turn", "end is near", "enemies beside", "outnumbering", "room"),
    ),
    "step": ("one", "by turns", "end is near"),
    "square": ("harm", "deadly", "enemies beside", "threat", "friends beside"),
}
"""What each thing is rated by; a square's rating is added to that of each order."""
_BY_NAME: dict[str, dict[str, float]] = json.loads(
    Path(__file__).with_name("weights.json").read_text()
)
WEIGHTS = {kind: [_BY_NAME[kind][name] for name in names] for kind, names in FEATURES.items()}

REACH = 25
"""It searches so many steps far."""
ENOUGH_GOALS = 8
"""It ends its search when it has met so many plants and enemies, unless the end is near."""
ALL_GOALS = 1 << 30
CROWD = 80
"""With more friends than that each searches less far: the time for a match is that of them all."""
LAST_TURNS = 100.0
"""The turns before the end in which it is near, from 0 to 1; friends count in them."""
SEEDERS_KEPT, PLENTY = 45.0, 2.25
"""Where there is fewer than one on so many squares, seeders are rare, and plants."""
ENOUGH_XP = LEVELS[-1].min_xp
SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
TWO_STEPS = ((-2, 0), (2, 0), (0, -2), (0, 2), (-1, -1), (1, -1), (-1, 1), (1, 1))


class Situation:
    """What a team counts once in a turn."""

    def __init__(self, board: BoardView) -> None:
        settings, squares = board.settings, board.columns * board.rows
        self.turn = board.turn
        self.plants = len(board.plants)
        self.friends = len(board.friends)
        self.enemies = len(board.enemies)
        seeders = sum(plant.level == plant.max_level for plant in board.plants)
        self.late = max(0.0, 1.0 - (settings.max_turns - board.turn) / LAST_TURNS)
        self.progress = board.turn / settings.max_turns
        self.rare_plants = max(0.0, 1.0 - self.plants * PLENTY / squares)
        self.rare_seeders = max(0.0, 1.0 - seeders * SEEDERS_KEPT / squares)

    def crowding(self) -> float:
        return min(2.0, self.friends / max(1, self.plants))

    def outnumbering(self) -> float:
        return (self.friends - self.enemies) / (self.friends + self.enemies)


class Player(BasePlayer):
    def __init__(self, board: BoardView, team: int) -> None:
        super().__init__(board, team)
        self.situation: Situation | None = None
        up = 1 if board.settings.y_up else -1
        self.sides = {"LEFT": (-1, 0), "RIGHT": (1, 0), "UP": (0, up), "DOWN": (0, -up)}

    def decide(self, slime: Slime) -> str:
        """Return the order with the highest rating, the first of equals."""
        now = self.situation
        if now is None or now.turn != self.board.turn:
            now = self.situation = Situation(self.board)
        order = Decision(self, slime, now).order()
        if order == "SPLIT":
            now.friends += 1
        return order


class Decision:
    """What a slime could do, and the best of it so far."""

    def __init__(self, player: Player, slime: Slime, now: Situation) -> None:
        self.board, self.slime, self.now = player.board, slime, now
        self.at, self.sides = player.board.at, player.sides
        self.best, self.chosen = float("-inf"), "MERGE"
        self.here, _ = self.rate_square(slime.x, slime.y)
        self.beside: dict[str, tuple[float, bool]] = {}
        """The ratings of the empty squares beside, and whether the bites there would kill."""
        for side, (dx, dy) in self.sides.items():
            x, y = slime.x + dx, slime.y + dy
            if self.board.is_empty(x, y):
                self.beside[side] = self.rate_square(x, y)

    def order(self) -> str:
        slime, settings = self.slime, self.board.settings
        self.search()
        self.offer(self.here + self.rate_merge(), "MERGE")
        room = len(self.board.empty_around(slime))
        if slime.level >= settings.min_split_level and room:
            self.offer(self.here + self.rate_split(room), "SPLIT")
        for number, side in enumerate(self.sides):
            if side in self.beside:
                self.offer(self.beside[side][0] + self.rate_step(number), side)
        return self.chosen

    def offer(self, rating: float, order: str) -> None:
        if rating > self.best:
            self.best, self.chosen = rating, order

    def search(self) -> None:
        """Rate what is met, and go through no square beside where bites would kill."""
        slime, at, is_on_map, friends = self.slime, self.at, self.board.is_on_map, self.now.friends
        enough = ENOUGH_GOALS if not self.now.late else ALL_GOALS
        if friends > CROWD:
            enough = max(1, ENOUGH_GOALS * CROWD // friends)
        home = slime.x, slime.y
        first, ring, goals = {home: ""}, [home], 0
        for steps in range(REACH):
            if goals >= enough:
                break
            ring, inside = [], ring
            for x, y in inside:
                for side, (dx, dy) in self.sides.items():
                    square = x + dx, y + dy
                    if square in first:
                        continue
                    way, piece = first[x, y] or side, at(*square)
                    if piece is None:
                        if is_on_map(*square) and (steps or not self.beside[side][1]):
                            first[square] = way
                            ring.append(square)
                    elif isinstance(piece, Plant | Slime):
                        first[square] = way
                        goals += self.rate_piece(piece, steps, way)

    def rate_piece(self, piece: Plant | Slime, steps: int, way: str) -> bool:
        """Offer to go there or to bite; return whether it is one of those that are enough."""
        slime = self.slime
        if isinstance(piece, Plant):
            after = self.beside[way][0] if steps else self.here
            self.offer(self.rate_plant(piece, steps) + after, way if steps else f"BITE{way}")
            return True
        if piece.team != slime.team:
            if steps:
                after = self.beside[way][0]
            elif piece.current_hp > slime.attack:
                after = self.here
            else:
                after, _ = self.rate_square(slime.x, slime.y, piece)
            self.offer(self.rate_enemy(piece, steps) + after, way if steps else f"BITE{way}")
            return True
        if self.now.late and need_xp(slime, piece) and not is_around(slime, piece):
            self.offer(self.rate_friend(piece, steps) + self.beside[way][0], way)
        return False

    def look_beside(self, x: int, y: int) -> tuple[list[Slime], list[Slime]]:
        """Return the friends and the enemies on the four sides, the slime itself left out."""
        friends: list[Slime] = []
        enemies: list[Slime] = []
        for dx, dy in SIDES:
            piece = self.at(x + dx, y + dy)
            if isinstance(piece, Slime) and piece.id != self.slime.id:
                (friends if piece.team == self.slime.team else enemies).append(piece)
        return friends, enemies

    def rate_square(self, x: int, y: int, victim: Slime | None = None) -> tuple[float, bool]:
        """Rate standing there once `victim` is dead, and say whether the bites would kill."""
        slime, at = self.slime, self.at
        friends, enemies = self.look_beside(x, y)
        hp, count = slime.current_hp, len(enemies)
        bites = sum(enemy.attack for enemy in enemies)
        if victim is not None:
            count -= 1
            bites -= victim.attack
        threat = 0
        for dx, dy in TWO_STEPS:
            piece = at(x + dx, y + dy)
            if isinstance(piece, Slime) and piece.team != slime.team:
                threat += piece.attack
        is_deadly = bites >= hp
        features = (
            *(min(2.0, bites / hp), 1.0 if is_deadly else 0.0, count / 4.0),
            *(min(2.0, threat / hp), len(friends) / 4.0),
        )
        return rated("square", features), is_deadly

    def rate_plant(self, plant: Plant, steps: int) -> float:
        now, attack, hp = self.now, self.slime.attack, plant.current_hp
        friends, enemies = self.look_beside(plant.x, plant.y)
        bites = -(-hp // attack)
        pace = bites / (steps + bites)
        is_grown = plant.level == plant.max_level
        grown = pace if is_grown else 0.0
        killing = pace if not is_grown and hp <= attack else 0.0
        features = (
            *(pace, grown, grown * now.rare_seeders, killing, killing * now.rare_plants),
            *(pace * plant.level / plant.max_level, (grown + killing) * now.late),
            *(pace * len(friends) / 4.0, pace * len(enemies) / 4.0, 1.0 / (1.0 + steps)),
            pace * (bites * attack - hp) / attack,
        )
        return rated("plant", features)

    def rate_enemy(self, enemy: Slime, steps: int) -> float:
        attack, hp = self.slime.attack, self.slime.current_hp
        support = sum(friend.attack for friend in self.look_beside(enemy.x, enemy.y)[0])
        ours = -(-enemy.current_hp // (attack + support))
        theirs = -(-hp // enemy.attack)
        pace = 1.0 / (steps + ours)
        beside = 0.0 if steps else 1.0
        features = (
            *(pace, pace if ours < theirs else 0.0, pace if ours == theirs else 0.0),
            *(pace * min(3.0, enemy.xp / 100.0), beside),
            beside if enemy.current_hp <= attack else 0.0,
            beside if ours < theirs else 0.0,
            *(pace * self.now.late, pace * self.now.outnumbering()),
            *(pace * min(2.0, support / attack), beside * min(2.0, enemy.attack / hp)),
        )
        return rated("enemy", features)

    def rate_friend(self, friend: Slime, steps: int) -> float:
        late, gain = self.now.late, self.gain(friend)
        has_more = 1.0 if friend.xp > self.slime.xp else 0.0
        return rated("friend", (1.0, late, 1.0 / (1.0 + steps), gain, late * gain, has_more))

    def gain(self, friend: Slime) -> float:
        """Return the share by which points would grow if the two were one."""
        own, other, most = self.slime.xp, friend.xp, self.board.settings.slime_max_level
        together = tenths_of(own + other, most)
        return together / (tenths_of(own, most) + tenths_of(other, most)) - 1.0

    def rate_merge(self) -> float:
        slime, late = self.slime, self.now.late
        gains, ready = [], []
        for piece in self.board.around(slime):
            if isinstance(piece, Slime) and piece.team == slime.team and need_xp(slime, piece):
                gains.append(self.gain(piece))
                if piece.ready_to_merge:
                    ready.append(gains[-1])
        around, is_ready = (1.0 if gains else 0.0), (1.0 if ready else 0.0)
        gain = max(gains, default=0.0)
        features = (
            *(1.0, around, around * late, gain, gain * late, is_ready, max(ready, default=0.0)),
            is_ready * (1.0 - slime.current_hp / slime.max_hp),
        )
        return rated("merge", features)

    def rate_split(self, room: int) -> float:
        now, level = self.now, self.slime.level
        enemies = self.look_beside(self.slime.x, self.slime.y)[1]
        features = (
            *(1.0, level / 12.0, max(0, level - 5) / 7.0, now.crowding(), now.rare_plants),
            *(now.rare_seeders, now.progress, now.late, len(enemies) / 4.0, now.outnumbering()),
            room / 8.0,
        )
        return rated("split", features)

    def rate_step(self, number: int) -> float:
        is_turn = (self.board.turn + self.slime.id + number) % 4 == 0
        return rated("step", (1.0, 1.0 if is_turn else 0.0, self.now.late))


def rated(kind: str, features: tuple[float, ...]) -> float:
    """Add up features times weights, in the order of training: floats depend on it."""
    rating = 0.0
    for weight, feature in zip(WEIGHTS[kind], features, strict=True):
        rating += feature * weight
    return rating


def tenths_of(xp: int, max_level: int) -> int:
    """Return what a slime with this xp scores, in tenths of a point."""
    level = max_level
    while level > 1 and LEVELS[level].min_xp > xp:
        level -= 1
    return LEVELS[level].score_tenths


def need_xp(one: Slime, other: Slime) -> bool:
    """Return whether both are below the highest level of all."""
    return one.xp < ENOUGH_XP and other.xp < ENOUGH_XP


def is_around(one: Slime, other: Slime) -> bool:
    """Return whether the other is on one of the eight squares around."""
    return max(abs(one.x - other.x), abs(one.y - other.y)) == 1
