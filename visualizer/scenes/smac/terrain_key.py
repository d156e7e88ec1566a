"""A key below the dish: what the signs of terrain are called, and what they do."""

from engine.games.smac.terrain import ACID, BARE, BASE, DIP, HILL, SUGAR, terrain_names
from visualizer.scene import Kind, Label, Sprite, Thing
from visualizer.scenes.smac.themes import KEY, picture_of_terrain
from visualizer.theme import COORDINATES

MEANINGS = {
    HILL: "hard to grow into, better to defend",
    DIP: "easy to grow into, worse to defend",
    BASE: "a stack counts as one higher",
    ACID: "a stack counts as one lower",
    SUGAR: "produces one point more",
    BARE: "produces one point less",
}
KINDS = {
    "sign": Kind("sign", ("name", "means"), hover=("means",)),
    "sign name": Kind("sign name", is_seen_through=True),
}
MIN_WIDE_SIDE = 24
"""The least side of a dish that has room for all signs beside each other, cells."""
ROW, PLATE, GAP, LETTERS = 1.1, 0.85, 0.22, 0.6
"""The height of a row, the width of a sign, the gap behind it, and the size of letters, cells."""
LETTER = 0.76
"""The width of a capital letter, as a share of its size."""


def rows(side: int) -> int:
    """Return how many rows the key takes below a dish."""
    return 1 if side >= MIN_WIDE_SIDE else 2


def ids() -> list[int]:
    return [KEY + number for number in range(2 * len(MEANINGS))]


def make_key_thing(side: int, top: float, thing_id: int) -> Thing:
    """Return a sign, or behind all signs its name; `top` is where the key begins."""
    is_name, number = divmod(thing_id - KEY, len(MEANINGS))
    terrain = tuple(MEANINGS)[number]
    name = terrain_names(terrain)[0]
    per_row = -(-len(MEANINGS) // rows(side))
    row, column = divmod(number, per_row)
    left, y = round(column * side / per_row, 3), round(side + top + (row + 0.5) * ROW, 3)
    if is_name:
        x = round(left + PLATE + GAP + len(name) * LETTER * LETTERS / 2, 3)
        return Label("sign name", x, y, LETTERS, name, COORDINATES)
    facts = (name, MEANINGS[terrain])
    return Sprite("sign", left + PLATE / 2, y, PLATE, picture_of_terrain(terrain), facts=facts)
