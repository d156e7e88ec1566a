"""What a sprite comes down to where there are no pictures: a letter, a number and a colour."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from PIL import Image, ImageStat

from engine.errors import EngineFailure
from visualizer.scene import Scene, Sprite
from visualizer.sprites import Sprites
from visualizer.terminal.canvas import Style, columns_of
from visualizer.theme import QUIET, team_colour

PIXELS = 16
"""Of a picture, to find out its colour."""

Colours = Callable[[str], str]
"""The colour of a picture, by its name."""


class Look(NamedTuple):
    """A sprite without its picture."""

    letter: str
    level: str
    team: int
    """0 for what belongs to nobody."""
    colour: str

    def text(self, width: int) -> str:
        """As much of it as fits."""
        whole = self.letter + self.level
        return whole if columns_of(whole) <= width else self.level[:width] or self.letter

    @property
    def style(self) -> Style:
        return Style.BOLD

    @property
    def is_reversed(self) -> bool:
        """Without colours, every other team is told by dark on light."""
        return self.team > 0 and self.team % 2 == 0


def look_of(scene: Scene[Any], sprite: Sprite, colours: Colours) -> Look:
    """What can be shown of a sprite in letters."""
    kind = scene.kinds[sprite.kind]
    facts = dict(zip(kind.facts, sprite.facts, strict=True))
    picture = sprite.image.partition(":")[0]
    team = int(facts.get("team", 0))
    return Look(
        scene.letters.get(picture) or kind.title[0],
        str(facts.get("level", "")),
        team,
        team_colour(team) if team else colours(picture),
    )


def colours_of(sprites: Sprites) -> Colours:
    """What a picture looks like from afar."""

    @cache
    def colour(picture: str) -> str:
        try:
            image = sprites.image(picture, PIXELS)
        except EngineFailure:  # a game may have none
            return QUIET
        return mean_colour(image)

    return colour


def mean_colour(image: Image.Image) -> str:
    """Of what is to be seen of a picture."""
    image = image.convert("RGBA")
    seen = ImageStat.Stat(image, mask=image.getchannel("A"))
    return "#{:02x}{:02x}{:02x}".format(*map(round, seen.mean[:3]))
