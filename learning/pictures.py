"""The board of a match as a picture, for those who watch a program learn."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from engine.game import AnyGame
from visualizer.backends.pillow.draw_list import ImageDrawList
from visualizer.drawing.board import BoardPainter
from visualizer.drawing.fit import whole
from visualizer.drawing.rect import Rect
from visualizer.drawing.sprites import Sprites
from visualizer.scene import scene_class
from visualizer.theme import BACKGROUND

LONGER_SIDE = 640
"""The longer side of a picture, pixels."""


def picture_of(game: AnyGame, settings: Any, teams: int, state: Any) -> NDArray[np.uint8]:
    """Return the board as a picture: (height, width, 3), red, green and blue from 0 to 255."""
    scene = scene_class(game.name)(settings, teams)
    extent = scene.extent
    scale = LONGER_SIDE / max(extent.width, extent.height)
    size = round(extent.width * scale), round(extent.height * scale)
    draws = ImageDrawList(unit=1)
    board = BoardPainter(draws, scene, Sprites(game.name), whole(scene, Rect(0, 0, *size)))
    board.draw_backdrop()
    things = {thing_id: scene.thing(state, thing_id) for thing_id in scene.ids(state)}
    board.draw_things({name: thing for name, thing in things.items() if thing is not None}, {})
    image = Image.new("RGB", size, BACKGROUND)
    draws.draw_on(image)
    return np.asarray(image, np.uint8)
