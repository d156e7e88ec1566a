"""A search over plans: the best gain per turn first, if a simulation shows that it is survived.

docs/api/slime_mind.md has the full API reference, docs/rules/slime_mind.md the rules.
"""

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from engine.games.slime_mind.player import LEVELS, BasePlayer, Plant, Slime

# Shown with your results. They are read without running this file.
NAME = "Template"
AUTHOR = "you"
VERSION = "1"

P = TypeVar("P", Plant, Slime)

# Everything a search can tune stands up here, where you find it again.
SHARE = 0.5
"""The share of the time limit that is used: the rest covers a busy machine."""
MOST_PLANS = 8
"""The targets of each kind that are compared, the nearest first."""
TURNS_AHEAD = 1
"""How far each plan is looked ahead by a simulation, turns."""
WORTH_OF_A_KILL = 3.0
"""The gain from killing an enemy, in bites."""


class Plan(NamedTuple):
    """Something to do: the first command of it, what it brings, and how long it takes."""

    command: str
    gain: float
    turns: int


class Player(BasePlayer):
    """One object is made per match: what you store in `self` is still there in the next round."""

    def decide(self, slime: Slime) -> str:
        """Return the first command of the plan that gains most per turn, and is survived."""
        deadline = time.thread_time() + SHARE * self.limits.cpu_ms / 1_000
        plans = [*self.plans(slime), Plan("MERGE", 0.0, 1)]
        plans.sort(key=lambda plan: plan.gain / plan.turns, reverse=True)
        for plan in plans:
            if time.thread_time() > deadline:  # an answer that comes too late is lost
                break
            if self.is_survived(slime, plan.command):
                return plan.command
        return plans[0].command

    def is_survived(self, slime: Slime, command: str) -> bool:
        """Play a command in a copy of the match, where enemies beside the slime bite it."""
        world = self.board.simulate()
        world.play(command)
        board, last_turn = world.state, world.turn + TURNS_AHEAD
        while world.asks and world.turn <= last_turn and slime.id in board.slimes:
            biter, target = board.slimes[world.asks[0].piece_id], board.slimes[slime.id]
            is_enemy = biter.team != slime.team
            world.play(self.board.bite(biter, target) if is_enemy else None)
        return slime.id in board.slimes

    def plans(self, slime: Slime) -> Iterator[Plan]:
        """Yield what this slime could do: add plans of your own here."""
        board = self.board
        if slime.level >= 4 and slime.xp >= 2 * LEVELS[4].min_xp and board.empty_around(slime):
            yield Plan("SPLIT", 2.0, 1)  # a slime more bites in every turn to come
        for enemy in self.nearest(slime, board.enemies):
            yield from self.attack(slime, enemy)
        for plant in self.nearest(slime, board.plants):
            yield from self.eat(slime, plant)

    def attack(self, slime: Slime, enemy: Slime) -> Iterator[Plan]:
        """Yield the plan to kill an enemy, if we would win: who needs fewer bites does."""
        bites = -(-enemy.current_hp // slime.attack)
        is_won = bites <= -(-slime.current_hp // enemy.attack)
        way = self.way(slime, enemy)
        if way is not None and (is_won or way[1] == 0):
            command, steps = way
            yield Plan(command, bites + WORTH_OF_A_KILL, steps + bites)

    def eat(self, slime: Slime, plant: Plant) -> Iterator[Plan]:
        """Yield the plan to bite a plant; one that survives the bite grows again."""
        way = self.way(slime, plant)
        if way is not None:
            command, steps = way
            yield Plan(command, 1.5 if plant.current_hp > slime.attack else 1.0, steps + 1)

    def way(self, slime: Slime, target: Plant | Slime) -> tuple[str, int] | None:
        """Return the first command towards a target, and the steps before the first bite."""
        bite = self.board.bite(slime, target)
        if bite is not None:
            return bite, 0
        path = self.board.path(slime, target)
        command = self.board.direction(slime, path[0]) if path else None
        return None if command is None or path is None else (command, len(path))

    def nearest(self, slime: Slime, among: Sequence[P]) -> list[P]:
        """Return the nearest pieces, the nearest first."""
        return sorted(among, key=lambda piece: self.board.distance(slime, piece))[:MOST_PLANS]
