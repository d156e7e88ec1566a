"""A display list that only lists what is drawn, for tests."""

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from visualizer.drawing import lettering
from visualizer.drawing.draw_list import WHITE, DrawList, Paint
from visualizer.drawing.geometry import Point
from visualizer.drawing.rect import Rect


class Drawn(NamedTuple):
    what: str
    """The name of the method that drew it."""
    place: Rect
    color: str
    opacity: float = 1.0
    about: Any = ""
    """A text, the key of a picture, or the points of a line."""


class ListedDrawing(DrawList[Drawn]):
    def of(self, what: str, color: str = "") -> list[Drawn]:
        return [row for row in self.rows if row.what == what and color in ("", row.color)]

    @property
    def texts(self) -> list[str]:
        return [row.about for row in self.of("text")]

    def rect(self, place: Rect, color: str, opacity: float = 1.0) -> None:
        self.rows.append(Drawn("rect", place, color, opacity))

    def rounded_rect(self, place: Rect, radius: float, color: str, opacity: float = 1.0) -> None:
        self.rows.append(Drawn("rounded", place, color, opacity))

    def disc(self, x: float, y: float, diameter: float, color: str, opacity: float = 1.0) -> None:
        place = Rect(x - diameter / 2, y - diameter / 2, diameter, diameter)
        self.rows.append(Drawn("disc", place, color, opacity))

    def line(self, points: Sequence[Point], width: float, color: str, opacity: float = 1.0) -> None:
        self.rows.append(Drawn("line", _around(points), color, opacity, list(points)))

    def polygon(self, points: Sequence[Point], color: str, opacity: float = 1.0) -> None:
        self.rows.append(Drawn("polygon", _around(points), color, opacity, list(points)))

    def picture(
        self,
        key: tuple[Hashable, ...],
        paint: Paint,
        place: tuple[float, float, float],
        color: str = WHITE,
        opacity: float = 1.0,
    ) -> None:
        x, y, width = place
        where = Rect(x - width / 2, y - width / 2, width, width)
        self.rows.append(Drawn("picture", where, color, opacity, key))

    def _write(
        self, text: str, pen: tuple[int, int], letters: tuple[int, bool], color: str, opacity: float
    ) -> None:
        left, top, right, bottom = lettering.text_box(text, *letters)
        place = Rect(pen[0] + left, pen[1] + top, right - left, bottom - top)
        self.rows.append(Drawn("text", place, color, opacity, text))


def _around(points: Sequence[Point]) -> Rect:
    if not points:
        return Rect(0, 0, 0, 0)
    xs, ys = zip(*points, strict=True)
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
