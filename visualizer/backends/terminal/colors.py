"""What a terminal can show: how many colors, and which letters."""

import re
import sys
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import NamedTuple

from visualizer.theme import rgb

GRAY = 232
"""The first of 24 grays of xterm's 256 colors; from 16 on there is a 6 x 6 x 6 cube."""
STEPS = (0, 95, 135, 175, 215, 255)
"""The color values along a side of the cube."""
TRUE_TERMS = re.compile(r"direct|kitty|alacritty|wezterm|foot|ghostty|konsole|iterm|contour|rio")
"""Terminals with 16 million colors, by TERM: ssh does not pass on COLORTERM."""
ASCII = str.maketrans("▁▂▃▄▅▆▇█▀━─┃·…●◆♚♛▲▼■○✗♣✿←→↑↓►‖✕", "..--==###--|..oxKQ^v#0*pP<>^v>|x")
"""The replacements of letters on terminals without Unicode."""


class Depth(Enum):
    """The number of colors of a terminal."""

    NONE = 0
    FEW = 256
    TRUE = 1 << 24


class Abilities(NamedTuple):
    """What a terminal can show."""

    depth: Depth = Depth.TRUE
    is_unicode: bool = True

    @property
    def has_colors(self) -> bool:
        return self.depth is not Depth.NONE

    def letters(self, text: str) -> str:
        """Return a text with letters the terminal can show."""
        if self.is_unicode:
            return text
        return text.translate(ASCII).encode("ascii", "replace").decode()


def detect_abilities(
    environment: Mapping[str, str], encoding: str = sys.stdout.encoding
) -> Abilities:
    """Return what a terminal can show, by NO_COLOR (no-color.org), COLORTERM, TERM and locale."""
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
def is_light(color: str) -> bool:
    """Return whether a color is light, so that dark letters stand out on it."""
    red, green, blue = rgb(color)
    return red * 299 + green * 587 + blue * 114 > 150_000


@cache
def nearest_of_256(color: str) -> int:
    """Return the number of the nearest color of the cube or the grays."""
    wanted = rgb(color)
    sides = [min(range(6), key=lambda step: abs(STEPS[step] - value)) for value in wanted]
    cube = tuple(STEPS[side] for side in sides)
    shade = min(range(24), key=lambda step: abs(8 + 10 * step - sum(wanted) / 3))
    gray = (8 + 10 * shade,) * 3
    if _squared_distance(gray, wanted) < _squared_distance(cube, wanted):
        return GRAY + shade
    return 16 + 36 * sides[0] + 6 * sides[1] + sides[2]


def _squared_distance(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))
