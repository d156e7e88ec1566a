"""Sprites without pictures: a letter, a number and a color."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from engine.errors import EngineFailure
from visualizer.drawing.sprites import HAS_PILLOW, Sprites
from visualizer.scene import AnyScene, Block, Sprite
from visualizer.theme import QUIET, Rgb

if TYPE_CHECKING:
    from PIL import Image

PIXELS = 32
"""The side of a picture when its main color is computed, pixels."""
COLORS = 8
OPAQUE = 127
PALE = 8
"""The weight of a gray among vivid colors, of 255."""

Colors = Callable[[str], str]
"""The main colors of pictures, by name."""


class Symbol(NamedTuple):
    """A sprite or block as a terminal shows it."""

    letter: str
    """One letter or several, or none where its color and level say enough."""
    plain: str
    """The letter where there are no colors."""
    level: str
    team: int
    """The team; 0 for a neutral thing."""
    color: str

    @property
    def is_reversed(self) -> bool:
        """Return whether a team is drawn in reverse: without colors, every other one is."""
        return self.team > 0 and self.team % 2 == 0


def make_symbol(scene: AnyScene, thing: Sprite | Block, colors: Colors) -> Symbol:
    """Return how a terminal shows a sprite or a block."""
    kind = scene.kinds[thing.kind]
    facts = dict(zip(kind.facts, thing.facts, strict=True))
    if isinstance(thing, Block):
        letter = scene.letters.get(thing.kind, kind.title[0])
        return Symbol(letter, letter, "", int(facts.get("team", 0)), thing.fill)
    picture = thing.image.partition(":")[0]
    team = int(facts.get("team", 0))
    letter = scene.letters.get(picture, kind.title[0])
    return Symbol(
        letter,
        scene.plain_letters.get(picture, letter)[:1],
        str(facts.get("level", "")),
        team,
        scene.team_color(team) if team else colors(picture),
    )


def picture_colors(sprites: Sprites) -> Colors:
    """Return the main colors of pictures."""

    @cache
    def color(picture: str) -> str:
        if not HAS_PILLOW:
            return QUIET
        try:
            image = sprites.image(picture, PIXELS)
        except EngineFailure:  # a game may have none
            return QUIET
        return main_color(image)

    return color


def main_color(image: Image.Image) -> str:
    """Return the main color of a picture: frequent or vivid."""
    few = image.convert("RGBA").quantize(COLORS).convert("RGBA")
    seen: dict[Rgb, float] = {}
    for count, pixel in few.getcolors() or ():
        if isinstance(pixel, tuple) and pixel[3] > OPAQUE:
            red, green, blue = pixel[:3]
            seen[red, green, blue] = count * (PALE + max(pixel[:3]) - min(pixel[:3]))
    return "#{:02x}{:02x}{:02x}".format(*max(seen, key=seen.__getitem__)) if seen else QUIET
