"""Blocks of a picture: squares that are one body, the lines around them, and where they look."""

from PIL import ImageDraw

from visualizer.outline import outline_of
from visualizer.scene import Block
from visualizer.theme import BORDER, FINEST_BORDER, FRONT, FRONT_EDGE


def paint_block(
    draw: ImageDraw.ImageDraw, block: Block, lines: tuple[list[float], list[float]]
) -> None:
    """`lines` are where those of its squares are across and down, pixels."""
    across, down = lines
    scale = (across[-1] - across[0]) / block.width
    outline = outline_of(block.cells, block.front)
    for box in outline.boxes:
        corners = across[box.left], down[box.top], across[box.right], down[box.bottom]
        _fill(draw, corners, block.fill)
    if scale >= FINEST_BORDER:
        width = max(1, round(BORDER * scale))
        for edge in outline.edges:
            _fill(draw, edge.strip(lines, width), block.border)
    for edge in outline.front:
        _fill(draw, edge.strip(lines, max(1, round(FRONT_EDGE * scale))), FRONT)


def _fill(draw: ImageDraw.ImageDraw, corners: tuple[float, ...], colour: str) -> None:
    """Pillow counts the pixels at the right and at the bottom in."""
    left, top, right, bottom = corners
    if right > left and bottom > top:
        draw.rectangle((left, top, right - 1, bottom - 1), colour)
