"""Rectangles of a picture, in pixels from its upper left corner."""

from typing import NamedTuple


class Rect(NamedTuple):
    """A rectangle; `x`, `y` is its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle_x(self) -> float:
        return self.x + self.width / 2

    @property
    def middle_y(self) -> float:
        return self.y + self.height / 2

    def contains(self, x: float, y: float) -> bool:
        return self.x <= x < self.right and self.y <= y < self.bottom

    def inset(self, across: float, down: float | None = None) -> "Rect":
        """Return the rectangle, smaller by a margin on each side."""
        down = across if down is None else down
        return Rect(
            self.x + across,
            self.y + down,
            max(0.0, self.width - 2 * across),
            max(0.0, self.height - 2 * down),
        )

    def cut_top(self, height: float, gap: float = 0) -> tuple["Rect", "Rect"]:
        """Return the upper part, and the rest below a gap."""
        height = min(height, self.height)
        rest = max(0.0, self.height - height - gap)
        return (
            Rect(self.x, self.y, self.width, height),
            Rect(self.x, self.bottom - rest, self.width, rest),
        )

    def cut_bottom(self, height: float, gap: float = 0) -> tuple["Rect", "Rect"]:
        """Return the lower part, and the rest above a gap."""
        height = min(height, self.height)
        rest = max(0.0, self.height - height - gap)
        return (
            Rect(self.x, self.bottom - height, self.width, height),
            Rect(self.x, self.y, self.width, rest),
        )

    def cut_right(self, width: float, gap: float = 0) -> tuple["Rect", "Rect"]:
        """Return the right part, and the rest left of a gap."""
        width = min(width, self.width)
        rest = max(0.0, self.width - width - gap)
        return (
            Rect(self.right - width, self.y, width, self.height),
            Rect(self.x, self.y, rest, self.height),
        )

    def columns(self, count: int, gap: float = 0) -> list["Rect"]:
        """Return columns of the same width."""
        width = (self.width - gap * (count - 1)) / count
        return [Rect(self.x + n * (width + gap), self.y, width, self.height) for n in range(count)]

    def rows(self, count: int, gap: float = 0) -> list["Rect"]:
        """Return rows of the same height."""
        height = (self.height - gap * (count - 1)) / count
        return [Rect(self.x, self.y + n * (height + gap), self.width, height) for n in range(count)]
