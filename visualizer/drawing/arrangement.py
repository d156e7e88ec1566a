"""How the parts of a scene lie: side by side, as the scene has them, or one below the other.

A scene knows one plane alone. Viewers choose by the room they have, and ask here where a point
of that plane is to be seen.
"""

from collections.abc import Sequence
from typing import NamedTuple

from visualizer.scene import AnyScene, Extent

Point = tuple[float, float]


class Moved(NamedTuple):
    """A part of the scene that is shown in another place."""

    left: float
    """Its left edge in the scene."""
    top: float
    """Its top edge as it is shown."""
    dx: float
    dy: float
    """The offset from its place in the scene to where it is shown."""


class Arrangement(NamedTuple):
    """A way to show the points of a scene."""

    extent: Extent
    parts: tuple[Moved, ...] = ()
    """What is from left to right in the scene is shown downwards. Empty: all stays in place."""

    def to_view(self, x: float, y: float) -> Point:
        """Return where a point of the scene is shown."""
        for part in reversed(self.parts):
            if part.left <= x or part is self.parts[0]:
                return x + part.dx, y + part.dy
        return x, y

    def to_scene(self, x: float, y: float) -> Point:
        """Return the point of the scene that is shown at a place."""
        for part in reversed(self.parts):
            if part.top <= y or part is self.parts[0]:
                return x - part.dx, y - part.dy
        return x, y


def arrangements(scene: AnyScene) -> Sequence[Arrangement]:
    """Return all arrangements of a scene, its own first."""
    own = Arrangement(scene.extent)
    return (own, stack_parts(scene.parts)) if len(scene.parts) > 1 else (own,)


def stack_parts(parts: Sequence[Extent]) -> Arrangement:
    """Return the parts stacked, each centered on the widest."""
    first, width = parts[0], max(part.width for part in parts)
    moved, top = [], first.top
    for part in parts:
        left = first.left + (width - part.width) / 2
        moved.append(Moved(part.left, top, left - part.left, top - part.top))
        top += part.height
    return Arrangement(Extent(first.left, first.top, first.left + width, top), tuple(moved))
