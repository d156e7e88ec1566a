"""How many examples a property is tried with, and how long the longest tests go on."""

import os

from hypothesis import settings

EVERY_VARIANT = "SLIME_MIND_EVERY_VARIANT"
"""Set by `python3 -m tests --every`."""
PROFILES = {"usual": 10, "more": 20, "thorough": 50}
"""How many examples properties are tried with that do not say, in each of the three rings."""


def examples(thorough: int, usual: int | None = None) -> int:
    """Return as many in the thorough profile, and fewer in the others; in the usual one `usual`."""
    tried = settings().max_examples
    if usual is not None and tried == PROFILES["usual"]:
        return usual
    return max(2, thorough * tried // PROFILES["thorough"])


def at_length(every: int, *, else_: int) -> int:
    """Return how often something is done: `every` in `python3 -m tests --every`."""
    return every if os.environ.get(EVERY_VARIANT) else else_
