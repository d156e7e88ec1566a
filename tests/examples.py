"""How many examples a property is tried with, and how long the longest tests go on."""

import os

from hypothesis import settings

EVERY_VARIANT = "SLIME_MIND_EVERY_VARIANT"
"""Set by `python3 -m tests --every`."""
USUAL, THOROUGH = 10, 50
"""How many examples the two profiles try, for properties that do not say."""


def examples(thorough: int, usual: int | None = None) -> int:
    """Return as many in the thorough profile; in the usual one `usual`, or the usual share."""
    if usual is not None and settings().max_examples < THOROUGH:
        return usual
    return max(2, thorough * settings().max_examples // THOROUGH)


def at_length(every: int, *, else_: int) -> int:
    """Return how often something is done: `every` in `python3 -m tests --every`."""
    return every if os.environ.get(EVERY_VARIANT) else else_
