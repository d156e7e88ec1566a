"""Parts of a scene on a page: side by side, or one below the other."""

from typing import Any

import pytest

from tests.visualizer.backends.page.conftest import Open
from tests.visualizer.backends.page.test_browser import PHONE
from visualizer.model.timeline import ReplayTimeline


def places_of(page: Any) -> list[list[float]]:
    """The middles of both dead spaces, on the screen."""
    found: list[list[float]] = page.run(
        "([left, right, y]) => [viewer.view.toScreen(left, y), viewer.view.toScreen(right, y)]",
        [7.5, 7.5 + 18, 7.5],
    )
    return found


@pytest.mark.slow
def test_on_a_phone_they_lie_one_below_the_other_and_a_tap_finds_a_piece(
    smack_timeline: ReplayTimeline, open_page: Open
) -> None:
    page = open_page(smack_timeline, **PHONE)
    (x, y), (other_x, other_y) = places_of(page)
    assert x == pytest.approx(other_x)
    assert y + 100 < other_y
    assert page.run("() => document.documentElement.scrollWidth") == 390
    stage, play = (page.page.locator(name).bounding_box() for name in ("#stage", "#controls .main"))
    assert play["y"] + play["height"] < 844  # on one screen, without scrolling
    assert stage["height"] > 844 * 0.68
    page.page.tap("#controls [data-action=turn]")
    thing_id = 2_000 + 9 * 16  # A6 of board 2
    page.page.touchscreen.tap(*page.place_of(thing_id))
    page.settle()
    assert "nerd A6" in page.text("#inspector h2")
    inspector = page.page.locator("#inspector").bounding_box()
    assert inspector["y"] + inspector["height"] <= 844


@pytest.mark.slow
def test_they_come_side_by_side_when_the_window_becomes_wide(
    smack_timeline: ReplayTimeline, open_page: Open
) -> None:
    page = open_page(smack_timeline, **PHONE)
    page.page.set_viewport_size({"width": 1280, "height": 800})
    page.settle()
    (x, y), (other_x, other_y) = places_of(page)
    assert y == pytest.approx(other_y)
    assert x + 100 < other_x


def test_a_click_on_a_move_goes_there(smack_timeline: ReplayTimeline, open_page: Open) -> None:
    page = open_page(smack_timeline, "#t=3")
    moves = page.page.locator("#moves button")
    count = moves.count()
    assert count > 8
    lists = page.page.locator("#moves ol")
    assert lists.count() == 2
    last = lists.nth(1).locator("button").last
    words = last.inner_text()
    last.click()
    page.settle()
    assert last.get_attribute("aria-current") == "step"
    assert page.position == int(str(last.get_attribute("value")))
    page.page.keyboard.press("Home")
    step = page.run(
        """async (at) => {
      viewer.scrubTo(at);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return viewer.cursor.step.annotations.map(({ words }) => words);
    }""",
        int(str(last.get_attribute("value"))),
    )
    assert words in step


@pytest.mark.slow
def test_moves_after_the_playhead_are_hidden_with_the_result(
    smack_timeline: ReplayTimeline, open_page: Open
) -> None:
    page = open_page(smack_timeline, "#t=2&hide")
    moves = page.page.locator("#moves button")
    shown = [number for number in range(moves.count()) if moves.nth(number).is_visible()]
    end = smack_timeline.end_of(2)
    assert all(int(str(moves.nth(number).get_attribute("value"))) <= end for number in shown)
    assert 0 < len(shown) < moves.count()


@pytest.mark.slow
def test_a_game_without_moves_has_no_list_of_them(
    smac_timeline: ReplayTimeline, open_page: Open
) -> None:
    assert not open_page(smac_timeline).page.is_visible("#moves")
