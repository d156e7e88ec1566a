"""The graph of the scores."""

from collections.abc import Sequence

import pytest
from PIL import Image

from tests.visualizer.toy import RaceScene
from visualizer.backends.pillow.graph import Curves, GraphPainter, nice_top
from visualizer.backends.pillow.layout import Box
from visualizer.theme import TEXT

BOX = Box(10, 10, 300, 120)
SCORES = [(float(turn), float(turn % 7)) for turn in range(101)]


def painted(
    *turns: int,
    scores: Sequence[tuple[float, ...]] = SCORES,
    thresholds: Sequence[float | None] = (),
) -> Image.Image:
    image = Image.new("RGB", (320, 140))
    curves = Curves("lead", scores, thresholds)
    graph = GraphPainter(BOX, 12, curves, RaceScene.team_color)
    for turn in turns:
        graph.paint(image, turn)
    return image


def pixels_of(image: Image.Image, color: str, left: int, right: int) -> int:
    """Return how many pixels are of a color."""
    part = image.crop((left, BOX.top, right, BOX.bottom)).convert("RGB")
    counts = {content: count for count, content in part.getcolors(1 << 20) or []}
    red, green, blue = bytes.fromhex(color[1:])
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
    assert pixels_of(early, RaceScene.team_color(1), middle, BOX.right) == 0
    assert pixels_of(late, RaceScene.team_color(1), middle, BOX.right) > 50


def test_going_back_takes_it_away_again() -> None:
    assert painted(100, 20).tobytes() == painted(20).tobytes()


@pytest.mark.parametrize(
    ("scores", "teams"),
    [([], []), ([(0.0, 0.0)], [1]), ([(-5.0, 2.0), (3.0, -2.0)], [1, 2])],
    ids=str,
)
def test_short_and_negative_scores_are_drawn(
    scores: list[tuple[float, ...]], teams: list[int]
) -> None:
    shown = painted(0, 1, 2, scores=scores)
    colours = {team: RaceScene.team_color(team) for team in (1, 2)}
    assert teams == [team for team in colours if pixels_of(shown, colours[team], 0, shown.width)]


def test_lines_of_more_than_two_have_their_numbers_beside_the_dots() -> None:
    close: list[tuple[float, ...]] = [(turn, turn + 1.0, turn + 2.0) for turn in range(11)]
    for turn in (3, 10):  # at the right edge they stand on the left
        shown, now = painted(turn, scores=close), BOX.left + BOX.width * turn // 10
        whites = pixels_of(shown, "#ffffff", max(BOX.left, now - 30), min(BOX.right, now + 30))
        assert whites > 5
    two = painted(3, scores=[scores[:2] for scores in close])
    assert pixels_of(two, "#ffffff", BOX.left, BOX.right) == 0


def test_what_it_takes_to_win_is_a_broken_line_as_far_as_it_has_happened() -> None:
    thresholds = [None] * 50 + [80.0] * 51
    early, late = painted(20, thresholds=thresholds), painted(100, thresholds=thresholds)
    first = BOX.left + BOX.width * 6 // 10
    legend, line = (pixels_of(image, TEXT, first, BOX.right - 40) for image in (early, late))
    assert legend + 10 < line < legend + BOX.right - 40 - first
    assert pixels_of(painted(100), TEXT, first, BOX.right - 40) == 0


def test_the_axis_reaches_what_it_takes_to_win() -> None:
    assert Curves("lead", [(1.0, 2.0)], [7.0]).most == 7.0
    assert Curves("lead", [(1.0, 9.0)], [None, 7.0]).most == 9.0
    assert Curves("lead", []).most == 0.0
