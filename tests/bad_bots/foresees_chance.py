"""Takes every number it finds for the match's seed, and foresees the map and the plants by it."""

import gc
import random
import sys
import time
from contextlib import suppress

from engine.catalog import find_game
from engine.games.slime_mind.player import BasePlayer
from engine.streams import MAX_SEED, Stream, Streams

GAME = find_game("slime_mind")
MOST = 20_000
"""Objects it looks at."""
FEW = 8
"""So many pieces can stand where they would by luck."""
SOME = 40
"""And so many plants do what they would."""
SHARE = 2_000
"""Half of the CPU milliseconds of an answer, in seconds."""


def frames():
    """The variables of whoever called."""
    frame = sys._getframe()
    while frame is not None:
        yield frame.f_locals
        frame = frame.f_back


def own_seed():
    """The seed of its own random numbers, from its worker."""
    return next(variables["start"].seed for variables in frames() if "start" in variables)


def numbers_found():
    """Its own seed, and every whole number of its frames and of the objects of its process."""
    found, seen, queue = {own_seed(): None}, set(), [*gc.get_objects(), *frames()]
    while queue and len(seen) < MOST:
        thing = queue.pop()
        if id(thing) not in seen:
            seen.add(id(thing))
            if type(thing) is int and 0 <= thing <= MAX_SEED:
                found[thing] = None
            if type(thing) is bytes and 0 < len(thing) <= 16:
                found[int.from_bytes(thing, "big")] = None
            with suppress(AttributeError, TypeError):  # not a struct, or the class of one
                queue.extend(getattr(thing, name) for name in type(thing).__struct_fields__)
            if type(thing) in (dict, list, tuple, set):
                queue.extend(gc.get_referents(thing))
    return list(found)


def map_of(seed, settings):
    """Return where all pieces are at the start, by that seed."""
    board = GAME.new(settings, 2)
    for event in GAME.start(board, Streams(seed)):
        board.apply(event)
    return {piece.id: square for square, piece in board.at.items()}


def streams_of(seed):
    """What that number could mean: our seed, our key, or a seed of Python's."""
    yield Streams(seed)["plants"].random
    yield Stream(seed.to_bytes(16, "big")).random
    yield Stream(seed.to_bytes(16, "little")).random
    yield random.Random(seed).random


class Player(BasePlayer):
    def __init__(self, board, team):
        super().__init__(board, team)
        pieces = (*board.slimes, *board.plants, *board.rocks)
        self.map = {piece.id: (piece.x, piece.y) for piece in pieces}
        self.levels = {plant.id: 1 for plant in board.plants}
        self.numbers = numbers_found()
        self.left = iter(self.numbers)
        self.draws = [draw for number in self.numbers[:100] for draw in streams_of(number)]
        self.turn = self.rounds = 0

    def decide(self, slime):
        until = time.process_time() + self.limits.cpu_ms / SHARE
        if self.turn < self.board.turn:
            self.look_at_the_plants()
        while time.process_time() < until and (number := next(self.left, None)) is not None:
            if len(self.map) > FEW and map_of(number, self.board.settings) == self.map:
                print("escaped: the map is that of", number)
        if self.board.turn == self.board.settings.max_turns:
            print("has tried", len(self.numbers), "numbers, and left", len(list(self.left)))
        return "UP"

    def look_at_the_plants(self):
        """Keep the streams that say what the plants did in this turn."""
        chance, self.turn = self.board.settings.plant_level_chance_pct, self.board.turn
        now = {plant.id: plant.level for plant in self.board.plants}
        grew = [now.get(plant, 0) > level for plant, level in self.levels.items()]
        self.draws = [
            draw for draw in self.draws if all((draw() * 100 < chance) == grown for grown in grew)
        ]
        self.rounds, self.levels = self.rounds + len(grew), now
        if self.rounds >= SOME and self.draws:
            print("escaped: it knows what the plants will do")
