"""A searcher: near enemies it plays each command in a simulation, and takes what ends best.

1. Far from enemies it follows the habits of a planner, as `player_six` does.
2. Near them, each sensible command is played in a copy of the match (`board.simulate()`). There
   the slimes around go on by a cheap policy for some turns, both teams alike, and what is left of
   them is compared: a flat Monte Carlo search of one ply. The rest of the match is a guess; but
   who bites first, who is beaten two to one, and who can still get away is all in it.
"""

import random
import time
from math import fsum

from engine.games.slime_mind.player import LEVELS, BasePlayer, BoardView, Plant, Slime
from engine.games.slime_mind.state import Board

NAME = "Searcher"
AUTHOR = "Slime Mind"
VERSION = "1"

CONTACT = 3
"""The steps to an enemy from which a slime searches."""
TURNS_AHEAD = 2
CIRCLE = 5
"""The steps around the slime within which slimes act in a simulation; the others lose rounds."""
MARGIN = 0.3
"""How much better than its habit a command must be: a guess is not worth a change of mind."""
MIND = 5
"""What a slime is worth besides its xp: it can bite, and grow."""
SHARE = 0.5
"""The share of its CPU time that it takes for an order; and of the bank, before it saves."""

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
TWO_STEPS = tuple((x, y) for x in range(-2, 3) for y in range(-2, 3) if abs(x) + abs(y) == 2)

Square = tuple[int, int]


class Player(BasePlayer):
    def __init__(self, board: BoardView, team: int) -> None:
        super().__init__(board, team)
        self.noted_turn = 0
        here = Slime(0, team, 0, 0, 0, 0, 0, 0, 0, 0, False)
        self.ways = {side: str(board.direction(here, side)) for side in SIDES}

    def decide(self, slime: Slime) -> str:
        habit = self.habit(slime)
        enemy = self.board.nearest_enemy(slime)
        if enemy is None or self.board.distance(slime, enemy) > CONTACT:
            return habit
        began = time.process_time()
        if began > SHARE * self.limits.bank_s:
            return habit
        return self.search(slime, habit, began + SHARE * self.limits.cpu_ms / 1_000)

    def search(self, slime: Slime, habit: str, deadline: float) -> str:
        """Return the command that ends best; the habit, if none is clearly better."""
        # All commands meet the same chance, so they differ by what they do.
        seed = random.getrandbits(64)
        best, best_value = habit, self.outlook(slime, habit, seed) + MARGIN
        for command in self.commands(slime):
            if time.process_time() > deadline:
                break
            if command != habit and (value := self.outlook(slime, command, seed)) > best_value:
                best, best_value = command, value
        return best

    def commands(self, slime: Slime) -> list[str]:
        """Return the commands that do something, and MERGE, which waits."""
        board, commands = self.board, []
        for (dx, dy), way in self.ways.items():
            x, y = slime.x + dx, slime.y + dy
            piece = board.at(x, y)
            if piece is None:
                commands += [way] * board.is_on_map(x, y)
            elif isinstance(piece, Plant) or (isinstance(piece, Slime) and piece.team != self.team):
                commands.append(f"BITE{way}")
        return [*commands, "MERGE"]

    def outlook(self, slime: Slime, command: str, seed: int) -> float:
        """Return what our slimes around are worth after some turns, less what the enemies are."""
        world = self.board.simulate(seed)
        board, last_turn = world.state, world.turn + TURNS_AHEAD
        x, y = slime.x, slime.y
        around = {s.id for s in board.slimes.values() if abs(s.x - x) + abs(s.y - y) <= CIRCLE}
        world.play(command)
        while world.asks and world.turn <= last_turn:
            actor = world.asks[0].piece_id
            world.play(self.policy(board, board.slimes[actor]) if actor in around else None)
        left = [board.slimes[number] for number in around if number in board.slimes]
        return fsum(worth(s) if s.team == self.team else -worth(s) for s in left)

    def policy(self, board: Board, slime: Slime) -> str | None:
        """Bite the weakest enemy beside, or go to one that can be beaten, or bite a plant."""
        at, x, y = board.at, slime.x, slime.y
        weakest, bite, meal = 0, None, None
        for (dx, dy), way in self.ways.items():
            piece = at.get((x + dx, y + dy))
            if type(piece) is Plant:
                meal = f"BITE{way}"
            elif (
                type(piece) is Slime
                and piece.team != slime.team
                and (bite is None or piece.current_hp < weakest)
            ):
                weakest, bite = piece.current_hp, f"BITE{way}"
        return bite or self.approach(board, slime) or meal

    def approach(self, board: Board, slime: Slime) -> str | None:
        """Return the step to an enemy two steps away that dies before it kills."""
        at, x, y = board.at, slime.x, slime.y
        for dx, dy in TWO_STEPS:
            enemy = at.get((x + dx, y + dy))
            if type(enemy) is not Slime or enemy.team == slime.team:
                continue
            if bites_to_kill(slime, enemy) < bites_to_kill(enemy, slime):
                for (sx, sy), way in self.ways.items():
                    is_nearer = abs(dx - sx) + abs(dy - sy) == 1
                    if is_nearer and board.is_empty(x + sx, y + sy):
                        return way
        return None

    def habit(self, slime: Slime) -> str:
        """Return what a planner would do."""
        if self.noted_turn != self.board.turn:
            self.take_note()
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


def worth(slime: Slime) -> float:
    """Return what a slime is worth in xp; a hurt one less, as it may die next."""
    return (slime.xp + MIND) * (1 + slime.current_hp / slime.max_hp)


def bites_to_kill(biter: Slime, target: Slime) -> int:
    return -(-target.current_hp // biter.attack)


def is_around(slime: Slime, other: Slime) -> bool:
    """Return whether the other is on one of the eight squares around."""
    return max(abs(slime.x - other.x), abs(slime.y - other.y)) == 1
