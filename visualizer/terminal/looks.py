"""What a sprite comes down to where there are no pictures: a letter, a number and a colour."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from PIL import Image

from engine.errors import EngineFailure
from visualizer.colours import Rgb
from visualizer.scene import Block, Scene, Sprite
from visualizer.sprites import Sprites
from visualizer.theme import QUIET

PIXELS = 32
"""Of a picture, to find out its colour."""
COLOURS = 8
OPAQUE = 127
PALE = 8
"""What a grey counts for against a colour, of 255."""

Colours = Callable[[str], str]
"""The colour of a picture, by its name."""


class Look(NamedTuple):
    """A sprite without its picture."""

    letter: str
    level: str
    team: int
    """0 for what belongs to nobody."""
    colour: str

    @property
    def is_reversed(self) -> bool:
        """Without colours, every other team is told by dark on light."""
        return self.team > 0 and self.team % 2 == 0


def look_of(scene: Scene[Any], thing: Sprite | Block, colours: Colours) -> Look:
    """What can be shown of a sprite or a block in letters."""
    kind = scene.kinds[thing.kind]
    facts = dict(zip(kind.facts, thing.facts, strict=True))
    if isinstance(thing, Block):
        letter = scene.letters.get(thing.kind) or kind.title[0]
        return Look(letter, "", int(facts.get("team", 0)), thing.fill)
    picture = thing.image.partition(":")[0]
    team = int(facts.get("team", 0))
    return Look(
        scene.letters.get(picture) or kind.title[0],
        str(facts.get("level", "")),
        team,
        scene.team_colour(team) if team else colours(picture),
    )


def colours_of(sprites: Sprites) -> Colours:
    """What a picture looks like from afar."""

    @cache
    def colour(picture: str) -> str:
        try:
            image = sprites.image(picture, PIXELS)
        except EngineFailure:  # a game may have none
            return QUIET
        return main_colour(image)

    return colour


def main_colour(image: Image.Image) -> str:
    """The one that catches the eye: there is much of it, or it is vivid."""
    few = image.convert("RGBA").quantize(COLOURS).convert("RGBA")
    seen: dict[Rgb, float] = {}
    for count, pixel in few.getcolors() or ():
        if isinstance(pixel, tuple) and pixel[3] > OPAQUE:
            red, green, blue = pixel[:3]
            seen[red, green, blue] = count * (PALE + max(pixel[:3]) - min(pixel[:3]))
    return "#{:02x}{:02x}{:02x}".format(*max(seen, key=seen.__getitem__)) if seen else QUIET
