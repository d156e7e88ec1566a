"""The picture of a design."""

from engine.game import Area
from visualizer.backends.pillow.design_picture import EDGE, draw_design


def test_the_zone_is_told_from_what_lies_beyond_it() -> None:
    ground = Area("beyond the zone", 0, 0, 30, 20)
    picture = draw_design([ground, Area("the zone", 0, 0, 10, 20)]).convert("L")
    zone, beyond = (picture.tobytes()[(EDGE + 7) * picture.width + EDGE + x] for x in (77, 287))
    assert abs(zone - beyond) > 30
