"""A planner: it searches outward (breadth first), values what it meets, and takes the best.

1. A bite is 1 xp, so more slimes earn more xp: split while there is food for one more.
2. A plant is spared while it is young, as it grows again, and while seeders are rare.
3. Whoever steps beside an enemy is bitten first. So go only where the bites that wait would
   not kill, and step back from those that would: an enemy that follows is bitten first itself.
4. Points per xp rise with the level, so at the end slimes gather and merge into kings.
"""

import random

from engine.games.slime_mind.player import LEVELS, BasePlayer, BoardView, Plant, Slime

NAME = "Planner"
AUTHOR = "Slime Mind"
VERSION = "1"

GATHERING_TURNS = 70
"""The turns before the end in which they gather."""
LAST_SPLIT = 0.75
"""The share of the match after which a child no longer pays."""
LARGEST_TO_SPLIT = 5
"""Above this level a SPLIT wastes more xp than the child will bring."""
PLANTS_PER_SLIME = 2
SEEDERS = 1 / 45
PLENTY = 4 / 9
"""Shares of the map's squares: full-grown plants to keep; plants beyond which none is spared."""
PREY = 4.0
"""The value of an enemy that can be beaten, in bites."""
REACH = 25
ENOUGH_XP = LEVELS[-1].min_xp
SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))

Square = tuple[int, int]


class Player(BasePlayer):
    def __init__(self, board: BoardView, team: int) -> None:
        super().__init__(board, team)
        self.noted_turn = 0

    def decide(self, slime: Slime) -> str:
        if self.noted_turn != self.board.turn:
            self.take_note()
        # Priorities: each method returns None when it does not apply, and the next one decides.
        return (
            self.fight(slime)
            or self.gather(slime)
            or self.split(slime)
            or self.seek(slime)
            or self.wait(slime)
        )

    def take_note(self) -> None:
        """Count once per turn what changes little within one."""
        board = self.board
        squares = board.columns * board.rows
        plants = board.plants
        seeders = sum(plant.level == plant.max_level for plant in plants)
        self.noted_turn = board.turn
        self.turns_left = board.settings.max_turns - board.turn
        self.slimes_wanted = len(plants) // PLANTS_PER_SLIME - len(board.friends)
        self.is_seeded = seeders >= SEEDERS * squares
        self.is_plenty = len(plants) >= PLENTY * squares

    def fight(self, slime: Slime) -> str | None:
        """Bite the enemy beside us that dies soonest and harms most; retreat from certain death."""
        enemies = self.enemies_beside(slime.x, slime.y)
        if not enemies:
            return None
        target = min(enemies, key=lambda enemy: bites_to_kill(slime, enemy) / enemy.attack)
        is_deadly = sum(enemy.attack for enemy in enemies) >= slime.current_hp
        if is_deadly and target.current_hp > slime.attack:
            return self.retreat(slime) or self.board.bite(slime, target)
        return self.board.bite(slime, target)

    def retreat(self, slime: Slime) -> str | None:
        """Step to a square where no enemy can bite us at once."""
        for x, y in self.board.empty_beside(slime):
            if not self.enemies_beside(x, y):
                return self.board.direction(slime, (x, y))
        return None

    def gather(self, slime: Slime) -> str | None:
        """Late in the match, go to the nearest friend that still needs xp, and merge."""
        if self.turns_left > GATHERING_TURNS or slime.xp >= ENOUGH_XP:
            return None
        friend = self.board.nearest_friend(slime, lambda friend: friend.xp < ENOUGH_XP)
        if friend is None:
            return None
        return "MERGE" if is_around(slime, friend) else self.board.step_towards(slime, friend)

    def split(self, slime: Slime) -> str | None:
        """Split, while there is food and time for a child to pay."""
        settings = self.board.settings
        is_early = self.board.turn < LAST_SPLIT * settings.max_turns
        is_fit = settings.min_split_level <= slime.level <= LARGEST_TO_SPLIT
        if not (is_early and is_fit and self.slimes_wanted > 0 and self.board.empty_around(slime)):
            return None
        self.slimes_wanted -= 1
        return "SPLIT"

    def seek(self, slime: Slime) -> str | None:
        """Bite or approach what has the best value, by the shortest path (breadth-first search).

        Values fall with the distance, so the search ends where nothing better can follow.
        """
        at, is_on_map, direction = self.board.at, self.board.is_on_map, self.board.direction
        home = (slime.x, slime.y)
        first_steps: dict[Square, Square] = {home: home}
        ring, best, command = [home], 0.0, None
        for steps in range(REACH):
            # Nothing at this distance can be worth more than PREY / (steps + 1).
            if best * (steps + 1) >= PREY:
                break
            ring, inside = [], ring
            for x, y in inside:
                for dx, dy in SIDES:
                    square = x + dx, y + dy
                    if square in first_steps:
                        continue
                    piece, step = at(*square), first_steps[x, y]
                    if piece is None:
                        if is_on_map(*square) and (steps or self.is_safe(slime, square)):
                            first_steps[square] = step if steps else square
                            ring.append(square)
                    elif (value := self.value(slime, piece, steps)) > best:
                        best = value
                        way = direction(slime, step if steps else square)
                        command = way if steps else f"BITE{way}"
        return command

    def value(self, slime: Slime, piece: object, steps: int) -> float:
        """Return the bites to be had there per turn, including the turns to get there."""
        if isinstance(piece, Plant):
            bites = -(-piece.current_hp // slime.attack)
            return self.share(slime, piece) * bites / (steps + bites)
        if isinstance(piece, Slime) and piece.team != self.team:
            ours = -(-piece.current_hp // (slime.attack + self.support(piece)))
            return PREY / (steps + ours) if ours < bites_to_kill(piece, slime) else 0.0
        return 0.0

    def share(self, slime: Slime, plant: Plant) -> float:
        """Return the share of a plant's value, after what it would have grown into."""
        if self.turns_left < GATHERING_TURNS:
            return 1.0
        if plant.level == plant.max_level:
            return 1.0 if self.is_seeded else 0.02
        return 1.0 if self.is_plenty or plant.current_hp > slime.attack else 0.05

    def support(self, enemy: Slime) -> int:
        """Return the attack of friends that are beside an enemy already."""
        beside = self.board.neighbors(enemy)
        return sum(p.attack for p in beside if isinstance(p, Slime) and p.team == self.team)

    def is_safe(self, slime: Slime, square: Square) -> bool:
        """Return whether we would survive the bites that wait for us there."""
        return sum(enemy.attack for enemy in self.enemies_beside(*square)) < slime.current_hp

    def enemies_beside(self, x: int, y: int) -> list[Slime]:
        at, team = self.board.at, self.team
        pieces = [at(x + dx, y + dy) for dx, dy in SIDES]
        return [p for p in pieces if isinstance(p, Slime) and p.team != team]

    def wait(self, slime: Slime) -> str:
        """Step at random when nothing is worth it; MERGE does nothing if there is no room."""
        squares = [s for s in self.board.empty_beside(slime) if self.is_safe(slime, s)]
        return (squares and self.board.direction(slime, random.choice(squares))) or "MERGE"


def bites_to_kill(biter: Slime, target: Slime) -> int:
    return -(-target.current_hp // biter.attack)


def is_around(slime: Slime, other: Slime) -> bool:
    """Return whether the other is on one of the eight squares around."""
    return max(abs(slime.x - other.x), abs(slime.y - other.y)) == 1
