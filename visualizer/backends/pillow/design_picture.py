"""The picture of a bot's design: its areas in colors, with what they are."""

from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from engine.game import Area, Drawing
from engine.support.files import written_beside
from visualizer.backends.pillow.draw_list import ImageDrawList
from visualizer.backends.pillow.type_pictures import draw_types
from visualizer.drawing.lettering import plain, width_of
from visualizer.drawing.rect import Rect
from visualizer.theme import BACKGROUND, PANEL, RIM, TEXT, TIMELINE_COLORS

WIDEST, HIGHEST = 1_200, 1_600
"""The most pixels of the ground, across and down."""
LARGEST_CELL = 14
TYPES_WIDTH = 640
"""The least width for the kinds of pieces, so that several stand side by side."""
EDGE = 12
LINE = 24
SWATCH = 12
LETTERS = 14
LONGEST = 40
"""The most letters of a name."""
MOST_NAMES = 40
"""The most names in the legend."""
GROUNDS = (PANEL, "#3d4a5a")
"""The colors of the first two areas, on which the others lie."""
WRONG = "#ff2d2d"
COLORS = (*TIMELINE_COLORS[1:], "#f28c28", "#2a9d6f", "#c04fb0", "#b08968")


def write_design_picture(
    areas: Sequence[Area], path: Path, drawings: Sequence[Drawing] = ()
) -> None:
    """Write the picture of a design. Raises: EngineFailure if it cannot be written.

    `drawings` are its kinds of pieces, which are shown large below it.
    """
    image = draw_design(areas)
    if drawings:
        image = _above(
            image, draw_types(drawings, _colors(areas), max(image.width - 2 * EDGE, TYPES_WIDTH))
        )
    with written_beside(path) as beside:
        image.save(beside, format="PNG")


def draw_design(areas: Sequence[Area]) -> Image.Image:
    """Return the picture of a design: the ground, and a legend below it."""
    ground = areas[0]
    pixels = max(1, min(LARGEST_CELL, WIDEST // ground.width, HIGHEST // ground.height))
    colors = _colors(areas)
    width = max(ground.width * pixels, 240)
    rows = _legend_rows(list(colors)[:MOST_NAMES], width)
    bottom = ground.height * pixels + EDGE
    size = width + 2 * EDGE, bottom + len(rows) * LINE + EDGE
    draws = ImageDrawList(unit=1)
    for number, area in enumerate(areas):
        is_ground = number < len(GROUNDS)
        place = _place(area, pixels)
        if pixels > 3:
            draws.rect(place, RIM if is_ground else BACKGROUND)
            place = place.inset(1)
        draws.rect(place, colors[area.name])
    for row, names in enumerate(rows):
        for name, left in names:
            _draw_name(draws, name, colors[name], (EDGE + left, bottom + EDGE + row * LINE))
    image = Image.new("RGB", size, BACKGROUND)
    draws.draw_on(image)
    return image


def _above(ground: Image.Image, types: Image.Image) -> Image.Image:
    """Return both pictures, one above the other."""
    width = max(ground.width, types.width + 2 * EDGE)
    image = Image.new("RGB", (width, ground.height + types.height), BACKGROUND)
    image.paste(ground, (0, 0))
    image.paste(types, (EDGE, ground.height))
    return image


def _colors(areas: Sequence[Area]) -> dict[str, str]:
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


def _legend_rows(names: Sequence[str], width: int) -> list[list[tuple[str, int]]]:
    """Return the rows of the legend: names with their left edges, as many as fit."""
    rows: list[list[tuple[str, int]]] = [[]]
    left = 0
    for name in names:
        needed = width_of(plain(name[:LONGEST]), LETTERS) + 3 * SWATCH
        if rows[-1] and left + needed > width:
            rows.append([])
            left = 0
        rows[-1].append((name, left))
        left += needed
    return rows


def _draw_name(draws: ImageDrawList, name: str, color: str, place: tuple[int, int]) -> None:
    left, top = place
    swatch = Rect(left, top, SWATCH, SWATCH)
    draws.rect(swatch, RIM)
    draws.rect(swatch.inset(1), color)
    x, middle = left + SWATCH + 6, top + SWATCH / 2
    draws.text(x, middle, name[:LONGEST], LETTERS, TEXT)
