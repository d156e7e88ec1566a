"""The kinds of pieces of a design, drawn large, with their figures beside each side."""

from collections.abc import Mapping, Sequence

from PIL import Image

from engine.game import Drawing
from visualizer.backends.pillow.draw_list import ImageDrawList
from visualizer.drawing.lettering import plain, width_of
from visualizer.drawing.rect import Rect
from visualizer.theme import BACKGROUND, PANEL, RIM, TEXT

LARGEST_CELL, SMALLEST_CELL = 26, 3
WIDEST, HIGHEST = 260, 200
"""The most pixels of a drawing, across and down."""
LETTERS = 13
LINE = 17
SIDE_ROOM = 96
"""The room for the figures to the left and right of a drawing."""
END_ROOM = 2 * LINE + 6
"""The room for those above and below it."""
GAP = 14
FILLED = "#"
MOST = 24
"""The most kinds that are drawn."""


def draw_types(drawings: Sequence[Drawing], colors: Mapping[str, str], width: int) -> Image.Image:
    """Return a picture of so many pixels across, in which each kind has a box of its own.

    `colors` are those of its areas, by name.
    """
    boxes = [_box(drawing, colors.get(drawing.name, TEXT)) for drawing in drawings[:MOST]]
    rows = _rows(boxes, width)
    heights = [max(box.height for box in row) for row in rows]
    widest = max((_width_of(row) for row in rows), default=0)
    image = Image.new("RGB", (max(width, widest), sum(heights) + GAP * len(rows)), BACKGROUND)
    top = 0
    for row, height in zip(rows, heights, strict=True):
        left = 0
        for box in row:
            image.paste(box, (left, top))
            left += box.width + GAP
        top += height + GAP
    return image


def _rows(boxes: Sequence[Image.Image], width: int) -> list[list[Image.Image]]:
    """Return the boxes in rows, as many in each as fit."""
    rows: list[list[Image.Image]] = []
    for box in boxes:
        if not rows or _width_of([*rows[-1], box]) > width:
            rows.append([])
        rows[-1].append(box)
    return rows


def _width_of(row: Sequence[Image.Image]) -> int:
    return sum(box.width + GAP for box in row) - GAP


def _box(drawing: Drawing, color: str) -> Image.Image:
    """Return one kind: its name above, its words below, its figures around."""
    cell = max(
        SMALLEST_CELL,
        min(LARGEST_CELL, WIDEST // max(map(len, drawing.rows)), HIGHEST // len(drawing.rows)),
    )
    across, down = max(map(len, drawing.rows)) * cell, len(drawing.rows) * cell
    name, words = plain(drawing.name[:80]), [plain(line[:120]) for line in drawing.words]
    wide = max(width_of(line, LETTERS) for line in (name, *words))
    width = round(max(across + 2 * SIDE_ROOM, wide + 2 * GAP))
    head, foot = GAP + LINE, len(words) * LINE + GAP
    image = Image.new("RGB", (width, head + 2 * END_ROOM + down + foot), PANEL)
    left, top = (width - across) // 2, head + END_ROOM
    draws = ImageDrawList(unit=1)
    _draw_cells(draws, drawing, (left, top, cell), color)
    middle = top + down / 2
    right, bottom, before, above = drawing.sides
    _write_lines(draws, right, (left + across + 8, middle), 0)
    _write_lines(draws, bottom, (width / 2, top + down + END_ROOM / 2), 0.5)
    _write_lines(draws, before, (left - 8, middle), 1)
    _write_lines(draws, above, (width / 2, top - END_ROOM / 2), 0.5)
    _write_lines(draws, (name,), (width / 2, head / 2 + 3), 0.5)
    _write_lines(draws, words, (width / 2, image.height - foot / 2), 0.5)
    draws.draw_on(image)
    return image


def _draw_cells(
    draws: ImageDrawList, drawing: Drawing, place: tuple[int, int, int], color: str
) -> None:
    """Draw the cells; `place` is the upper left corner, and the size of a cell."""
    left, top, cell = place
    for v, row in enumerate(drawing.rows):
        for u, sign in enumerate(row):
            if sign == FILLED:
                square = Rect(left + u * cell, top + v * cell, cell, cell)
                if cell > SMALLEST_CELL:
                    draws.rect(square, RIM)
                    square = square.inset(1)
                draws.rect(square, color)


def _write_lines(
    draws: ImageDrawList, lines: Sequence[str], middle: tuple[float, float], align: float
) -> None:
    """Write lines around a middle height; `align` is the share of each left of the place."""
    x, y = middle
    for number, line in enumerate(lines):
        at = y + (number - (len(lines) - 1) / 2) * LINE
        draws.text(x, at, line, LETTERS, TEXT, align=align)
