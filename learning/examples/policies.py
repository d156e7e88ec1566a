"""Simple policies, to compare learners with: each sees an observation in the form of a dictionary.

A policy of a game is made with its encoding, which says where in an observation something stands.
"""

from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from learning.encoding import AnyEncoding
from learning.observations import Mask, Shown
from learning.single_agent import Policy

LEFT, UP, RIGHT, DOWN = 0, 2, 1, 3
BITE_BONUS = 4
"""A bite of Slime Mind is so much more than the move in its direction."""
TOWARDS = {(-1, 0): LEFT, (1, 0): RIGHT, (0, -1): UP, (0, 1): DOWN}
MOVE_FORWARD, ATTACK_FORWARD = 2, 9
SQUARES_OF_SMACK = 165
SUBMIT = 0
Maker = Callable[[AnyEncoding, Generator], Policy]


def at_random(encoding: AnyEncoding, chance: Generator) -> Policy:
    """Take any legal action."""

    def policy(shown: Shown, mask: Mask) -> int:
        return int(chance.choice(np.flatnonzero(mask)))

    return policy


def make_hungry_policy(encoding: AnyEncoding, chance: Generator) -> Policy:
    """Bite a plant or an enemy that is beside the slime, or go to the nearest one (Slime Mind)."""
    acting = encoding.planes.index("the acting slime: 1")
    food = [encoding.planes.index(name) for name in ("enemies: hp", "plants: hp")]

    def policy(shown: Shown, mask: Mask) -> int:
        planes = shown["observation"]
        (y, x), targets = np.argwhere(planes[acting])[0], np.argwhere(planes[food].any(axis=0))
        if not len(targets):
            return int(chance.integers(BITE_BONUS))
        steps = targets - (y, x)
        down, right = steps[np.abs(steps).sum(axis=1).argmin()].tolist()
        if abs(down) + abs(right) == 1:
            return BITE_BONUS + TOWARDS[right, down]
        if abs(right) > abs(down):
            return RIGHT if right > 0 else LEFT
        return DOWN if down > 0 else UP

    return policy


def make_capturing_policy(encoding: AnyEncoding, chance: Generator) -> Policy:
    """Take the move that captures most, or any if none captures (Smack!)."""
    board = encoding.planes.index("squares of the board: 1")
    is_nerds = encoding.numbers.index("1 if the own side are nerds there")

    def policy(shown: Shown, mask: Mask) -> int:
        legal = np.flatnonzero(mask)
        taken = shown["observation"][1]
        if not shown["numbers"][is_nerds]:
            taken = _count_neighbors(taken)  # a bully captures all nerds beside it
        at_target = taken[shown["observation"][board] == 1][legal % SQUARES_OF_SMACK]
        return int(chance.choice(legal[at_target == at_target.max()]))

    return policy


def make_spending_policy(encoding: AnyEncoding, chance: Generator) -> Policy:
    """Click anything that is legal, and submit when nothing else is (SMAC)."""

    def policy(shown: Shown, mask: Mask) -> int:
        clicks = np.flatnonzero(mask)
        return int(chance.choice(clicks[1:])) if len(clicks) > 1 else SUBMIT

    return policy


def make_marching_policy(encoding: AnyEncoding, chance: Generator) -> Policy:
    """Shoot forward if an enemy is ahead and the weapon ready, else go forward (Game of Death)."""
    hostile = encoding.planes.index("hostile cells: 1")
    own = encoding.planes.index("cells of the shape itself: 1")
    cooldown = encoding.numbers.index("turns until it can attack")

    def policy(shown: Shown, mask: Mask) -> int:
        planes = shown["observation"]
        rows = planes[own].any(axis=1)
        ahead = planes[hostile][rows, planes.shape[2] // 2 :]
        return ATTACK_FORWARD if ahead.any() and not shown["numbers"][cooldown] else MOVE_FORWARD

    return policy


POLICIES: dict[str, dict[str, Maker]] = {
    "slime_mind": {"random": at_random, "hungry": make_hungry_policy},
    "smack": {"random": at_random, "capturing": make_capturing_policy},
    "smac": {"random": at_random, "spending": make_spending_policy},
    "game_of_death": {"random": at_random, "marching": make_marching_policy},
}
"""The policies of each game, by name."""


def _count_neighbors(pieces: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return how many pieces are beside each square."""
    height, width = pieces.shape
    padded = np.pad(pieces, 1)
    shifts = [(down, right) for down in range(3) for right in range(3) if (down, right) != (1, 1)]
    return sum(
        (padded[down : down + height, right : right + width] for down, right in shifts),
        start=np.zeros_like(pieces),
    )
