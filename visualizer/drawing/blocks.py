"""Draws blocks: their squares, the lines around them, and their fronts."""

from visualizer.drawing.draw_list import AnyDrawList
from visualizer.drawing.measures import BORDER, FINEST_BORDER, FRONT_EDGE
from visualizer.drawing.outline import outline_of
from visualizer.drawing.rect import Rect
from visualizer.scene import Block
from visualizer.theme import FRONT


def draw_block(
    draws: AnyDrawList, block: Block, place: tuple[float, float], scale: float, opacity: float = 1.0
) -> None:
    """Draw a block from its upper left corner, on whole pixels like tiles."""
    left, top = place
    across = [float(round(left + n * scale)) for n in range(round(block.width) + 1)]
    down = [float(round(top + n * scale)) for n in range(round(block.height) + 1)]
    outline = outline_of(block.cells, block.front)
    for box in outline.boxes:
        x, y = across[box.left], down[box.top]
        draws.rect(Rect(x, y, across[box.right] - x, down[box.bottom] - y), block.fill, opacity)
    strips = [(outline.front, FRONT, max(1, round(FRONT_EDGE * scale)))]
    if scale >= FINEST_BORDER:
        strips.insert(0, (outline.edges, block.border, max(1, round(BORDER * scale))))
    for edges, color, width in strips:
        for edge in edges:
            x, y, right, bottom = edge.strip((across, down), width)
            draws.rect(Rect(x, y, right - x, bottom - y), color, opacity)


def draw_portrait(draws: AnyDrawList, block: Block, place: Rect, opacity: float) -> None:
    """Draw a block as large as fits into a place, centered."""
    scale = min(place.width / block.width, place.height / block.height)
    left = place.middle_x - block.width * scale / 2
    top = place.middle_y - block.height * scale / 2
    draw_block(draws, block, (left, top), scale, opacity)
