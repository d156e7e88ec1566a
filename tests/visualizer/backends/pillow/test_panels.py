"""The panel of a team in a picture."""

from PIL import Image

from engine.record import Contestant
from visualizer.backends.pillow.layout import Box
from visualizer.backends.pillow.panels import PanelPainter, PanelState

UNIT = 20
MADE = Contestant(name="player_x", digest="0", title="X", author="Ann")
PLAIN = Contestant(name="player_x", digest="0")


def painted(bot: Contestant, units: float) -> bytes:
    image = Image.new("RGB", (500, 200))
    box = Box(0, 0, 480, round(units * UNIT))
    panel = PanelPainter(box, UNIT, 1, bot, "#2f7de1")
    panel.paint(image, PanelState(3.5, (("cells", 4), ("bank", 1.5))))
    return image.tobytes()


def test_the_lowest_panels_leave_out_who_made_the_bot() -> None:
    assert painted(MADE, 3.8) == painted(PLAIN, 3.8)
    assert painted(MADE, 4.4) != painted(PLAIN, 4.4)
