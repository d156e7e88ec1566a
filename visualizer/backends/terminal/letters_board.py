"""What the boards of a terminal have in common, with letters or with dots."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from math import floor

from msgspec.structs import replace

from visualizer.backends.terminal.canvas import Canvas
from visualizer.backends.terminal.scale import Scale
from visualizer.backends.terminal.themes import Colors, make_symbol
from visualizer.drawing.arrangement import Arrangement
from visualizer.model.cursor import Step
from visualizer.scene import AnyScene, Block, Label, Sprite, Thing, Tile
from visualizer.theme import ACCENT, mix_colors

SHIFTED = 1.0
"""What is smaller, in squares, may stand anywhere in its square, which is drawn as a whole."""

WHITE, LIT = "#ffffff", 0.5
"""How much of it is in the color of a piece that acted."""

Layer = type[Tile] | type[Block] | type[Sprite] | type[Label]


class LettersBoard(ABC):
    """A board of a scene. What never changes is drawn once."""

    def __init__(
        self,
        scene: AnyScene,
        scale: Scale,
        colors: Colors,
        *,
        has_colors: bool,
        arrangement: Arrangement | None = None,
    ) -> None:
        """Draw the backdrop; `arrangement` is that of the scene's parts, by default its own."""
        self.scene = scene
        self.scale = scale
        self._arrangement = arrangement or Arrangement(scene.extent)
        self._colors = colors
        self._has_colors = has_colors
        self._draw_backdrop(*scale.size(self._arrangement.extent))

    @abstractmethod
    def picture(self, things: Mapping[int, Thing], step: Step | None = None) -> Canvas:
        """Return the picture of things; a step, if given, is marked."""

    def _highlight_color(self, thing: Thing | None) -> str:
        """Return the color of a piece that acted: that of its team, only lighter."""
        if not isinstance(thing, Sprite | Block):
            return ACCENT
        symbol = make_symbol(self.scene, thing, self._colors)
        return mix_colors(symbol.color, WHITE, LIT) if symbol.team else ACCENT

    @abstractmethod
    def _draw_backdrop(self, width: int, height: int) -> None:
        """Draw the backdrop, in columns and rows of letters."""


def center_in_square(scene: AnyScene, thing: Thing) -> Thing:
    """Return a thing in the middle of its square, if it is a piece on a grid."""
    if not isinstance(thing, Sprite) or thing.size >= SHIFTED:
        return thing
    for grid in scene.grids:
        x, y = floor(thing.x - grid.left), floor(thing.y - grid.top)
        if 0 <= x < grid.columns and 0 <= y < grid.rows:
            return replace(thing, x=grid.left + x + 0.5, y=grid.top + y + 0.5)
    return thing


def in_layers(things: Mapping[int, Thing], *layers: Layer) -> Iterator[Thing]:
    """Yield things layer by layer, each in the order of the ids."""
    ordered = [things[thing_id] for thing_id in sorted(things)]
    for layer in layers:
        yield from (thing for thing in ordered if isinstance(thing, layer))
