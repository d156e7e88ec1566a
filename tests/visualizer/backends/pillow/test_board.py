"""Blocks, rings and lanes in pictures, pixel by pixel."""

from collections.abc import Mapping
from typing import Any

import pytest
from PIL import Image

from tests.visualizer import toy
from visualizer.backends.pillow.draw_list import ImageDrawList
from visualizer.drawing.arrangement import arrangements
from visualizer.drawing.board import BoardPainter
from visualizer.drawing.picture_layout import layout_for
from visualizer.drawing.signs import Sign
from visualizer.drawing.sprites import Sprites
from visualizer.scene import AnyScene, Block, Extent, Mark, Thing
from visualizer.theme import FRONT

FILL, BORDER = "#2f7de1", "#204080"
SCENE = toy.RaceScene(toy.RaceSettings(), 3)


class Board:
    """A board that is painted on an image."""

    def __init__(self, size: tuple[int, int], scene: AnyScene = SCENE, teams: int = 3) -> None:
        layout = layout_for(size, arrangements(scene), teams)
        self.scale = layout.fit.scale
        self._size = round(layout.board.width), round(layout.board.height)
        self._draws = ImageDrawList(layout.pixels_per_point)
        fit = layout.fit.move_by(-layout.board.x, -layout.board.y)
        self._painter = BoardPainter(self._draws, scene, Sprites(toy.NAME), fit)

    def paint(self, things: Mapping[int, Thing], *signs: Sign) -> Image.Image:
        image = Image.new("RGB", self._size)
        self._painter.draw_backdrop()
        self._painter.draw_things(things)
        for sign in signs:
            self._painter.draw_sign(sign)
        self._draws.draw_on(image)
        return image


def ring(bar: tuple[int, int] | None = None) -> Block:
    return Block("trophy", 1, 0, 3, 3, "###/#.#/###", FILL, BORDER, "E", bar, (1,))


def color_at(image: Image.Image, scale: float, x: float, y: float) -> str:
    left, top = SCENE.extent.left, SCENE.extent.top
    pixel: Any = image.getpixel((round((x - left) * scale), round((y - top) * scale)))
    return "#{:02x}{:02x}{:02x}".format(*pixel)


@pytest.mark.usefixtures("race")
@pytest.mark.parametrize("size", [(640, 360), (1_280, 720)])
def test_a_block_has_its_squares_and_a_heavy_edge_in_front(size: tuple[int, int]) -> None:
    board = Board(size)
    scale = board.scale
    empty, image = board.paint({}), board.paint({1: ring()})
    for x, y in ((1.5, 0.5), (2.5, 2.5), (1.5, 1.5), (3.4, 1.5)):
        assert color_at(image, scale, x, y) == FILL
    assert color_at(image, scale, 2.5, 1.5) == color_at(empty, scale, 2.5, 1.5)
    assert color_at(image, scale, 4 - 1 / scale, 1.5) == FRONT
    assert color_at(image, scale, 1, 1.5) == BORDER
    assert color_at(image, scale, 4 + 1 / scale, 1.5) == color_at(empty, scale, 4 + 1 / scale, 1.5)


@pytest.mark.usefixtures("race")
def test_a_bar_below_a_block_tells_that_something_is_missing() -> None:
    board = Board((1_280, 720))
    whole, hurt = board.paint({1: ring((9, 9))}), board.paint({1: ring((3, 9))})
    assert whole.tobytes() == board.paint({1: ring()}).tobytes()
    assert hurt.tobytes() != whole.tobytes()


@pytest.mark.usefixtures("race")
def test_what_was_reached_is_tinted_and_nothing_else() -> None:
    board = Board((640, 360))
    scale = board.scale
    empty = board.paint({})
    lane = Sign(Mark.ATTACK_LANE, (1, 1), color=FILL, attack_lanes=(Extent(4, 0, 7, 1),))
    image = board.paint({}, lane)
    assert color_at(image, scale, 5.5, 0.5) not in (FILL, color_at(empty, scale, 5.5, 0.5))
    for x, y in ((3.5, 0.5), (5.5, 1.5), (7.5, 0.5)):
        assert color_at(image, scale, x, y) == color_at(empty, scale, x, y)


@pytest.mark.usefixtures("race")
def test_the_speech_bubble_of_a_call_leaves_the_middle_of_the_piece() -> None:
    board = Board((640, 360))
    scale = board.scale
    empty = board.paint({})
    image = board.paint({}, Sign(Mark.CALL, (4, 1.5), size=2.0, color=FILL))
    assert image.tobytes() != empty.tobytes()
    assert color_at(image, scale, 4, 1.5) == color_at(empty, scale, 4, 1.5)


@pytest.mark.usefixtures("race")
def test_a_speech_bubble_is_as_small_at_a_large_thing_as_at_a_small_one() -> None:
    board = Board((1_280, 720))
    empty = board.paint({}).convert("L").tobytes()
    drawn = []
    for size in (1.0, 4.0):
        sign = Sign(Mark.CALL, (4, 1.5), size=size, color=FILL)
        image = board.paint({}, sign).convert("L").tobytes()
        drawn.append(sum(one != other for one, other in zip(empty, image, strict=True)))
    assert drawn[0] == drawn[1] > 20
    assert drawn[0] < board.scale**2


@pytest.mark.usefixtures("race")
def test_signs_on_a_large_board_have_a_least_size() -> None:
    scene = toy.RaceScene(toy.RaceSettings(columns=400), 200)
    board = Board((640, 360), scene, 2)
    assert board.scale < 3
    empty = board.paint({})
    image = board.paint({}, Sign(Mark.HIT, (200, 100)))
    pairs = zip(empty.convert("L").tobytes(), image.convert("L").tobytes(), strict=True)
    assert sum(one != other for one, other in pairs) > 20
