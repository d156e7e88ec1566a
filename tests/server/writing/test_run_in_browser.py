"""Bots run in a real browser: watched, failed, mended and run again, with both editors."""

from typing import Any

from tests.server.writing.browsing import code, is_saved, put, read_code
from tests.shell import eventually

FAULTY = """
from engine.games.slime_mind.player import BasePlayer, Slime


class Player(BasePlayer):
    def decide(self, slime: Slime) -> str:
        wanted = self.board.turn - 5
        self.log.info(f"I want {wanted}")
        print(f"turn {self.board.turn}")
        return ["LEFT"][0 if 1 / wanted else 0]
"""
"""It divides by zero in turn 5."""
LINE = 10
PATIENCE_MS = 150_000


def run(page: Any) -> str:
    """Run a bot to the end; return what came of it."""
    page.get_by_role("button", name="Run", exact=False).first.click()
    return over(page)


def over(page: Any) -> str:
    page.locator("#panel-output").hover()  # what is pointed at is not scrolled away
    page.locator("#came").filter(has_text="turns").wait_for(timeout=PATIENCE_MS)
    return str(page.locator("#came").inner_text())


def board(page: Any) -> Any:
    """Return the board, which is a page in a frame."""
    frame = page.frame_locator("#board-frame iframe")
    frame.locator("body:not(.loading) #board").wait_for()
    return frame


def mend(page: Any) -> None:
    put(page, FAULTY.replace("self.board.turn - 5", "self.board.turn + 5"))
    is_saved(page)


def test_one_line_is_changed_and_the_match_is_seen(page: Any) -> None:
    put(page, read_code(page).replace('AUTHOR = "you"', 'AUTHOR = "Ann"'))
    page.keyboard.press("Control+Enter")
    assert "against player_one" in over(page)
    frame = board(page)
    frame.locator("#turn").filter(has_text="turn").wait_for()
    page.locator("#cpu-now").filter(has_text="ms CPU").wait_for()
    assert page.errors == []


def test_a_fault_stands_at_its_line_and_in_its_turn(page: Any) -> None:
    page.route("**/notes?*", lambda route: route.fulfill(status=503), times=8)  # a busy server
    put(page, FAULTY)
    run(page)
    fault = page.locator("#output .fault").first
    assert "division by zero" in fault.inner_text()
    assert "wanted" in fault.locator("dl").inner_text()
    fault.locator(".to-line").click()
    board(page).locator("#turn").get_by_text("turn 5", exact=True).wait_for()
    marked = page.locator("#editor .cm-lint-marker-error, #editor .at-error")
    marked.first.wait_for()
    focused = code(page).evaluate("field => field.getRootNode().activeElement === field")
    assert focused
    page.locator("#output li.now").filter(has_text="I want 0").first.wait_for()
    page.locator("#output li").filter(has_text="I want 70").first.locator(".to-turn").click()
    page.locator("#output li").filter(has_text="I want 90").first.wait_for()
    fault.get_by_text("turn 5").wait_for()  # it stays, also where its turn is far away
    assert page.errors == []


def test_a_mended_bot_runs_again_from_the_turn_of_its_fault(page: Any) -> None:
    put(page, FAULTY)
    run(page)
    page.locator("#output .fault .to-turn").first.click()
    board(page).locator("#turn").get_by_text("turn 5", exact=True).wait_for()
    mend(page)
    page.get_by_role("button", name="Run again from turn 5").click()
    page.locator("#output .fault").first.wait_for(state="detached")
    over(page)
    board(page).locator("#turn").get_by_text("turn 5", exact=True).wait_for()
    assert page.locator("#output .fault").count() == 0
    assert page.errors == []


def test_what_does_not_parse_is_found_at_its_line_and_not_run(page: Any) -> None:
    put(page, FAULTY.replace("def decide(self,", "def decide(self:"))
    is_saved(page)
    page.get_by_role("button", name="Run", exact=False).first.click()
    finding = page.locator("#findings .is-error").first
    assert "syntax" in finding.inner_text()
    assert f":{LINE - 4}" in finding.inner_text()
    page.locator("#came").filter(has_text="cannot be played").wait_for()
    assert page.locator("#board-frame iframe").count() == 0
    mend(page)
    page.locator("#findings .is-error").wait_for(state="detached", timeout=PATIENCE_MS)


def test_a_run_that_is_stopped_ends(page: Any) -> None:
    put(page, FAULTY.replace("wanted = ", "sum(range(300_000)); wanted = 9 + "))
    page.get_by_role("button", name="Run", exact=False).first.click()
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Stop").wait_for(state="hidden", timeout=PATIENCE_MS)
    assert page.get_by_role("button", name="Run", exact=False).first.is_enabled()


def test_the_last_run_is_there_after_a_reload(page: Any) -> None:
    words = run(page)
    page.reload()
    assert over(page) == words
    board(page)
    assert page.errors == []


def test_a_run_waits_for_the_opponents_that_are_still_loading(page: Any) -> None:
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/opponents", hold)
    page.reload()
    page.get_by_role("button", name="Run", exact=False).first.click()
    assert eventually(lambda: page.wait_for_timeout(10) or len(held) == 2)
    assert page.get_by_role("button", name="Run", exact=False).first.is_disabled()
    for one in held:
        one.continue_()
    over(page)
    assert page.errors == []
