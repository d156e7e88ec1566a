"""How many examples a property is tried with that says so itself."""

from hypothesis import settings

USUAL, THOROUGH = 20, 50
"""How many examples the two profiles try, for properties that do not say."""


def examples(thorough: int) -> int:
    """Return as many in the thorough profile, and the usual share of them in the usual one."""
    return max(2, thorough * settings().max_examples // THOROUGH)
