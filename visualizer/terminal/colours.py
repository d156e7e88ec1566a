"""What a terminal can show: how many colours, which letters; and colours in its language."""

import re
import sys
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import NamedTuple

from visualizer.colours import rgb

GREY = 232
"""The first of 24 greys of the 256 colours; before it, from 16 on, a cube of 6 x 6 x 6."""
STEPS = (0, 95, 135, 175, 215, 255)
"""The values of a side of the cube."""
TRUE_TERMS = re.compile(r"direct|kitty|alacritty|wezterm|foot|ghostty|konsole|iterm|contour|rio")
"""Terminals of 16 million colours; over ssh their name is all we hear of them."""
ASCII = str.maketrans(
    "▁▂▃▄▅▆▇█▀━─·…●◆♚♛▲♣✿←→↑↓►‖✕",
    "..--==###--..oxKQ^pP<>^v>|x",
)
"""For terminals that know no other letters."""


class Depth(Enum):
    """How many colours there are."""

    NONE = 0
    FEW = 256
    TRUE = 1 << 24


class Abilities(NamedTuple):
    """Of a terminal."""

    depth: Depth = Depth.TRUE
    is_unicode: bool = True

    @property
    def has_colours(self) -> bool:
        return self.depth is not Depth.NONE

    def letters(self, text: str) -> str:
        """As it can be shown."""
        if self.is_unicode:
            return text
        return text.translate(ASCII).encode("ascii", "replace").decode()


def abilities(environment: Mapping[str, str], encoding: str = sys.stdout.encoding) -> Abilities:
    """What the terminal says it can, by the conventions there are (no-color.org)."""
    term = environment.get("TERM", "")
    is_unicode = encoding.lower().replace("-", "") == "utf8" and term != "linux"
    if environment.get("NO_COLOR") or term in ("", "dumb"):
        depth = Depth.NONE
    elif (
        environment.get("COLORTERM", "").lower() in ("truecolor", "24bit")
        or environment.get("WT_SESSION")
        or TRUE_TERMS.search(term)
    ):
        depth = Depth.TRUE
    else:
        depth = Depth.FEW
    return Abilities(depth, is_unicode)


@cache
def is_light(colour: str) -> bool:
    """Whether dark letters stand out on it."""
    red, green, blue = rgb(colour)
    return red * 299 + green * 587 + blue * 114 > 150_000


@cache
def nearest_of_256(colour: str) -> int:
    """The number of the colour of the cube, or of the grey, that comes closest."""
    wanted = rgb(colour)
    sides = [min(range(6), key=lambda step: abs(STEPS[step] - value)) for value in wanted]
    cube = tuple(STEPS[side] for side in sides)
    shade = min(range(24), key=lambda step: abs(8 + 10 * step - sum(wanted) / 3))
    grey = (8 + 10 * shade,) * 3
    if _distance(grey, wanted) < _distance(cube, wanted):
        return GREY + shade
    return 16 + 36 * sides[0] + 6 * sides[1] + sides[2]


def _distance(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))
