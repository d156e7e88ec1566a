"""A display list: what a picture consists of, back to front, for any backend to draw.

Everything that is drawn is rectangles, rounded rectangles, lines, discs, polygons, pictures and
text. What a row of the list is, each backend decides for itself: bytes for a graphics card,
masks and colors for an image.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, TypeVar

from PIL import Image

from visualizer.drawing import lettering
from visualizer.drawing.geometry import Point
from visualizer.drawing.rect import Rect
from visualizer.theme import ink_on

Row = TypeVar("Row")
Paint = Callable[[int], Image.Image]
"""Returns a picture of a width in pixels."""
WHITE = "#ffffff"
BADGE_LETTER_SCALE = 0.62
"""The size of a badge's number, as a share of the badge."""


class DrawList(ABC, Generic[Row]):
    """Collects the rows of a picture, back to front.

    Places and lengths are in pixels, but those said to be in points: sizes of letters and of
    what goes with them.
    """

    def __init__(self, unit: float) -> None:
        self.unit = unit
        """Pixels per point."""
        self.rows: list[Row] = []

    @abstractmethod
    def rect(self, rect: Rect, color: str, opacity: float = 1.0) -> None: ...

    @abstractmethod
    def rounded_rect(self, rect: Rect, radius: float, color: str, opacity: float = 1.0) -> None:
        """Draw a rectangle with round corners."""

    @abstractmethod
    def line(self, points: Sequence[Point], width: float, color: str, opacity: float = 1.0) -> None:
        """Draw a line through points, with soft edges."""

    @abstractmethod
    def polygon(self, points: Sequence[Point], color: str, opacity: float = 1.0) -> None: ...

    @abstractmethod
    def disc(self, x: float, y: float, diameter: float, color: str, opacity: float = 1.0) -> None:
        """Draw a disc around `x`, `y`."""

    @abstractmethod
    def picture(
        self,
        key: tuple[Hashable, ...],
        paint: Paint,
        place: tuple[float, float, float],
        color: str = WHITE,
        opacity: float = 1.0,
    ) -> None:
        """Draw a square picture; `place` is its middle and its width.

        It is painted once for all places with the same key and width. One that is white is
        drawn in the color.
        """

    @abstractmethod
    def _write(
        self, text: str, pen: tuple[int, int], letters: tuple[int, bool], color: str, opacity: float
    ) -> None:
        """Draw a line of text from its left end on the baseline on."""

    def pack_rows(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return rows as they are kept best to be drawn again."""
        return rows

    def record_rows(self, draw: Callable[[], None]) -> Sequence[Row]:
        """Return the rows that are drawn by a function, in place of drawing them."""
        rows, self.rows = self.rows, []
        draw()
        recorded, self.rows = self.pack_rows(self.rows), rows
        return recorded

    def stamp(
        self, key: tuple[Hashable, ...], at: Point, draw: Callable[[float, float], None]
    ) -> None:
        """Draw what looks the same in every place, by its key; `draw` draws it in one."""
        draw(*at)

    def px(self, points: float) -> int:
        """Return points in whole pixels, one at least."""
        return max(1, round(points * self.unit))

    def panel(self, rect: Rect, fill: str, rim: str, radius: float = 8, opacity: float = 1) -> None:
        """Draw a panel with a rim, its radius in points."""
        rim_width = self.px(1)
        self.rounded_rect(rect, self.px(radius), rim, opacity)
        self.rounded_rect(rect.inset(rim_width), self.px(radius) - rim_width, fill, opacity)

    def badge(self, x: float, y: float, size: float, team: int, color: str) -> None:
        """Draw a team's number on its color around `x`, `y`; `size` is in points.

        The number stands for those who cannot tell the colors apart.
        """
        self.disc(x, y, self.px(size), color)
        self.text(
            x, y, f"{team}", size * BADGE_LETTER_SCALE, ink_on(color), is_bold=True, align=0.5
        )

    def text(
        self,
        x: float,
        middle: float,
        text: str,
        size: float,
        color: str,
        *,
        is_bold: bool = False,
        align: float = 0.0,
        room: float | None = None,
        opacity: float = 1.0,
    ) -> int:
        """Draw a line of text around the height `middle`; return its width. `size` is in points.

        `align` 0: it begins at `x`; 0.5: `x` is its middle; 1: it ends there. What is longer
        than `room` is cut.
        """
        pixels = lettering.size_in_pixels(size * self.unit)
        text, width = lettering.fit_text(text, room, pixels, is_bold)
        # On whole pixels: filtered letters would be blurred.
        pen = round(x - align * width), round(middle + pixels * lettering.CAP_HEIGHT / 2)
        if text:
            self._write(text, pen, (pixels, is_bold), color, opacity)
        return width

    def text_width(self, text: str, size: float, is_bold: bool = False) -> int:
        """Return the width of a line of text, `size` in points."""
        pixels = lettering.size_in_pixels(size * self.unit)
        return lettering.fit_text(text, None, pixels, is_bold)[1]

    def wrap_text(self, text: str, size: float, width: float) -> list[str]:
        """Return a text broken into lines, `size` in points."""
        return lettering.wrap_text(text, width, lettering.size_in_pixels(size * self.unit))


AnyDrawList = DrawList[Any]
"""A list of which whoever draws need not know what its rows are."""
