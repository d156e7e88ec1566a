"""Parts of a scene on a page: side by side, or one below the other."""

from typing import Any

import pytest

from tests.visualizer.backends.page.conftest import Open
from tests.visualizer.backends.page.test_browser import PHONE
from visualizer.model.timeline import ReplayTimeline


def gap_centers(page: Any) -> list[list[float]]:
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
    (x, y), (other_x, other_y) = gap_centers(page)
    assert x == pytest.approx(other_x)
    assert y + 100 < other_y
    assert page.run("() => document.documentElement.scrollWidth") == 390
    assert page.run("() => viewer.view.scale") > 22  # pixels of a square
    for name in (".team >> nth=1 >> .team-head", "#controls .main", "#track"):
        assert is_in_sight(page, name)
    page.page.tap("#controls [data-action=turn]")
    page.run("() => scrollTo(0, 500)")
    thing_id = 2_000 + 9 * 16  # A6 of board 2
    page.page.touchscreen.tap(*page.thing_position(thing_id))
    page.settle()
    assert "nerd A6" in page.text("#inspector h2")
    for name in ("#inspector", "#controls .main", "#track"):
        assert is_in_sight(page, name)


def is_in_sight(page: Any, selector: str) -> bool:
    """Return whether all of an element is on the screen, and nothing lies over its middle."""
    return bool(
        page.page.locator(selector).evaluate("""(element) => {
            const { left, top, right, bottom } = element.getBoundingClientRect();
            const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            const isWhole = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
            return isWhole && element.contains(there);
        }""")
    )


@pytest.mark.slow
def test_they_come_side_by_side_when_the_window_becomes_wide(
    smack_timeline: ReplayTimeline, open_page: Open
) -> None:
    page = open_page(smack_timeline, **PHONE)
    page.page.set_viewport_size({"width": 1280, "height": 800})
    page.settle()
    (x, y), (other_x, other_y) = gap_centers(page)
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
    end = smack_timeline.turn_end(2)
    assert all(int(str(moves.nth(number).get_attribute("value"))) <= end for number in shown)
    assert 0 < len(shown) < moves.count()


@pytest.mark.slow
def test_a_game_without_moves_has_no_list_of_them(
    smac_timeline: ReplayTimeline, open_page: Open
) -> None:
    assert not open_page(smac_timeline).page.is_visible("#moves")
