"""What a compiled player keeps of a match between its decisions: a row of whole numbers.

A team counts what is on the map once in a turn, when its first slime decides, as the bots do.
"""

import numpy as np

from learning.slime_mind import layout as lay
from learning.slime_mind.compiled import part
from learning.slime_mind.layout import Row

CHANCE = 0
"""The state of the random numbers of players, where `roll` has it; it is not 0."""
NOTED_TURN, PLANT_COUNT, SEEDERS, FRIENDS, ENEMIES = range(5)
"""What each team notes. A player adds to FRIENDS where it orders a SPLIT."""
NOTE_SIZE = 5
WIDTH = 1 + 2 * NOTE_SIZE


def new_notes(count: int) -> Row:
    """Return the notes of matches that begin, each with random numbers of its own."""
    notes = np.zeros((count, WIDTH), np.int64)
    notes[:, CHANCE] = np.arange(1, count + 1)
    return notes


@part
def refresh_note(s: Row, m: Row, notes: Row, team: int) -> int:
    """Return where the notes of a team begin; they are taken anew in a new turn."""
    at = 1 + (team - 1) * NOTE_SIZE
    if notes[at + NOTED_TURN] == m[lay.TURN]:
        return at
    notes[at : at + NOTE_SIZE] = 0
    notes[at + NOTED_TURN] = m[lay.TURN]
    for plant in range(
        s[lay.PLANTS_AT], s[lay.PLANTS_AT] + m[lay.PLANTS] * lay.PLANT_SIZE, lay.PLANT_SIZE
    ):
        if m[plant + lay.PLANT_HP_LEFT]:
            notes[at + PLANT_COUNT] += 1
            if m[plant + lay.PLANT_LEVEL] == s[lay.PLANT_MAX_LEVEL]:
                notes[at + SEEDERS] += 1
    for slime in range(
        s[lay.SLIMES_AT], s[lay.SLIMES_AT] + m[lay.SLIMES] * lay.SLIME_SIZE, lay.SLIME_SIZE
    ):
        if m[slime + lay.ALIVE]:
            notes[at + (FRIENDS if m[slime + lay.TEAM] == team else ENEMIES)] += 1
    return at
