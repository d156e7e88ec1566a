"""What the boards of a terminal have in common, large ones and small ones."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from visualizer.arrangement import Arrangement
from visualizer.cursor import Step
from visualizer.scene import Block, Label, Scene, Sprite, Thing, Tile
from visualizer.terminal.canvas import Canvas
from visualizer.terminal.looks import Colours
from visualizer.terminal.scale import Scale

Layer = type[Tile] | type[Block] | type[Sprite] | type[Label]


class LettersBoard(ABC):
    """A scene in letters. What never changes is drawn once."""

    def __init__(
        self,
        scene: Scene[Any],
        scale: Scale,
        colours: Colours,
        *,
        has_colours: bool,
        arrangement: Arrangement | None = None,
    ) -> None:
        """`arrangement` of the scene's parts; the scene's own by default."""
        self.scene = scene
        self.scale = scale
        self._arrangement = arrangement or Arrangement(scene.extent)
        self._colours = colours
        self._has_colours = has_colours
        self._draw_backdrop(*scale.size(self._arrangement.extent))

    @abstractmethod
    def picture(self, things: Mapping[int, Thing], step: Step | None = None) -> Canvas:
        """The things there are; and what happened in a step, if that is to be marked."""

    @abstractmethod
    def _draw_backdrop(self, width: int, height: int) -> None:
        """Columns and rows of letters."""


def in_layers(things: Mapping[int, Thing], *layers: Layer) -> Iterator[Thing]:
    """Layer upon layer, each in the order of the ids."""
    ordered = [things[thing_id] for thing_id in sorted(things)]
    for layer in layers:
        yield from (thing for thing in ordered if isinstance(thing, layer))
