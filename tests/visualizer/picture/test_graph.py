"""The graph of the scores."""

import pytest
from PIL import Image

from tests.visualizer.toy import RaceScene
from visualizer.picture.graph import GraphPainter, nice_top
from visualizer.picture.layout import Box

BOX = Box(10, 10, 300, 120)
SCORES = [(float(turn), float(turn % 7)) for turn in range(101)]


def painted(*turns: int, scores: list[tuple[float, ...]] | None = None) -> Image.Image:
    image = Image.new("RGB", (320, 140))
    graph = GraphPainter(BOX, 12, SCORES if scores is None else scores, RaceScene.team_colour)
    for turn in turns:
        graph.paint(image, turn)
    return image


def pixels_of(image: Image.Image, colour: str, left: int, right: int) -> int:
    """How many of them are of a colour."""
    part = image.crop((left, BOX.top, right, BOX.bottom)).convert("RGB")
    counts = {content: count for count, content in part.getcolors(1 << 20) or []}
    red, green, blue = bytes.fromhex(colour[1:])
    return int(counts.get((red, green, blue), 0))


@pytest.mark.parametrize(
    ("most", "top"),
    [(0, 1), (0.4, 0.4), (1, 1), (7, 8), (11, 12), (1075, 1200), (999, 1000), (-3, 1)],
)
def test_the_axis_ends_at_a_round_number(most: float, top: float) -> None:
    assert nice_top(most) == pytest.approx(top)


def test_what_has_not_happened_is_not_shown() -> None:
    middle = BOX.left + BOX.width // 2
    early, late = painted(20), painted(100)
    assert pixels_of(early, RaceScene.team_colour(1), middle, BOX.right) == 0
    assert pixels_of(late, RaceScene.team_colour(1), middle, BOX.right) > 50


def test_going_back_takes_it_away_again() -> None:
    assert painted(100, 20).tobytes() == painted(20).tobytes()


@pytest.mark.parametrize("scores", [[], [(0.0, 0.0)], [(-5.0, 2.0), (3.0, -2.0)]], ids=str)
def test_short_and_negative_scores_are_drawn(scores: list[tuple[float, ...]]) -> None:
    painted(0, 1, 2, scores=scores)
