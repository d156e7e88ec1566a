"""The graph of the scores."""

from collections.abc import Sequence

import pytest
from PIL import Image

from tests.visualizer.toy import RaceScene
from visualizer.backends.pillow.draw_list import ImageDrawList
from visualizer.backends.pillow.painter import GraphPainter
from visualizer.drawing.score_graph import Curves, nice_top
from visualizer.theme import INKS, LINES, PANEL, legible

BOX = (10, 10, 300, 120)
LEFT, RIGHT = 10, 310
SCORES = [(float(turn), float(turn % 7)) for turn in range(101)]


def painted(
    turn: int, scores: Sequence[tuple[float, ...]] = SCORES, thresholds: Sequence[float | None] = ()
) -> Image.Image:
    image = Image.new("RGB", (320, 140))
    curves = Curves("lead", scores, thresholds, RaceScene.team_color)
    painter = GraphPainter(ImageDrawList(unit=0.86), curves, (BOX[2], BOX[3]))
    for shown in (len(scores), turn):
        image.paste(painter.paint(shown), BOX[:2])
    return image


def count_pixels(image: Image.Image, color: str, left: int, right: int) -> int:
    """Return how many pixels are of a color."""
    part = image.crop((left, 10, right, 130)).convert("RGB")
    counts = {content: count for count, content in part.getcolors(1 << 20) or []}
    red, green, blue = bytes.fromhex(color[1:])
    return int(counts.get((red, green, blue), 0))


def light_pixels(image: Image.Image, left: int, right: int) -> int:
    """Return how many are nearly white, as the broken line is at its edges."""
    lightness = image.crop((left, 10, right, 110)).convert("L").tobytes()
    return sum(shade > 130 for shade in lightness)


@pytest.mark.parametrize(
    ("most", "top"),
    [(0, 1), (0.4, 0.4), (1, 1), (7, 8), (11, 12), (1075, 1200), (999, 1000), (-3, 1)],
)
def test_the_axis_ends_at_a_round_number(most: float, top: float) -> None:
    assert nice_top(most) == pytest.approx(top)


def test_the_axis_grows_with_the_scores_and_tells_nothing_of_what_comes() -> None:
    scores = [(float(turn), 0.0) for turn in range(101)]
    curves = Curves("score", scores, [], RaceScene.team_color)
    assert [curves.most_until(turn) for turn in (0, 20, 100)] == [0, 20, 100]
    assert curves.most == 100


def test_what_has_not_happened_is_not_shown() -> None:
    middle = LEFT + 300 // 2
    early, late = painted(20), painted(100)
    line = legible(RaceScene.team_color(1), PANEL, LINES)
    assert count_pixels(early, line, middle, RIGHT) == 0
    assert count_pixels(late, line, middle, RIGHT) > 50


@pytest.mark.parametrize(
    ("scores", "teams"),
    [([], []), ([(0.0, 0.0)], [1]), ([(-5.0, 2.0), (3.0, -2.0)], [1, 2])],
    ids=str,
)
def test_short_and_negative_scores_are_drawn(
    scores: list[tuple[float, ...]], teams: list[int]
) -> None:
    shown = painted(2, scores=scores)
    colors = {team: RaceScene.team_color(team) for team in (1, 2)}
    assert teams == [team for team in colors if count_pixels(shown, colors[team], 0, shown.width)]


def test_lines_of_more_than_two_have_their_numbers_beside_the_dots() -> None:
    close: list[tuple[float, ...]] = [(turn, turn + 1.0, turn + 2.0) for turn in range(11)]
    for turn in (3, 10):  # at the right edge they stand on the left
        shown, now = painted(turn, scores=close), LEFT + 300 * turn // 10
        letters = count_pixels(shown, INKS[1], max(LEFT, now - 30), min(RIGHT, now + 30))
        assert letters > 5
    two = painted(3, scores=[scores[:2] for scores in close])
    assert count_pixels(two, INKS[1], LEFT, RIGHT) == 0


def test_what_it_takes_to_win_is_a_broken_line_as_far_as_it_has_happened() -> None:
    thresholds = [None] * 50 + [80.0] * 51
    early, late = painted(20, thresholds=thresholds), painted(100, thresholds=thresholds)
    first = LEFT + 300 * 6 // 10
    light = [light_pixels(image, first, RIGHT - 40) for image in (early, late)]
    without = [light_pixels(painted(turn), first, RIGHT - 40) for turn in (20, 100)]
    assert light[0] == without[0]
    assert light[1] > without[1] + 10


def test_the_axis_reaches_what_it_takes_to_win() -> None:
    assert Curves("lead", [(1.0, 2.0)], [7.0], str).most == 7.0
    assert Curves("lead", [(1.0, 9.0)], [None, 7.0], str).most == 9.0
    assert Curves("lead", [], [], str).most == 0.0
