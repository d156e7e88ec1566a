"""The picture of a design."""

from engine.game import Area
from visualizer.backends.pillow.design_picture import EDGE, draw_design


def test_the_zone_is_told_from_what_lies_beyond_it() -> None:
    ground = Area("beyond the zone", 0, 0, 30, 20)
    picture = draw_design([ground, Area("the zone", 0, 0, 10, 20)]).convert("L")
    middles = [picture.getpixel((EDGE + x * 14 + 7, EDGE + 7)) for x in (5, 20)]
    zone, beyond = (value for value in middles if isinstance(value, int))
    assert abs(zone - beyond) > 30
