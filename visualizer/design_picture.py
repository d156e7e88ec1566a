"""The picture of a bot's design: its areas in colours, with what they are."""

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from engine.files import written_beside
from engine.game import Area
from visualizer.picture.lettering import font, width_of, write
from visualizer.printable import printable
from visualizer.theme import BACKGROUND, PANEL, RIM, TEXT, TIMELINE_COLOURS

WIDEST, HIGHEST = 1_200, 1_600
"""Pixels of the ground."""
LARGEST_CELL = 14
EDGE = 12
LINE = 24
SWATCH = 12
LETTERS = 14
MOST_NAMES = 40
"""In the legend."""
GROUNDS = (BACKGROUND, PANEL)
"""Of the first two areas, on which the others lie."""
WRONG = "#ff2d2d"
COLOURS = (*TIMELINE_COLOURS[1:], "#f28c28", "#2a9d6f", "#c04fb0", "#b08968")

Box = tuple[int, int, int, int]


def write_design_picture(areas: Sequence[Area], path: Path) -> None:
    """Raises: EngineFailure if it cannot be written."""
    image = draw_design(areas)
    with written_beside(path) as beside:
        image.save(beside, format="PNG")


def draw_design(areas: Sequence[Area]) -> Image.Image:
    """The ground from its upper left, and a legend below it."""
    ground = areas[0]
    pixels = max(1, min(LARGEST_CELL, WIDEST // ground.width, HIGHEST // ground.height))
    colours = _colours(areas)
    width = max(ground.width * pixels, 240)
    rows = _legend_rows(list(colours)[:MOST_NAMES], width)
    bottom = ground.height * pixels + EDGE
    size = width + 2 * EDGE, bottom + len(rows) * LINE + EDGE
    image = Image.new("RGB", size, BACKGROUND)
    painter = ImageDraw.Draw(image)
    for number, area in enumerate(areas):
        is_ground = number < len(GROUNDS)
        rim = RIM if is_ground else BACKGROUND
        painter.rectangle(_box(area, pixels), colours[area.name], rim if pixels > 3 else None)
    for row, names in enumerate(rows):
        for name, left in names:
            _write_name(image, name, colours[name], (EDGE + left, bottom + EDGE + row * LINE))
    return image


def _colours(areas: Sequence[Area]) -> dict[str, str]:
    """By name, in the order they come."""
    colours: dict[str, str] = {}
    others = 0
    for number, area in enumerate(areas):
        if area.name in colours:
            continue
        if number < len(GROUNDS):
            colours[area.name] = GROUNDS[number]
        elif area.is_wrong:
            colours[area.name] = WRONG
        else:
            colours[area.name] = COLOURS[others % len(COLOURS)]
            others += 1
    return colours


def _box(area: Area, pixels: int) -> Box:
    left, top = EDGE + area.x * pixels, EDGE + area.y * pixels
    return left, top, left + area.width * pixels - 1, top + area.height * pixels - 1


def _legend_rows(names: Sequence[str], width: int) -> list[list[tuple[str, int]]]:
    """Names with where they begin, as many in a row as it has room for."""
    rows: list[list[tuple[str, int]]] = [[]]
    left = 0
    for name in names:
        needed = round(width_of(printable(name[:40]), font(LETTERS))) + 3 * SWATCH
        if rows[-1] and left + needed > width:
            rows.append([])
            left = 0
        rows[-1].append((name, left))
        left += needed
    return rows


def _write_name(image: Image.Image, name: str, colour: str, place: tuple[int, int]) -> None:
    left, top = place
    box = (left, top, left + SWATCH, top + SWATCH)
    ImageDraw.Draw(image).rectangle(box, colour, RIM)
    words = printable(name[:40])
    write(image, (left + SWATCH + 6, top + SWATCH / 2), words, TEXT, font(LETTERS), "lm")
