"""A board alone as a small picture: no header, no panels, nothing around it."""

from PIL import Image

from visualizer.backends.pillow.draw_list import ImageDrawList
from visualizer.drawing.board import BoardPainter
from visualizer.drawing.fit import whole
from visualizer.drawing.frame_cursor import FrameCursor
from visualizer.drawing.rect import Rect
from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import ReplayTimeline
from visualizer.theme import BACKGROUND

PIXELS_PER_POINT = 0.6


def draw_board(timeline: ReplayTimeline, sprites: Sprites, most: tuple[int, int]) -> Image.Image:
    """Return the last board of a match that has been read; `most`: its width and height, pixels."""
    frame = FrameCursor(timeline)
    frame.go_to(timeline.steps)
    fit = whole(timeline.scene, Rect(0, 0, *most))
    extent = fit.arrangement.extent
    left, top = fit.left + extent.left * fit.scale, fit.top + extent.top * fit.scale
    size = max(1, round(extent.width * fit.scale)), max(1, round(extent.height * fit.scale))
    draws = ImageDrawList(PIXELS_PER_POINT)
    board = BoardPainter(draws, timeline.scene, sprites, fit.moved(-left, -top))
    image = Image.new("RGB", size, BACKGROUND)
    board.draw_backdrop()
    draws.draw_on(image)
    board.draw_things(frame.things, {})
    for sign in frame.signs:
        board.draw_sign(sign)
    draws.draw_on(image)
    return image
