"""What the boards of a terminal have in common, with letters or with dots."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping

from visualizer.backends.terminal.canvas import Canvas
from visualizer.backends.terminal.scale import Scale
from visualizer.backends.terminal.themes import Colors
from visualizer.drawing.arrangement import Arrangement
from visualizer.model.cursor import Step
from visualizer.scene import AnyScene, Block, Label, Sprite, Thing, Tile

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

    @abstractmethod
    def _draw_backdrop(self, width: int, height: int) -> None:
        """Draw the backdrop, in columns and rows of letters."""


def in_layers(things: Mapping[int, Thing], *layers: Layer) -> Iterator[Thing]:
    """Yield things layer by layer, each in the order of the ids."""
    ordered = [things[thing_id] for thing_id in sorted(things)]
    for layer in layers:
        yield from (thing for thing in ordered if isinstance(thing, layer))
