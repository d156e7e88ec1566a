"""The signs of what happened."""

from PIL import ImageChops, ImageOps, ImageStat

from visualizer.backends.pillow.signs import Stamps
from visualizer.drawing.frame_cursor import FrameSign
from visualizer.scene import Mark

STAMPS = Stamps(40)


def test_a_strike_goes_from_the_one_to_the_other() -> None:
    image = STAMPS.stamp(FrameSign(Mark.STRIKE, 0, 0, 2, 0)).image
    assert image.size == (120, 40)


def test_a_strike_within_one_place_is_a_star_that_points_nowhere() -> None:
    image = STAMPS.stamp(FrameSign(Mark.STRIKE, 3, 5, 3, 5)).image
    assert image.size == (40, 40)
    for turned in (ImageOps.mirror(image), ImageOps.flip(image)):
        assert max(ImageStat.Stat(ImageChops.difference(image, turned)).mean) < 8
