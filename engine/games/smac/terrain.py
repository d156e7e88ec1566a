"""The terrain of a cell: three traits, each of them -, nothing or + (docs/rules/smac.md 2.2)."""

PLAIN = 0
BARE, SUGAR, DIP, HILL, ACID, BASE = 1, 2, 4, 8, 16, 32
"""Flags of a cell's terrain; of each pair it has one or none."""
CENTER = SUGAR | HILL | BASE
"""The terrain of a team's center (rules 3.3)."""
TRAITS = ((BARE, SUGAR), (DIP, HILL), (ACID, BASE))
"""The - and the + of each trait: production, relief and base."""
FLAG_NAMES = {BARE: "BARE", SUGAR: "SUGAR", DIP: "DIP", HILL: "HILL", ACID: "ACID", BASE: "BASE"}
TERRAINS = tuple(
    production | relief | base
    for production in (0, BARE, SUGAR)
    for relief in (0, DIP, HILL)
    for base in (0, ACID, BASE)
)
"""All 27 kinds of cells."""


def terrain_names(terrain: int) -> tuple[str, ...]:
    """Return the names of a terrain's flags, such as `("SUGAR", "HILL")`; () for a plain cell."""
    return tuple(name for flag, name in FLAG_NAMES.items() if terrain & flag)


def effective_height(raw: int, terrain: int) -> int:
    """Return a height with 1 more on BASE and 1 less on ACID (rules 5.8); 0 stays 0."""
    if terrain & BASE:
        return raw + 1 if raw else 0
    return raw - 1 if terrain & ACID and raw else raw


def enrich(terrain: int) -> int:
    """Return a terrain with the production trait one step up (ENRICH, rules 8.3)."""
    return terrain & ~BARE if terrain & BARE else terrain | SUGAR
