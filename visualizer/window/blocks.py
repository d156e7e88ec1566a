"""Draws blocks: squares that are one body, the lines around them, and where they look."""

from visualizer.outline import outline_of
from visualizer.scene import Block
from visualizer.theme import BORDER, FINEST_BORDER, FRONT, FRONT_EDGE
from visualizer.window.ink import Ink
from visualizer.window.rect import Rect


def draw_block(
    ink: Ink, block: Block, place: tuple[float, float], scale: float, opacity: float = 1.0
) -> None:
    """With its upper left corner at a place. Its lines lie on whole pixels, like those of tiles."""
    left, top = place
    across = [float(round(left + n * scale)) for n in range(round(block.width) + 1)]
    down = [float(round(top + n * scale)) for n in range(round(block.height) + 1)]
    outline = outline_of(block.cells, block.front)
    for box in outline.boxes:
        x, y = across[box.left], down[box.top]
        ink.rect(Rect(x, y, across[box.right] - x, down[box.bottom] - y), block.fill, opacity)
    strips = [(outline.front, FRONT, max(1, round(FRONT_EDGE * scale)))]
    if scale >= FINEST_BORDER:
        strips.insert(0, (outline.edges, block.border, max(1, round(BORDER * scale))))
    for edges, colour, width in strips:
        for edge in edges:
            x, y, right, bottom = edge.strip((across, down), width)
            ink.rect(Rect(x, y, right - x, bottom - y), colour, opacity)


def draw_portrait(ink: Ink, block: Block, place: Rect, opacity: float) -> None:
    """As large as there is room for, in the middle."""
    scale = min(place.width / block.width, place.height / block.height)
    left = place.middle_x - block.width * scale / 2
    top = place.middle_y - block.height * scale / 2
    draw_block(ink, block, (left, top), scale, opacity)
