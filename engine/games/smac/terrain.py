"""What a cell is like: three traits, each of them -, nothing or + (docs/rules/smac.md 2.2)."""

PLAIN = 0
BARE, SUGAR, DIP, HILL, ACID, BASE = 1, 2, 4, 8, 16, 32
"""Flags of a cell's terrain; of a pair it has one or none."""
CENTRE = SUGAR | HILL | BASE
"""Rules 3.3."""
TRAITS = ((BARE, SUGAR), (DIP, HILL), (ACID, BASE))
"""The - and the + of production, relief and base."""
NAMES = {BARE: "BARE", SUGAR: "SUGAR", DIP: "DIP", HILL: "HILL", ACID: "ACID", BASE: "BASE"}
TERRAINS = tuple(
    production | relief | base
    for production in (0, BARE, SUGAR)
    for relief in (0, DIP, HILL)
    for base in (0, ACID, BASE)
)
"""All 27 kinds of cells."""


def names_of(terrain: int) -> tuple[str, ...]:
    """`("SUGAR", "HILL")`; nothing for a plain cell."""
    return tuple(name for flag, name in NAMES.items() if terrain & flag)


def effective_height(raw: int, terrain: int) -> int:
    """One more on BASE, one less on ACID (rules 5.8); nothing stays nothing."""
    if terrain & BASE:
        return raw + 1 if raw else 0
    return raw - 1 if terrain & ACID and raw else raw


def enriched(terrain: int) -> int:
    """The production trait one step up (rules 8.3)."""
    return terrain & ~BARE if terrain & BARE else terrain | SUGAR
