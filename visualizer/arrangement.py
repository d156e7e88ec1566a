"""How the parts of a scene lie: side by side, as the scene has them, or one below the other.

A scene knows one plane alone. Viewers choose by the room they have, and ask here where a point
of that plane is to be seen.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from visualizer.scene import Extent, Scene

Point = tuple[float, float]


class Moved(NamedTuple):
    """A part that is shown elsewhere."""

    left: float
    """Where it begins in the scene."""
    top: float
    """Where it begins as it is shown."""
    dx: float
    dy: float
    """From where it is in the scene to where it is shown."""


class Arrangement(NamedTuple):
    """What is to be seen, and where the points of a scene are in it."""

    extent: Extent
    parts: tuple[Moved, ...] = ()
    """From left to right in the scene, downwards as they are shown. None: all is where it is."""

    def shown(self, x: float, y: float) -> Point:
        """Where a point of the scene is to be seen."""
        for part in reversed(self.parts):
            if part.left <= x or part is self.parts[0]:
                return x + part.dx, y + part.dy
        return x, y

    def meant(self, x: float, y: float) -> Point:
        """The point of the scene that is to be seen there."""
        for part in reversed(self.parts):
            if part.top <= y or part is self.parts[0]:
                return x - part.dx, y - part.dy
        return x, y


def arrangements(scene: Scene[Any]) -> Sequence[Arrangement]:
    """All ways to show a scene, its own first."""
    own = Arrangement(scene.extent)
    return (own, upright(scene.parts)) if len(scene.parts) > 1 else (own,)


def upright(parts: Sequence[Extent]) -> Arrangement:
    """One below the other, each in the middle of the widest."""
    first, width = parts[0], max(part.width for part in parts)
    moved, top = [], first.top
    for part in parts:
        left = first.left + (width - part.width) / 2
        moved.append(Moved(part.left, top, left - part.left, top - part.top))
        top += part.height
    return Arrangement(Extent(first.left, first.top, first.left + width, top), tuple(moved))
