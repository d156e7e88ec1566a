"""The picture of a bot's design: its areas in colors, and its kinds of pieces, with figures."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from PIL import Image

from engine.game import Area, Drawing
from engine.support.files import atomic_write
from visualizer.backends.pillow.draw_list import ImageDrawList
from visualizer.drawing.lettering import strip_controls, text_width
from visualizer.drawing.rect import Rect
from visualizer.theme import BACKGROUND, PANEL, RIM, TEXT

MAX_WIDTH, MAX_HEIGHT = 1_200, 1_600
"""The most pixels of the ground, across and down."""
MAX_CELL_SIZE = 14
TYPES_WIDTH = 640
"""The least width for the kinds of pieces, so that several stand side by side."""
EDGE = 12
LINE = 24
SWATCH = 12
LETTERS = 14
MAX_NAME_LENGTH = 40
"""The most letters of a name."""
MAX_NAMES = 40
"""The most names in the legend."""
GROUNDS = (PANEL, "#3d4a5a")
"""The colors of the first two areas, on which the others lie."""
WRONG = "#ff2d2d"
COLORS = (
    "#ffd166", "#79c0ff", "#d2a8ff", "#7ee787", "#ff9bce", "#f28c28", "#2a9d6f", "#c04fb0",
    "#b08968",
)  # fmt: skip
LARGEST_TYPE_CELL, MIN_CELL_SIZE = 26, 3
WIDEST_TYPES, HIGHEST_TYPES = 260, 200
"""The most pixels of a drawing, across and down."""
TYPE_LETTERS = 13
TYPE_LINE = 17
SIDE_ROOM = 96
"""The room for the figures to the left and right of a drawing."""
END_ROOM = 2 * TYPE_LINE + 6
"""The room for those above and below it."""
GAP = 14
FILLED = "#"
MAX_DRAWINGS = 24
"""The most kinds that are drawn."""

T = TypeVar("T")
Rows = list[list[tuple[T, float]]]
"""What stands in rows, each with its left edge."""


def write_design_picture(
    areas: Sequence[Area], path: Path, drawings: Sequence[Drawing] = ()
) -> None:
    """Write the picture of a design. Raises: EngineFailure if it cannot be written.

    `drawings` are its kinds of pieces, which are shown large below it.
    """
    image = draw_design(areas)
    if drawings:
        image = _stack(
            image,
            draw_types(drawings, _colors_by_name(areas), max(image.width - 2 * EDGE, TYPES_WIDTH)),
        )
    with atomic_write(path) as beside:
        image.save(beside, format="PNG")


def draw_design(areas: Sequence[Area]) -> Image.Image:
    """Return the picture of a design: the ground, and a legend below it."""
    ground = areas[0]
    pixels = max(1, min(MAX_CELL_SIZE, MAX_WIDTH // ground.width, MAX_HEIGHT // ground.height))
    colors = _colors_by_name(areas)
    width = max(ground.width * pixels, 240)
    rows = _legend_rows(list(colors)[:MAX_NAMES], width)
    bottom = ground.height * pixels + EDGE
    size = width + 2 * EDGE, bottom + len(rows) * LINE + EDGE
    draws = ImageDrawList(unit=1)
    for number, area in enumerate(areas):
        is_ground = number < len(GROUNDS)
        rect = _place(area, pixels)
        if pixels > 3:
            draws.rect(rect, RIM if is_ground else BACKGROUND)
            rect = rect.inset(1)
        draws.rect(rect, colors[area.name])
    for row, names in enumerate(rows):
        for name, left in names:
            _draw_name(draws, name, colors[name], (EDGE + left, bottom + EDGE + row * LINE))
    image = Image.new("RGB", size, BACKGROUND)
    draws.draw_on(image)
    return image


def _stack(ground: Image.Image, types: Image.Image) -> Image.Image:
    """Return both pictures, one above the other."""
    width = max(ground.width, types.width + 2 * EDGE)
    image = Image.new("RGB", (width, ground.height + types.height), BACKGROUND)
    image.paste(ground, (0, 0))
    image.paste(types, (EDGE, ground.height))
    return image


def _colors_by_name(areas: Sequence[Area]) -> dict[str, str]:
    """Return the colors of areas by name, in their order."""
    colors: dict[str, str] = {}
    others = 0
    for number, area in enumerate(areas):
        if area.name in colors:
            continue
        if number < len(GROUNDS):
            colors[area.name] = GROUNDS[number]
        elif area.is_wrong:
            colors[area.name] = WRONG
        else:
            colors[area.name] = COLORS[others % len(COLORS)]
            others += 1
    return colors


def _place(area: Area, pixels: int) -> Rect:
    left, top = EDGE + area.x * pixels, EDGE + area.y * pixels
    return Rect(left, top, area.width * pixels, area.height * pixels)


def _legend_rows(names: Sequence[str], width: int) -> Rows[str]:
    """Return the rows of the legend: names with their left edges, as many as fit."""
    shown = (strip_controls(name[:MAX_NAME_LENGTH]) for name in names)
    widths = (text_width(name, LETTERS) + 3 * SWATCH for name in shown)
    return _fill_rows(zip(names, widths, strict=True), width)


def _fill_rows(widths: Iterable[tuple[T, float]], width: float) -> Rows[T]:
    """Return what has these widths in rows, each with its left edge, as many as fit."""
    rows: Rows[T] = []
    left = 0.0
    for thing, needed in widths:
        if not rows or left + needed > width:
            rows.append([])
            left = 0.0
        rows[-1].append((thing, left))
        left += needed
    return rows


def _draw_name(draws: ImageDrawList, name: str, color: str, rect: tuple[float, float]) -> None:
    left, top = rect
    swatch = Rect(left, top, SWATCH, SWATCH)
    draws.rect(swatch, RIM)
    draws.rect(swatch.inset(1), color)
    x, middle = left + SWATCH + 6, top + SWATCH / 2
    draws.text(x, middle, name[:MAX_NAME_LENGTH], LETTERS, TEXT)


def draw_types(drawings: Sequence[Drawing], colors: Mapping[str, str], width: int) -> Image.Image:
    """Return a picture of so many pixels across, in which each kind has a box of its own.

    `colors` are those of its areas, by name.
    """
    boxes = [
        _draw_box(drawing, colors.get(drawing.name, TEXT)) for drawing in drawings[:MAX_DRAWINGS]
    ]
    rows = _fill_rows(((box, box.width + GAP) for box in boxes), width + GAP)
    heights = [max(box.height for box, _ in row) for row in rows]
    widest = max((round(left) + box.width for row in rows for box, left in row), default=0)
    image = Image.new("RGB", (max(width, widest), sum(heights) + GAP * len(rows)), BACKGROUND)
    top = 0
    for row, height in zip(rows, heights, strict=True):
        for box, left in row:
            image.paste(box, (round(left), top))
        top += height + GAP
    return image


def _draw_box(drawing: Drawing, color: str) -> Image.Image:
    """Return one kind: its name above, its words below, its figures around."""
    columns, rows = max(map(len, drawing.rows)), len(drawing.rows)
    largest = min(LARGEST_TYPE_CELL, WIDEST_TYPES // columns, HIGHEST_TYPES // rows)
    cell = max(MIN_CELL_SIZE, largest)
    across, down = columns * cell, rows * cell
    name = strip_controls(drawing.name[:80])
    lines = [strip_controls(line[:120]) for line in drawing.words]
    wide = max(text_width(line, TYPE_LETTERS) for line in (name, *lines))
    width = round(max(across + 2 * SIDE_ROOM, wide + 2 * GAP))
    head, foot = GAP + TYPE_LINE, len(lines) * TYPE_LINE + GAP
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
    _write_lines(draws, lines, (width / 2, image.height - foot / 2), 0.5)
    draws.draw_on(image)
    return image


def _draw_cells(
    draws: ImageDrawList, drawing: Drawing, rect: tuple[int, int, int], color: str
) -> None:
    """Draw the cells; `place` is the upper left corner, and the size of a cell."""
    left, top, cell = rect
    for v, row in enumerate(drawing.rows):
        for u, sign in enumerate(row):
            if sign == FILLED:
                square = Rect(left + u * cell, top + v * cell, cell, cell)
                if cell > MIN_CELL_SIZE:
                    draws.rect(square, RIM)
                    square = square.inset(1)
                draws.rect(square, color)


def _write_lines(
    draws: ImageDrawList, lines: Sequence[str], middle: tuple[float, float], align: float
) -> None:
    """Write lines around a middle height; `align` is the share of each left of the place."""
    x, y = middle
    for number, line in enumerate(lines):
        at = y + (number - (len(lines) - 1) / 2) * TYPE_LINE
        draws.text(x, at, line, TYPE_LETTERS, TEXT, align=align)
